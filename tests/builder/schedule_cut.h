/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A schedule's text without its later events: what its recording is if it ends early. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

/* Whether a line of a schedule is an event: "TIME/CPU TASK EVENT". */
bool schedule_line_is_event(const char *line);
unsigned schedule_event_count(const char *text);
/* The time of the event with that number, from 0, in units of the schedule. */
double schedule_event_time(const char *text, unsigned number);
/* Appends all lines but the events after that time: what happens at one instant is not torn
   apart. */
void schedule_cut(const char *text, double until, struct buffer *to);
