/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "side_call.h"

#include "base/thread.h"

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
