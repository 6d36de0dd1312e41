/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to disks by control group, or by process tree, and device: the table of --disk --by
 * cgroup. Order of calls: init, once the question is resolved; add for each task and device; put;
 * release.
 */
#pragma once

#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "analysis/task_groups.h"

struct disk_groups {
	const struct question *question;
	struct task_groups groups;
	struct relation rows;
};

/* The requests of a task to a device. */
struct disk_group_share {
	uint32_t dev;
	uint32_t task; /* track; TRACK_NONE: not known */
	uint64_t requests, bytes, errors;
	const struct distribution *queue, *device;
};

void disk_groups_init(struct disk_groups *self, const struct question *question);
void disk_groups_add(struct disk_groups *self, const struct disk_group_share *share);
void disk_groups_put(const struct disk_groups *self, const struct output *to);
void disk_groups_release(struct disk_groups *self);
