/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/locks/futex_waits.h"

#include "base/data/array.h"
#include "base/byte_order.h"
#include "ftwait/aim.h"
#include "futex_evidence.h"
#include "futex_tries.h"
#include "graph/timeline_aims.h"
#include "variable_name.h"
#include "words/aim_kind.h"
#include "words/cause/futex_kind.h"

/* Results of a call that sleeps: EINTR; EAGAIN, the value was not the expected one. */
#define RESULT_INTERRUPTED (-4)
#define RESULT_CHANGED     (-11)


static enum futex_use futex_use_of(uint64_t op)
{
	static const uint8_t uses[FUTEX_OP_MASK + 1] = {
		[0] = FUTEX_SLEEP,    /* WAIT */
		[1] = FUTEX_WAKE,     /* WAKE */
		[3] = FUTEX_MOVE,     /* REQUEUE */
		[4] = FUTEX_MOVE,     /* CMP_REQUEUE */
		[5] = FUTEX_WAKE_OP,  /* WAKE_OP */
		[7] = FUTEX_WAKE,     /* UNLOCK_PI */
		[9] = FUTEX_SLEEP,    /* WAIT_BITSET */
		[10] = FUTEX_WAKE,    /* WAKE_BITSET */
		[11] = FUTEX_SLEEP,   /* WAIT_REQUEUE_PI */
		[12] = FUTEX_MOVE_PI, /* CMP_REQUEUE_PI */
	};
	uint8_t use = uses[op & FUTEX_OP_MASK];

	return use == FUTEX_NOT ? FUTEX_OTHER : (enum futex_use)use;
}

bool futex_use_moves(uint8_t use)
{
	return use >= FUTEX_MOVE;
}

/* Whether the use wakes sleepers at the call's first address. */
static bool futex_use_wakes(uint8_t use)
{
	return use >= FUTEX_WAKE;
}

bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret)
{
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	uint64_t number[5] = {0};
	size_t i = 1;

	for (; i < ARRAY_SIZE(number); i++) {
		const uint8_t *at = (const uint8_t *)arguments.at + i * source->long_bytes;

		if (arguments.length < (i + 1) * source->long_bytes)
			break;
		number[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                    : load_u64(at, is_swapped);
	}
	*ret = (struct futex_call){number[1], number[2], number[3], number[4]};
	return i == ARRAY_SIZE(number);
}

/*
 * Libraries other than glibc sleep in the value 2 for other things, too: musl for the end of a
 * thread, for example. A task that was seen to begin, or to begin its program, has shown whether it
 * uses glibc.
 */
static bool is_two_locked(const struct machine *machine, uint32_t track,
                          const struct task_syscalls *calls)
{
	const struct track *known = &machine->timeline->track[track];

	return calls->is_of_glibc || calls->count == 0 ||
	       (known->born == NSEC_NEVER && !known->is_program_seen);
}

/*
 * The thread for the end of which the track may sleep, by the futex's value; TRACK_NONE: none. The
 * kernel clears the word of a thread's tid when that ends, and wakes the sleepers there as if other
 * processes could sleep there, too.
 */
static uint32_t futex_find_joined(const struct machine *machine, uint32_t track,
                                  const struct task_syscalls *calls)
{
	uint32_t other;

	if (calls->use != FUTEX_SLEEP || calls->signs & FUTEX_LOCKED || !calls->is_shared ||
	    !(calls->signs & FUTEX_SLEPT) || !calls->value)
		return TRACK_NONE;
	other = machine_find_track(machine, NULL, calls->value);
	return other != TRACK_NONE && other != track && tracks_share_memory(machine, track, other)
	               ? other
	               : TRACK_NONE;
}

void futex_begin(struct machine *machine, uint32_t track, uint64_t address,
                 const struct futex_call *call)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	calls->futex = address;
	calls->use = (uint8_t)futex_use_of(call->op);
	calls->other = 0;
	calls->woken = 0;
	calls->value = (uint32_t)call->wakes;
	if (futex_use_wakes(calls->use))
		futex_note_released(machine, track, address);
	else
		futex_note_wanted(machine, track, address);
	calls->is_shared = !(call->op & FUTEX_FLAG_PRIVATE);
	calls->signs = (uint16_t)(
		futex_use_wakes(calls->use)
			? futex_signs_of_wake(call->op, call->wakes)
			: futex_signs_of_sleep(call->op, calls->value, call->moves != 0,
	                                       is_two_locked(machine, track, calls)));
	calls->joined = futex_find_joined(machine, track, calls);
	futex_evidence_begin(machine, track, calls, call->op, is_two_locked(machine, track, calls));
	if (!futex_use_moves(calls->use))
		return;
	calls->other = call->to;
	calls->moved = machine->now;
	calls->limit_or_mover =
		(uint32_t)(calls->use == FUTEX_MOVE ? call->wakes : call->moves) & INT32_MAX;
	syscalls_of(machine)->has_moves = true;
}

static bool task_has_slept_at(const struct task_syscalls *calls, uint64_t futex)
{
	for (size_t i = 0; i < FUTEXES_SLEPT_MAX; i++)
		if (calls->slept_at[i] == futex)
			return true;
	return false;
}

static void task_note_slept_at(struct task_syscalls *calls, uint64_t futex)
{
	size_t at = 0;

	while (at < FUTEXES_SLEPT_MAX - 1 && calls->slept_at[at] != futex)
		at++;
	for (; at > 0; at--)
		calls->slept_at[at] = calls->slept_at[at - 1];
	calls->slept_at[0] = futex;
}

/* The lock that the track wanted, without a holder: no event shows who has it. */
static void cause_become_futex(struct machine *machine, uint32_t track, uint64_t address,
                               struct cause_note *cause)
{
	const struct user_variable *variable =
		variable_of_track(machine, track, machine->now, address);

	cause_note_init(cause, CAUSE_LOCK, CONFIDENCE_MEDIUM);
	cause->as.lock.address = address;
	cause->as.lock.flags = FUTEX_SLEPT | FUTEX_LOCKED;
	cause->name = variable && variable->futex ? variable->futex
	                                          : intern_adds(&machine->timeline->names, "futex");
}

static struct interval interval_in_vain(const struct machine *machine, uint32_t track,
                                        const struct task_syscalls *calls, uint32_t signs,
                                        int64_t result)
{
	return (struct interval){
		.kind = INTERVAL_LOCK,
		.cpu = machine->task[track].cpu,
		.begin = calls->slept,
		.end = calls->woken,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = track,
		.other = TRACK_NONE,
		.lock = {
			.address = calls->futex,
			.flags = LOCK_FLAG_FUTEX | signs,
			.result = result,
			.has_slept = true,
		},
	};
}

/*
 * The task leaves the futex without what it wanted: its own time limit or a signal ended the wait,
 * or the end of its process did. Only a lock is followed further: nobody has a condition or a
 * barrier meanwhile.
 */
static void futex_give_up(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                          enum aim_end how, int64_t result)
{
	uint32_t signs =
		calls->signs | (calls->joined != TRACK_NONE ? (uint32_t)FUTEX_ENDED : 0) |
		(calls->signs & FUTEX_CONDITIONAL
	                 ? timeline_futex_signs(machine->timeline, track, calls->futex)
	                 : 0);
	enum futex_kind kind = futex_kind_of(signs);
	struct cause_note cause;
	uint32_t index = CAUSE_NONE;
	struct interval interval;

	if (calls->use != FUTEX_SLEEP || !calls->woken)
		return;
	/* so that sinks find the variable's name */
	cause_become_futex(machine, track, calls->futex, &cause);
	interval = interval_in_vain(machine, track, calls, signs, result);
	/* all waits for a futex together may show what one does not */
	if (kind == FUTEX_KIND_LOCK)
		index = futex_note_try(machine, &interval, &cause);
	else if (machine_wants(machine, INTERVAL_LOCK))
		machine_emit_interval(machine, &interval);
	/* later calls may show whether it is a condition or a semaphore */
	if (kind != FUTEX_KIND_LOCK && kind != FUTEX_KIND_BARRIER && kind != FUTEX_KIND_JOIN &&
	    !(kind == FUTEX_KIND_CONDITION && how == AIM_DEATH))
		return;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){
				 .begin = calls->slept,
				 .end = calls->woken,
				 .cause = index,
				 .kind = (uint8_t)aim_of_futex(kind),
				 .how = (uint8_t)how,
			 },
	                 /* cause= */ NULL);
}

void futex_conclude(struct machine *machine, uint32_t track, const struct cause_note *cause)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	if (!cause_note_is_timeout(cause))
		return;
	futex_give_up(machine, track, calls, AIM_LIMIT, /* result= */ 0);
	calls->woken = 0; /* what the call returns adds nothing */
}

void futex_note_signal(struct machine *machine, uint32_t track)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	if (!calls)
		return;
	futex_give_up(machine, track, calls, AIM_SIGNAL, RESULT_INTERRUPTED);
	calls->use = FUTEX_NOT;
}

void futex_note_death(struct machine *machine, uint32_t track, nsec_t woken)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	if (!calls || calls->woken != woken)
		return;
	if (calls->signs & FUTEX_SLEPT) /* the call may have returned */
		calls->use = FUTEX_SLEEP;
	futex_give_up(machine, track, calls, AIM_DEATH, RESULT_INTERRUPTED);
	calls->use = FUTEX_NOT;
}

/* ETIMEDOUT: most architectures', MIPS', Alpha's, and PA-RISC's. */
static bool result_is_limit(int64_t result)
{
	return result == -110 || result == -145 || result == -60 || result == -238;
}

void futex_end(struct machine *machine, uint32_t track, int64_t result)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	futex_evidence_end(machine, track, calls, result, result_is_limit(result));
	if (result < 0 && result != RESULT_CHANGED && !calls->is_woken_by_task)
		futex_give_up(machine, track, calls,
		              result_is_limit(result) ? AIM_LIMIT : AIM_SIGNAL, result);
	if (calls->use == FUTEX_SLEEP && result == 0) {
		task_note_slept_at(calls, calls->futex);
		if (calls->woken && futex_kind_of(calls->signs) == FUTEX_KIND_LOCK)
			futex_note_got(machine, track, calls->futex);
	}
	calls->use = FUTEX_NOT;
}

/* The kernel's order: by real-time priority, then by arrival. */
static int sleeper_compare(const void *a, const void *b)
{
	const struct futex_sleeper *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* Finds the tasks that have slept at the futex of that track's call since before the call began. */
static void sleepers_find(const struct machine *machine, uint32_t track,
                          const struct task_syscalls *mover)
{
	struct syscalls *syscalls = syscalls_of(machine);
	const struct task_syscalls *calls;
	uint32_t place, other;

	syscalls->sleeper_count = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, other, calls) {
		const struct task_state *task = &machine->task[other];
		bool is_real_time = task->priority != PRIORITY_UNKNOWN &&
		                    task->priority < PRIORITY_FAIR_MIN;

		if (calls->use != FUTEX_SLEEP || calls->futex != mover->futex ||
		    task->kind != SEGMENT_WAIT || task->since > mover->moved ||
		    !tracks_share_memory(machine, track, other))
			continue;
		ARRAY_GROW(syscalls->sleeper, syscalls->sleeper_count, syscalls->sleeper_capacity);
		syscalls->sleeper[syscalls->sleeper_count++] = (struct futex_sleeper){
			.since = task->since,
			.track = other,
			.priority = is_real_time ? task->priority : PRIORITY_FAIR_MIN,
		};
	}
}

/*
 * How many tasks the call has moved: its result counts all that it woke or moved. FUTEX_MOVE_PI
 * does not show whether it woke one; if it also left others asleep, which were moved is not known.
 */
static size_t futex_moved(const struct task_syscalls *calls, int64_t result)
{
	int64_t limit = calls->limit_or_mover;

	if (calls->use == FUTEX_MOVE)
		return result > limit ? (size_t)(result - limit) : 0;
	return result > 0 && result <= limit ? (size_t)result : 0;
}

void futex_move(struct machine *machine, uint32_t track, const struct task_syscalls *calls,
                int64_t result)
{
	size_t moved = futex_moved(calls, result);
	struct syscalls *syscalls = syscalls_of(machine);

	if (moved == 0 || calls->other == calls->futex)
		return;
	sleepers_find(machine, track, calls);
	if (moved < syscalls->sleeper_count)
		array_sort(syscalls->sleeper, syscalls->sleeper_count, sizeof(*syscalls->sleeper),
		           sleeper_compare);
	for (size_t i = 0; i < syscalls->sleeper_count && i < moved; i++) {
		struct task_syscalls *sleeper = task_syscalls(machine, syscalls->sleeper[i].track);

		sleeper->futex = calls->other;
		sleeper->other = calls->futex;
		sleeper->moved = machine->now;
		sleeper->limit_or_mover = track;
	}
}

/*
 * Sleepers are moved before the call that does so returns. A task that wakes them meanwhile shows
 * by its own call where they are, if they are not where they were last seen.
 */
static void futex_refine_moved(const struct machine *machine, uint32_t wakee,
                               struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee), *calls;
	const struct task_syscalls *waker = task_syscalls(machine, cause->waker);
	uint32_t place, track;

	if (!waker || sleeper->use != FUTEX_SLEEP || waker->use != FUTEX_WAKE ||
	    waker->futex == sleeper->futex || !tracks_share_memory(machine, wakee, cause->waker))
		return;
	cause->as.lock.address = waker->futex;
	cause->as.lock.from = 0;
	cause->as.lock.mover = 0;
	cause->as.lock.moved = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, track, calls) {
		if (!futex_use_moves(calls->use) || calls->futex != sleeper->futex ||
		    calls->other != waker->futex || !tracks_share_memory(machine, track, wakee))
			continue;
		cause->as.lock.from = calls->futex;
		cause->as.lock.mover = track;
		cause->as.lock.moved = calls->moved;
		break;
	}
}

/* Whether the sleep is one for the end of a thread, and no call has ended it. */
static bool futex_is_join(const struct machine *machine, uint32_t wakee,
                          const struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee), *calls;
	uint32_t other = cause->waker;

	if (sleeper->signs & FUTEX_LOCKED || !sleeper->is_shared)
		return false;
	calls = other == TRACK_NONE ? NULL : task_syscalls(machine, other);
	if (calls && calls->use != FUTEX_NOT)
		return false;
	if (other == TRACK_NONE || sleeper->joined != TRACK_NONE)
		return sleeper->joined != TRACK_NONE;
	if (!tracks_share_memory(machine, wakee, other))
		return false;
	return machine->task[other].is_exiting || (calls && calls->is_ending) ||
	       (sleeper->value && (int64_t)sleeper->value == machine->timeline->track[other].tid);
}

/* The signs, enum futex_sign, of both ends of a wait whose address is known. */
static uint32_t wait_signs(const struct machine *machine, uint32_t wakee,
                           const struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee), *waker;
	/* condition variables move their sleepers to the mutex */
	bool was_moved = cause->as.lock.from || cause->as.lock.address != sleeper->futex;
	uint32_t signs = was_moved ? FUTEX_LOCKED | FUTEX_OF_CONDITION : sleeper->signs;

	if (signs & FUTEX_CONDITIONAL)
		signs |= timeline_futex_signs(machine->timeline, wakee, sleeper->futex);
	if (!was_moved && futex_is_join(machine, wakee, cause))
		return signs | FUTEX_ENDED;
	waker = cause->waker == TRACK_NONE ? NULL : task_syscalls(machine, cause->waker);
	if (!waker || !futex_use_wakes(waker->use) || waker->futex != cause->as.lock.address)
		return signs;
	return signs | waker->signs |
	       (task_has_slept_at(waker, waker->futex) ? (uint32_t)FUTEX_WAKER_SLEPT : 0);
}

void futex_refine(const struct machine *machine, uint32_t wakee, struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee);
	const struct user_variable *variable;
	enum futex_kind kind;

	cause->as.lock.address = sleeper->futex;
	if (sleeper->use == FUTEX_SLEEP && sleeper->other) {
		cause->as.lock.from = sleeper->other;
		cause->as.lock.mover = sleeper->limit_or_mover;
		cause->as.lock.moved = sleeper->moved;
	}
	if (syscalls_of(machine)->has_moves && cause->kind == CAUSE_TASK)
		futex_refine_moved(machine, wakee, cause);
	cause->as.lock.flags = wait_signs(machine, wakee, cause);
	kind = futex_kind_of(cause->as.lock.flags);
	cause->name = intern_adds(&machine->timeline->names, futex_kind_name(kind));
	if (kind == FUTEX_KIND_JOIN)
		return;
	variable = variable_of_track(machine, wakee, machine->now, cause->as.lock.address);
	if (variable && variable->futex &&
	    (kind == FUTEX_KIND_LOCK || kind == FUTEX_KIND_UNKNOWN))
		cause->name = variable->futex;
}
