/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cause_note.h"

#include "base/assume.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/purpose.h"

/* Loops over the words of the members of a cause. Unrolled, as they are few and it runs for all
   waits. */
#define WORDS_EACH(i)                                                                         \
	_Pragma("GCC unroll 8")                                                               \
	for (size_t i = 0; i < ARRAY_SIZE(((union cause_members *)NULL)->word); i++)

/* Whether tasks call it for an object alone, and not also to sleep, as they do with poll(). */
static const bool is_for_object[CALL_HELD + 1] = {
	[CALL_CONNECT] = true, [CALL_RECEIVE] = true, [CALL_SEND] = true, [CALL_FUTEX] = true,
	[CALL_MQUEUE] = true,     [CALL_SIGTIMEDWAIT] = true,
};

/* The same of what an alarm ended: at other such places tasks sleep until any signal comes. */
static bool alarm_is_at_object(const struct cause_note *note)
{
	return cause_note_is_alarm(note) &&
	       (note->purpose == PURPOSE_FUTEX || note->purpose == PURPOSE_READ ||
	        note->purpose == PURPOSE_WRITE);
}

bool cause_note_is_sleep(const struct cause_note *note)
{
	enum aim_kind kind;

	if (!cause_note_is_chosen(note) || is_for_object[note->as.timer.call] ||
	    alarm_is_at_object(note))
		return false;
	if (note->purpose == PURPOSE_NONE || note->as.timer.call == CALL_NANOSLEEP)
		return true;
	kind = aim_of_purpose(note->purpose);
	return kind == AIM_NONE || kind == AIM_TIME || kind == AIM_FOR_WORK;
}

struct cause_identity cause_note_identity(const struct cause_note *note)
{
	const struct cause_kind_row *row = &cause_kinds[note->kind];
	struct cause_identity identity = {
		.name = row->name_use == NAME_IDENTIFIES ? note->name : 0,
	};

	ASSUME(note->kind < CAUSE_KIND_COUNT);
	WORDS_EACH(i)
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

	WORDS_EACH(i)
		differ |= a->as.word[i] ^ b->as.word[i];
	return differ == 0;
}

bool cause_note_is_alike(const struct cause_note *a, const struct cause_note *b)
{
	uint64_t differ = a->name ^ b->name;
	struct cause_identity identity, other;

	if (a->kind != b->kind)
		return false;
	WORDS_EACH(i)
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
	WORDS_EACH(i)
		if (identity->as.word[i])
			hash = hash_mix(hash + i, identity->as.word[i]);
	return hash;
}
