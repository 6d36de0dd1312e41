/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had a lock, and until when, as the ends of the waits for it tell: who waits for it while it
 * changes hands waits for each of those who had it meanwhile, though only the last one lets go of
 * it for him. Of more than LOCK_TENURES the one is forgotten that was short for how long it is ago.
 */
#pragma once

#include <stdint.h>

#include "ftwait/nsec.h"

#define LOCK_TENURES 6

struct lock_tenure {
	nsec_t begin; /* or when somebody is known to have waited */
	nsec_t end;
	uint32_t owner; /* a line; LINE_NONE: not known */
	uint8_t confidence;
};

/* All zero is an empty one; newest first. */
struct lock_tenures {
	struct lock_tenure tenure[LOCK_TENURES];
	uint32_t count;
};

/* A wait from tenure->begin on ended as `tenure` says. */
void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure);
/*
 * Cuts a wait that ended as `last` says into parts of those who had the lock meanwhile, latest
 * first, without gap or overlap; returns how many.
 */
uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1]);
