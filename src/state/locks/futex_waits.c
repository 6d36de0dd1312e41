/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_waits.h"

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/core/held_wait.h"
#include "words/cause/aim_kind.h"
#include "words/cause/futex_kind.h"
#include "words/cause/purpose.h"

/* Looks the address up, and keeps what was found, even if it was nothing. */
static const struct user_variable *variable_look_up(const struct machine *machine, int32_t tgid,
                                                    nsec_t time, uint64_t address)
{
	struct timeline *timeline = machine->timeline;
	struct user_variable found = {
		.address = address,
		.tgid = machine_process_id(machine, tgid),
	};
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t prefix = sizeof(FUTEX_NAME_PREFIX) - 1;

	buffer_puts(&text, FUTEX_NAME_PREFIX);
	if (machine->setup.user_variable(machine->setup.users, tgid, time, address, &text)) {
		found.name = intern_adds(&timeline->names, text.text + prefix);
		found.futex = intern_adds(&timeline->names, text.text);
	}
	return user_variables_add(&timeline->variables, &found);
}

const struct user_variable *variable_of_track(const struct machine *machine, uint32_t track,
                                              nsec_t time, uint64_t address)
{
	int32_t tgid = track_process(machine, track);
	const struct user_variable *known;

	if (!machine->setup.user_variable || address == 0)
		return NULL;
	known = user_variables_find(&machine->timeline->variables,
	                            machine_process_id(machine, tgid), address);
	return known ? known : variable_look_up(machine, tgid, time, address);
}

/*
 * Who had the lock of a futex while a task tried in vain to get it. A task that takes a free lock
 * makes no call, but the release of one that another task has waited for is a call: so the holder
 * shows when it releases the lock, after the try. It is known before if it had waited for the lock
 * itself.
 *
 *	holder  (takes it)                                                  FUTEX_WAKE
 *	waiter       FUTEX_WAIT ... ETIMEDOUT  FUTEX_WAIT ... ETIMEDOUT
 *	             '-------------------- tries in vain --------------'
 *
 * Only tasks to which an address means the same are compared.
 */

/* The most tries without a holder that are remembered. */
#define TRIES_MAX 4096

/* A try in vain, until its holder is known. */
struct futex_try {
	struct interval interval;
	uint32_t note; /* link to its cause */
};

/* Whether an address means the same to both tasks. */
static bool tracks_share_memory(const struct machine *machine, uint32_t a, uint32_t b)
{
	const struct track *tracks = machine->timeline->track;
	int32_t one = tracks[a].tgid, other = tracks[b].tgid, tgid;
	const struct track *unknown;

	if (one >= 0 && other >= 0)
		return one == other;
	if (one < 0 && other < 0)
		return true;
	/* the process of only one is known: the other is its leader, or a child of the leader */
	unknown = &tracks[one < 0 ? a : b];
	tgid = one < 0 ? other : one;
	return unknown->tid == tgid ||
	       (unknown->parent != TRACK_NONE && tracks[unknown->parent].tid == tgid);
}

static void try_emit(struct machine *machine, struct interval *interval, uint32_t holder)
{
	interval->other = holder;
	interval->lock.owner_confidence =
		(uint8_t)(holder == TRACK_NONE ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM);
	if (machine_wants(machine, INTERVAL_LOCK))
		machine_emit_interval(machine, interval);
}

/* Whether the task may have had the lock that the other one tried to get. */
static bool may_have_had(const struct machine *machine, uint32_t holder, uint32_t track)
{
	return holder != track && machine->task[holder].kind != SEGMENT_DEAD &&
	       tracks_share_memory(machine, holder, track);
}

/* The track releases the lock, or waits for it: then it does not have it. */
static void futex_note_wanted(struct machine *machine, uint32_t track, uint64_t futex)
{
	struct object_pool *holders = &syscalls_of(machine)->futex_holder;
	uint32_t *holder = object_pool_count(holders) ? object_pool_find(holders, futex) : NULL;

	/* it stays in the pool, as mostly the next waiter has the lock at once */
	if (holder && *holder == track)
		*holder = TRACK_NONE;
}

static void futex_note_released(struct machine *machine, uint32_t track, uint64_t futex)
{
	struct syscalls *syscalls = syscalls_of(machine);
	size_t left = 0;

	futex_note_wanted(machine, track, futex);
	for (size_t i = 0; i < syscalls->try_count; i++) {
		struct futex_try *try = &syscalls->try[i];
		struct cause_note *cause;

		if (try->interval.lock.address != futex ||
		    !may_have_had(machine, track, try->interval.task)) {
			syscalls->try[left++] = *try;
			continue;
		}
		cause = timeline_amend_linked(machine->timeline, try->note);
		if (cause)
			cause_note_name_holder(cause, track);
		try_emit(machine, &try->interval, track);
	}
	syscalls->try_count = left;
}

/* The track has tried in vain to get the lock, as both say: the holder is added as soon as it is
   known, and only then the interval is emitted. Returns the cause's index in the timeline. */
static uint32_t futex_note_try(struct machine *machine, struct interval *interval,
                               struct cause_note *cause)
{
	struct syscalls *syscalls = syscalls_of(machine);
	const uint32_t *holder =
		object_pool_find(&syscalls->futex_holder, interval->lock.address);
	bool is_known = holder && *holder != TRACK_NONE &&
	                may_have_had(machine, *holder, interval->task);
	uint32_t index;

	cause->origin = interval->begin; /* so that no other try shares it */
	cause_note_name_holder(cause, is_known ? *holder : TRACK_NONE);
	index = timeline_note_cause(machine->timeline, cause);
	if (is_known || syscalls->try_count == TRIES_MAX) {
		try_emit(machine, interval, cause->waker);
		return index;
	}
	ARRAY_GROW(syscalls->try, syscalls->try_count, syscalls->try_capacity);
	syscalls->try[syscalls->try_count++] = (struct futex_try){*interval, index + 1};
	return index;
}

void futex_tries_flush(struct machine *machine)
{
	struct syscalls *syscalls = syscalls_of(machine);

	for (size_t i = 0; i < syscalls->try_count; i++)
		try_emit(machine, &syscalls->try[i].interval, TRACK_NONE);
	syscalls->try_count = 0;
}

/* Results of a call that sleeps: EINTR; EAGAIN, the value was not the expected one. */
#define RESULT_INTERRUPTED (-4)
#define RESULT_CHANGED     (-11)

/* ETIMEDOUT: most architectures', MIPS', Alpha's, and PA-RISC's. */
static bool result_is_limit(int64_t result)
{
	return result == -110 || result == -145 || result == -60 || result == -238;
}

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

static bool futex_use_moves(uint8_t use)
{
	return use >= FUTEX_MOVE;
}

/* Whether the use wakes sleepers at the call's first address. */
static bool futex_use_wakes(uint8_t use)
{
	return use >= FUTEX_WAKE;
}

#define ARGUMENTS 5 /* the first one is known otherwise */

/* Reads those that are there, of so many bytes each; returns whether these are all. */
static inline __attribute__((always_inline)) bool
arguments_read(struct text from, size_t bytes, bool is_swapped, uint64_t ret[static ARGUMENTS])
{
	size_t count = from.length < ARGUMENTS * bytes ? from.length / bytes : ARGUMENTS;

	for (size_t i = 1; i < count; i++) {
		const uint8_t *at = (const uint8_t *)from.at + i * bytes;

		ret[i] = bytes == 4 ? load_u32(at, is_swapped) : load_u64(at, is_swapped);
	}
	return count == ARGUMENTS;
}

bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret)
{
	bool is_swapped = source->is_big_endian != byte_order_is_big(), is_whole = false;
	uint64_t number[ARGUMENTS] = {0};

	if (source->long_bytes == 8)
		is_whole = arguments_read(arguments, 8, is_swapped, number);
	else if (source->long_bytes == 4)
		is_whole = arguments_read(arguments, 4, is_swapped, number);
	*ret = (struct futex_call){number[1], number[2], number[3], number[4]};
	return is_whole;
}

/*
 * Finds out whether a word at which tasks sleep is a condition's or a semaphore's, for
 * graph/logs/object_names.h. Both are slept at by the same calls. glibc's conditions differ in what
 * comes before the next sleep: the mutex of the condition has been left marked as contended, so the
 * sleeper calls a wake-up at the mutex, which mostly wakes no task.
 *
 *	condition  WAIT a          WAKE mutex = 0    WAIT a or b
 *	semaphore  WAIT a                            WAIT a or b
 *
 * Only who waits for one condition while it has the mutex of another one looks as if that were a
 * semaphore.
 *
 * A semaphore's word lies at the lower end of 8 bytes, on big-endian machines at the higher end.
 */

/* Programs keep a condition and its mutex close together. Another futex that a task wakes without
   effect may be one for which it raced. */
#define MUTEX_DISTANCE 256

static void prove(struct machine *machine, uint32_t track, uint64_t futex, uint32_t sign)
{
	struct timeline *timeline = machine->timeline;
	int32_t process = track_process_id(&timeline->track[track]);

	futex_signs_add(&timeline->futex_signs, (uint32_t)process, futex, sign);
}

/* How far the futex of the call is from the one that the thread left. */
static uint64_t distance_of_left(const struct task_syscalls *calls)
{
	return calls->left > calls->futex ? calls->left - calls->futex
	                                  : calls->futex - calls->left;
}

/* The track is to sleep as for a condition or a semaphore. */
static void note_sleep(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                       bool may_be_semaphore)
{
	const struct source *source = machine->setup.source;
	struct held_wait *held = machine->task[track].held;
	/* the word may be that end of 8 bytes at which a semaphore's is not */
	bool is_condition = calls->signs & FUTEX_OF_CONDITION ||
	                    (calls->value <= 1 && source->long_bytes == 8 &&
	                     !(calls->futex & 4) == source->is_big_endian);
	uint64_t left = calls->left;
	bool was_semaphore = calls->may_be_semaphore &&
	                     distance_of_left(calls) >= MUTEX_DISTANCE &&
	                     !(timeline_futex_signs(machine->timeline, track, left,
	                                            FUTEX_CONDITIONAL) &
	                       FUTEX_OF_CONDITION);

	calls->left = 0;
	calls->may_be_semaphore = may_be_semaphore && !is_condition;
	if (is_condition)
		prove(machine, track, calls->futex, FUTEX_OF_CONDITION);
	if (!left || !(was_semaphore || (left == calls->futex && calls->may_be_semaphore)))
		return;
	/* so it was in the wait before, which a limit may have ended */
	prove(machine, track, left, FUTEX_OF_SEMAPHORE);
	if (held && cause_note_is_timeout(&held->cause))
		cause_add_purpose(&held->cause, PURPOSE_POSIX_SEM);
}

static void note_wake(struct machine *machine, uint32_t track, struct task_syscalls *calls)
{
	uint64_t distance;

	/* also while nobody sleeps there: one of these calls is enough */
	if (calls->signs & (FUTEX_WOKEN_ALL | FUTEX_MOVED))
		prove(machine, track, calls->futex,
		      FUTEX_OF_CONDITION | (calls->signs & FUTEX_WOKEN_ALL));
	distance = calls->left ? distance_of_left(calls) : 0;
	if (distance == 0)
		return;
	calls->is_unlocking = distance < MUTEX_DISTANCE;
	if (!calls->is_unlocking)
		calls->left = 0;
}

static void futex_evidence_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                               int64_t result)
{
	if (calls->use == FUTEX_SLEEP && calls->signs & FUTEX_CONDITIONAL) {
		calls->left = result == 0 || result_is_limit(result) ? calls->futex : 0;
	} else if (calls->is_unlocking) {
		if (result == 0)
			prove(machine, track, calls->left, FUTEX_OF_CONDITION);
		calls->left = 0;
	}
	calls->is_unlocking = false;
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

static void sleep_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                        const struct futex_call *call)
{
	const struct track *known = &machine->timeline->track[track];
	/* Other libraries sleep in the value 2 for other things, too: musl for the end of a thread,
	   for example. A task that was seen to begin, or to begin its program, has shown whether it
	   uses glibc. */
	bool is_of_glibc = calls->is_of_glibc || calls->count == 0 ||
	                   (known->born == NSEC_NEVER && !known->is_program_seen);
	uint32_t signs;

	futex_note_wanted(machine, track, calls->futex);
	calls->signs = (uint16_t)futex_signs_of_sleep(call->op, calls->value, call->moves != 0,
	                                              is_of_glibc);
	calls->joined = futex_find_joined(machine, track, calls);
	if (calls->use == FUTEX_SLEEP && calls->signs & FUTEX_CONDITIONAL)
		note_sleep(machine, track, calls,
		           is_of_glibc && call->op & FUTEX_FLAG_REALTIME && calls->value <= 1);
	else
		calls->left = 0;
	signs = timeline_futex_signs(machine->timeline, track, calls->futex, calls->signs);
	if (signs & FUTEX_OF_SEMAPHORE && futex_kind_of(signs) == FUTEX_KIND_SEMAPHORE)
		calls->purpose = PURPOSE_POSIX_SEM;
}

void futex_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                 uint64_t address, const struct futex_call *call)
{
	calls->futex = address;
	calls->use = (uint8_t)futex_use_of(call->op);
	calls->other = 0;
	calls->woken = 0;
	calls->value = (uint32_t)call->wakes;
	calls->is_shared = !(call->op & FUTEX_FLAG_PRIVATE);
	calls->joined = TRACK_NONE;
	calls->is_unlocking = false;
	calls->purpose = PURPOSE_NONE;
	if (futex_use_wakes(calls->use)) {
		futex_note_released(machine, track, calls->futex);
		calls->signs = (uint16_t)futex_signs_of_wake(call->op, call->wakes);
		note_wake(machine, track, calls);
	} else {
		sleep_begin(machine, track, calls, call);
	}
	if (!futex_use_moves(calls->use))
		return;
	calls->other = call->to;
	calls->moved = machine->now;
	calls->limit_or_mover =
		(uint32_t)(calls->use == FUTEX_MOVE ? call->wakes : call->moves) & INT32_MAX;
	syscalls_of(machine)->has_moves = true;
}

/* The signs of a sleep that no call has ended, with those of all calls there: at a barrier all
   sleepers were woken together before. */
static uint32_t signs_unwoken(const struct machine *machine, uint32_t track, uint64_t futex,
                              uint32_t signs)
{
	const struct timeline *timeline = machine->timeline;
	uint32_t process = (uint32_t)track_process_id(&timeline->track[track]);

	if (signs & FUTEX_PLAIN)
		signs |= futex_signs_find(&timeline->futex_signs, process, futex) &
		         FUTEX_WOKEN_ALL;
	return timeline_futex_signs(timeline, track, futex, signs);
}

/* What the track wanted: a lock, of which no event shows who has it, or something else. Looks up
   the variable's name for sinks, too. */
static void cause_become_wanted(struct machine *machine, uint32_t track,
                                const struct task_syscalls *calls, uint32_t signs,
                                struct cause_note *cause)
{
	const struct user_variable *variable =
		variable_of_track(machine, track, machine->now, calls->futex);
	enum futex_kind kind = futex_kind_of(signs);
	bool is_lock = kind == FUTEX_KIND_LOCK;

	cause_note_init(cause, is_lock ? CAUSE_LOCK : CAUSE_TASK, CONFIDENCE_MEDIUM);
	cause->waker = calls->joined;
	cause->is_walked = cause->waker != TRACK_NONE;
	cause->as.lock.address = calls->futex;
	cause->purpose = calls->purpose;
	cause->as.lock.flags = is_lock ? FUTEX_SLEPT | FUTEX_LOCKED : signs;
	cause->name = is_lock && variable && variable->futex
	                      ? variable->futex
	                      : syscalls_of(machine)->kind_name[kind];
}

/*
 * The task leaves the futex without what it wanted: its own time limit or a signal ended the wait,
 * or the end of its process did. Only a lock is followed further: nobody has a condition or a
 * barrier meanwhile. Later calls may show whether it is a condition or a semaphore.
 */
static void futex_give_up(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                          enum aim_end how, int64_t result)
{
	uint32_t signs = signs_unwoken(
		machine, track, calls->futex,
		calls->signs | (calls->joined != TRACK_NONE ? (uint32_t)FUTEX_ENDED : 0));
	enum futex_kind kind = futex_kind_of(signs);
	bool is_held = kind == FUTEX_KIND_LOCK || kind == FUTEX_KIND_BARRIER ||
	               kind == FUTEX_KIND_JOIN;
	struct cause_note cause;
	struct interval interval;
	uint32_t index;

	if (calls->use != FUTEX_SLEEP || !calls->woken)
		return;
	cause_become_wanted(machine, track, calls, signs, &cause);
	interval = interval_of(INTERVAL_LOCK, machine->task[track].cpu, track, calls->slept,
	                       calls->woken);
	interval.lock = (struct lock_interval){
		.address = calls->futex,
		.flags = LOCK_FLAG_FUTEX | signs,
		.result = result,
		.has_slept = true,
	};
	if (kind == FUTEX_KIND_LOCK) {
		index = futex_note_try(machine, &interval, &cause);
	} else {
		index = timeline_note_cause(machine->timeline, &cause);
		/* all waits for a futex together may show what one does not */
		if (machine_wants(machine, INTERVAL_LOCK))
			machine_emit_interval(machine, &interval);
	}
	if (!is_held && (kind == FUTEX_KIND_UNKNOWN || how == AIM_DEATH))
		return;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){calls->slept, calls->woken, index,
	                                    (uint8_t)aim_of_futex(kind), (uint8_t)how},
	                 /* cause= */ NULL);
}

void futex_conclude(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                    struct cause_note *cause)
{
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

/* The kernel's order: by real-time priority, then by arrival. */
ORDER_FUNCTION(sleeper_compare, struct futex_sleeper, RISING(x, y, priority), RISING(x, y, since),
               RISING(x, y, track))

/* Finds the tasks that have slept at the futex of that track's call since before the call began. */
static void sleepers_find(const struct machine *machine, uint32_t track,
                          const struct task_syscalls *mover)
{
	struct syscalls *syscalls = syscalls_of(machine);

	syscalls->sleeper_count = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, other, const struct task_syscalls, calls) {
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
 * The call moves the first of the sleepers: its result counts all that it woke or moved.
 * FUTEX_MOVE_PI does not show whether it woke one; if it also left others asleep, which were moved
 * is not known.
 */
static void futex_move(struct machine *machine, uint32_t track, const struct task_syscalls *calls,
                       int64_t result)
{
	int64_t limit = calls->limit_or_mover;
	int64_t moved = calls->use != FUTEX_MOVE ? (result <= limit ? result : 0)
	                : result > limit         ? result - limit
	                                         : 0;
	struct syscalls *syscalls = syscalls_of(machine);

	if (moved <= 0 || calls->other == calls->futex)
		return;
	sleepers_find(machine, track, calls);
	if ((size_t)moved < syscalls->sleeper_count)
		array_sort(syscalls->sleeper, syscalls->sleeper_count, sizeof(*syscalls->sleeper),
		           sleeper_compare);
	for (size_t i = 0; i < syscalls->sleeper_count && i < (size_t)moved; i++) {
		struct task_syscalls *sleeper = task_syscalls(machine, syscalls->sleeper[i].track);

		sleeper->futex = calls->other;
		sleeper->other = calls->futex;
		sleeper->moved = machine->now;
		sleeper->limit_or_mover = track;
	}
}

void futex_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
               int64_t result)
{
	if (futex_use_moves(calls->use))
		futex_move(machine, track, calls, result);
	futex_evidence_end(machine, track, calls, result);
	if (result < 0 && result != RESULT_CHANGED && !calls->is_woken_by_task)
		futex_give_up(machine, track, calls,
		              result_is_limit(result) ? AIM_LIMIT : AIM_SIGNAL, result);
	if (calls->use == FUTEX_SLEEP && result == 0) {
		latest_put(calls->slept_at, FUTEXES_SLEPT_MAX, calls->futex);
		/* it has waited for the lock, and has it now */
		if (calls->woken && futex_kind_of(calls->signs) == FUTEX_KIND_LOCK)
			*(uint32_t *)object_pool_put(&syscalls_of(machine)->futex_holder,
			                             calls->futex) = track;
	}
	calls->purpose = PURPOSE_NONE;
	calls->use = FUTEX_NOT;
}

/*
 * Sleepers are moved before the call that does so returns. A task that wakes them meanwhile shows
 * by its own call where they are, if they are not where they were last seen.
 */
static void futex_refine_moved(const struct machine *machine, uint32_t wakee,
                               struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee);
	const struct task_syscalls *waker = task_syscalls(machine, cause->waker);

	if (!waker || sleeper->use != FUTEX_SLEEP || waker->use != FUTEX_WAKE ||
	    waker->futex == sleeper->futex || !tracks_share_memory(machine, wakee, cause->waker))
		return;
	cause->as.lock.address = waker->futex;
	cause->as.lock.from = 0;
	cause->as.lock.mover = 0;
	cause->as.lock.moved = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, track, const struct task_syscalls, calls) {
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

	signs = cause->kind == CAUSE_UNKNOWN && cause->waker == TRACK_NONE
	                ? signs_unwoken(machine, wakee, sleeper->futex, signs)
	                : timeline_futex_signs(machine->timeline, wakee, sleeper->futex, signs);
	if (!was_moved && futex_is_join(machine, wakee, cause))
		return signs | FUTEX_ENDED;
	waker = cause->waker == TRACK_NONE ? NULL : task_syscalls(machine, cause->waker);
	if (!waker || !futex_use_wakes(waker->use) || waker->futex != cause->as.lock.address)
		return signs;
	return signs | waker->signs |
	       (latest_find(waker->slept_at, FUTEXES_SLEPT_MAX, waker->futex)
	                ? (uint32_t)FUTEX_WAKER_SLEPT : 0);
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
	cause->name = syscalls_of(machine)->kind_name[kind];
	if (kind == FUTEX_KIND_JOIN)
		return;
	variable = variable_of_track(machine, wakee, machine->now, cause->as.lock.address);
	if (variable && variable->futex &&
	    (kind == FUTEX_KIND_LOCK || kind == FUTEX_KIND_UNKNOWN))
		cause->name = variable->futex;
}
