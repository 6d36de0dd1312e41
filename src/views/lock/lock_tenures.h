/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The owners of a lock over time, as the ends of the waits for it show: a task that waits while
 * the lock changes hands waits for each owner in turn, though only the last one wakes it. Beyond
 * LOCK_TENURES the least important is forgotten: short, and long ago.
 */
#pragma once

#include <stdint.h>

#include "ftwait/nsec.h"

#define LOCK_TENURES 6

struct lock_tenure {
	nsec_t begin; /* or the first instant at which a task is known to have waited */
	nsec_t end;
	uint32_t owner; /* a line; LINE_NONE: not known */
	uint8_t confidence;
};

/* All zero: empty; newest first. */
struct lock_tenures {
	struct lock_tenure tenure[LOCK_TENURES];
	uint32_t count;
};

/* Adds what a wait from tenure->begin on shows about its end, in `tenure`. */
void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure);
/*
 * Divides a wait that ended as `last` says among the owners meanwhile, latest first, without gaps
 * or overlaps; returns the number of parts.
 */
uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1]);
