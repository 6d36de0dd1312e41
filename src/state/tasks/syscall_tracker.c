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
#include <inttypes.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "state/core/held_wait.h"
#include "state/locks/futex_waits.h"
#include "state/trackers.h"
#include "task_call.h"
#include "words/cause/aim_kind.h"
#include "words/cause/purpose.h"
#include "words/kernel/kernel_numbers.h"

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

/* CLOSE_RANGE_UNSHARE of include/uapi/linux/close_range.h. */
#define FLAG_RANGE_UNSHARE 2u

/* Who has sent and slept this often without an answer does not ask. */
#define ASKS_MAX 6

#define OF(...) .names = (const char *const[]){__VA_ARGS__, NULL}

/* A row for all calls that do the same; the first one for those that do nothing of interest. */
static const struct call_row {
	const char *const *names; /* NULL ends them */
	uint8_t call; /* enum sleep_call, | CALL_HAS_NO_OP */
	uint8_t purpose; /* enum purpose of each sleep in it, as far as that is known */
	uint8_t step;    /* enum ask_step */
	uint8_t act;     /* enum descriptor_act */
} sleep_calls[] = {
	{.names = NULL},
	{.call = CALL_NANOSLEEP, .purpose = PURPOSE_NANOSLEEP, OF(
		"nanosleep", "clock_nanosleep", "clock_nanosleep_time64")},
	{.call = CALL_POLL, OF("poll", "ppoll", "ppoll_time64")},
	{.call = CALL_SELECT, OF("select", "_newselect", "pselect6", "pselect6_time64")},
	{.call = CALL_EPOLL, OF("epoll_wait", "epoll_pwait", "epoll_pwait2")},
	{.call = CALL_ACCEPT, .act = DESCRIPTOR_USE_OPEN, OF("accept", "accept4")},
	{.call = CALL_FUTEX, OF("futex", "futex_time64")},
	{.call = CALL_FUTEX | CALL_HAS_NO_OP, OF("futex_wait")},
	{.call = CALL_CONNECT, .step = ASK_CONNECT, .act = DESCRIPTOR_CONNECT, OF("connect")},
	{.call = CALL_RECEIVE, .step = ASK_TAKE, .act = DESCRIPTOR_USE, OF(
		"recvfrom", "recvmsg", "recvmmsg", "recvmmsg_time64")},
	{.call = CALL_SEND, .step = ASK_SEND, .act = DESCRIPTOR_USE, OF("sendto")},
	{.call = CALL_SEND, .step = ASK_SEND, .act = DESCRIPTOR_SHARE, OF("sendmsg", "sendmmsg")},
	{.step = ASK_TAKE, .act = DESCRIPTOR_USE, OF("read", "readv")},
	{.step = ASK_SEND, .act = DESCRIPTOR_USE, OF("write", "writev")},
	{.step = ASK_CLOSE, .act = DESCRIPTOR_CLOSE, OF("close")},
	{.step = ASK_CHILD, OF("wait4", "waitpid")},
	{.step = ASK_EVENT, .act = DESCRIPTOR_OPEN, OF("eventfd", "eventfd2")},
	{.step = MAKE_FLAGS_2, .act = DESCRIPTOR_OPEN, OF("open")},
	{.step = MAKE_FLAGS_3, .act = DESCRIPTOR_OPEN, OF("openat")},
	{.act = DESCRIPTOR_OPEN, OF(
		"openat2", "creat", "epoll_create", "epoll_create1", "timerfd_create", "signalfd",
		"signalfd4", "inotify_init", "inotify_init1", "memfd_create", "pidfd_open",
		"pidfd_getfd", "userfaultfd")},
	{.act = DESCRIPTOR_SOCKET, OF("socket")},
	{.act = DESCRIPTOR_USE, OF(
		"pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "lseek",
		"_llseek", "fstat", "fstat64", "getdents", "getdents64", "fsync", "fdatasync",
		"sync_file_range", "sync_file_range2", "syncfs", "ftruncate", "ftruncate64",
		"fallocate", "fadvise64", "fadvise64_64", "arm_fadvise64_64", "readahead",
		"ioctl", "flock", "fchmod", "fchown", "fchown32", "fchdir",
		"fgetxattr", "fsetxattr", "flistxattr", "fremovexattr", "fstatfs", "fstatfs64",
		"splice", "copy_file_range")},
	{.act = DESCRIPTOR_SHARE, OF("fcntl", "fcntl64")},
	{.act = DESCRIPTOR_DUPLICATE, OF("dup")},
	{.act = DESCRIPTOR_USE_SECOND, OF("sendfile", "sendfile64")},
	{.act = DESCRIPTOR_REPLACE, OF("dup2", "dup3")},
	{.act = DESCRIPTOR_RANGE, OF("close_range")},
	{.act = DESCRIPTOR_UNSHARE, OF("unshare")},
	{.act = DESCRIPTOR_SPLIT, OF("io_uring_setup")},
	{.step = MAKE_FILE, OF(
		"mkdir", "mkdirat", "link", "linkat", "symlink", "symlinkat", "rename",
		"renameat2")},
	{.purpose = PURPOSE_SYSV_SEM, OF("semop")},
	{.call = CALL_SEMTIMEDOP, .purpose = PURPOSE_SYSV_SEM, OF(
		"semtimedop", "semtimedop_time64")},
	{.purpose = PURPOSE_SYSV_RECEIVE, OF("msgrcv")},
	{.purpose = PURPOSE_SYSV_SEND, OF("msgsnd")},
	{.call = CALL_MQUEUE, .purpose = PURPOSE_MQUEUE_SEND, OF(
		"mq_timedsend", "mq_timedsend_time64")},
	{.call = CALL_MQUEUE, .purpose = PURPOSE_MQUEUE_RECEIVE, OF(
		"mq_timedreceive", "mq_timedreceive_time64")},
	{.call = CALL_SIGTIMEDWAIT, .purpose = PURPOSE_SIGWAIT, OF(
		"rt_sigtimedwait", "rt_sigtimedwait_time64")},
	{.call = CALL_AIO, OF("io_getevents", "io_pgetevents", "io_pgetevents_time64")},
	{.call = CALL_IS_OF_LIFE | LIFE_ENDS, OF("exit")},
	{.call = CALL_IS_OF_LIFE | LIFE_ENDS_ALL, OF("exit_group")},
	{.call = CALL_IS_OF_LIFE | LIFE_CHANGES, OF("execve", "execveat")},
	{.call = CALL_IS_OF_LIFE | LIFE_BEGINS_AS_GLIBC, OF("set_robust_list", "rseq")},
};

static void call_spend(struct task_syscalls *calls, enum segment_kind kind,
                       const struct cause_note *cause, nsec_t time)
{
	if (kind == SEGMENT_RUN)
		calls->shown.running += time;
	else if (kind == SEGMENT_RUNNABLE)
		calls->shown.runnable += time;
	else
		calls->waiting[cause ? cause->kind : CAUSE_UNKNOWN] += time;
}

/* The call that the track is in ends by that event; NULL: the trace or the task ends in it. */
static void call_emit(struct machine *machine, enum interval_kind kind, uint32_t track,
                      struct task_syscalls *calls, const struct event *event, nsec_t end)
{
	struct interval interval = interval_of(kind,
	                                       event ? event->cpu : machine->task[track].cpu, track,
	                                       calls->entered, end);

	ASSUME(calls->is_open && calls->entered <= end);
	interval.is_open = !event && kind != INTERVAL_LAST_CALL;
	interval.syscall = calls->shown;
	interval.syscall.result = event ? event->syscall.result : 0;
	interval.syscall.waiting = calls->waiting;
	calls->is_open = false;
	machine_emit_interval(machine, &interval);
}

static void call_spend_span(struct task_syscalls *calls, const struct span *span,
                            const struct cause_note *cause)
{
	nsec_t begin = nsec_max(span->begin, calls->entered);

	ASSUME(span->begin <= span->end);
	if (begin < span->end)
		call_spend(calls, span->kind, cause, span->end - begin);
}

/* The last wait may be one in this call: it stays held back, as the next event may show that the
   process ends. */
static void call_spend_held(struct task_syscalls *calls, const struct held_wait *held,
                            int64_t result)
{
	struct cause_note cause = held->cause;

	ASSUME(held->after_count <= HELD_AFTER_MAX);
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

	ASSUME(calls->is_open);
	if (task->held && task->is_threaded)
		call_spend_held(calls, task->held, event->syscall.result);
	else
		wait_release(machine, track);
	call_spend(calls, (enum segment_kind)task->kind, NULL,
	           machine->now - nsec_max(task->since, calls->entered));
	call_emit(machine, INTERVAL_SYSCALL, track, calls, event, machine->now);
}

/* Spans are followed as they are emitted, when the purpose of a wait is known. */
static void syscall_follow(struct machine *machine, const struct span *span)
{
	struct task_syscalls *calls = task_syscalls(machine, span->track);

	ASSUME(span->begin <= span->end && machine_owns(machine, span->track));
	if (!calls->is_open)
		return;
	call_spend_span(calls, span, span->cause);
	if (span->is_open)
		call_emit(machine, INTERVAL_SYSCALL, span->track, calls, NULL, span->end);
}

static __attribute__((noinline)) void futex_enter(struct machine *machine, uint32_t track,
                                                  struct task_syscalls *calls,
                                                  const struct event *event, bool has_op)
{
	struct futex_call call = {0};
	bool is_read = has_op && futex_call_read(machine->setup.source, event->syscall.arguments,
	                                         &call);

	ASSUME(calls->call == CALL_FUTEX);
	futex_begin(machine, track, calls, calls->shown.argument, &call);
	if (!is_read)
		calls->signs = 0;
}

/* Only when the first call comes: most recordings have none. */
static __attribute__((noinline)) bool syscalls_find_numbers(struct machine *machine)
{
	struct syscalls *syscalls = syscalls_of(machine);
	const char *arch = machine->setup.source->arch;
	int64_t number[SYSCALL_NUMBERS_MAX];

	if (syscalls->are_sought)
		return false;
	syscalls->are_sought = true;
	for (size_t i = 1; i < ARRAY_SIZE(sleep_calls); i++)
		for (const char *const *name = sleep_calls[i].names; *name; name++) {
			size_t count = syscall_numbers(arch, *name, number);

			while (count-- > 0 && number[count] < CALL_NUMBER_MAX) {
				syscalls->is_known = true;
				syscalls->row[number[count]] = (uint8_t)i;
			}
		}
	return syscalls->is_known;
}

/* Whether the thread polls as a client that has asked and has no answer, by a unix socket or the
   like: no event shows what is sent there. Who accepts connections may poll for these. */
static bool poll_is_for_answer(const struct machine *machine, uint32_t track,
                               const struct task_syscalls *calls)
{
	const struct track *self = &machine->timeline->track[track];
	const struct track *leader = &machine->timeline->track[machine_leader(machine, track)];

	return calls->asks && calls->asks < ASKS_MAX &&
	       !(self->accepts || self->listens || leader->accepts || leader->listens);
}

static bool call_is_at_peer(const struct task_syscalls *calls)
{
	return calls->peer && calls->shown.argument == calls->peer - 1;
}

/* The thread leaves a call with that result. */
static void ask_note(struct task_syscalls *calls, int64_t result)
{
	/* EINPROGRESS: most architectures', MIPS', and PA-RISC's */
	bool is_begun = result == -115 || result == -150 || result == -245;

	if (calls->step == ASK_CONNECT && (result == 0 || is_begun)) {
		calls->peer = calls->shown.argument + 1;
		calls->asks = 0;
	} else if (calls->step == ASK_SEND && result > 0 && call_is_at_peer(calls)) {
		if (!calls->asks || (calls->has_waited && calls->asks < ASKS_MAX))
			calls->asks++;
		calls->has_waited = false;
	} else if (calls->step == ASK_TAKE && result >= 0 && call_is_at_peer(calls)) {
		calls->asks = 0;
	} else if (calls->step == ASK_CLOSE && call_is_at_peer(calls)) {
		calls->peer = calls->asks = 0;
	}
}

/* The process has made that eventfd, or closes it. */
static void event_file_note(struct machine *machine, uint32_t track, uint64_t file, bool is_closed)
{
	struct task_syscalls *of =
		tracker_keep_task(machine, TRACKER_SYSCALL, machine_leader(machine, track));
	uint32_t number = (uint32_t)file + 1;
	uint64_t *known = latest_find(of->event_file, EVENT_FILES_MAX, number);

	if (is_closed && known)
		*known = 0;
	if (is_closed)
		return;
	latest_put(of->event_file, EVENT_FILES_MAX, number);
	syscalls_of(machine)->has_event_files = true;
}

static bool file_is_event(const struct machine *machine, uint32_t track, uint64_t file)
{
	const struct task_syscalls *of;

	if (!syscalls_of(machine)->has_event_files)
		return false;
	of = task_syscalls(machine, machine_leader(machine, track));
	return of && file < UINT32_MAX && latest_find(of->event_file, EVENT_FILES_MAX, file + 1);
}

/* The client's own time limit ends its poll. */
static void ask_give_up(struct machine *machine, uint32_t track, struct task_syscalls *calls)
{
	struct cause_note cause;

	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	calls->has_waited = true;
	if (calls->asked == TRACK_NONE)
		return;
	cause_note_by_task(&cause, CONFIDENCE_MEDIUM, calls->asked);
	cause.purpose = PURPOSE_ANSWER;
	timeline_add_aim(machine->timeline, track,
	                 &(struct aim_note){machine->task[track].since, machine->now, CAUSE_NONE,
	                                    AIM_ANSWER, AIM_LIMIT},
	                 &cause);
}

bool syscall_is_for_answer(const struct machine *machine, uint32_t track)
{
	const struct task_syscalls *calls = task_syscalls(machine, track);

	return calls && calls->purpose == PURPOSE_ANSWER;
}

/* The result of a call that was to make a file: it has made it, or the file exists, or one in the
   directory that it was to replace. */
static void make_end(struct machine *machine, uint32_t track, const struct task_syscalls *calls,
                     int64_t result)
{
	const char *error =
		result < 0 ? errno_name(errno_names_of(machine->setup.source->arch), -result)
			   : NULL;
	bool exists = error && (strcmp(error, "EEXIST") == 0 || strcmp(error, "ENOTEMPTY") == 0);

	ASSUME(calls->step >= MAKE_FILE);
	if (exists || result >= 0)
		file_lock_note_name(machine, track, calls->made, calls->shown.path, exists);
}

/* Whether tasks wait in that call for something to do. */
static bool call_is_for_work(uint8_t call)
{
	return call == CALL_POLL || call == CALL_SELECT || call == CALL_EPOLL ||
	       call == CALL_ACCEPT;
}

/* The track enters a call with a step. */
static void step_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                       const struct event *event)
{
	struct futex_call call = {0}; /* as if it were one, for its arguments */

	ASSUME(calls->step != ASK_NOT);
	switch ((enum ask_step)calls->step) {
	case ASK_TAKE:
	case ASK_SEND:
		if (file_is_event(machine, track, calls->shown.argument))
			calls->purpose = PURPOSE_EVENTFD;
		break;
	case ASK_CONNECT:
		calls->asked = TRACK_NONE;
		break;
	case ASK_CHILD:
		/* WNOHANG of the kernel's include/uapi/linux/wait.h, in the third argument */
		if (futex_call_read(machine->setup.source, event->syscall.arguments, &call) &&
		    call.wakes & 1)
			break;
		calls->step = ASK_WAIT;
		child_note_wait(machine, track, (int32_t)calls->shown.argument);
		break;
	case MAKE_FILE:
	case MAKE_FLAGS_2:
	case MAKE_FLAGS_3:
		if (calls->step != MAKE_FILE)
			(void)futex_call_read(machine->setup.source, event->syscall.arguments,
			                      &call);
		calls->made = hash_mix((uint64_t)calls->shown.number,
		                       calls->step == MAKE_FLAGS_2 ? call.op : call.wakes);
		break;
	case ASK_CLOSE:
	case ASK_EVENT:
	case ASK_WAIT:
	case ASK_NOT:
		break;
	}
}

/* The track leaves a call with a step, with that result. */
static void step_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                     int64_t result)
{
	ASSUME(calls->step != ASK_NOT);
	ask_note(calls, result);
	if (calls->step == ASK_CLOSE)
		event_file_note(machine, track, calls->shown.argument, /* is_closed= */ true);
	else if (calls->step == ASK_EVENT && result >= 0)
		event_file_note(machine, track, (uint64_t)result, /* is_closed= */ false);
	else if (calls->step == ASK_CHILD)
		child_note_look(machine, track, (int32_t)calls->shown.argument, result);
	else if (calls->step >= MAKE_FILE)
		make_end(machine, track, calls, result);
	calls->step = ASK_NOT;
}

/* The track enters a call in which tasks sleep. */
static void call_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                       const struct event *event, bool has_op)
{
	if (calls->call == CALL_FUTEX)
		futex_enter(machine, track, calls, event, has_op);
	else if (calls->call == CALL_ACCEPT)
		answer_note_accept(machine, track);
	else if (call_is_for_work(calls->call) && poll_is_for_answer(machine, track, calls))
		calls->purpose = PURPOSE_ANSWER;
}

/* The track enters a call by which threads begin or end. */
static void life_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                       enum life_call call)
{
	ASSUME(calls->call == CALL_NONE);
	calls->is_ending = call == LIFE_ENDS;
	calls->changes_program = call == LIFE_CHANGES;
	if (call != LIFE_ENDS && call != LIFE_ENDS_ALL)
		calls->is_of_glibc = call == LIFE_BEGINS_AS_GLIBC;
	if (call == LIFE_ENDS_ALL)
		death_note_exit(machine, track, (int64_t)calls->shown.argument);
}

/* The track enters a call with descriptors. */
static __attribute__((noinline)) void descriptor_begin(struct machine *machine, uint32_t track,
                                                       struct task_syscalls *calls,
                                                       const struct event *event, uint8_t act)
{
	struct futex_call call = {0}; /* as if it were one, for its arguments */
	bool has_more = act == DESCRIPTOR_USE_SECOND || act == DESCRIPTOR_REPLACE ||
	                act == DESCRIPTOR_RANGE;

	if (has_more && (!futex_call_read(machine->setup.source, event->syscall.arguments, &call) ||
	                 (act == DESCRIPTOR_RANGE && call.wakes & FLAG_RANGE_UNSHARE)))
		act = DESCRIPTOR_SPLIT;
	calls->descriptor = (struct descriptor_call){
		.act = act,
		.argument = {(uint32_t)calls->shown.argument, (uint32_t)call.op},
	};
	calls->shown.file = descriptors_enter(machine, syscalls_of(machine)->descriptors, track,
	                                      &calls->descriptor);
}

/* It leaves that call. */
static __attribute__((noinline)) void descriptor_end(struct machine *machine, uint32_t track,
                                                     struct task_syscalls *calls, int64_t result)
{
	struct descriptor_use opened;

	opened = descriptors_leave(machine, syscalls_of(machine)->descriptors, track,
	                           &calls->descriptor, result);
	if (calls->descriptor.act == DESCRIPTOR_OPEN ||
	    calls->descriptor.act == DESCRIPTOR_SOCKET ||
	    calls->descriptor.act == DESCRIPTOR_CONNECT)
		calls->shown.file = opened;
	if (result == -9) /* EBADF on all architectures: there was none */
		calls->shown.file = (struct descriptor_use){0};
	calls->descriptor.act = DESCRIPTOR_NONE;
}

void syscall_note_fork(struct machine *machine, uint32_t track, uint64_t flags)
{
	uint32_t parent = machine->timeline->track[track].parent;
	const struct task_syscalls *calls =
		parent == TRACK_NONE ? NULL : task_syscalls(machine, parent);

	if (syscalls_of(machine)->descriptors)
		descriptors_fork(machine, syscalls_of(machine)->descriptors, track, flags,
		                 calls ? calls->entered : 0);
}

void syscall_note_exec(struct machine *machine, uint32_t track)
{
	if (syscalls_of(machine)->descriptors)
		descriptors_exec(machine, syscalls_of(machine)->descriptors, track);
}

static void syscall_bury(struct machine *machine, uint32_t track)
{
	struct task_syscalls *calls = task_syscalls(machine, track);

	if (calls->is_open && machine_wants(machine, INTERVAL_LAST_CALL))
		call_emit(machine, INTERVAL_LAST_CALL, track, calls, NULL,
		          machine->task[track].since);
	if (syscalls_of(machine)->descriptors)
		descriptors_bury(machine, syscalls_of(machine)->descriptors, track);
}

static void on_syscall_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls;
	const struct call_row *row;
	const struct task_state *task;

	if (!cpu_is_in_task(cpu))
		return;
	cpu_leave_locks(machine, cpu);
	calls = tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current);
	calls->count++;
	calls->changes_program = calls->is_cut = false;
	calls->signs = 0;
	/* an idle task, or one that seems dead, has no spans */
	task = &machine->task[cpu->current];
	calls->is_open = machine_wants(machine, INTERVAL_SYSCALL) && !task->is_idle &&
	                 task->kind != SEGMENT_DEAD && task->kind != SEGMENT_NEW;
	if (calls->is_open) {
		calls->shown.running = calls->shown.runnable = 0;
		memset(calls->waiting, 0, CAUSE_KIND_COUNT * sizeof(*calls->waiting));
	}
	calls->entered = machine->now;
	calls->shown.number = event->syscall.number;
	calls->shown.argument = event->syscall.argument;
	if (!calls->has_path || calls->path_number != calls->shown.number)
		calls->shown.path = calls->shown.to = 0;
	calls->has_path = false;
	calls->shown.file = (struct descriptor_use){0};
	calls->descriptor.act = DESCRIPTOR_NONE;
	if (!syscalls_of(machine)->is_known && !syscalls_find_numbers(machine))
		return;
	row = &sleep_calls[(uint64_t)calls->shown.number < CALL_NUMBER_MAX
	                           ? syscalls_of(machine)->row[calls->shown.number]
	                           : 0];
	calls->purpose = row->purpose;
	calls->step = row->step;
	calls->call = CALL_NONE;
	calls->use = FUTEX_NOT;
	calls->woken = 0;
	if (row->step)
		step_begin(machine, cpu->current, calls, event);
	if (row->act && syscalls_of(machine)->descriptors)
		descriptor_begin(machine, cpu->current, calls, event, row->act);
	if (row->call & CALL_IS_OF_LIFE) {
		life_begin(machine, cpu->current, calls,
		           (enum life_call)(row->call & ~CALL_IS_OF_LIFE));
	} else if (row->call) {
		calls->call = row->call & (uint8_t)~CALL_HAS_NO_OP;
		call_begin(machine, cpu->current, calls, event, !(row->call & CALL_HAS_NO_OP));
	}
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
	calls->has_path = !calls->is_open || calls->shown.number != event->path.number ||
	                  calls->shown.path;
	calls->path_number = event->path.number;
	calls->shown.path = path_name(machine, &event->path.path);
	calls->shown.to = path_name(machine, &event->path.to);
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
	if (calls->call == CALL_SIGTIMEDWAIT && event->syscall.result < 0)
		sleep_note_not_taken(machine, cpu->current);
	if (calls->step)
		step_end(machine, cpu->current, calls, event->syscall.result);
	if (calls->descriptor.act)
		descriptor_end(machine, cpu->current, calls, event->syscall.result);
	if (calls->is_open)
		call_end(machine, cpu->current, calls, event);
	calls->count++;
	calls->changes_program = false;
	calls->is_cut = event->syscall.result < 0 && sleep_result_is_cut(event->syscall.result);
	calls->call = CALL_NONE;
	calls->purpose = PURPOSE_NONE;
	if (calls->use != FUTEX_NOT || calls->is_unlocking)
		futex_end(machine, cpu->current, calls, event->syscall.result);
}

static void on_futex_enter(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	if (cpu->current == TRACK_NONE)
		return;
	cpu_leave_locks(machine, cpu);
	futex_begin(machine, cpu->current,
	            tracker_keep_task(machine, TRACKER_SYSCALL, cpu->current),
	            event->futex.address, &event->futex.call);
}

static void on_futex_exit(struct machine *machine, struct cpu *cpu, const struct event *event)
{
	struct task_syscalls *calls =
		cpu->current == TRACK_NONE ? NULL : task_syscalls(machine, cpu->current);

	cpu_leave_locks(machine, cpu);
	if (calls)
		futex_end(machine, cpu->current, calls, event->futex.result);
}

static void syscall_sleep_begin(struct machine *machine, uint32_t track, uint8_t letter)
{
	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	(void)letter;
	if (call_is_for_work(task_syscalls(machine, track)->call))
		machine->task[track].detail |= WAIT_FOR_WORK;
}

/* A stack shows more, and in state D the task sleeps for something else inside the call. */
static void note_purpose(const struct machine *machine, uint32_t track,
                         const struct task_syscalls *calls, struct cause_note *cause)
{
	struct sleep_place place;

	ASSUME(calls->purpose < PURPOSE_COUNT);
	if (!calls->purpose || (machine->task[track].detail & (uint8_t)~WAIT_FOR_WORK) != 'S')
		return;
	place = task_place(machine, track);
	if (!place.frames || aim_of_purpose(place.purpose) == AIM_NONE)
		cause_add_purpose(cause, calls->purpose);
}

/* A task that ended a wait in a futex has released that futex. */
static void syscall_refine(const struct machine *machine, const struct wake *wake,
                           struct cause_note *cause)
{
	const struct task_syscalls *calls = task_syscalls(machine, wake->wakee);

	note_purpose(machine, wake->wakee, calls, cause);
	if (calls->use != FUTEX_NOT &&
	    (cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN))
		futex_refine(machine, wake->wakee, cause);
}

/* A timer of the task's own has ended the call, in which tasks sleep for an object: that was a
   limit, unless the object is the timer. */
static void note_limit_at_object(const struct machine *machine, const struct task_syscalls *calls,
                                 struct cause_note *cause)
{
	static const uint8_t purposes[MAKE_FLAGS_3 + 1] = {
		[ASK_SEND] = PURPOSE_WRITE, [ASK_TAKE] = PURPOSE_READ, [ASK_WAIT] = PURPOSE_CHILD,
	};
	const char *function = intern_text(&machine->timeline->names, cause->name);

	if (calls->use == FUTEX_SLEEP)
		cause->purpose = PURPOSE_FUTEX;
	else if (strncmp(function, "timerfd", strlen("timerfd")) != 0)
		cause->purpose = purposes[calls->step];
}

/* The rarer part of syscall_conclude(). */
static __attribute__((noinline)) void conclude_more(struct machine *machine, uint32_t track,
                                                    struct task_syscalls *calls,
                                                    struct cause_note *cause)
{
	ASSUME(machine->task[track].kind == SEGMENT_WAIT);
	note_purpose(machine, track, calls, cause);
	if (cause_note_is_alarm(cause) && cause->purpose == PURPOSE_NONE)
		note_limit_at_object(machine, calls, cause);
	if (calls->purpose == PURPOSE_ANSWER && cause_note_is_timeout(cause))
		ask_give_up(machine, track, calls);
	if (calls->use == FUTEX_SLEEP)
		futex_conclude(machine, track, calls, cause);
}

static void syscall_conclude(struct machine *machine, uint32_t track, struct cause_note *cause)
{
	struct task_syscalls *calls = task_syscalls(machine, track), *waker = NULL;
	bool is_by_task = cause->kind == CAUSE_TASK;

	if (is_by_task && cause->waker != TRACK_NONE)
		waker = task_syscalls(machine, cause->waker);
	/* what the client does at its peer has woken the track: so that is asked */
	if (waker &&
	    (waker->step == ASK_CONNECT || (waker->step == ASK_SEND && call_is_at_peer(waker))) &&
	    !timeline_is_one_process(machine->timeline, track, cause->waker))
		waker->asked = track;
	if (!calls)
		return;
	ASSUME(!calls->woken || calls->slept <= calls->woken);
	if (calls->call != CALL_NONE || calls->use != FUTEX_NOT) {
		if (!calls->woken)
			calls->slept = machine->task[track].since;
		calls->woken = machine->now;
		calls->is_woken_by_task = is_by_task;
	}
	if (calls->purpose != PURPOSE_NONE || !is_by_task)
		conclude_more(machine, track, calls, cause);
}

static void syscalls_forget(struct machine *machine)
{
	TRACKER_TASK_EACH(machine, TRACKER_SYSCALL, track, struct task_syscalls, calls) {
		calls->is_open = false;
		calls->use = FUTEX_NOT;
		calls->call = CALL_NONE;
		calls->purpose = PURPOSE_NONE;
		calls->has_path = false;
		calls->changes_program = calls->is_cut = false;
		calls->peer = calls->asks = calls->step = 0;
		calls->descriptor.act = DESCRIPTOR_NONE;
	}
	futex_tries_flush(machine);
	if (syscalls_of(machine)->descriptors)
		descriptors_forget(machine, syscalls_of(machine)->descriptors);
}

static void syscalls_begin(struct machine *machine)
{
	for (size_t kind = 0; kind < FUTEX_KIND_COUNT; kind++)
		syscalls_of(machine)->kind_name[kind] = intern_adds(
			&machine->timeline->names, futex_kind_name((enum futex_kind)kind));
	syscalls_of(machine)->descriptors = descriptors_new(machine);
}

static void syscalls_close(struct machine *machine, nsec_t end)
{
	const struct descriptor_log *log = &machine->timeline->descriptors;

	(void)end;
	futex_tries_flush(machine);
	if (!syscalls_of(machine)->descriptors)
		return;
	descriptors_forget(machine, syscalls_of(machine)->descriptors);
	if (log->opens_unseen)
		health_note(machine->health,
		            "the names of %" PRIu64 " of %" PRIu64
		            " opened files and sockets are not known: "
		            "the recorder saw each too late, or could not be sure",
		            log->opens_unseen, log->opens);
}

static void syscalls_end(struct machine *machine)
{
	free(syscalls_of(machine)->try);
	free(syscalls_of(machine)->sleeper);
	descriptors_free(syscalls_of(machine)->descriptors);
}

const struct tracker syscall_tracker = {
	.handlers = HANDLERS(
		{EVENT_SYSCALL_ENTER, on_syscall_enter},
		{EVENT_SYSCALL_EXIT, on_syscall_exit},
		{EVENT_SYSCALL_PATH, on_syscall_path},
		{EVENT_FUTEX_ENTER, on_futex_enter},
		{EVENT_FUTEX_EXIT, on_futex_exit}),
	.own_bytes = sizeof(struct syscalls),
	.stores = STORES(POOL_AT(offsetof(struct syscalls, futex_holder), uint32_t, OBJECTS_MAX,
	                         NULL, NULL)),
	.task_bytes = sizeof(struct task_syscalls),
	.refine = {syscall_refine, 1u << CAUSE_TASK | 1u << CAUSE_UNKNOWN, ONLY_KEPT | AND_UNWOKEN},
	.sleep = syscall_sleep_begin,
	.conclude = {syscall_conclude, (1u << CAUSE_KIND_COUNT) - 1, 0},
	.cut = futex_note_signal,
	.bury = syscall_bury,
	.follows = INTERVAL_MASK(INTERVAL_SYSCALL) | INTERVAL_MASK(INTERVAL_LAST_CALL),
	.follow_bytes = CAUSE_KIND_COUNT * sizeof(nsec_t),
	.follow = syscall_follow,
	.begin = syscalls_begin,
	.close = syscalls_close,
	.forget = syscalls_forget,
	.end = syscalls_end,
};
