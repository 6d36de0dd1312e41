/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of one walk, kept in a few bytes each. A walk reports them newest first and they are
 * shown oldest first; there may be millions.
 *
 * Order of calls: part_log_init(), part_log_add() for each part, which must end where the one
 * added before began, part_log_visit() any number of times, part_log_release(). The timeline is
 * borrowed for all that time and gets no new segments.
 *
 * The members of a part other than its length - track, depth, state, CPU, confidence, cause -
 * recur, so they are written in full only if they are not found at their place in a small table of
 * those seen before; otherwise the place is written. The table is not stored: decoding fills it in
 * the same way. Numbers are written in groups of 7 bits, least first, a set eighth bit saying that
 * more follow.
 *
 *	part      seen before: place (0 to 127); length
 *	          else:        PART_IN_FULL | is_open | has_cause | confidence | state; length;
 *	                       track; depth; CPU and whether it is inferred; has_cause: number of
 *	                       the cause, as the signed difference from the last one written
 *
 * Blocks of PART_BLOCK parts begin with an empty table and are decoded one by one, last first.
 *
 * Memory: 3 to 5 bytes for a part like others, at most PART_BYTES_MAX; decoding takes 54 KiB.
 * Cost: O(1) a part, to add and to report.
 */
#pragma once

#include "walk.h"

#define PART_BLOCK     1024
#define PART_PLACES    128
#define PART_BYTES_MAX 40

/* State that adding and decoding share. */
struct part_memory {
	struct part like[PART_PLACES]; /* the last part there; `end` 0: none */
	uint64_t cause; /* number of the last cause written in full */
};

struct part_block {
	size_t at;  /* of its first byte */
	nsec_t end; /* of its first part */
};

struct part_log {
	const struct timeline *timeline;
	uint8_t *byte;
	size_t byte_count, byte_capacity;
	struct part_block *block;
	size_t block_count, block_capacity;
	size_t part_count;
	nsec_t begin; /* of the part added last */
	struct part_memory memory;
};

void part_log_init(struct part_log *log, const struct timeline *timeline);
void part_log_release(struct part_log *log);
void part_log_add(struct part_log *log, const struct part *part);
/* Reports all parts, the one added last first. */
void part_log_visit(const struct part_log *log,
                    void (*on_part)(void *state, const struct part *part), void *state);

/*
 * The longest of many parts, for views that show only a few. Of equally long ones those that began
 * first.
 *
 * Order of calls: longest_parts_init(), longest_parts_add() for each, longest_parts_sort(), which
 * leaves `part` in order of time, longest_parts_release(). Parts have different begins. Cost: O(1)
 * for a part that is shorter than those kept, else O(log count_max) amortised. Memory: 96 bytes
 * for each part that is kept.
 */

struct longest_parts {
	size_t count_max;  /* number of wanted parts; at least 1 */
	struct part *part; /* up to twice as many, before the shorter ones are dropped */
	size_t count, capacity;
	nsec_t length_min; /* shorter ones are not among the longest */
};

void longest_parts_init(struct longest_parts *longest, size_t count_max);
void longest_parts_release(struct longest_parts *longest);
void longest_parts_add(struct longest_parts *longest, const struct part *part);
void longest_parts_sort(struct longest_parts *longest);
