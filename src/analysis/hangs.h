/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that hang, as the recorder saw them in /proc (struct open_wait): what each task waits for,
 * which task holds it, what that task waits for in turn, and circles of tasks that wait for each
 * other. The recorder saw all of this, and nothing is inferred; hung_tasks.h has what only the
 * events suggest.
 *
 * A task hangs if it has waited for a lock, or in state D, for a second or a tenth of the trace
 * when the trace ends, or if it waits for a task that hangs. A circle is a deadlock, however long
 * it lasted: each of its tasks slept while it had what another one waited for. With a wait at a
 * pipe it is only likely to be one, and only if all its waits are long: processes that the recorder
 * did not look at may have the pipe open, too.
 *
 * A window that ends before the trace has none.
 *
 * Order of calls: hangs_find() once the trace has ended; hangs_print() and others; hangs_release().
 */
#pragma once

#include <stdbool.h>

#include "analysis.h"
#include "base/data/map.h"
#include "ftwait/source.h"

/* One task that the recorder saw waiting; the last time if there were several. */
struct hang {
	const struct open_wait *wait; /* borrowed */
	uint32_t track;
	uint32_t owner;    /* track that it waits for; TRACK_NONE: not known, or several */
	uint32_t holder[OPEN_WAIT_HOLDERS_MAX]; /* tracks of wait->holder; TRACK_NONE: not known */
	nsec_t begin, end; /* of the wait; end: of the trace if it has not ended */
	bool is_open;      /* it has not ended */
	bool is_hung;
	size_t next;       /* index of the owner's own wait; WAITS_FOR_NONE: it did not wait */
	size_t circle;     /* number of its circle, from 1; 0: none */
	bool is_behind;    /* an asked one that hangs waits for it, or for one that does */
};

struct hangs {
	const struct question *question;
	struct hang *hang; /* by first sight */
	size_t count, capacity;
	struct map by_track; /* index in hang */
	size_t circle_count;
};

void hangs_find(struct hangs *ret, const struct question *question);
void hangs_release(struct hangs *hangs);
/* Prints the deadlocks and the asked tasks that hang, in one sentence each. */
void hangs_print(const struct hangs *hangs, const struct output *to);
/* Prints only the deadlocks, of at least one asked task each. Returns false if there are none. */
bool hangs_print_circles(const struct hangs *hangs, const struct output *to);
/* Whether the track is named by a sentence of hangs_print(). */
bool hangs_has(const struct hangs *hangs, uint32_t track);
/* Whether the track has waited for long, still waits, and it is known who has what it waits for, or
   the name of the other end. */
bool hangs_names_end(const struct hangs *hangs, uint32_t track);
/* Puts them as a table of data, which text does not show; nothing if none hangs. */
void hangs_report(const struct hangs *hangs, const struct output *to);
/*
 * Appends what the track did when the trace ended, and what the task that it waits for did, and so
 * on: "waits for its child ld[7], which waits for a flock on /x, held by b[5], which runs".
 */
void hangs_describe(const struct hangs *hangs, uint32_t track, struct buffer *to);
