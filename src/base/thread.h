/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads other than the main thread; only the main thread receives signals. */
#pragma once

#include <pthread.h>

#define THREAD_STACK_BYTES (1u << 20)

/* Starts a thread, which must be joined. Returns 0; or -errno, without a thread. Its stack has
   THREAD_STACK_BYTES, as the usual size is too much if memory is limited. */
int thread_begin(pthread_t *ret, void *(*run)(void *state), void *state);

/* These fail only if the program has a bug. */
void thread_lock(pthread_mutex_t *lock);
void thread_unlock(pthread_mutex_t *lock);
