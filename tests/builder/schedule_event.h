/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event line of a schedule becomes one record: see schedule.h for the notation. Private to
 * the builder.
 */
#pragma once

#include "schedule.h"

/* Appends the event to schedule->items; -EINVAL with a phrase in `why`. */
int schedule_event_line(struct schedule *schedule, char **words, size_t count,
                        struct buffer *why);
/* The task of that name; NULL: there is none. */
struct schedule_task *schedule_find_task(struct schedule *schedule, const char *name);
/* CPU[@BUFFER], the buffer's name being added where it is new; -EINVAL: no such CPU, too many. */
int schedule_place_parse(struct schedule *schedule, char *word, struct schedule_item *item);
