/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that a walk (walk.h) reports, and the visitor that receives them. */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/timeline.h"

/* Tracks that may wait for one another in any walk. */
#define WALK_DEPTH_MAX (1u << 20)

/* As enum segment_kind, but for the last one. */
enum part_state {
	PART_RUNNING,
	PART_RUNNABLE,
	PART_WAITING,
	PART_STOPPED,
	PART_UNKNOWN,
	PART_CUT, /* unknown, as the walk was given up: too deep, or beyond the kept history */
	PART_STATE_COUNT,
};

/* The state of a part that is, or is in, such a segment. */
static inline enum part_state segment_part_state(enum segment_kind kind)
{
	_Static_assert((int)SEGMENT_RUN == PART_RUNNING && (int)SEGMENT_RUNNABLE == PART_RUNNABLE &&
	               (int)SEGMENT_WAIT == PART_WAITING &&
	               (int)SEGMENT_STOPPED == PART_STOPPED &&
	               (int)SEGMENT_UNKNOWN == PART_UNKNOWN, "one order");
	assert(kind <= SEGMENT_UNKNOWN);
	return (enum part_state)kind;
}

struct part {
	nsec_t begin, end;
	uint32_t depth; /* 0: the task asked for, 1: the task that it waited for ... */
	uint32_t track;
	enum part_state state;
	uint16_t cpu; /* running, runnable: the CPU, as far as known */
	/* waiting, stopped; NULL: none, or it had not ended. Runnable: why it does not run */
	const struct cause_note *cause;
	enum confidence confidence;
	bool is_open; /* waiting whose end lies beyond the walk */
	bool is_inferred; /* no wake-up led there, but the inferred purpose of a sleep did
	                     (awaited.h) */
};

/* A part that its task spent on a CPU or in its run queue, without a cause. */
struct cpu_part {
	nsec_t begin, end;
	uint16_t cpu; /* as far as known */
	bool is_running;
	enum confidence confidence;
};

/* Such parts of one track, newest first: each one ends where the next one begins. */
struct cpu_parts {
	uint32_t track;
	bool is_inferred; /* as in struct part */
	size_t count;     /* at least 1 */
	const struct cpu_part *part;
};

/* The visitor of a walk. Every on_descend is followed by its on_ascend; NULL hooks are not
   called. */
struct walk_visitor {
	void *state;
	void (*on_part)(void *state, const struct part *part);
	/* The walk goes on along `track` to explain `waiter`'s wait, whose cause is given. */
	void (*on_descend)(void *state, uint32_t waiter, uint32_t track,
	                   const struct cause_note *cause);
	void (*on_ascend)(void *state);
	/* The most tracks that may wait for one another in this walk; 0: WALK_DEPTH_MAX. Deeper is
	   CUT and counted. Bounds the work of callers that walk many waits. */
	uint32_t depth_max;
	/* Before the walk reports a wait it stores its place here, which has the waker's stack,
	   too; NULL: no wait, or not known. Costs O(log n) a wait. NULL: not wanted. */
	const struct sleep_place **place;
	/* Gets, instead of on_part, the track's running time, and its time in a run queue for no
	   other reason than that it was woken or preempted: nearly all parts are such. NULL: all
	   parts go to on_part. Without place only. */
	void (*on_cpu_parts)(void *state, const struct cpu_parts *parts);
	/* For visitors that only aggregate and accept whole blocks (walk_blocks.h); NULL: the
	   visitor needs each part. */
	struct walk_blocks *blocks;
	/* Asked where the walk stands on a track at t and goes back to lo: true if an earlier walk
	   has explained the track from *ret_begin, which is not before lo, until t. Then the
	   visitor adds that walk's result, and this walk goes on before it. NULL: there are
	   none. */
	bool (*on_walked)(void *state, uint32_t track, nsec_t lo, nsec_t t, nsec_t *ret_begin);
};

struct walk_result {
	uint64_t cycles;      /* stretches that explain themselves: inconsistent input */
	uint64_t truncations; /* stretches that were too deep */
};
