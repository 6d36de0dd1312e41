/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which system call a task is in, by syscall_tracker.c or its stack; what the time limit of a sleep
 * says of its call, if nothing else does (graph/aims/sleep_series.h). And which side of a request
 * the task is on by its calls: what it serves and owes, for answer_tracker.c.
 */
#pragma once

#include "state/core/tracker.h"

/* The call that the task sleeps in, enum sleep_call. If a stack shows where the task sleeps, only
   the stack counts. */
uint8_t syscall_sleep(const struct machine *machine, uint32_t track);
/* Whether the task polls for the answer of a peer that it connected to and has asked, as its calls
   show. */
bool syscall_is_for_answer(const struct machine *machine, uint32_t track);
/* The futex that the task waits for or takes; 0: none, or not known. */
uint64_t syscall_futex(const struct machine *machine, uint32_t track);
/* Whether the task executes a program since then at the latest; true also if none of its system
   calls were recorded, so that it may. */
bool syscall_may_execute(const struct machine *machine, uint32_t track, nsec_t since);
/* Whether the last system call of the task ended because of a signal, or is to be entered again. */
bool syscall_is_cut(const struct machine *machine, uint32_t track);
/* How many system calls the task has entered and left so far; 0: none were recorded. */
uint64_t syscall_count(const struct machine *machine, uint32_t track);

/* For descriptors.h: the track is born with those clone_flags, or has executed a program. */
void syscall_note_fork(struct machine *machine, uint32_t track, uint64_t flags);
void syscall_note_exec(struct machine *machine, uint32_t track);

static inline bool call_is_poll(uint8_t call)
{
	return call == CALL_POLL || call == CALL_SELECT || call == CALL_EPOLL ||
	       call == CALL_IO_URING;
}

/* In sleeps longer than this a poll has more slack than other calls: a thousandth of the sleep is
   more than 50 us. */
#define POLL_SLACK_MIN 60000000u

/* Whether the time limit of the task's present or last sleep may be that of a poll, in which the
   thread may sleep for the sockets of all threads. */
static inline bool limit_may_be_of_poll(const struct task_state *task)
{
	return task->timeout == TIMEOUT_POLL ||
	       ((task->timeout == TIMEOUT_OTHER || task->timeout == TIMEOUT_AGAIN) &&
	        task->is_whole);
}

/* A task that has received a request. */
struct task_role {
	bool serves;
	bool owes;        /* it has received and not answered yet */
	bool has_request; /* data has come in since it last slept */
	/* the packet that ended its last sleep came from a descendant of its process */
	bool is_asked_by_own;
};

/* answer_note_request(): the task has received a request; answer_note_answer(): it has answered
   one. */
void answer_note_request(struct machine *machine, uint32_t track);
void answer_note_answer(struct machine *machine, uint32_t track);
/* The socket of which the task has just received its first request showed no role before: the wait
   for it was one for work, too. */
void answer_note_first(struct machine *machine, uint32_t track);
/* The task may bring work to others: the wake-ups that it makes are examined. */
void answer_note_bringer(struct machine *machine, uint32_t track);
/* The task makes a listening socket. */
void answer_note_listen(struct machine *machine, uint32_t track);
/* The task accepts connections that others open. */
void answer_note_accept(struct machine *machine, uint32_t track);
