/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a recording: the main instance, and those that record something of some tasks alone,
 * as the tasks of an instance are those of all its events. Each is a buffer of the file. Calls
 * return 0, or -errno and a line in `why` where they have that parameter.
 */
#pragma once

#include "recording.h"

/* Whether it is of some tasks: of COMMAND or -p. */
bool recording_has_tasks(const struct recording *recording);
/*
 * Makes the instances; COMMAND is held back. The kernel takes its time for that, so meanwhile the
 * formats are read into recording->formats.
 */
int recording_parts_open(struct recording *recording, struct buffer *why);
/* Makes the reader of all. */
int recording_parts_read(struct recording *recording, struct buffer *why);
/* Says what the kernel lacks or refuses. */
void recording_parts_tell(const struct recording *recording);
/* Of all: capture_watch_init(), before tracing is switched on. */
void recording_parts_watch(struct recording *recording);
/* Switches tracing on. Told where it fails. */
int recording_parts_begin(struct recording *recording);
/* Tracing off; *recording as `state`, for drain_while(). */
int recording_parts_end(void *state);
void recording_parts_poll(struct recording *recording,
                          void (*on_change)(void *state, const char *text));
/*
 * Begins to remove the instances, which takes the kernel some time; nothing in them may be open or
 * read any more. recording_parts_close() waits for it.
 */
void recording_parts_remove(struct recording *recording);
/* Removes the instances. The reader must be closed. */
void recording_parts_end_removal(struct recording *recording);
/* The same, tried again for instances whose files another process had open; reports those that
   remain. */
void recording_parts_close(struct recording *recording);
