/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a recording: the main instance, and instances that record something only for some
 * tasks, as the task filter of an instance applies to all its events. Each part is a buffer of the
 * file. Functions return 0, or -errno and a line in `why` if they have that parameter.
 */
#pragma once

#include "recording_state.h"

/* Whether the recording is limited to the tasks of COMMAND or -p. */
bool recording_has_tasks(const struct recording *recording);
/* Takes the prepared instances, and sets recording->tracefs to the main one. Call before threads
   exist: it forks. */
int recording_parts_take(struct recording *recording, struct buffer *why);
/*
 * Makes the instances; COMMAND is held back. The kernel takes some time for that; meanwhile the
 * formats are read into recording->formats.
 */
int recording_parts_open(struct recording *recording, struct buffer *why);
/* Makes the reader of all parts. */
int recording_parts_read(struct recording *recording, struct buffer *why);
/* Prints what the kernel lacks or refuses. */
void recording_parts_print_notes(const struct recording *recording);
/* Calls capture_watch_init() for all parts; before tracing is switched on. */
void recording_parts_watch(struct recording *recording);
/* Switches tracing on; prints a failure. */
int recording_parts_begin(struct recording *recording);
/* Switches tracing off; `state` is the recording, for drain_while(). */
int recording_parts_end(void *state);
void recording_parts_poll(struct recording *recording,
                          void (*on_change)(void *state, const char *text));
/*
 * Starts to remove the instances, which takes the kernel some time; none of their files may be
 * open or in use. recording_parts_close() waits for it.
 */
void recording_parts_remove(struct recording *recording);
/* Removes the instances. The reader must be closed. */
void recording_parts_end_removal(struct recording *recording);
/* The same, and tries again for instances of which another process had files open; prints which
   instances remain. */
void recording_parts_close(struct recording *recording);
