/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that a user means by "sched:sched_switch", by "sched_switch" or by a glob of either,
 * and up to two fields of them. Each format of a recording is looked at once, however many events
 * of it there are.
 */
#pragma once

#include "analysis/asked_events.h"
#include "tally/tally.h"

#define CHOICE_FIELDS 2

struct chosen_format {
	uint64_t format; /* address of the struct raw_format */
	bool is_meant;
	const struct event_field *field[CHOICE_FIELDS]; /* NULL: none is chosen, or it has none */
};

struct event_choice {
	const char *name;                 /* borrowed, as the fields' names */
	const char *field[CHOICE_FIELDS]; /* NULL: none */
	TALLY(formats, struct chosen_format, format, format_count);
};

void event_choice_init(struct event_choice *choice, const char *name, const char *first,
                       const char *second);
void event_choice_release(struct event_choice *choice);
/* The event's format, if the event is meant; else NULL. Valid until the next call. */
const struct chosen_format *event_choice_find(struct event_choice *choice,
                                              const struct raw_event *event);
/*
 * Whether the recording describes such an event that has all chosen fields. If not, appends a
 * phrase to `why`: what may be meant, and how to record the event.
 */
bool event_choice_exists(const struct event_choice *choice, const struct asked_events *events,
                         struct buffer *why);
