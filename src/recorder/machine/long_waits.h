/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps of any task of the machine that last for a while, as /proc shows them, for readers that
 * follow a recording: what a task waits for, while it waits. (open_waits.h looks at few tasks, for
 * the time when the recording has ended.)
 *
 * A thread has not run between two looks if its /proc/PID/task/TID/schedstat, which counts its
 * runs, has not changed; of a kernel without that file the system call must be the same one. Then
 * its sleep is described (wait_object.h), once; but each HOLDER_NS if the lock may pass to another
 * task, or if the table of open files (end_table.h) did not have all processes yet.
 *
 * A thread that was asked for and has run since is described again if it is in the same system call
 * as at the look before: it may wait in slices (graph/aims/sliced_wait.h).
 *
 * A look ends after LOOK_NS, ENDS_NS (end_table.h) and PEEK_PATIENCE_NS (peek.h), whatever the
 * number of tasks; the next one continues where it stopped. Processes that were asked for come
 * first in each. Not safe for concurrent use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "end_table.h"
#include "peek.h"
#include "wait_object.h"

#define LONG_LOOK_NS   50000000u
#define LONG_HOLDER_NS 1000000000u

struct long_waits {
	struct peek *peek; /* borrowed */
	const char *clock; /* of the recording; borrowed; set it before the first look */
	/* processes, or threads, that are asked for, with their descendants; borrowed, may be set
	   by the caller */
	const int32_t *root;
	size_t root_count;
	bool is_brief; /* the next look is only at these; to be set by the caller */
	/* the key is of the text that changes when the thread runs; `call`: hash of the system call
	   at the last look, of tasks that were asked for; 0: none */
	struct sleep_table sleeps;
	struct end_table ends;
	uint32_t whole;    /* number of the last look that began with all tasks before it seen */
	int32_t next;      /* process with which the next look begins; 0: the first one */
};

void long_waits_init(struct long_waits *waits, struct peek *peek);
void long_waits_release(struct long_waits *waits);
/* Appends `waits` lines of ftwait/stream.h. */
void long_waits_look(struct long_waits *waits, struct buffer *to);
