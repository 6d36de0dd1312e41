/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of tasks, each with its requests to each device: how many, how much, how long. */
#pragma once

#include <stdint.h>

#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "disk_request.h"

struct disk_tasks {
	const struct question *question;
	struct relation rows;
};

/* Sums over the requests of one task to one device in one direction. */
struct disk_share {
	uint64_t requests, bytes, errors;
	const struct distribution *queue, *device;
};

void disk_tasks_init(struct disk_tasks *tasks, const struct question *question);
/*
 * Adds a task and a device, once for each pair. `waiting`: the time in which at least one of these
 * requests was queued or in the device; task may be TRACK_NONE. Does nothing without requests.
 */
void disk_tasks_add(struct disk_tasks *tasks, uint32_t task, uint32_t dev,
                    const struct disk_share share[static DISK_DIRECTIONS], nsec_t waiting);
void disk_tasks_put(const struct disk_tasks *tasks, const struct output *to);
void disk_tasks_release(struct disk_tasks *tasks);
