/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of requests to disks: by task and device, by file, and by control group. */
#pragma once

#include <stdint.h>

#include "analysis/tables/distribution.h"
#include "analysis/tables/relation.h"
#include "analysis/task_groups.h"
#include "disk_request.h"
#include "disk_slowest.h"

/* Sums over the requests of one direction. */
struct disk_sum {
	uint64_t requests, bytes, errors;
	struct distribution queue, device; /* only of requests for which the time is known */
};

/*
 * The files that requests are for, where they are known: how much was read of each, how much was
 * written when it was synced, and how long that took.
 *
 * Memory: about 90 bytes a row, at most DISK_FILES_MAX of them.
 */

#define DISK_FILES_MAX (1u << 17)

struct disk_files {
	struct tally rows; /* of struct disk_file: of each task */
};

void disk_files_init(struct disk_files *files);
void disk_files_release(struct disk_files *files);
/* Adds a request; ignores it if its file, or when it was issued, is not known, and if it has no
   data, as a flush. Of a stacked device and those below it the upper one counts. */
void disk_files_add(struct disk_files *files, const struct disk_request *request,
                    const struct interval *interval);
/* Shows the files that asked tasks read or synced. Without any file, no table is shown. */
void disk_files_put(const struct disk_files *files, const struct question *question,
                    const struct output *to);

/* The table of tasks, each with its requests to each device: how many, how much, how long. */
struct disk_tasks {
	const struct question *question;
	struct tally rows;
};

void disk_tasks_init(struct disk_tasks *tasks, const struct question *question);
/*
 * Adds a task and a device, once for each pair. `waiting`: the time in which at least one of these
 * requests was queued or in the device; task may be TRACK_NONE. Does nothing without requests.
 */
void disk_tasks_add(struct disk_tasks *tasks, uint32_t task, uint32_t dev,
                    const struct disk_sum sum[static DISK_DIRECTIONS], nsec_t waiting);
void disk_tasks_put(const struct disk_tasks *tasks, const struct output *to);
void disk_tasks_release(struct disk_tasks *tasks);

/*
 * Requests to disks by control group, or by process tree, and device: the table of --disk --by
 * cgroup. Order of calls: init, once the question is resolved; add for each task and device; put;
 * release.
 */

struct disk_groups {
	const struct question *question;
	struct task_groups groups;
	struct tally rows;
};

void disk_groups_init(struct disk_groups *self, const struct question *question);
/* The task's requests to the device in one direction. */
void disk_groups_add(struct disk_groups *self, uint32_t task, uint32_t dev,
                     const struct disk_sum *sum);
void disk_groups_put(const struct disk_groups *self, const struct output *to);
void disk_groups_release(struct disk_groups *self);
