/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recording says about its own options, and how to record more. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/recording_notes.h"

/* Groups of events are named as "lock,syscalls". */
struct recorded {
	struct recording_notes notes; /* items and strings are borrowed */
	bool has_stacks;
};

/* Whether the file says that all these groups were recorded: then an event that is missing did not
   happen. The formats in a file do not prove that its events were recorded. */
bool recorded_has(const struct recorded *recorded, const char *groups);

/*
 * Appends "python3[18] is a zombie: it had ended before the recording began, and its parent
 * sh[17] has not waited for it", if the snapshot shows that process so. Returns whether it did.
 */
bool recorded_zombie_append(struct buffer *to, const struct recorded *recorded, int32_t pid);

/* What a recording without events of a kind implies about them. */
enum events_recorded {
	EVENTS_SEEN,
	EVENTS_NONE,    /* they were recorded, and none occurred */
	EVENTS_UNSURE,  /* none occurred, or they were not recorded */
	EVENTS_LEFT_OUT,
	EVENTS_MISSING, /* they were asked for, but the kernel has no such events */
};

/* Call for events that are not in the trace. `group` records them, or their own name
   ("skb:kfree_skb"); `is_described`: the file has their format. */
enum events_recorded recorded_events(const struct recorded *recorded, const char *group,
                                     const char *event, bool is_described);
/* Appends the groups that were not recorded: "irq, timer". */
void recorded_lacks_append(struct buffer *to, const struct recorded *recorded, const char *groups);
/*
 * Appends, between two strings, how to record more: "ftwait record -e +syscalls -p 123", the
 * options of the recording, plus these groups; with the option for stacks if the recording has
 * stacks or `stacks` is set. COMMAND is quoted for a shell. Appends nothing, and returns false, if
 * the file says that all of it was recorded: the same again shows no more. Of a text of atrace, its
 * categories stand before that: "atrace irq, or ftwait record -e +irq".
 */
bool record_hint_append(struct buffer *to, const char *before, const struct recorded *recorded,
                        const char *groups, bool stacks, const char *after);
