/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks and devices did, in full, and which task woke which: for pictures that can be zoomed.
 * Covers all tasks of a window, not only the requested ones, as waits lead to others.
 *
 * Order of calls: begin; every task, each followed by its names; every row of objects; both are
 * numbered from 0 in that order; then the segments of each task, task by task; then the parts of
 * the critical path; then the objects of each row, row by row. A cause or a place comes before
 * whatever refers to it; they are numbered from 0 as they come. Everything passed in is borrowed
 * for the call. Times are absolute.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aim.h"
#include "cause.h"
#include "nsec.h"
#include "task.h"

#define FLOW_NONE UINT32_MAX /* no number */

enum flow_state {
	FLOW_RUNNING,
	FLOW_RUNNABLE,
	FLOW_FOR_WORK, /* waited, with nothing to do */
	FLOW_STOPPED,
	FLOW_UNKNOWN,
	FLOW_ABSENT, /* never reported: for drawing what lies outside of a task's life */
	FLOW_MIXED,  /* several short ones: struct flow_mix */
	FLOW_WAIT,   /* + enum cause_kind */
	FLOW_STATE_COUNT = FLOW_WAIT + CAUSE_KIND_COUNT,
};

/* What the picture shows. */
struct flow_window {
	nsec_t origin;     /* the trace begins */
	nsec_t begin, end; /* the window */
	/* The task of the critical path (FLOW_NONE: there is none), when the path begins, and why
	   that task was chosen (NULL: it was requested). The path ends where its last part does. */
	uint32_t path_of;
	nsec_t path_begin;
	const char *path_why;
	/* If there are too many segments, neighbours shorter than mixed_below are joined into mixed
	   segments. mixed: how many segments were joined. 0: none. */
	nsec_t mixed_below;
	uint64_t mixed;
	/* The same for the parts of the path. */
	nsec_t path_mixed_below;
	uint64_t path_mixed;
	uint64_t objects_left_out; /* the shortest ones, if there are too many */
};

struct flow_task {
	struct task task; /* with its last name */
	uint32_t parent;  /* number of the task that forked it; FLOW_NONE */
	int priority;     /* PRIORITY_UNKNOWN */
	bool is_asked, is_on_path, is_kernel, is_command, is_recorder;
};

/* The segments of a task tile its time: each begins where the one before it ends. */
struct flow_segment {
	nsec_t begin, end;
	unsigned state;    /* enum flow_state */
	unsigned cpu;      /* running, runnable */
	uint32_t cause;    /* number; FLOW_NONE: none is known */
	uint32_t place;    /* number; FLOW_NONE: not recorded */
	bool is_doubtful;  /* events were lost */
	bool is_open;      /* the trace ends in it */
};

/* What a mixed segment consists of. */
struct flow_mix {
	uint64_t segments;
	const nsec_t *time; /* by enum flow_state, FLOW_STATE_COUNT of them; they add up to it */
};

struct flow_cause {
	const struct cause *cause;
	struct brief_aim aim;       /* of the waits that it ended, as far as it shows it */
	uint32_t waker, originator; /* numbers of tasks; FLOW_NONE */
	/* ns; of a packet from another machine, by how much the time of its sending may be wrong;
	   0: none, or exact */
	uint32_t clock_bound;
};

/* Stacks: functions, innermost first, separated by ";"; NULL: not recorded. */
struct flow_place {
	const char *kernel, *user, *waker;
};

struct flow_part {
	nsec_t begin, end;
	uint32_t task;  /* number; FLOW_NONE: mixed */
	unsigned state; /* enum flow_state */
	uint32_t cause; /* number; FLOW_NONE */
};

struct flow_share {
	uint32_t task;
	unsigned state; /* enum flow_state */
	nsec_t time;
};

/* What a mixed part consists of. */
struct flow_part_mix {
	uint64_t parts;
	const struct flow_share *share; /* one for each task and state: their sum is its length */
	size_t count;
};

struct flow_row {
	const char *kind;  /* disk, irq, softirq, work */
	const char *label; /* printable */
	uint32_t machine;  /* number of the machine; FLOW_NONE: there is one */
	size_t count;      /* of objects */
};

struct flow_object {
	nsec_t begin, started, end; /* it is queued until started */
	uint32_t task;    /* number of the task that submitted or queued it; FLOW_NONE */
	uint64_t bytes;
	const char *name; /* any bytes */
};

/* Implemented by presenters that can draw a flow; `state` is their own. */
struct flow_hooks {
	void (*begin)(void *state, const struct flow_window *window);
	void (*task)(void *state, const struct flow_task *task);
	/* The task of that number has this name from `at` on; called only for tasks that changed
	   their name. */
	void (*name)(void *state, uint32_t task, nsec_t at, const char *comm);
	void (*row)(void *state, const struct flow_row *row);
	void (*cause)(void *state, const struct flow_cause *cause);
	void (*place)(void *state, const struct flow_place *place);
	/* `count` segments of the next task follow. */
	void (*segments_begin)(void *state, size_t count);
	void (*segment)(void *state, const struct flow_segment *segment);
	/* What the mixed segment just passed consists of. */
	void (*mix)(void *state, const struct flow_mix *mix);
	void (*part)(void *state, const struct flow_part *part);
	/* What the mixed part just passed consists of. */
	void (*part_mix)(void *state, const struct flow_part_mix *mix);
	void (*object)(void *state, const struct flow_object *object);
};
