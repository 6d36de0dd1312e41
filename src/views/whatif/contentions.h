/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits for locks in a recording, with who had the lock, and since when as far as that shows: a
 * task that had waited for it has it since then; another one at least since one waited for it.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/text/buffer.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "what_if_spec.h"

struct lock_wait {
	struct lock_key {
		uint64_t address; /* of a lock of a file: its inode */
		uint32_t dev;     /* of a lock of a file; else 0 */
		int32_t process;  /* of a lock of a program; else 0 */
	} lock;
	uint32_t waiter, owner; /* tracks; owner TRACK_NONE: not known */
	nsec_t begin, end;      /* until the owner woke the waiter */
	nsec_t run;             /* when that ran again */
	nsec_t had_since;       /* the owner */
};

struct contentions {
	struct lock_wait *wait; /* once settled in order of their ends */
	size_t count, capacity;
};

/* Takes an INTERVAL_LOCK of the machine's. */
void contentions_add(struct contentions *contentions, const struct interval *interval);
/* Once, when the history is complete: adds the waits for locks of programs. */
void contentions_settle(struct contentions *contentions, const struct timeline *timeline);
void contentions_release(struct contentions *contentions);
/* The lock's name, or else what --lock shows as its address. */
void contention_append(struct buffer *to, const struct timeline *timeline,
                       const struct lock_wait *wait);
/* Whether the spec names the lock, by its name or by its address. */
bool contention_fits(const struct lock_wait *wait, const struct timeline *timeline,
                     const struct what_if_spec *spec);
