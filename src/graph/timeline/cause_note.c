/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_note.h"

#include "base/data/array.h"
#include "base/data/map.h"
#include "words/aim_kind.h"
#include "words/cause/cause_kind.h"

/* Whether tasks call it for an object alone, and not also to sleep, as they do with poll() or a
   futex. */
static const bool is_for_object[CALL_HELD + 1] = {
	[CALL_CONNECT] = true,    [CALL_RECEIVE] = true, [CALL_SEND] = true,
	[CALL_SEMTIMEDOP] = true, [CALL_MQUEUE] = true,
};

bool cause_note_is_sleep(const struct cause_note *note)
{
	enum aim_kind kind = aim_of_purpose(note->purpose);

	return cause_note_is_chosen(note) &&
	       !is_for_object[note->as.timer.call] &&
	       (kind == AIM_NONE || kind == AIM_TIME || kind == AIM_FOR_WORK ||
	        note->as.timer.call == CALL_NANOSLEEP);
}

struct cause_identity cause_note_identity(const struct cause_note *note)
{
	const struct cause_kind_row *row = &cause_kinds[note->kind];
	struct cause_identity identity = {
		.name = row->name_use == NAME_IDENTIFIES ? note->name : 0,
	};

	for (size_t i = 0; i < ARRAY_SIZE(identity.as.word); i++)
		identity.as.word[i] = note->as.word[i] & row->identity.word[i];
	if (note->kind != CAUSE_NET)
		return identity;
	/* the sender of a packet does not distinguish it; the peer that does not answer does */
	if (!note->as.net.is_unanswered && !note->as.net.is_retried)
		identity.as.net.peer = 0;
	/* all sleeps between the same attempts share their number */
	if (note->as.net.is_retried)
		identity.as.net.retransmits = note->as.net.retransmits;
	return identity;
}

bool cause_identity_is_same(const struct cause_identity *a, const struct cause_identity *b)
{
	uint64_t differ = a->name ^ b->name;

	for (size_t i = 0; i < ARRAY_SIZE(a->as.word); i++)
		differ |= a->as.word[i] ^ b->as.word[i];
	return differ == 0;
}

bool cause_note_is_alike(const struct cause_note *a, const struct cause_note *b)
{
	uint64_t differ = a->name ^ b->name;
	struct cause_identity identity, other;

	for (size_t i = 0; i < ARRAY_SIZE(a->as.word); i++)
		differ |= a->as.word[i] ^ b->as.word[i];
	if (differ == 0)
		return true;
	identity = cause_note_identity(a);
	other = cause_note_identity(b);
	return cause_identity_is_same(&identity, &other);
}

uint64_t cause_identity_hash(const struct cause_identity *identity, uint64_t hash)
{
	hash = hash_mix(hash, identity->name);
	/* for most kinds most members are 0 */
	for (size_t i = 0; i < ARRAY_SIZE(identity->as.word); i++)
		if (identity->as.word[i])
			hash = hash_mix(hash + i, identity->as.word[i]);
	return hash;
}
