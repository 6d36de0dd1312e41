/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held_wait.h"

#include <stdlib.h>

void wait_set_waker(struct held_wait *held, uint32_t frames)
{
	if (!held->span.place)
		wait_set_place(held, &(struct sleep_place){0});
	held->place.waker = frames;
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
