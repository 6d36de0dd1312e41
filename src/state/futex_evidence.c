/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_evidence.h"

#include "words/cause/futex_kind.h"

/* Programs keep a condition and its mutex close together. Another futex that a task wakes without
   effect may be one for which it raced. */
#define MUTEX_DISTANCE 256

static void prove(struct machine *machine, uint32_t track, uint64_t futex, uint32_t sign)
{
	struct timeline *timeline = machine->timeline;
	int32_t process = track_process_id(&timeline->track[track]);

	futex_words_add(&timeline->futex_words, (uint32_t)process, futex, sign);
}

/* Whether the word is that end of 8 bytes at which a semaphore's is not. */
static bool word_is_no_semaphore(const struct machine *machine, uint64_t futex)
{
	const struct source *source = machine->setup.source;

	return source->long_bytes == 8 && !(futex & 4) == source->is_big_endian;
}

static void note_sleep(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                       bool may_be_semaphore)
{
	bool is_repeated = calls->left == calls->futex;

	calls->left = 0;
	if (!(calls->signs & FUTEX_CONDITIONAL))
		return;
	if (calls->signs & FUTEX_OF_CONDITION)
		prove(machine, track, calls->futex, FUTEX_OF_CONDITION);
	else if (calls->value <= 1 && word_is_no_semaphore(machine, calls->futex))
		prove(machine, track, calls->futex, FUTEX_OF_CONDITION);
	else if (is_repeated && may_be_semaphore)
		prove(machine, track, calls->futex, FUTEX_OF_SEMAPHORE);
}

static void note_wake(struct machine *machine, uint32_t track, struct task_syscalls *calls)
{
	uint64_t distance = calls->left > calls->futex ? calls->left - calls->futex
	                                               : calls->futex - calls->left;

	/* also while nobody sleeps there: one of these calls is enough */
	if (calls->signs & (FUTEX_WOKEN_ALL | FUTEX_MOVED))
		prove(machine, track, calls->futex, FUTEX_OF_CONDITION);
	if (distance == 0)
		return;
	calls->is_unlocking = calls->left && distance < MUTEX_DISTANCE;
	if (!calls->is_unlocking)
		calls->left = 0;
}

void futex_evidence_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                          uint64_t op, bool is_of_glibc)
{
	calls->is_unlocking = false;
	if (calls->use == FUTEX_SLEEP)
		note_sleep(machine, track, calls,
		           is_of_glibc && op & FUTEX_FLAG_REALTIME && calls->value <= 1);
	else if (calls->use != FUTEX_OTHER)
		note_wake(machine, track, calls);
	else
		calls->left = 0;
}

void futex_evidence_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                        int64_t result, bool is_limit)
{
	if (calls->use == FUTEX_SLEEP && calls->signs & FUTEX_CONDITIONAL) {
		calls->left = result == 0 || is_limit ? calls->futex : 0;
	} else if (calls->is_unlocking) {
		if (result == 0)
			prove(machine, track, calls->left, FUTEX_OF_CONDITION);
		calls->left = 0;
	}
	calls->is_unlocking = false;
}
