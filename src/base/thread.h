/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads beside the one that the program began with, which is the only one that gets signals. */
#pragma once

#include <pthread.h>

#define THREAD_STACK_BYTES (1u << 20)

/*
 * To be joined. 0, or -errno: then there is none. Its stack has THREAD_STACK_BYTES: what is usual
 * is much where a limit is set on memory.
 */
int thread_begin(pthread_t *ret, void *(*run)(void *state), void *state);

/* What may fail of these is a mistake of ours. */
void thread_lock(pthread_mutex_t *lock);
void thread_unlock(pthread_mutex_t *lock);
