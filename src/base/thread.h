/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads other than the main thread; only the main thread receives signals. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define THREAD_STACK_BYTES (1u << 20)

/* Starts a thread, which must be joined. Returns 0; or -errno, without a thread. Its stack has
   THREAD_STACK_BYTES, as the usual size is too much if memory is limited. */
int thread_begin(pthread_t *ret, void *(*run)(void *state), void *state);

/* These fail only if the program has a bug. */
void thread_lock(pthread_mutex_t *lock);
void thread_unlock(pthread_mutex_t *lock);

/*
 * Makes a call in a thread of its own, for a system call that blocks while there is other work.
 * Signals go to the other threads. If no thread can be made, the call is made at once.
 */

struct side_call {
	pthread_t thread;
	bool is_running;
	int (*call)(void *state);
	void *state;
	int result;
	atomic_bool is_done; /* the call has returned */
};

/* `side` must not move until the end. */
void side_call_begin(struct side_call *side, int (*call)(void *state), void *state);
/* Waits for the call and returns its result; may be called again, with the same result. 0 if the
   call never began. */
int side_call_end(struct side_call *side);
/* Whether side_call_end() would have to wait. */
static inline bool side_call_is_busy(const struct side_call *side)
{
	return side->is_running && !atomic_load(&side->is_done);
}
