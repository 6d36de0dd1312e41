/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the similar causes of many waits share: causes of one kind, with one identity, for one
 * purpose. Sectors may differ, and so may the wakers.
 */
#pragma once

#include "base/assume.h"
#include "timeline.h"

struct shared_cause {
	const struct cause_note *note; /* the first one; NULL: none */
	/* all have the same waker; all have the same originator */
	bool is_waker_shared, is_originator_shared;
};

static inline struct shared_cause shared_cause_of(const struct cause_note *note)
{
	return (struct shared_cause){note, true, true};
}

/* Whether two causes can be treated as one; either may be NULL. */
bool cause_notes_are_shared(const struct cause_note *a, const struct cause_note *b);
/* A hash that is equal for all causes that can be one; mixes into `hash`. NULL: returns `hash`. */
uint64_t shared_cause_hash(const struct cause_note *note, uint64_t hash);

/* Adds another cause, which can be one with those before. */
static inline void shared_cause_add(struct shared_cause *shared, const struct cause_note *note)
{
	if (!note || note == shared->note)
		return;
	ASSUME(shared->note && shared->note->kind == note->kind);
	shared->is_waker_shared &= shared->note->waker == note->waker;
	shared->is_originator_shared &= shared->note->originator == note->originator;
}

/* What all causes share; there must be one. */
struct cause shared_cause_result(const struct timeline *timeline,
                                 const struct shared_cause *shared);
