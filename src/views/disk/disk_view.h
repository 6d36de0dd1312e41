/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the view --disk gathers: disk_analysis.c fills it; and who waited for whom in it. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "disk_request.h"
#include "disk_slowest.h"
#include "disk_tables.h"
#include "tally/tally.h"

/*
 * Time in which tasks waited for requests that an I/O limit of a control group held back, from the
 * begin of the wait to the submission. The limit acts before a request exists: no queue and no
 * device time contains this time.
 *
 * Order of calls: init, add for every span, resolve once, describe any number of times, release.
 */

struct held_requests {
	struct interval_gate gate;
	struct tally tasks; /* waits of each task for requests to each device */
};

void held_requests_init(struct held_requests *held, const struct question *question);
void held_requests_release(struct held_requests *held);

void held_requests_add_wait(struct held_requests *held, const struct span *span);
/* Inline, as it runs for all spans. */
static inline void held_requests_add(struct held_requests *held, const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && span->cause && span->cause->kind == CAUSE_DISK &&
	    span->cause->as.disk.is_held_back)
		held_requests_add_wait(held, span);
}

/* Call once the question is resolved. */
void held_requests_resolve(struct held_requests *held);
/* Prints a sentence on the asked tasks; nothing if none of their requests was held back. */
void held_requests_print(const struct held_requests *held, const struct output *to);

/* The requests of one task to one device. */
struct disk_task {
	uint32_t device;
	uint32_t task; /* track; TRACK_NONE: not known */
	struct disk_sum sum[DISK_DIRECTIONS];
	struct coverage waiting; /* the times in which at least one of its requests was queued or
	                            in the device */
	struct slowest_heap slowest; /* if tasks are asked for */
	uint32_t older, newer; /* links of the device's list of tasks, in order of the ends of
	                          their last requests; MAP_NONE: no more */
};

struct disk_device {
	uint32_t dev;
	struct coverage busy;
	uint32_t depth_max;
	uint64_t open; /* number of requests in flight at the end of the trace */
	struct ended_requests ended;
	uint32_t newest; /* head of its list of struct disk_task; MAP_NONE: empty */
};

/* The time in which two tasks both had requests at one device. */
struct disk_pair {
	uint32_t task[2]; /* indices of struct disk_task of one device */
	nsec_t overlap;
};

struct disk_view {
	GATED_VIEW;
	TALLY(devices, struct disk_device, device, device_count);
	TALLY(tasks, struct disk_task, task, task_count);
	TALLY(pairs, struct disk_pair, pair, pair_count);
	uint64_t left_out; /* requests left out, as their devices or tasks are beyond the limit */
	struct disk_files files;
	struct disk_slowest slowest;
	struct slowest_heap slowest_of_all; /* used if no tasks are asked for */
	struct held_requests held;
};

/* Tasks that waited while requests of others were there. */

/* A task that had requests at the device while the victim waited. */
struct rival {
	uint32_t task; /* struct disk_task */
	nsec_t overlap;
};

struct victim {
	uint32_t task; /* struct disk_task */
	struct rival *rival; /* longest overlap first */
	size_t count, capacity;
};

/* The victims by index of struct disk_task; tasks that are not asked for have no rivals. Free
   them. */
struct victim *victims_new(const struct disk_view *view);
void victims_free(const struct disk_view *view, struct victim *victims);
/* "bulk[7] 91.0 %, jbd2/vda1-8[90] 2.0 %, 3 more": parts of the victim's waiting. */
void victim_rivals_append(struct buffer *to, const struct disk_view *view,
                          const struct victim *victim);
/* A table of them, the one that waited most first. */
void victims_show(const struct disk_view *view, const struct victim *victims,
                  const struct output *to);
