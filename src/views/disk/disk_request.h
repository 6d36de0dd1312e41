/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request to a disk: its operation, the task that it is for, the names of its device and its
   file, its rate. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "ftwait/nsec.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"

enum disk_direction {
	DISK_READ,
	DISK_WRITE,
	DISK_OTHER, /* flushes, discards, commands */
	DISK_DIRECTIONS,
};

/* The direction by the rwbs text: "FWS", "RA", "FF". The operation is the first letter, or the
   second one after an F that asks for a flush first. */
enum disk_direction disk_request_direction(const struct timeline *timeline,
                                           const struct interval *interval);
/*
 * The track of the task that the request is for: if a worker submitted it, the task that queued the
 * work item. TRACK_NONE if a worker issued it and its submission was not seen: then it is probably
 * for another task.
 */
uint32_t disk_request_task(const struct timeline *timeline, const struct interval *interval);
/* Whether the task is asked for. Devices serve all tasks, so all tasks are asked for unless the
   question names some, even if a command was recorded. */
bool disk_is_asked(const struct question *question, uint32_t task);

/* Fills in the columns of a device: its numbers; its name, empty if it is not known; and what text
   shows, the name or else the numbers. */
#define DISK_DEV_CELLS 3
#define DISK_DEV_FIELDS(at, flags)                                                                 \
	[at] = {"dev", NULL, CELL_TEXT, 0, FILLED},                                                \
	[(at) + 1] = {"disk", NULL, CELL_TEXT, 0, FILLED},                                         \
	[(at) + 2] = {"dev", "DEV", CELL_TEXT, COLUMN_TEXT_ONLY | (flags), FILLED}
void disk_dev_fill(const struct timeline *timeline, uint32_t dev,
                   struct cell cell[static DISK_DEV_CELLS],
                   struct buffer text[static DISK_DEV_CELLS]);

/* Fills in the columns of a file: path, inode, the number of its file system; empty if `number` is
   0. Appends the words that text shows for it. */
#define DISK_FILE_CELLS 3
void disk_file_fill(const struct timeline *timeline, uint16_t number,
                    struct cell cell[static DISK_FILE_CELLS],
                    struct buffer text[static DISK_FILE_CELLS], struct buffer *words);

/*
 * How much time a set of intervals covers; overlaps count once. Intervals are added in order of
 * their ends, as they are reported:
 *
 *	added before    |-----|      |---|  |--|
 *	added                     |----------------|
 *	new                       |-|    |--|  |---|
 *
 * The youngest COVERAGE_GAPS_MAX gaps are kept; an interval covers nothing new before the oldest of
 * them. O(1) an interval, amortised; memory grows with the gaps.
 */

#define COVERAGE_GAPS_MAX 4096

struct stretch {
	nsec_t begin, end;
};

struct coverage {
	struct stretch *stretch; /* in order; no two touch */
	size_t count, capacity;
	nsec_t total;
	nsec_t since; /* what lies before this time is forgotten; 0: nothing is forgotten */
};

/* A coverage that is all zero is empty. */
void coverage_release(struct coverage *coverage);
/* `on_new` is called for each stretch that was not covered before; it may be NULL. */
void coverage_add(struct coverage *coverage, nsec_t begin, nsec_t end,
                  void (*on_new)(void *state, nsec_t begin, nsec_t end), void *state);
/* The number of ns of [begin, end) that are covered, as far as the coverage is still kept. */
nsec_t coverage_within(const struct coverage *coverage, nsec_t begin, nsec_t end);
/* End of the last stretch; 0: there is none. */
static inline nsec_t coverage_end(const struct coverage *coverage)
{
	return coverage->count ? coverage->stretch[coverage->count - 1].end : 0;
}
