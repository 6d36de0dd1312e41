/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recording says it has recorded, and how to record more. */
#pragma once

#include "base/buffer.h"
#include "ftwait/source.h"

/* Groups of events are named as "lock,syscalls". Strings are the source's. */
struct recorded {
	const char *groups; /* as `recorded` of struct source; NULL: the file does not say */
	const char *asked;  /* the argument of record -e; NULL: the file does not say */
	const int32_t *pids; /* -p */
	size_t pid_count;
	bool has_command, has_stacks;
	const char *const *command; /* its words; none: the file does not say */
	size_t command_count;
};

struct recorded recorded_of(const struct source *source, bool has_stacks);
/* Whether the file says that all these groups were recorded: then an event that is not there did
   not happen. Formats in a file are no proof of that. */
bool recorded_has(const struct recorded *recorded, const char *groups);

/* What a recording without events of a kind says about them. */
enum events_recorded {
	EVENTS_SEEN,
	EVENTS_NONE,    /* they were recorded, and none came */
	EVENTS_UNSURE,  /* none came, or they were not recorded */
	EVENTS_LEFT_OUT,
	EVENTS_MISSING, /* they would have been recorded: the kernel has no such events */
};

/* For events that are not in the trace. `group` records them, or their own name ("skb:kfree_skb")
   does; `is_described`: the file has their format. */
enum events_recorded recorded_events(const struct recorded *recorded, const char *group,
                                     const char *event, bool is_described);
/* Appends the groups that were not recorded: "irq, timer". */
void recorded_lacks_append(struct buffer *to, const struct recorded *recorded, const char *groups);
/*
 * "ftwait record -e +syscalls -p 123": what was recorded, of the same tasks, and those groups; with
 * stacks where there were any, or `stacks` says so. A shell reads COMMAND as it was.
 */
void record_line_append(struct buffer *to, const struct recorded *recorded, const char *groups,
                        bool stacks);
