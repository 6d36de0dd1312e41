/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every tracepoint that ftwait knows, in one table: a row says which group records it, which of
 * its fields are read and where they go in struct event, and what it is good for. Recording,
 * decoding, `ftwait list` and the manual use these rows. An event that nothing reads has no row,
 * and is recorded only if a user asks for it by name, or for a group that has such.
 *
 * To add one: a row in tracepoint_rows.c, its format in tests/builder/event_kind.c (a test compares
 * the two), a kind in ftwait/event.h, a handler in the tracker that wants it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"

/* Limit of the fields that are read of one tracepoint. */
#define TRACEPOINT_FIELDS_MAX 8

/* A field of a tracepoint and where it goes in struct event. */
struct field_row {
	const char *name;
	size_t target;    /* offset in struct event */
	bool is_text;     /* target is a struct text, else a 64-bit number */
	bool is_rest;     /* text up to the end of the record, whatever length it claims */
	bool is_needed;   /* without it the tracepoint is useless */
	uint8_t elements; /* of an array of numbers, of which only the first is loaded; 0: no
	                     array */
};

#define FIELD(name_, member, ...) \
	{.name = name_, .target = offsetof(struct event, member), __VA_ARGS__}
#define FIELD_NUMBER(name, member)        FIELD(name, member, .is_needed = true)
#define FIELD_NUMBER_IF_ANY(name, member) FIELD(name, member, .is_needed = false)
#define FIELD_FIRST_OF(name, member, count) FIELD(name, member, .elements = count)
#define FIELD_TEXT(name, member)          FIELD(name, member, .is_text = true, .is_needed = true)
#define FIELD_TEXT_IF_ANY(name, member)   FIELD(name, member, .is_text = true)
#define FIELD_REST(name, member) \
	FIELD(name, member, .is_text = true, .is_rest = true, .is_needed = true)

/* Bytes that are not text are borrowed like text. */
#define FIELD_BYTES(name, member) FIELD_TEXT(name, member)

struct tracepoint {
	const char *system, *name;
	/* Of event_groups; NULL: no group records it, but it is read if it was recorded. */
	const char *group;
	const char *also;   /* another group that records it; NULL: none */
	bool is_optional;   /* of some kernels only; no warning if it is missing */
	bool needs_strings; /* no group records it on kernels that leave out its strings */
	const char *replaces; /* groups record it only where the kernel lacks that event; NULL */
	const char *filter; /* the kernel's filter when a group records it; NULL: none */
	/* A group that records only those that the kernel's filter part_filter passes, or none if
	   the kernel knows no such filter; NULL: no group. It does not count as having recorded
	   them. */
	const char *part_of, *part_filter;
	const char *use;    /* a phrase: what is learned from it */
	enum event_kind kind;
	enum memory_what what; /* memory events: what the tracepoint stands for */
	struct field_row field[TRACEPOINT_FIELDS_MAX]; /* ended by a name of NULL */
};

struct event_group {
	const char *name;
	const char *alias;   /* another name for -e; NULL: none */
	const char *summary; /* a phrase */
	bool is_default;     /* recorded without -e */
	bool is_costly;      /* recorded only if the user asks for it */
	/* Patterns of further events of the group, which have no rows, separated by ",": whatever
	   of them a kernel has is recorded, to be counted. NULL: none */
	const char *others;
};

/* Whether that group records it, or at least a part. */
bool tracepoint_is_part_of(const struct tracepoint *row, const struct event_group *group);
/* Whether the event, "io_uring:io_uring_complete", is one of the group's others. */
bool event_group_has_other(const struct event_group *group, const char *event);
/* Whether that group records it. */
bool tracepoint_is_of(const struct tracepoint *row, const struct event_group *group);

/* Whether it is in a list of groups, events and patterns, as recorders write it:
   "sched,irq,ext4:*". Tracepoints without a group never are. */
bool tracepoint_is_listed(const struct tracepoint *row, const char *list);

/* Whether that event, "syscalls:sys_enter_open", is of a system call that names a file. */
bool tracepoint_names_file(const char *event);

extern const struct event_group event_groups[];
extern const size_t event_group_count;

/* The group of that name, or that other name; NULL: there is none. */
const struct event_group *event_group_find(const char *name);

extern const struct tracepoint tracepoints[]; /* ended by a row without name */

#define TRACEPOINT_EACH(row) for (const struct tracepoint *row = tracepoints; (row)->name; (row)++)
