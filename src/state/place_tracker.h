/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where in the kernel tasks sleep; see place_tracker.c. */
#pragma once

#include "state/core/tracker.h"

/* Of the task's present sleep; all 0: it is not told, or the task does not sleep. */
static inline struct sleep_place task_place(const struct machine *machine, uint32_t line)
{
	const struct sleep_place *place = tracker_task(machine, TRACKER_PLACE, line);

	return place ? *place : (struct sleep_place){0};
}

/* The task sleeps at that place. */
void place_note(struct machine *machine, uint32_t line, const struct sleep_place *place);
/* And that is what of the program led there: id in names. */
void place_note_user(struct machine *machine, uint32_t line, uint32_t user);
/* The place that the text names: functions, innermost first, ";" between. */
struct sleep_place place_of_text(struct machine *machine, const char *functions);
