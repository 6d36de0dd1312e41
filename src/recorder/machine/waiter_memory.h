/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the memory of a waiting thread shows of its wait: the owner of its futex, and the files that
 * it polls.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seen_process.h"

/*
 * Finds the thread that holds the lock of a futex, in the memory at the futex. The kernel knows the
 * owner only with priority inheritance; otherwise each C library stores it in its own way. Sources
 * of the layouts: glibc sysdeps/nptl/bits/struct_mutex.h and struct_rwlock.h, musl
 * src/internal/pthread_impl.h, the kernel's Documentation/locking/robust-futex-ABI.rst.
 *
 * glibc's and musl's robust locks, musl's recursive and error checking ones, and those with
 * priority inheritance have the owner in the word itself. glibc's other mutexes have it 8 bytes
 * behind the word, its rwlocks 12 or 16 bytes. A thread that joins another one in glibc or bionic
 * sleeps at the word that has the other's id until the kernel clears it. musl's plain mutexes,
 * bionic's, Rust's and Go's do not have their owner in a known place: no owner is named.
 */

#define FUTEX_BYTES        32 /* of memory that are examined */
#define FUTEX_BYTES_BEFORE 48 /* of memory before the futex */

struct futex_sleep {
	uint64_t op;    /* of the call, with its flags */
	uint32_t value; /* the value that the call expected */
	bool is_64_bit; /* the program's long has 8 bytes */
	/* the first `count` bytes from the futex on; at least 4 */
	uint8_t memory[FUTEX_BYTES];
	size_t count;
};

/* Where the id of the owner was found. */
enum futex_owner_kind {
	FUTEX_OWNER_NONE,
	FUTEX_OWNER_WORD,   /* in the word: robust, priority inheritance, musl */
	FUTEX_OWNER_MUTEX,  /* a mutex of glibc */
	FUTEX_OWNER_RWLOCK, /* the writer of an rwlock of glibc */
	FUTEX_OWNER_THREAD, /* no lock: the sleeper joins this thread, waits for it to end */
	/* a mutex of glibc, of this process only, that a task took which is no living thread of the
	   process: it has ended, or it is in the process from which this one was forked */
	FUTEX_OWNER_GONE,
};

/*
 * Finds the owner's thread id as its own PID namespace has it. `is_thread` answers whether a number
 * is a living thread of the sleeper's process: other values are not taken for an owner.
 */
enum futex_owner_kind futex_owner_find(const struct futex_sleep *sleep,
                                       bool (*is_thread)(void *state, uint32_t tid), void *state,
                                       uint32_t *ret);
/* What no thread has while others wait at it. */
enum futex_object {
	FUTEX_OBJECT_NONE, /* or not known */
	FUTEX_OBJECT_CONDITION,
	FUTEX_OBJECT_SEMAPHORE,
	FUTEX_OBJECT_BARRIER,
};

/*
 * Which object of glibc the sleep is at, where the counts of its waiters fit each other; `before`
 * has the bytes before the futex. In a pthread_cond_t the futex is at one of two places behind the
 * counts (sysdeps/nptl/bits/thread-shared-types.h; glibc 2.41 moved it), in a sem_t of 64 bits
 * before them, in a pthread_barrier_t between them (sysdeps/nptl/internaltypes.h).
 */
enum futex_object futex_object_of(const struct futex_sleep *sleep,
                                  const uint8_t before[FUTEX_BYTES_BEFORE]);

/* The files that a thread polls: those of poll(), select() and epoll_wait(). */

/* A file with a higher number is only counted; what poll() and select() have behind is ignored. */
#define POLLED_MAX 1024u

struct poll_set {
	uint64_t bit[POLLED_MAX / 64]; /* by number of the file */
	size_t count;
};

/* `process`: that of the thread. False: it is no such call, or its set cannot be read. */
bool poll_set_read(struct seen_process *process, const char *call, const uint64_t argument[6],
		   struct poll_set *ret);
