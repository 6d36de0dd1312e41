/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shared_cause.h"

#include <assert.h>

#include "base/data/array.h"

/* What distinguishes notes, except for the tasks behind them. */
static uint32_t note_bits(const struct cause_note *note)
{
	return (uint32_t)note->purpose << 24 | (uint32_t)note->kind << 16 |
	       (uint32_t)note->memory << 8 | note->is_walked;
}

bool cause_notes_are_shared(const struct cause_note *a, const struct cause_note *b)
{
	if (a == b)
		return true;
	return a && b && note_bits(a) == note_bits(b) && cause_note_is_alike(a, b);
}

uint64_t shared_cause_hash(const struct cause_note *note, uint64_t hash)
{
	struct cause_identity identity;

	if (!note)
		return hash;
	identity = cause_note_identity(note);
	return cause_identity_hash(&identity, hash_mix(hash, note_bits(note)));
}

struct cause shared_cause_result(const struct timeline *timeline, const struct shared_cause *shared)
{
	const struct cause_note *note = shared->note;
	struct cause_identity identity = cause_note_identity(note);
	struct cause_note common;

	assert(shared->note->kind < CAUSE_KIND_COUNT);
	cause_note_init(&common, (enum cause_kind)note->kind, (enum confidence)note->confidence);
	common.name = note->name;
	common.memory = note->memory;
	common.purpose = note->purpose;
	/* unknown members are 0 in these */
	for (size_t i = 0; i < ARRAY_SIZE(common.as.word); i++)
		common.as.word[i] |= identity.as.word[i];
	if (shared->is_waker_shared)
		common.waker = note->waker;
	if (shared->is_originator_shared)
		common.originator = note->originator;
	return timeline_cause(timeline, &common, NSEC_NEVER);
}
