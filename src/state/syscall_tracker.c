/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, where they were recorded. A task that sleeps in poll, select, epoll or accept waits
 * for work: nothing blocks it, there is just nothing to do. A futex names the address. Which call
 * it is also tells a sleep from a time-out. Of each call that anybody wants to be told of it is
 * summed what its time was spent on, from the spans of its task as they are told.
 *
 * Numbers are those of the recording machine's own calls; a 32-bit program on a 64-bit kernel has
 * others, and its calls are then not recognised, or, rarely, taken for another.
 *
 * Who signals a condition may move those who wait for it to the futex of its mutex without waking
 * them (FUTEX_REQUEUE and the like). The call tells how many, not whom: the sleepers of its process
 * that were there before it and still are when it returns, in the kernel's order.
 */
#include "syscall_tracker.h"

#include "base/array.h"
#include "base/byte_order.h"
#include "base/syscall_names.h"
#include "answer_tracker.h"
#include "lock_tracker.h"
#include "place_tracker.h"
#include "sleep_tracker.h"
#include "wait_tracker.h"

#define CALL_NUMBER_MAX 6500 /* of mips, whose ABIs begin at 4000, 5000 and 6000 */
#define CALL_HAS_NO_OP  0x80 /* its arguments are not those of futex() */
#define FUTEX_OP_MASK   0x7f /* above it are flags */
#define PRIORITY_NORMAL 100  /* the first of those that are not real-time */

static const struct {
	const char *name;
	uint8_t call; /* enum sleep_call, | CALL_HAS_NO_OP */
} sleep_calls[] = {
	{"nanosleep", CALL_NANOSLEEP},
	{"clock_nanosleep", CALL_NANOSLEEP},
	{"clock_nanosleep_time64", CALL_NANOSLEEP},
	{"poll", CALL_POLL},
	{"ppoll", CALL_POLL},
	{"ppoll_time64", CALL_POLL},
	{"select", CALL_SELECT},
	{"_newselect", CALL_SELECT},
	{"pselect6", CALL_SELECT},
	{"pselect6_time64", CALL_SELECT},
	{"epoll_wait", CALL_EPOLL},
	{"epoll_pwait", CALL_EPOLL},
	{"epoll_pwait2", CALL_EPOLL},
	{"accept", CALL_ACCEPT},
	{"accept4", CALL_ACCEPT},
	{"futex", CALL_FUTEX},
	{"futex_time64", CALL_FUTEX},
	{"futex_wait", CALL_FUTEX | CALL_HAS_NO_OP},
	{"connect", CALL_CONNECT},
};

/* What the time of a call was spent on. */
struct call_time {
	nsec_t running, runnable;
	nsec_t waiting[CAUSE_KIND_COUNT];
};

/* What a task does in the futex call that it is in. */
enum futex_use {
	FUTEX_NOT,   /* it is in none */
	FUTEX_OTHER,
	FUTEX_SLEEP, /* others may move it to another futex meanwhile */
	FUTEX_WAKE,  /* nobody but those at this one */
	FUTEX_MOVE,  /* wakes some and moves others */
	FUTEX_MOVE_PI, /* wakes one if it can have the lock, and moves others */
};

/* Of a task. */
struct task_syscalls {
	uint64_t count; /* entered and left so far */
	/* while in a futex call */
	uint64_t futex; /* address */
	uint64_t other; /* MOVE: where to; SLEEP: where it was moved from; else 0 */
	nsec_t moved;   /* MOVE: since when; SLEEP: when it was moved */
	/* MOVE: how many it wakes at most, MOVE_PI: moves; SLEEP: the line that has moved it */
	uint32_t limit_or_mover;
	uint8_t use;         /* enum futex_use */
	bool waits_for_work; /* in a call that waits for something to do */
	uint8_t call;        /* enum sleep_call that it is in */
	/* as struct interval has it, where anybody wants to be told of calls */
	bool is_open;
	nsec_t entered;
	int64_t number;
	uint64_t argument;
	struct call_time time[]; /* one, where they do */
};

/* Of those that were found asleep where a call moved some: in the kernel's order. */
struct futex_sleeper {
	nsec_t since;
	uint32_t line;
	int16_t priority;
};

struct syscalls {
	bool is_known; /* this machine's numbers */
	bool has_moves; /* some call was there to move sleepers */
	uint8_t call[CALL_NUMBER_MAX]; /* enum sleep_call, by number; | CALL_HAS_NO_OP */
	struct futex_sleeper *sleeper; /* of the present call */
	size_t sleeper_count, sleeper_capacity;
};

static struct syscalls *syscalls_of(const struct machine *machine)
{
	return machine->own[TRACKER_SYSCALL];
}

static struct task_syscalls *task_syscalls(const struct machine *machine, uint32_t line)
{
	return tracker_task(machine, TRACKER_SYSCALL, line);
}

uint8_t syscall_sleep(const struct machine *machine, uint32_t line)
{
	const struct task_syscalls *calls = task_syscalls(machine, line);
	struct sleep_place place = task_place(machine, line);

	if (place.frames)
		return place.call;
	if (!calls)
		return CALL_NONE;
	return calls->call == CALL_NONE && calls->use != FUTEX_NOT ? CALL_FUTEX : calls->call;
}

uint64_t syscall_futex(const struct machine *machine, uint32_t line)
{
	const struct task_syscalls *calls = task_syscalls(machine, line);

	return calls && calls->use != FUTEX_NOT ? calls->futex : 0;
}

uint64_t syscall_count(const struct machine *machine, uint32_t line)
{
	const struct task_syscalls *calls = task_syscalls(machine, line);

	return calls ? calls->count : 0;
}

/* enum sleep_call, | CALL_HAS_NO_OP */
static uint8_t call_of(const struct machine *machine, int64_t number)
{
	return number >= 0 && number < CALL_NUMBER_MAX ? syscalls_of(machine)->call[number]
	                                               : CALL_NONE;
}

static bool call_is_for_work(enum sleep_call call)
{
	return call == CALL_POLL || call == CALL_SELECT || call == CALL_EPOLL ||
	       call == CALL_ACCEPT;
}

static void call_spend(struct task_syscalls *calls, enum segment_kind kind,
                       const struct cause_note *cause, nsec_t time)
{
	if (kind == SEGMENT_RUN)
		calls->time->running += time;
	else if (kind == SEGMENT_RUNNABLE)
		calls->time->runnable += time;
	else
		calls->time->waiting[cause ? cause->kind : CAUSE_UNKNOWN] += time;
}

/* The call that the line is in ends by what is told; NULL: with the trace. */
static void call_tell(struct machine *machine, uint32_t line, struct task_syscalls *calls,
                      const struct event *event, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_SYSCALL,
		.cpu = event ? event->cpu : machine->task[line].cpu,
		.begin = calls->entered,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = !event,
		.task = line,
		.other = LINE_NONE,
		.syscall = {
			.number = calls->number,
			.argument = calls->argument,
			.result = event ? event->syscall.result : 0,
			.running = calls->time->running,
			.runnable = calls->time->runnable,
			.waiting = calls->time->waiting,
		},
	};

	calls->is_open = false;
	machine_tell_interval(machine, &interval);
}

/* Of the spans of its time all but the present one have been told. */
static void call_end(struct machine *machine, uint32_t line, struct task_syscalls *calls,
                     const struct event *event)
{
	const struct task_state *task = &machine->task[line];

	wait_release(machine, line);
	call_spend(calls, (enum segment_kind)task->kind, NULL,
	           machine->now - nsec_max(task->since, calls->entered));
	call_tell(machine, line, calls, event, machine->now);
}

/* What a wait was for is known when it is told of. */
static void syscall_follow(struct machine *machine, const struct span *span)
{
	struct task_syscalls *calls = task_syscalls(machine, span->line);
	nsec_t begin;

	if (!calls->is_open)
		return;
	begin = nsec_max(span->begin, calls->entered);
	if (begin < span->end)
		call_spend(calls, span->kind, span->cause, span->end - begin);
	if (span->is_open)
		call_tell(machine, span->line, calls, NULL, span->end);
}

/* Whether there will be spans that tell what it does: of idle, and of what seems dead, are none. */
static bool task_has_spans(const struct machine *machine, uint32_t line)
{
	const struct task_state *task = &machine->task[line];

	return !task->is_idle && task->kind != SEGMENT_DEAD && task->kind != SEGMENT_NEW;
}

static enum futex_use futex_use_of(uint64_t op)
{
	static const uint8_t uses[FUTEX_OP_MASK + 1] = {
		[0] = FUTEX_SLEEP,    /* WAIT */
		[1] = FUTEX_WAKE,     /* WAKE */
		[3] = FUTEX_MOVE,     /* REQUEUE */
		[4] = FUTEX_MOVE,     /* CMP_REQUEUE */
		[7] = FUTEX_WAKE,     /* UNLOCK_PI */
		[9] = FUTEX_SLEEP,    /* WAIT_BITSET */
		[10] = FUTEX_WAKE,    /* WAKE_BITSET */
		[11] = FUTEX_SLEEP,   /* WAIT_REQUEUE_PI */
		[12] = FUTEX_MOVE_PI, /* CMP_REQUEUE_PI */
	};
	uint8_t use = uses[op & FUTEX_OP_MASK];

	return use == FUTEX_NOT ? FUTEX_OTHER : (enum futex_use)use;
}

/* What the arguments are if the call is futex(); all 0 where they were not recorded. */
static struct futex_call futex_call_read(const struct source *source, struct text arguments)
{
	bool is_swapped = source->is_big_endian != byte_order_is_big();
	uint64_t number[5] = {0};

	for (size_t i = 1; i < ARRAY_SIZE(number); i++) {
		const uint8_t *at = (const uint8_t *)arguments.at + i * source->long_bytes;

		if (arguments.length < (i + 1) * source->long_bytes)
			break;
		number[i] = source->long_bytes == 4 ? load_u32(at, is_swapped)
		                                    : load_u64(at, is_swapped);
	}
	return (struct futex_call){number[1], number[2], number[3], number[4]};
}

static bool use_moves(uint8_t use)
{
	return use >= FUTEX_MOVE;
}

static void futex_begin(struct machine *machine, struct task_syscalls *calls, uint64_t address,
                        const struct futex_call *call)
{
	calls->futex = address;
	calls->use = (uint8_t)futex_use_of(call->op);
	calls->other = 0;
	if (!use_moves(calls->use))
		return;
	calls->other = call->to;
	calls->moved = machine->now;
	calls->limit_or_mover =
		(uint32_t)(calls->use == FUTEX_MOVE ? call->wakes : call->moves) & INT32_MAX;
	syscalls_of(machine)->has_moves = true;
}

static __attribute__((noinline)) void futex_enter(struct machine *machine,
                                                  struct task_syscalls *calls,
                                                  const struct event *event, bool has_op)
{
	struct futex_call call = {0};

	if (has_op)
		call = futex_call_read(machine->setup.source, event->syscall.arguments);
	futex_begin(machine, calls, calls->argument, &call);
}

/* Whether an address means the same to both. */
static bool lines_share_memory(const struct machine *machine, uint32_t a, uint32_t b)
{
	const struct line *lines = machine->timeline->line;
	int32_t one = lines[a].tgid, other = lines[b].tgid;

	if (one >= 0 && other >= 0)
		return one == other;
	if (one < 0 && other < 0)
		return true;
	/* of one it is known: the other is its leader, or was forked by that one */
	if (one < 0)
		return lines[a].tid == other ||
		       (lines[a].parent != LINE_NONE && lines[lines[a].parent].tid == other);
	return lines[b].tid == one ||
	       (lines[b].parent != LINE_NONE && lines[lines[b].parent].tid == one);
}

/* The kernel's: real-time priorities, then who came first. */
static int sleeper_compare(const void *a, const void *b)
{
	const struct futex_sleeper *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Those that sleep at the futex of that line's call since before it began. */
static void sleepers_find(const struct machine *machine, uint32_t line,
                          const struct task_syscalls *mover)
{
	struct syscalls *syscalls = syscalls_of(machine);
	const struct task_syscalls *calls;
	uint32_t place, other;

	syscalls->sleeper_count = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, other, calls) {
		const struct task_state *task = &machine->task[other];
		bool is_real_time = task->priority != PRIORITY_UNKNOWN &&
		                    task->priority < PRIORITY_NORMAL;

		if (calls->use != FUTEX_SLEEP || calls->futex != mover->futex ||
		    task->kind != SEGMENT_WAIT || task->since > mover->moved ||
		    !lines_share_memory(machine, line, other))
			continue;
		ARRAY_GROW(syscalls->sleeper, syscalls->sleeper_count, syscalls->sleeper_capacity);
		syscalls->sleeper[syscalls->sleeper_count++] = (struct futex_sleeper){
			.since = task->since,
			.line = other,
			.priority = is_real_time ? task->priority : PRIORITY_NORMAL,
		};
	}
}

/*
 * How many the call has moved: its result is all whom it has woken or moved. FUTEX_MOVE_PI does not
 * tell whether it has woken one; where it has left others asleep, too, nobody knows who was moved.
 */
static size_t futex_moved(const struct task_syscalls *calls, int64_t result)
{
	int64_t limit = calls->limit_or_mover;

	if (calls->use == FUTEX_MOVE)
		return result > limit ? (size_t)(result - limit) : 0;
	return result > 0 && result <= limit ? (size_t)result : 0;
}

/* A call that moves sleepers has returned; those whom it has woken are awake. */
static __attribute__((noinline)) void futex_move(struct machine *machine, uint32_t line,
                                                 const struct task_syscalls *calls,
                                                 int64_t result)
{
	size_t moved = futex_moved(calls, result);
	struct syscalls *syscalls = syscalls_of(machine);

	if (moved == 0 || calls->other == calls->futex)
		return;
	sleepers_find(machine, line, calls);
	if (moved < syscalls->sleeper_count)
		array_sort(syscalls->sleeper, syscalls->sleeper_count, sizeof(*syscalls->sleeper),
		           sleeper_compare);
	for (size_t i = 0; i < syscalls->sleeper_count && i < moved; i++) {
		struct task_syscalls *sleeper = task_syscalls(machine, syscalls->sleeper[i].line);

		sleeper->futex = calls->other;
		sleeper->other = calls->futex;
		sleeper->moved = machine->now;
		sleeper->limit_or_mover = line;
	}
}

static void on_syscall_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls;
	uint8_t call;

	if (!cpu_is_in_task(cpu))
		return;
	cpu_leave_locks(machine, cpu);
	calls = tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	calls->count++;
	calls->is_open = false;
	if (machine_wants(machine, INTERVAL_SYSCALL) && task_has_spans(machine, cpu->current)) {
		calls->is_open = true;
		*calls->time = (struct call_time){0};
	}
	calls->entered = machine->now;
	calls->number = event->syscall.number;
	calls->argument = event->syscall.argument;
	if (!syscalls_of(machine)->is_known)
		return;
	call = call_of(machine, calls->number);
	calls->call = call & (uint8_t)~CALL_HAS_NO_OP;
	calls->use = FUTEX_NOT;
	if (calls->call == CALL_FUTEX)
		futex_enter(machine, calls, event, !(call & CALL_HAS_NO_OP));
	calls->waits_for_work = call_is_for_work((enum sleep_call)calls->call);
	if (calls->call == CALL_ACCEPT)
		answer_note_accept(machine, cpu->current);
}

static void on_syscall_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls;

	if (!cpu_is_in_task(cpu))
		return;
	cpu_leave_locks(machine, cpu);
	calls = tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	if (calls->call == CALL_NANOSLEEP)
		sleep_note_result(machine, cpu->current, event->syscall.result);
	if (calls->is_open)
		call_end(machine, cpu->current, calls, event);
	if (use_moves(calls->use))
		futex_move(machine, cpu->current, calls, event->syscall.result);
	calls->count++;
	calls->call = CALL_NONE;
	calls->use = FUTEX_NOT;
	calls->waits_for_work = false;
}

static void on_futex_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls;

	if (cpu->current == LINE_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	calls = tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	futex_begin(machine, calls, event->futex.address, &event->futex.call);
}

static void on_futex_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls =
		cpu->current == LINE_NONE ? NULL : task_syscalls(machine, cpu->current);

	cpu_leave_locks(machine, cpu);
	if (!calls)
		return;
	if (use_moves(calls->use))
		futex_move(machine, cpu->current, calls, event->futex.result);
	calls->use = FUTEX_NOT;
}

static void syscall_sleep_begin(struct machine *machine, uint32_t line, uint8_t letter)
{
	(void)letter;
	if (task_syscalls(machine, line)->waits_for_work)
		machine->task[line].detail |= WAIT_FOR_WORK;
}

/*
 * Sleepers are moved before the call that does so returns. Who wakes them meanwhile tells by its
 * own call where they are, if they are not where they were seen last.
 */
static void futex_refine(const struct machine *machine, uint32_t wakee, struct cause_note *cause)
{
	const struct task_syscalls *sleeper = task_syscalls(machine, wakee), *calls;
	const struct task_syscalls *waker = task_syscalls(machine, cause->waker);
	uint32_t place, line;

	if (!waker || sleeper->use != FUTEX_SLEEP || waker->use != FUTEX_WAKE ||
	    waker->futex == sleeper->futex || !lines_share_memory(machine, wakee, cause->waker))
		return;
	cause->as.lock.address = waker->futex;
	cause->as.lock.from = 0;
	cause->as.lock.mover = 0;
	cause->as.lock.moved = 0;
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, line, calls) {
		if (!use_moves(calls->use) || calls->futex != sleeper->futex ||
		    calls->other != waker->futex || !lines_share_memory(machine, line, wakee))
			continue;
		cause->as.lock.from = calls->futex;
		cause->as.lock.mover = line;
		cause->as.lock.moved = calls->moved;
		break;
	}
}

/* A task that ended a wait in a futex has let go of that one. */
static void syscall_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct task_syscalls *calls = task_syscalls(machine, wake->wakee);

	if (calls->use == FUTEX_NOT ||
	    (cause->kind != CAUSE_TASK && cause->kind != CAUSE_UNKNOWN))
		return;
	cause->as.lock.address = calls->futex;
	if (calls->use == FUTEX_SLEEP && calls->other) {
		cause->as.lock.from = calls->other;
		cause->as.lock.mover = calls->limit_or_mover;
		cause->as.lock.moved = calls->moved;
	}
	if (syscalls_of(machine)->has_moves && cause->kind == CAUSE_TASK)
		futex_refine(machine, wake->wakee, cause);
	cause->name = intern_adds(&machine->timeline->names, "futex");
}

static void syscalls_begin(struct machine *machine)
{
	struct syscalls *syscalls = syscalls_of(machine);
	int64_t number[SYSCALL_NUMBERS_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(sleep_calls); i++) {
		size_t count = syscall_numbers(machine->setup.source->arch, sleep_calls[i].name,
		                               number);

		while (count-- > 0 && number[count] < CALL_NUMBER_MAX) {
			syscalls->is_known = true;
			syscalls->call[number[count]] = sleep_calls[i].call;
		}
	}
}

static void syscalls_forget(struct machine *machine)
{
	struct task_syscalls *calls;
	uint32_t place, line;

	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, line, calls) {
		calls->is_open = false;
		calls->use = FUTEX_NOT;
		calls->waits_for_work = false;
		calls->call = CALL_NONE;
	}
}

static void syscalls_end(struct machine *machine)
{
	free(syscalls_of(machine)->sleeper);
}

static const struct handler_row syscall_handlers[] = {
	{EVENT_SYSCALL_ENTER, on_syscall_enter},
	{EVENT_SYSCALL_EXIT, on_syscall_exit},
	{EVENT_FUTEX_ENTER, on_futex_enter},
	{EVENT_FUTEX_EXIT, on_futex_exit},
};

const struct tracker syscall_tracker = {
	.name = "syscall",
	.handlers = syscall_handlers,
	.handler_count = ARRAY_SIZE(syscall_handlers),
	.own_bytes = sizeof(struct syscalls),
	.task_bytes = sizeof(struct task_syscalls),
	.refine = syscall_refine,
	.refines_causes = 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN,
	.refines_kept = true,
	.refines_unwoken = true,
	.sleep = syscall_sleep_begin,
	.follows = INTERVAL_MASK(INTERVAL_SYSCALL),
	.follow_bytes = sizeof(struct call_time),
	.follow = syscall_follow,
	.begin = syscalls_begin,
	.forget = syscalls_forget,
	.end = syscalls_end,
};
