/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "thread.h"

#include <assert.h>
#include <signal.h>

static void *side_call_run(void *argument)
{
	struct side_call *side = argument;

	side->result = side->call(side->state);
	atomic_store(&side->is_done, true);
	return NULL;
}

void side_call_begin(struct side_call *side, int (*call)(void *state), void *state)
{
	*side = (struct side_call){.call = call, .state = state};
	side->is_running = thread_begin(&side->thread, side_call_run, side) == 0;
	if (!side->is_running)
		side->result = call(state);
}

int side_call_end(struct side_call *side)
{
	if (side->is_running)
		(void)pthread_join(side->thread, NULL);
	side->is_running = false;
	return side->result;
}

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
