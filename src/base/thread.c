/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "thread.h"

#include <assert.h>
#include <signal.h>

int thread_begin(pthread_t *ret, void *(*run)(void *state), void *state)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int r = pthread_attr_init(&attributes);

	if (r != 0)
		return -r;
	(void)pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(ret, &attributes, run, state);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attributes);
	return -r;
}

void thread_lock(pthread_mutex_t *lock)
{
	int r = pthread_mutex_lock(lock);

	assert(r == 0);
	(void)r;
}

void thread_unlock(pthread_mutex_t *lock)
{
	int r = pthread_mutex_unlock(lock);

	assert(r == 0);
	(void)r;
}
