/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What trackers ask each other, by the tracker that answers: each is explained in its own file. A
 * tracker asks only others that do not ask it in turn, not even through a third one.
 */
#pragma once

#include "state/core/tracker.h"

/* again_tracker.c: whether a sleep continues the last one. The task sleeps at that place (id in
   names), which becomes known only now. */
void again_note_place(struct machine *machine, uint32_t track, uint32_t frames);
/* The task turns out not to sleep for the lock that it was assumed to sleep for. */
void again_note_no_lock(struct machine *machine, uint32_t track);

/*
 * answer_tracker.c: the track slept where tasks sleep that have nothing to do. Returns whether
 * `cause`, which ends the sleep, is what the task had asked for: then the task waited for that.
 */
bool answer_is_awaited(const struct machine *machine, uint32_t track,
                       const struct cause_note *cause);
/* The track's last wait, which is held back, turns out to have ended by another task's signal. */
void answer_note_signal(struct machine *machine, uint32_t track);

/* child_tracker.c: the only child of the task's process that lives, or the only one that waits for
   none of the others, if all its children were seen to be forked; TRACK_NONE: it has several such,
   or none, or others may live. Cost: O(tracks). */
uint32_t child_only(const struct machine *machine, uint32_t track);

enum attempt_end {
	ATTEMPT_FAILED,
	ATTEMPT_REFUSED, /* the peer has reset it */
	ATTEMPT_ACCEPTED,
};

/* An attempt to open a connection. */
struct attempt {
	uint32_t peer;       /* id in names */
	uint16_t local_port; /* 0: not known */
	enum attempt_end end;
};

/* child_tracker.c: the track has looked whether that process, its child, has ended, without waiting
   for it; result: of the call. */
void child_note_look(struct machine *machine, uint32_t track, int32_t pid, int64_t result);
/* The track waits for that process, its child; pid <= 0: for any. */
void child_note_wait(struct machine *machine, uint32_t track, int32_t pid);

/* connect_tracker.c: the track's attempt has ended. */
void connect_note_attempt(struct machine *machine, uint32_t track, const struct attempt *attempt);

/* file_lock_tracker.c: the track tried to make a file; `key` is the same for all tries of one kind.
   exists: it did not, as the file was there already. path: id in names; 0: not known. */
void file_lock_note_name(struct machine *machine, uint32_t track, uint64_t key, uint32_t path,
                         bool exists);

/* file_tracker.c: the current task queues that request. Call once for each: what is read is
   counted. */
struct requested_file file_of_request(struct machine *machine, const struct cpu *cpu,
                                      const struct event *event);

/* freezer_tracker.c: a timer that the task armed at that time, to end a sleep, has expired, and its
   callback woke no task. */
void freezer_note_missed(struct machine *machine, uint32_t track, nsec_t armed);

/*
 * ipi_tracker.c: explains a sched_wakeup without its sched_waking that is queued by another CPU:
 * fills *ret with who woke the task there, as far as is known, and returns true. False: the CPU of
 * the event woke it.
 */
bool ipi_explain_queued(const struct machine *machine, const struct wake *wake,
                        struct cause_note *ret);
/* A signal is generated on the CPU, for that thread. */
void ipi_note_signal(const struct machine *machine, const struct cpu *cpu, int64_t tid);

/* lock_tracker.c: the innermost lock that the task contends for; 0: none, as far as known. */
uint64_t lock_address(const struct machine *machine, uint32_t track);
/* The task is seen elsewhere, so it contends for no lock any more. */
void lock_leave(struct machine *machine, uint32_t track);
/* The task is about to set a time limit for its sleep. Of the kernel's locks only semaphores have
   one, so contention for any other lock is over. */
void lock_note_limit(struct machine *machine, uint32_t track);
/* The current task does something that no task does on its way to a lock: if it contended, the end
   of its contention was not seen. */
static inline void cpu_leave_locks(struct machine *machine, const struct cpu *cpu)
{
	if (cpu_is_in_task(cpu) && machine->task[cpu->current].has & TRACKER_BIT(LOCK))
		lock_leave(machine, cpu->current);
}

/* memory_tracker.c: whether the task is in a reclaim or compaction, by which it may write memory to
   swap. */
bool memory_is_reclaimed_by(const struct machine *machine, uint32_t track);

/* sample_tracker.c: the functions of a program, recorded in the buffer of all other events. */
void samples_note_user(struct machine *machine, const struct cpu *cpu, const struct event *event);

/* service_tracker.c: whether the process is one that was recorded by its number (-p). */
bool track_is_of_service(const struct machine *machine, uint32_t track);
/* A thread of the service has received a request. */
void service_note_serves(struct machine *machine, uint32_t track);
/* Whether the waker is a client of the track's service. */
bool service_is_called(const struct machine *machine, uint32_t track, uint32_t waker);
/* Whether the waker ends the track's sleep by a beat. */
bool service_is_woken_by_beat(const struct machine *machine, uint32_t track, uint32_t waker);
/* The waker has done so: what the track wakes now, it wakes by that beat, too. */
void service_note_beat(struct machine *machine, uint32_t track, uint32_t waker);

/* signal_tracker.c: a thread of the process has called exit_group() with that status. */
void death_note_exit(struct machine *machine, uint32_t track, int64_t status);
/* The task ends. Where signals were not recorded, its system calls may show that its process
   does. */
void death_note_gone(struct machine *machine, uint32_t track);
/* A task that ends has ended the wait of `wakee`, or is awaited by it. */
void machine_label_exit(const struct machine *machine, uint32_t wakee, struct cause_note *cause);

/* sleep_tracker.c: the cause of a wait's end is known. Now it is also known that the task slept in
   that call (enum sleep_call). */
void sleep_note_call(struct cause_note *cause, uint8_t call);
/* Whether a call that returns this was left because of a signal, or is to be entered again. */
bool sleep_result_is_cut(int64_t result);
/* The track's call has returned: records whether its sleep, if it is still held back, lasted as
   long as it was meant to. */
void sleep_note_result(const struct machine *machine, uint32_t track, int64_t result);
/* The track has not taken the signal that ended its last wait, if one did: it was delivered. */
void sleep_note_not_taken(const struct machine *machine, uint32_t track);

/* timer_tracker.c: a signal is generated in an interrupt of this CPU. */
void timer_note_signal(struct machine *machine, const struct cpu *cpu);

/* waker_tracker.c: index of the first frame that the innermost interrupt on the stack interrupted;
   `count` if that is not known, or if it interrupted a program. */
size_t stack_interrupt_end(const char *const *name, size_t count);
/* A stack that comes right after this CPU's last wake-up. */
void wakers_note_stack(struct machine *machine, const struct cpu *cpu,
                       const struct stack_event *stack);

/* work_tracker.c: the work item that the current task executes; NULL: none. */
const struct cause_note *work_current(const struct machine *machine, const struct cpu *cpu);
/* Index in the timeline's causes + 1 of the note of that work item, with the reason why it was
   queued; 0: there is no item, or no history is kept. */
uint32_t work_note_current(const struct machine *machine, const struct cpu *cpu);
/* The task that queued that item; TRACK_NONE: there is no item, or an interrupt or a timer queued
   it. */
uint32_t work_queuer(const struct machine *machine, const struct cpu *cpu);
