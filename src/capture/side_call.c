/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "side_call.h"

#include <signal.h>

static void *side_call_run(void *argument)
{
	struct side_call *side = argument;

	side->result = side->call(side->state);
	return NULL;
}

void side_call_begin(struct side_call *side, int (*call)(void *state), void *state)
{
	sigset_t all, before;

	*side = (struct side_call){.call = call, .state = state};
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	side->is_running = pthread_create(&side->thread, NULL, side_call_run, side) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
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
