/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tracepoints to record: groups by purpose (src/catalog/), and names or patterns from the
 * user, matched against what the kernel offers. Events of a group that the kernel lacks are
 * remembered, as an older kernel has fewer events; an unknown name is an error.
 *
 * Order of calls: event_catalog_load(), event_selection_init(), any number of
 * event_selection_add(), then read; release both. The selection borrows the catalog.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"
#include "catalog/tracepoint.h"

/* Every "system:event" of the kernel, in its order. */
struct event_catalog {
	char **name; /* owned; "sched:sched_switch" */
	size_t count, capacity;
	char *dir;        /* that was read: has the formats; owned */
	bool has_strings; /* events of system calls have the strings that these are given */
};

/* In tracefs and in an instance: how many bytes of such a string are recorded. */
#define CATALOG_STRINGS_FILE "syscall_user_buf_size"

struct event_selection {
	const struct event_catalog *catalog;
	bool *is_selected; /* one for each name of the catalog */
	/* one for each name; NULL: no filter. Events requested by name are not filtered. */
	const char **filter;
	bool *is_filter_asked; /* one for each name: recording without the filter is wrong */
	uint32_t groups; /* added groups, a bit each */
	struct buffer single; /* other requests, ",NAME" each */
	const struct tracepoint **missing; /* events of added groups that the kernel lacks */
	size_t missing_count, missing_capacity;
};

/* Reads `dir`/available_events. Returns 0 or -errno. */
int event_catalog_load(const char *dir, struct event_catalog *ret);
/* The same from the folders of an instance, which has no such file. */
int event_catalog_load_instance(const char *dir, struct event_catalog *ret);
/* Whether the kernel has the event "system:event". */
bool event_catalog_has(const struct event_catalog *catalog, const char *name);
/* Whether groups record the event on this kernel, if it has it. */
bool event_catalog_wants(const struct event_catalog *catalog, const struct tracepoint *row);
void event_catalog_release(struct event_catalog *catalog);
/* False if the kernel has the event, but its format, of an older kernel, lacks fields without which
   it is useless: groups leave it out. */
bool event_catalog_can_read(const struct event_catalog *catalog, const struct tracepoint *row);

void event_selection_init(struct event_selection *selection, const struct event_catalog *catalog);
void event_selection_release(struct event_selection *selection);
/*
 * Adds a group, a "system:event" or a pattern for such names, or an event without its system.
 * Returns 0, or -EINVAL if neither the tables nor the kernel know it; `why` then suggests the
 * nearest name.
 */
int event_selection_add(struct event_selection *selection, const char *name, struct buffer *why);
/* The same for an item of -e, which may also be "default", or "+GROUP" for a group in addition to
   the default groups; of another "+", `why` says how it may be meant. */
int event_selection_ask(struct event_selection *selection, const char *item, struct buffer *why);
/* The words for -e: "default" and the groups, by index, and a phrase about each; NULL beyond. */
const char *event_word_at(size_t index);
const char *event_word_about_at(size_t index);
/*
 * Adds one "system:event" of which only what matches the kernel's filter expression is recorded,
 * which is borrowed. Returns 0, or -EINVAL with a line in `why`: the kernel has no such event, or
 * it is recorded without a filter already, or is a system call.
 */
int event_selection_add_filtered(struct event_selection *selection, const char *name,
                                 const char *filter, struct buffer *why);
/* Appends "sched,irq,block": the added groups, then the single events and patterns. */
void event_selection_describe(const struct event_selection *selection, struct buffer *to);
/* Adds the groups that are recorded without -e. */
void event_selection_add_default(struct event_selection *selection);
/* True if an added group has events that would need the strings of system calls, which the kernel
   does not record. */
bool event_selection_lacks_strings(const struct event_selection *selection);
/* True if an event of the group or system is selected. */
bool event_selection_has(const struct event_selection *selection, const char *pattern);
/* True if groups want sched:sched_waking and the kernel has none: then it is often not known who
   wakes a task on another CPU. */
bool event_selection_lacks_waking(const struct event_selection *selection);
/* What helps on such a kernel, as root. */
#define EVENT_SELECTION_WAKING_MEND                                                             \
	"echo NO_TTWU_QUEUE > /sys/kernel/debug/sched_features makes wakers exact "             \
	"(CONFIG_SCHED_DEBUG)"
/* The first release that has all missing events, "4.16"; NULL: not known. */
const char *event_selection_missing_since(const struct event_selection *selection);
/* Appends "a:b, c:d", the missing events; returns false if there are none. */
bool event_selection_describe_missing(const struct event_selection *selection, struct buffer *to);
