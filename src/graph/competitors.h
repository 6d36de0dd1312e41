/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had the CPU while a task was runnable: the stretches of being runnable, by CPU, are held
 * against the run segments of all lines.
 *
 * Order of calls: competitors_init(), competitors_add() for each stretch, latest first and without
 * overlap on one CPU, competitors_resolve() once, competitors_release(). Cost: O(stretches +
 * segments), plus a binary search for each line and CPU. Memory: 40 bytes a stretch.
 */
#pragma once

#include "timeline.h"

struct stretch {
	nsec_t begin, end;
	uint16_t cpu;
};

struct competitors {
	struct stretch *stretch; /* as added; after resolving by CPU, earliest first */
	size_t count, capacity;
	nsec_t *by_line; /* ns that each line ran in the stretches */
	nsec_t idle;     /* ns in which nobody ran: a CPU that had to wake up, most often */
};

void competitors_init(struct competitors *competitors);
void competitors_release(struct competitors *competitors);
void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end);
void competitors_resolve(struct competitors *competitors, const struct timeline *timeline);
