/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event as the kernel wrote it, of any tracepoint: nothing is known of it but the format that
 * the trace has. Fields are found by name, and are checked against the record's length.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "decode/event_format.h"
#include "ftwait/nsec.h"
#include "ftwait/record.h"

#define RAW_TASKS_MAX 4

/* The format of one tracepoint. */
struct raw_format {
	uint32_t index;      /* in the source's formats */
	const char *system;  /* "sched"; owned by the source */
	const char *name;    /* "sched_switch"; owned by the formats */
	struct event_format format; /* borrows from the source */
	const char **field_name;    /* of each of its fields; owned by the formats */
	const struct event_field *pid; /* common_pid; NULL: it has none */
	/* Other fields with numbers of tasks, as next_pid and tid are. */
	const struct event_field *task[RAW_TASKS_MAX];
	size_t task_count;
};

struct raw_event {
	nsec_t time;
	uint32_t cpu;       /* as on the timeline */
	uint32_t host;      /* number of its machine; 0 where there is one */
	int32_t task;       /* tid of the task that ran, as the timeline has it; -1: not known */
	uint32_t id;        /* that its trace gives to the tracepoint */
	bool is_swapped;    /* the record's byte order is not ours */
	const struct raw_format *format; /* NULL: the trace does not describe it */
	const struct record *record;     /* borrowed until the next event is read */
};

enum raw_kind {
	RAW_NONE,     /* the event does not have it, or it lies beyond the record */
	RAW_UNSIGNED, /* number */
	RAW_SIGNED,   /* number, as int64_t */
	RAW_TEXT,     /* text: up to the first NUL */
	RAW_BYTES,    /* text: an array of anything else */
};

struct raw_value {
	enum raw_kind kind;
	uint64_t number;
	struct text text; /* borrowed from the record */
};

/* The value of one of its fields. */
struct raw_value raw_event_value(const struct raw_event *event, const struct event_field *field);
/* The same of a field by its name. */
struct raw_value raw_event_value_of(const struct raw_event *event, const char *name);
/* The task whose number the field has, as the timeline has it; -1: the record does not have it. */
int32_t raw_event_task(const struct raw_event *event, const struct event_field *field);
/* Whether the field is of every tracepoint: common_type, common_pid... */
static inline bool raw_field_is_common(const struct event_field *field)
{
	static const char begin[] = "common_";

	return field->name.length >= sizeof(begin) - 1 &&
	       __builtin_memcmp(field->name.at, begin, sizeof(begin) - 1) == 0;
}
/* Whether the event is of that tracepoint, "sched_switch" or "sched:sched_switch". */
bool raw_format_is(const struct raw_format *format, const char *name);
