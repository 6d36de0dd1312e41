/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call in a thread of its own, for what the kernel keeps waiting while there is something else to
 * do. Signals are for the other threads. Where there can be no thread the call is made at once.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

struct side_call {
	pthread_t thread;
	bool is_running;
	int (*call)(void *state);
	void *state;
	int result;
};

/* `side` must stay where it is until the end. */
void side_call_begin(struct side_call *side, int (*call)(void *state), void *state);
/* Waits for it; returns what the call did. Again: the same. Of one that never began: 0. */
int side_call_end(struct side_call *side);
