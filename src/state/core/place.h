/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in the kernel a task sleeps. place_tracker.c reads the stacks and events that show it;
 * every other unit only looks up the place of a task's present sleep, which ends with the sleep.
 */
#pragma once

#include "tracker.h"

/* The place of the task's present sleep; all 0: nothing is recorded, or the task does not sleep. */
static inline struct sleep_place task_place(const struct machine *machine, uint32_t track)
{
	const struct sleep_place *place = tracker_task(machine, TRACKER_PLACE, track);

	return place ? *place : (struct sleep_place){0};
}

/* Sets in the detail of a wait whether the task sleeps there to have work: the place shows it
   better than the system call. */
static inline void place_take_detail(const struct sleep_place *place, uint8_t *detail)
{
	if (place->is_for_work)
		*detail |= WAIT_FOR_WORK;
	else if (place->purpose && *detail == ('S' | WAIT_FOR_WORK))
		*detail = 'S';
}

/* Sets where the task sleeps. The program's functions that led there stay as they are. */
static inline void task_set_place(struct machine *machine, uint32_t track,
                                  const struct sleep_place *place)
{
	struct sleep_place *kept = tracker_keep_task(machine, TRACKER_PLACE, track);
	uint32_t user = kept->user;

	*kept = *place;
	kept->user = user;
	place_take_detail(place, &machine->task[track].detail);
}

/* Sets the program's functions that led to the task's present sleep: an id in names. */
static inline void task_set_user_place(struct machine *machine, uint32_t track, uint32_t user)
{
	struct sleep_place *kept = tracker_keep_task(machine, TRACKER_PLACE, track);

	kept->user = user;
}
