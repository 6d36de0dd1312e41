/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The longest of many parts, for views that show only a few. Of equally long ones those that began
 * first.
 *
 * Order of calls: longest_parts_init(), longest_parts_add() for each, longest_parts_sort(), which
 * leaves `part` in order of time, longest_parts_release(). Parts have different begins. Cost: O(1)
 * for a part that is shorter than those kept, else O(log count_max) amortised. Memory: 96 bytes
 * for each part that is kept.
 */
#pragma once

#include "graph/walk/walk.h"

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
