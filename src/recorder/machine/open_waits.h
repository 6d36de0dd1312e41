/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that have not ended, as /proc shows them: events show what a task waited for only when it
 * is woken. The recorder looks at COMMAND's tasks and at those of -p, with their descendants, when
 * recording begins, once a second, and when it ends. It describes (wait_object.h) a sleep once,
 * when two looks in a row have seen it; the last look describes all sleeps. If a task waits for
 * another process, that process is described, too, and so on.
 *
 * A look takes at most LOOK_NS and PEEK_PATIENCE_NS (peek.h), whatever the number of tasks; the
 * next one continues where it stopped. Where a task waits for something that others may have open,
 * looking for them takes ENDS_NS more, in the last look ENDS_LAST_NS (end_table.h). Not safe for
 * concurrent use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "end_table.h"
#include "peek.h"
#include "wait_object.h"

#define LOOK_NS 50000000u

struct open_waits {
	struct peek *peek; /* borrowed */
	int32_t *root;     /* processes, or threads, that are asked for */
	size_t root_count, root_capacity;
	bool is_timed; /* the recording's clock is CLOCK_MONOTONIC; set it before the first look */
	/* the key is of the text of /proc/TID/syscall, which has the stack pointer, too */
	struct sleep_table sleeps;
	struct end_table ends;
	size_t first;      /* where the next look begins among the watched processes */
	uint64_t left_out; /* tasks that the last look had no time for */
	/* Unless NULL: receives the futexes at which threads sleep. Set it after open_waits_init();
	   a look calls it in its thread. */
	void (*on_futex)(void *state, int32_t tid, uint64_t address);
	void *state;
};

void open_waits_init(struct open_waits *waits, struct peek *peek);
void open_waits_release(struct open_waits *waits);
/* Asks for a process with its descendants, or for a thread. */
void open_waits_ask(struct open_waits *waits, int32_t pid);
/* Appends `waits` lines of ftwait/stream.h. `is_last`: the recording ends. */
void open_waits_look(struct open_waits *waits, bool is_last, struct buffer *to);
