/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the causes of many waits have in common that are alike: of one kind, with one identity, for
 * one purpose. Sectors differ, and who woke may.
 */
#pragma once

#include "timeline.h"

struct shared_cause {
	const struct cause_note *note; /* the first one; NULL: none */
	/* the waker, the originator is the same for all */
	bool is_waker_shared, is_originator_shared;
};

static inline struct shared_cause shared_cause_of(const struct cause_note *note)
{
	return (struct shared_cause){note, true, true};
}

/* Whether two causes can be one; either may be NULL. */
bool cause_notes_are_shared(const struct cause_note *a, const struct cause_note *b);
/* The same for all that can be; mixes into `hash`. NULL: returns that. */
uint64_t shared_cause_hash(const struct cause_note *note, uint64_t hash);

/* One more, that can be one with it. */
static inline void shared_cause_add(struct shared_cause *shared, const struct cause_note *note)
{
	if (!note || note == shared->note)
		return;
	shared->is_waker_shared &= shared->note->waker == note->waker;
	shared->is_originator_shared &= shared->note->originator == note->originator;
}

/* What all share; there must be a cause. */
struct cause shared_cause_result(const struct timeline *timeline,
                                 const struct shared_cause *shared);
