/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lock_contention.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/tables/interval_gate.h"
#include "base/text/format.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "words/cause/futex_kind.h"

/* A purpose of a futex that these do not show is known only when all waits for the futex are
   known. */
static enum lock_kind kind_of(const struct lock_interval *lock)
{
	if (lock->what != LOCK_OF_KERNEL || !(lock->flags & LOCK_FLAG_FUTEX))
		return lock_kind_of_interval(lock);
	return futex_kind_of(lock->flags) == FUTEX_KIND_JOIN ? LOCK_JOIN : LOCK_FUTEX;
}

struct lock lock_of_interval(const struct timeline *timeline, const struct interval *interval)
{
	return (struct lock){
		.address = interval->lock.address,
		.dev = interval->lock.dev,
		.name = interval->lock.name,
		.kind = (uint8_t)kind_of(&interval->lock),
		.machine = interval->task == TRACK_NONE
		                   ? (uint8_t)hosts_of_cpu(&timeline->hosts, interval->cpu)
		                   : timeline->track[interval->task].host,
	};
}

struct lock_tenure lock_tenure_of(const struct interval *interval)
{
	return (struct lock_tenure){
		.begin = interval->begin,
		.end = interval->end,
		.owner = interval->task,
		.next = TRACK_NONE,
		.confidence = interval->lock.owner_confidence,
	};
}

struct contention lock_contention_of(const struct timeline *timeline,
                                     const struct interval *interval)
{
	struct contention contention = {
		.lock = lock_of_interval(timeline, interval),
		.waiter = interval->task,
		.owner = interval->other,
		.confidence = interval->lock.owner_confidence,
		.released = interval->lock.released,
		.has_slept = interval->lock.has_slept,
		.is_open = interval->is_open,
		.begin = interval->begin,
		.length = interval->end - interval->begin,
	};

	if (contention.lock.kind == LOCK_FUTEX || contention.lock.kind == LOCK_JOIN) {
		contention.lock.process = timeline->track[interval->task].tgid;
		contention.lock.name = timeline_variable(timeline, interval->task,
		                                         contention.lock.address);
		contention.signs = interval->lock.flags & ~LOCK_FLAG_FUTEX;
	}
	return contention;
}

bool lock_contention_clip(const struct question *question, struct interval *contention)
{
	nsec_t end = contention->end;

	if (!question_may_be_windowed(question))
		return true;
	if (question->counts_ends)
		return question_contains(question, contention->end);
	if (!question_clip(question, &contention->begin, &contention->end) ||
	    contention->begin == contention->end)
		return false;
	/* if another task had a file's lock at the end of the window, tenures show that */
	if (contention->end < end && contention->lock.what != LOCK_OF_KERNEL &&
	    (contention->lock.since == 0 || contention->lock.since >= contention->end))
		contention->other = TRACK_NONE;
	return true;
}

/* A waiter that was requeued waited on the first futex until another task requeued it: that task
   ended this part of the wait. */
static struct interval interval_before_move(const struct cause_note *cause,
                                            const struct interval *interval)
{
	struct interval before = *interval;

	before.end = nsec_min(cause->as.lock.moved, interval->end);
	before.is_open = false;
	before.other = cause->as.lock.mover;
	before.lock.address = cause->as.lock.from;
	before.lock.flags = LOCK_FLAG_FUTEX | FUTEX_MOVED;
	before.lock.owner_confidence = CONFIDENCE_MEDIUM;
	return before;
}

/* An owner that the futex's value shows is inferred, as other libraries may use the value in
   another way. An owner derived only from the actions of tasks is a guess. */
static uint8_t owner_confidence(const struct cause_note *cause)
{
	uint8_t most = cause->as.lock.flags & FUTEX_LOCKED ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;

	return cause->confidence < most ? cause->confidence : most;
}

size_t lock_intervals_of_span(const struct span *span, struct interval ret[LOCK_SPAN_INTERVALS])
{
	const struct cause_note *cause = span->cause;
	struct interval interval;
	size_t count = 0;

	if (!span_has_lock_intervals(span))
		return 0;
	interval = interval_of_span(INTERVAL_LOCK, span);
	interval.other = cause->waker;
	interval.lock = (struct lock_interval){
		.address = cause->as.lock.address,
		.flags = LOCK_FLAG_FUTEX | cause->as.lock.flags,
		.has_slept = true,
		.owner_confidence = owner_confidence(cause),
	};
	if (cause->as.lock.from && cause->as.lock.moved > interval.begin) {
		ret[count] = interval_before_move(cause, &interval);
		interval.begin = ret[count++].end;
	}
	ret[count++] = interval;
	return count;
}

bool lock_is_of_file(const struct lock *lock)
{
	return lock->kind == LOCK_FLOCK || lock->kind == LOCK_POSIX;
}

uint32_t lock_path(const struct timeline *timeline, const struct lock *lock)
{
	return lock_is_of_file(lock) ? file_names_find(&timeline->files, lock->dev, lock->address)
	                             : 0;
}

char *lock_address_format(const struct timeline *timeline, const struct lock *lock,
                          char to[static LOCK_ADDRESS_BYTES])
{
	if (lock_is_of_file(lock))
		(void)snprintf(to, LOCK_ADDRESS_BYTES, "%s:%" PRIu64,
		               TIMELINE_DEVICE_NUMBERS(timeline, lock->dev), lock->address);
	else
		(void)snprintf(to, LOCK_ADDRESS_BYTES, "0x%" PRIx64, lock->address);
	return to;
}

void lock_append(struct buffer *to, const struct timeline *timeline, const struct lock *lock)
{
	char address[LOCK_ADDRESS_BYTES];
	uint32_t path = lock_path(timeline, lock);

	say(to, timeline, "{text} [on {machine}{name}|{machine}{text}[ of process {number}]]",
	    TEXT(lock->kind == LOCK_POSIX ? "fcntl lock"
	                                  : lock_kind_name((enum lock_kind)lock->kind)),
	    MACHINE(lock->machine), WHEN(path, NAME(path)), MACHINE(lock->machine),
	    TEXT(lock->name ? intern_text(&timeline->names, lock->name)
	                    : lock_address_format(timeline, lock, address)),
	    WHEN(lock->process > 0, NUMBER((uint32_t)lock->process)));
}
