/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What raw events are told apart by, and its values in words. */
#pragma once

#include "analysis/asked_events.h"
#include "base/text/buffer.h"

enum event_by {
	EVENT_BY_EVENT, /* the event's own name */
	EVENT_BY_TASK,  /* the task that ran */
	EVENT_BY_CPU,
	EVENT_BY_STACK, /* the kernel's stack, where it follows the event */
	EVENT_BY_FIELD,
};

/* The word's meaning; any word that is none of the others names a field. */
enum event_by event_by_read(const char *word);

/* Whether the field has the address of an instruction, by its name, as `call_site` has. */
bool event_field_is_code(const struct event_field *field);
/*
 * Appends a value of the event as people know it: the function of an address, the name that the
 * event's own format gives to a number, an internet address, a device's name. Cleaned.
 */
void event_value_append(struct buffer *to, const struct asked_events *events,
                        const struct raw_event *event, const struct event_field *field);
/* Appends "tcp_v4_rcv;ip_rcv": the functions of a kernel_stack, innermost first, without those by
   which the kernel writes events; nothing if the event is none. */
void event_stack_append(struct buffer *to, const struct asked_events *events,
                        const struct raw_event *event);
/* Whether the event is the kernel's stack, or a program's, of the event before it on its CPU. */
bool event_is_kernel_stack(const struct raw_event *event);
bool event_is_user_stack(const struct raw_event *event);
