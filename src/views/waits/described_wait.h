/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wait as a table shows it: the members are its cells. It is put together once, and only if it is
 * shown; the list (wait_list.h) goes through all waits.
 */
#pragma once

#include "analysis/wait_list.h"

/* Maximal number of spurious wakers that are listed for one wait; their count includes all. */
#define SPURIOUS_WAKERS_MAX 32

struct described_wait {
	/* The caller sets these. */
	const struct timeline *timeline;
	bool is_for_people; /* or for programs */
	struct wait wait;
	uint64_t number; /* in the list, from 1 */
	/* The rest is put together; names belong to the timeline. */
	nsec_t length, delay; /* delay: NSEC_NEVER if `run` is */
	struct cause cause; /* CAUSE_UNKNOWN if nothing is noted */
	size_t spurious_wakeups;
	struct buffer why;  /* for people: the cause in words, and the aim */
	/* for programs */
	bool is_for_work;
	struct aim aim;
	struct links spurious_wakers; /* oldest first */
	struct chain_link waker[SPURIOUS_WAKERS_MAX];
	struct cause waker_cause[SPURIOUS_WAKERS_MAX];
};

/* Puts the wait together; may be called for one wait after the other. */
void wait_describe(struct described_wait *described);
