/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, where they were recorded. A task that sleeps in poll, select, epoll or accept waits
 * for work: nothing blocks it, there is just nothing to do. A futex call gives the address. The
 * call also distinguishes a sleep from a time-out. For each wanted call the tracker sums up how its
 * time was spent, from the spans of its task as they are emitted.
 *
 * Numbers are those of the recording machine's own calls; a 32-bit program on a 64-bit kernel has
 * others, so its calls are not recognised, or, rarely, taken for another.
 */
#include "task_call.h"

#include "base/data/array.h"
#include "death.h"
#include "ftwait/aim.h"
#include "futex_tries.h"
#include "state/locks/futex_waits.h"
#include "graph/timeline_aims.h"
#include "lock_tracker.h"
#include "sleep_call.h"
#include "state/core/place.h"
#include "state/core/task_spans.h"
#include "task_role.h"
#include "words/kernel/syscall_names.h"

#define PATHS_MAX       (1u << 18) /* further ones are as if not recorded */
#define CALL_HAS_NO_OP  0x80 /* its arguments are not those of futex() */
#define CALL_IS_OF_LIFE 0x40 /* with enum life_call, as no task sleeps in it */

/* Calls by which threads begin and end. */
enum life_call {
	LIFE_ENDS,
	LIFE_ENDS_ALL, /* of the process */
	LIFE_CHANGES, /* another program comes */
	LIFE_BEGINS_AS_GLIBC, /* the threads of glibc begin with it, those of other libraries do
	                         not */
};

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
	{"recvfrom", CALL_RECEIVE},
	{"recvmsg", CALL_RECEIVE},
	{"recvmmsg", CALL_RECEIVE},
	{"recvmmsg_time64", CALL_RECEIVE},
	{"sendto", CALL_SEND},
	{"sendmsg", CALL_SEND},
	{"sendmmsg", CALL_SEND},
	{"semtimedop", CALL_SEMTIMEDOP},
	{"semtimedop_time64", CALL_SEMTIMEDOP},
	{"mq_timedsend", CALL_MQUEUE},
	{"mq_timedsend_time64", CALL_MQUEUE},
	{"mq_timedreceive", CALL_MQUEUE},
	{"mq_timedreceive_time64", CALL_MQUEUE},
	{"rt_sigtimedwait", CALL_SIGTIMEDWAIT},
	{"rt_sigtimedwait_time64", CALL_SIGTIMEDWAIT},
	{"io_getevents", CALL_AIO},
	{"io_pgetevents", CALL_AIO},
	{"io_pgetevents_time64", CALL_AIO},
	{"exit", CALL_IS_OF_LIFE | LIFE_ENDS},
	{"exit_group", CALL_IS_OF_LIFE | LIFE_ENDS_ALL},
	{"execve", CALL_IS_OF_LIFE | LIFE_CHANGES},
	{"execveat", CALL_IS_OF_LIFE | LIFE_CHANGES},
	{"set_robust_list", CALL_IS_OF_LIFE | LIFE_BEGINS_AS_GLIBC},
	{"rseq", CALL_IS_OF_LIFE | LIFE_BEGINS_AS_GLIBC},
};

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

/* The call that the track is in ends by that event; event NULL: the trace ends in it. */
static void call_emit(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                      const struct event *event, nsec_t end)
{
	struct interval interval = {
		.kind = INTERVAL_SYSCALL,
		.cpu = event ? event->cpu : machine->task[track].cpu,
		.begin = calls->entered,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.is_open = !event,
		.task = track,
		.other = TRACK_NONE,
		.syscall = {
			.number = calls->number,
			.argument = calls->argument,
			.result = event ? event->syscall.result : 0,
			.path = calls->path,
			.to = calls->to,
			.running = calls->time->running,
			.runnable = calls->time->runnable,
			.waiting = calls->time->waiting,
		},
	};

	calls->is_open = false;
	machine_emit_interval(machine, &interval);
}

static void call_spend_span(struct task_syscalls *calls, const struct span *span,
                            const struct cause_note *cause)
{
	nsec_t begin = nsec_max(span->begin, calls->entered);

	if (begin < span->end)
		call_spend(calls, span->kind, cause, span->end - begin);
}

/* The last wait may be one in this call: it stays held back, as the next event may show that the
   process ends. */
static void call_spend_held(struct task_syscalls *calls, const struct held_wait *held,
                            int64_t result)
{
	struct cause_note cause = held->cause;

	if (cause.kind == CAUSE_TASK && sleep_result_is_cut(result))
		cause_note_become(&cause, CAUSE_SIGNAL);
	call_spend_span(calls, &held->span, &cause);
	for (size_t i = 0; i < held->after_count; i++)
		call_spend_span(calls, &held->after[i], NULL);
}

/* Ends the call. Of the spans in its time, all but the present one have been emitted, or are held
   back. */
static void call_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                     const struct event *event)
{
	const struct task_state *task = &machine->task[track];

	if (task->held && task->is_threaded)
		call_spend_held(calls, task->held, event->syscall.result);
	else
		wait_release(machine, track);
	call_spend(calls, (enum segment_kind)task->kind, NULL,
	           machine->now - nsec_max(task->since, calls->entered));
	call_emit(machine, track, calls, event, machine->now);
}

/* Spans are followed as they are emitted, when the purpose of a wait is known. */
static void syscall_follow(struct machine *machine, const struct span *span)
{
	struct task_syscalls *calls = task_syscalls(machine, span->track);

	if (!calls->is_open)
		return;
	call_spend_span(calls, span, span->cause);
	if (span->is_open)
		call_emit(machine, span->track, calls, NULL, span->end);
}

/* Whether the task has spans: an idle task, or one that seems dead, has none. */
static bool task_has_spans(const struct machine *machine, uint32_t track)
{
	const struct task_state *task = &machine->task[track];

	return !task->is_idle && task->kind != SEGMENT_DEAD && task->kind != SEGMENT_NEW;
}

static __attribute__((noinline)) void futex_enter(struct machine *machine, uint32_t track,
                                                  const struct event *event, bool has_op)
{
	struct task_syscalls *calls = task_syscalls(machine, track);
	struct futex_call call = {0};
	bool is_read = has_op && futex_call_read(machine->setup.source, event->syscall.arguments,
	                                         &call);

	futex_begin(machine, track, calls->argument, &call);
	if (!is_read)
		calls->signs = 0;
}

static void note_life(struct task_syscalls *calls, enum life_call call)
{
	calls->is_ending = call == LIFE_ENDS;
	calls->changes_program = call == LIFE_CHANGES;
	if (call != LIFE_ENDS && call != LIFE_ENDS_ALL)
		calls->is_of_glibc = call == LIFE_BEGINS_AS_GLIBC;
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
	calls->changes_program = calls->is_cut = false;
	calls->signs = 0;
	calls->is_open = false;
	if (machine_wants(machine, INTERVAL_SYSCALL) && task_has_spans(machine, cpu->current)) {
		calls->is_open = true;
		*calls->time = (struct call_time){0};
	}
	calls->entered = machine->now;
	calls->number = event->syscall.number;
	calls->argument = event->syscall.argument;
	if (!calls->has_path || calls->path_number != calls->number)
		calls->path = calls->to = 0;
	calls->has_path = false;
	if (!syscalls_of(machine)->is_known)
		return;
	call = call_of(machine, calls->number);
	calls->use = FUTEX_NOT;
	if (call & CALL_IS_OF_LIFE) {
		note_life(calls, (enum life_call)(call & ~CALL_IS_OF_LIFE));
		if (call == (CALL_IS_OF_LIFE | LIFE_ENDS_ALL))
			death_note_exit(machine, cpu->current, (int64_t)calls->argument);
		call = CALL_NONE;
	}
	calls->call = call & (uint8_t)~CALL_HAS_NO_OP;
	calls->woken = 0;
	if (calls->call == CALL_FUTEX)
		futex_enter(machine, cpu->current, event, !(call & CALL_HAS_NO_OP));
	calls->waits_for_work = call_is_for_work((enum sleep_call)calls->call);
	if (calls->call == CALL_ACCEPT)
		answer_note_accept(machine, cpu->current);
}

/* The id of the path; 0: it was not recorded, or there are too many. */
static uint32_t path_name(struct machine *machine, const struct text *path)
{
	struct syscalls *syscalls = syscalls_of(machine);
	struct intern *names = &machine->timeline->names;
	size_t known = names->count;
	size_t length = path->length ? strnlen(path->at, path->length) : 0;
	uint32_t name;

	if (length == 0 || syscalls->paths == PATHS_MAX)
		return 0;
	name = intern_add(names, path->at, length);
	syscalls->paths += names->count > known;
	return name;
}

/* The kernel records a call twice, with its numbers and with its strings, in any order. */
static void on_syscall_path(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls;

	if (!cpu_is_in_task(cpu) || event->path.path.length == 0 ||
	    !machine_wants(machine, INTERVAL_SYSCALL))
		return;
	calls = tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	calls->has_path = !calls->is_open || calls->number != event->path.number || calls->path;
	calls->path_number = event->path.number;
	calls->path = path_name(machine, &event->path.path);
	calls->to = path_name(machine, &event->path.to);
}

/* A sleep that something else than its timer ended was for that time, too. */
static void note_cut_sleep(struct machine *machine, uint32_t track,
                           const struct task_syscalls *calls, bool is_interrupted)
{
	if (!calls->woken || (!is_interrupted && !calls->is_woken_by_task))
		return;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){
				 .begin = calls->slept,
				 .end = calls->woken,
				 .cause = CAUSE_NONE,
				 .kind = AIM_TIME,
				 .how = is_interrupted ? AIM_SIGNAL : AIM_HAD,
			 },
	                 /* cause= */ NULL);
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
	if (calls->call == CALL_NANOSLEEP)
		note_cut_sleep(machine, cpu->current, calls, event->syscall.result < 0);
	if (calls->is_open)
		call_end(machine, cpu->current, calls, event);
	if (futex_use_moves(calls->use))
		futex_move(machine, cpu->current, calls, event->syscall.result);
	calls->count++;
	calls->changes_program = false;
	calls->is_cut = sleep_result_is_cut(event->syscall.result);
	calls->call = CALL_NONE;
	calls->waits_for_work = false;
	futex_end(machine, cpu->current, event->syscall.result);
}

static void on_futex_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->current == TRACK_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	(void)tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	futex_begin(machine, cpu->current, event->futex.address, &event->futex.call);
}

static void on_futex_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls =
		cpu->current == TRACK_NONE ? NULL : task_syscalls(machine, cpu->current);

	cpu_leave_locks(machine, cpu);
	if (!calls)
		return;
	if (futex_use_moves(calls->use))
		futex_move(machine, cpu->current, calls, event->futex.result);
	futex_end(machine, cpu->current, event->futex.result);
}

static void syscall_sleep_begin(struct machine *machine, uint32_t track, uint8_t letter)
{
	(void)letter;
	if (task_syscalls(machine, track)->waits_for_work)
		machine->task[track].detail |= WAIT_FOR_WORK;
}

/* A task that ended a wait in a futex has released that futex. */
static void syscall_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct task_syscalls *calls = task_syscalls(machine, wake->wakee);

	if (calls->use != FUTEX_NOT &&
	    (cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN))
		futex_refine(machine, wake->wakee, cause);
}

static void syscall_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	if (!calls || (calls->call == CALL_NONE && calls->use == FUTEX_NOT))
		return;
	if (!calls->woken)
		calls->slept = machine->task[track].since;
	calls->woken = machine->now;
	calls->is_woken_by_task = cause->kind == CAUSE_TASK;
	if (calls->use == FUTEX_SLEEP)
		futex_conclude(machine, track, cause);
}

static void syscalls_begin(struct machine *machine)
{
	struct syscalls *syscalls = syscalls_of(machine);
	int64_t number[SYSCALL_NUMBERS_MAX];

	futex_tries_begin(machine);
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
	uint32_t place, track;

	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, place, track, calls) {
		calls->is_open = false;
		calls->use = FUTEX_NOT;
		calls->waits_for_work = false;
		calls->call = CALL_NONE;
		calls->has_path = false;
		calls->changes_program = calls->is_cut = false;
	}
	futex_tries_flush(machine);
}

static void syscalls_close(struct machine *machine, nsec_t end)
{
	(void)end;
	futex_tries_flush(machine);
}

static void syscalls_end(struct machine *machine)
{
	futex_tries_end(machine);
	free(syscalls_of(machine)->sleeper);
}

static const struct handler_row syscall_handlers[] = {
	{EVENT_SYSCALL_ENTER, on_syscall_enter},
	{EVENT_SYSCALL_EXIT, on_syscall_exit},
	{EVENT_SYSCALL_PATH, on_syscall_path},
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
	.conclude = syscall_conclude,
	.concludes = (1u << CAUSE_KIND_COUNT) - 1,
	.follows = INTERVAL_MASK(INTERVAL_SYSCALL),
	.follow_bytes = sizeof(struct call_time),
	.follow = syscall_follow,
	.begin = syscalls_begin,
	.close = syscalls_close,
	.forget = syscalls_forget,
	.end = syscalls_end,
};
