/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held_wait.h"

#include <stdlib.h>

void wait_set_waker(struct held_wait *held, uint32_t frames)
{
	if (!held->span.place)
		wait_set_place(held, &(struct sleep_place){0});
	held->place.waker = frames;
}

bool wait_note_limit(struct machine *machine, uint32_t track, nsec_t begin, nsec_t end,
                     const struct cause_note *cause)
{
	struct held_wait *held = machine->task[track].held;

	if (!held || !held->has_runnable || held->has_limit || held->runnable.cause ||
	    held->runnable.kind != SEGMENT_RUNNABLE || begin < held->runnable.begin ||
	    end > held->runnable.end)
		return false;
	held->has_limit = true;
	held->limit_begin = begin;
	held->limit_end = end;
	held->limit = *cause;
	return true;
}

void held_waits_release(struct machine *machine)
{
	struct held_wait *held, *next;

	for (uint32_t track = 0; track < machine->track_end; track++)
		free(machine->task[track].held);
	for (held = machine->held_free; held; held = next) {
		next = held->next;
		free(held);
	}
}
