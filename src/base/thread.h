/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads other than the main one, which alone receives signals. */
#pragma once

#include <pthread.h>

#define THREAD_STACK_BYTES (1u << 20)

/*
 * The thread must be joined. Returns 0, or -errno without a thread. Its stack has
 * THREAD_STACK_BYTES: the usual size is much if memory is limited.
 */
int thread_begin(pthread_t *ret, void *(*run)(void *state), void *state);

/* A failure of these is a bug of ours. */
void thread_lock(pthread_mutex_t *lock);
void thread_unlock(pthread_mutex_t *lock);
