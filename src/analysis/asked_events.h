/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw events that a resolved question asks for: in the window, on the asked CPUs, and of the
 * asked tasks. An event is of the task that ran, and of those that its fields name, as next_pid.
 * Where no task is asked for it may be of any, or of none.
 */
#pragma once

#include "analysis.h"
#include "raw/raw_reading.h"
#include "task_index.h"

struct asked_events {
	const struct question *question;
	struct raw_reading *reading;
	struct task_index tasks;
	bool asks_all; /* of any task */
};

/* Returns 0, or -errno and a phrase that fits after the name of the file. */
int asked_events_open(const struct question *question, struct asked_events *ret,
                      struct buffer *why);
/* False at the end. */
bool asked_events_next(struct asked_events *events, struct raw_event *ret);
/* Whether any event of that reading is in the window, on an asked CPU, and of an asked task that
   ran: the tasks that its fields name do not count. */
bool asked_events_ran(const struct asked_events *events, const struct raw_event *event);
/* Reads the recording once more, for all of these; the question is resolved. */
void asked_events_read(const struct question *question, const struct events_taking *taking,
                       size_t count);
/* The track of the task that ran; TRACK_NONE: an idle CPU's, or not known. */
static inline uint32_t asked_events_track(const struct asked_events *events,
                                          const struct raw_event *event)
{
	return task_index_find(&events->tasks, event->task, event->time);
}
void asked_events_close(struct asked_events *events);
