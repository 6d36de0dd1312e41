/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of system calls, for the two files of their tracker. */
#pragma once

#include "descriptors.h"
#include "state/core/tracker.h"
#include "words/cause/futex_kind.h"

/* The most futexes remembered of a task: while it holds one lock it may take others. */
#define FUTEXES_SLEPT_MAX 8
#define CALL_NUMBER_MAX 6500 /* mips has the highest, with ABIs from 4000, 5000 and 6000 on */

/* What a task does in the futex call that it is in. */
enum futex_use {
	FUTEX_NOT,   /* it is in none */
	FUTEX_OTHER,
	FUTEX_SLEEP, /* others may move it to another futex meanwhile */
	FUTEX_WAKE,  /* wakes only sleepers of this futex */
	FUTEX_WAKE_OP, /* wakes sleepers of this futex, and maybe of another */
	FUTEX_MOVE,  /* wakes some and moves others */
	FUTEX_MOVE_PI, /* wakes one if it can have the lock, and moves others */
};

/* The most eventfds of a process that are remembered. */
#define EVENT_FILES_MAX 8

/* What a call does with a file: the one that its first argument names, or a new one. */
enum ask_step {
	ASK_NOT,
	ASK_CONNECT,
	ASK_SEND,
	ASK_TAKE,
	ASK_CLOSE,
	ASK_EVENT, /* makes an eventfd */
	ASK_CHILD, /* looks whether a child has ended, without waiting for it */
	ASK_WAIT,  /* waits for a child */
	MAKE_FILE, /* which must not exist, as flags in its second or third argument may say */
	MAKE_FLAGS_2,
	MAKE_FLAGS_3,
};

/* System calls of one task. */
struct task_syscalls {
	uint64_t count; /* entered and left so far */
	/* while in a futex call */
	uint64_t futex; /* address */
	uint64_t other; /* MOVE: the target; SLEEP: where it was moved from; else 0 */
	nsec_t moved;   /* MOVE: since when; SLEEP: when it was moved */
	/* in a call that may sleep: its waits so far, from the first to the last; woken 0: none */
	nsec_t slept, woken;
	/* MOVE: the most tasks that it wakes; MOVE_PI: the most tasks that it moves; SLEEP: the
	   track that moved it */
	uint32_t limit_or_mover;
	uint32_t value;    /* SLEEP: the value that it expects */
	uint32_t joined;   /* SLEEP: the thread with that tid, if it may be a wait for its end;
	                      TRACK_NONE: none */
	uint16_t signs;    /* enum futex_sign, of the call; remembered until the next call */
	uint8_t use;       /* enum futex_use */
	bool is_woken_by_task; /* another task ended the last one of these */
	bool is_shared;    /* SLEEP: perhaps with other processes */
	/* in any call */
	/* futexes at which it slept until it was woken, latest first; 0: none */
	uint64_t slept_at[FUTEXES_SLEPT_MAX];
	/* the futex at which it slept last as for a condition or semaphore, until it sleeps
	   again or wakes others elsewhere; 0: none. is_unlocking: its present call is the
	   first one that wakes others elsewhere */
	uint64_t left;
	bool may_be_semaphore; /* by the call in which it slept there */
	bool is_unlocking;
	bool is_of_glibc;  /* it began as threads of glibc do */
	bool is_ending;    /* in the last call of its life, which ends only this thread */
	bool is_cut;       /* it has left its last call because of a signal, or to enter it again */
	bool changes_program; /* in execve(), which ends the other threads of its process */
	uint8_t call;        /* enum sleep_call that it is in */
	uint8_t purpose;     /* enum purpose of sleeps in that call */
	/* peer: number + 1 of the file that it connected last; 0: none. asked: who woke up by what
	   it did there; TRACK_NONE: not known. asks: how often it sent there after it had waited,
	   since it took something; 0: it has not asked. step: of its present call */
	uint64_t peer;
	uint32_t asked;
	uint8_t asks, step;
	uint64_t made; /* of a step MAKE_*: the same for calls that make alike */
	bool has_waited;
	/* of a process, kept with its first thread: numbers + 1 of the eventfds that it has made,
	   latest first; 0: none */
	uint64_t event_file[EVENT_FILES_MAX];
	/* its call, as its interval is to show it: without the result, and `waiting` is below. If
	   has_path, the paths are those of the call of number path_number that is about to
	   begin */
	struct syscall_interval shown;
	struct descriptor_call descriptor; /* what its call does with descriptors */
	bool is_open; /* it is in a call, and calls are wanted */
	nsec_t entered;
	int64_t path_number;
	bool has_path;
	nsec_t waiting[]; /* CAUSE_KIND_COUNT, where calls are wanted */
};

/* Puts the value first in an array of the latest ones, each of which stands there once. */
static inline void latest_put(uint64_t *latest, size_t most, uint64_t value)
{
	size_t at = 0;

	while (at < most - 1 && latest[at] != value)
		at++;
	for (; at > 0; at--)
		latest[at] = latest[at - 1];
	latest[0] = value;
}

/* Where it stands there; NULL: nowhere. */
static inline uint64_t *latest_find(const uint64_t *latest, size_t most, uint64_t value)
{
	for (size_t i = 0; i < most; i++)
		if (latest[i] == value)
			return (uint64_t *)(uintptr_t)&latest[i];
	return NULL;
}

/* A task that was found asleep at a futex from which a call moved some sleepers. These structs are
   sorted in the kernel's order. */
struct futex_sleeper {
	nsec_t since;
	uint32_t track;
	int16_t priority;
};

struct syscalls {
	bool is_known; /* this machine's numbers, once they are_sought */
	bool are_sought;
	bool has_moves; /* some call may have moved sleepers */
	bool has_event_files; /* some process has made an eventfd */
	uint32_t paths; /* number of the paths that are kept */
	struct descriptors *descriptors; /* NULL: no files of descriptors are known */
	uint8_t row[CALL_NUMBER_MAX]; /* by number: place in sleep_calls */
	struct futex_sleeper *sleeper; /* those of the present call */
	size_t sleeper_count, sleeper_capacity;
	/* futex_waits.c: tries in vain; a track by the address of the futex that it has,
	   TRACK_NONE: it has left it; the names of causes */
	struct futex_try *try;
	size_t try_count, try_capacity;
	struct object_pool futex_holder;
	uint32_t kind_name[FUTEX_KIND_COUNT];
};

OWN_DATA(syscalls_of, struct syscalls, SYSCALL)
TASK_DATA(task_syscalls, struct task_syscalls, SYSCALL)
