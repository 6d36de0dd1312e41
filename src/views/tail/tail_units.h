/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each unit of work went to: the walk of each (graph/walk), folded to the few keys that matter
 * most. A key is what the unit's own task did or waited for, and behind whom; the leaf beside it is
 * what that one did, or what the wait came to in the end.
 *
 *	own task   RUN  |----- WAIT for a lock -----| QUEUE |  RUN
 *	flusher         |---- asleep ------|- RUN --|
 *	key        ran  |  lock, behind flusher             |  ran
 *	leaf            |  flusher: asleep                  |
 *
 * One thing has one key: a wait for a disk, too, whether the disk ended it or a thread by which the
 * file system waits for the disk. That it was for the disk shows where the task slept, or that it
 * was in a call that syncs files, if these are recorded.
 *
 * The run queue after a wait belongs to the wait: without it there would be none; but for a sleep
 * of which the task chose the length. The other stays in a run queue name who had the CPU, but only
 * where tail_units_name_queue() is called: that costs O(tracks). Interrupts that came while the
 * task ran have a key of their own, if they are recorded.
 *
 * Memory: at most 64 + 16 * 24 + 32 * 16 bytes a unit, of at most TURNS_MAX units, which typically
 * have 6 keys with a leaf or two. The parts of a unit sum to its length, as TAIL_OTHER has what is
 * beyond its TAIL_PARTS_MAX keys.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/turns/turn_source.h"
#include "graph/aims/aim.h"
#include "graph/logs/interrupt_log.h"
#include "graph/walk/voter.h"
#include "graph/walk/walk_visitor.h"
#include "sync_calls.h"
#include "tally/tally.h"

#define TAIL_PARTS_MAX  16
#define TAIL_LEAVES_MAX 4  /* of a part */
#define TAIL_TIMES_MAX  32 /* leaves of a unit */

enum tail_what {
	TAIL_OTHER, /* keys for which there is no room */
	TAIL_RAN,
	TAIL_INTERRUPTED,
	TAIL_QUEUE,
	TAIL_LIMIT, /* able to run, but held back by a limit on CPU time */
	TAIL_WAIT,
	TAIL_STOPPED,
	TAIL_UNKNOWN,
};

/* Without padding: keys are compared as bytes. */
struct tail_key {
	uint32_t what;      /* enum tail_what */
	struct aim_key aim; /* of a wait */
	uint32_t cause;     /* of a wait without a known aim: enum cause_kind + 1 of what ended it;
	                       0: none */
	uint32_t behind;    /* id in names of the task that was waited for, or that had the CPU; 0:
	                       none */
};

struct tail_key_row {
	struct tail_key key;
	struct voter behind; /* which task of that name */
};

struct tail_leaf {
	uint32_t kind;  /* enum cost_kind */
	uint32_t cause; /* waiting: enum cause_kind + 1; 0: none */
	uint32_t name;  /* of what was waited for, id in names; 0: none */
	uint32_t comm;  /* whose leaf it is, id in names; 0: the unit's own task's */
};

/* Numbers of rows; of keys TAIL_KEY_OTHER is always there. */
#define TAIL_KEY_OTHER 0u
#define TAIL_NONE      UINT32_MAX

struct tail_part {
	uint32_t key;
	uint32_t leaf_count;
	size_t first_leaf; /* in leaf_time: the largest one */
	nsec_t total;      /* at least that of its leaves: only the largest ones are kept */
};

struct tail_leaf_time {
	uint32_t leaf;
	nsec_t total;
};

struct tail_unit {
	uint32_t track;
	uint32_t count; /* of its parts */
	size_t first;   /* of them */
	nsec_t begin, end;
	nsec_t length;  /* without the time that is left out */
	bool is_named;  /* which task had the CPU is found, or not wanted */
};

struct tail_units {
	struct timeline *timeline;
	const struct interrupt_log *interrupts;
	const struct sync_calls *syncs;
	bool leaves_out_idle; /* waits for work are no part of units */
	TALLY(keys, struct tail_key_row, key, key_count);
	TALLY(leaves, struct tail_leaf, leaf, leaf_count);
	struct tail_unit *unit;
	size_t count, capacity;
	struct tail_part *part;
	size_t part_count, part_capacity;
	struct tail_leaf_time *leaf_time;
	size_t leaf_time_count, leaf_time_capacity;
	struct walk_result result;
};

/* The timeline is complete; all are borrowed. */
void tail_units_init(struct tail_units *units, struct timeline *timeline,
                     const struct interrupt_log *interrupts, const struct sync_calls *syncs);
void tail_units_release(struct tail_units *units);
/* Walks the turn and adds it. */
void tail_units_add(struct tail_units *units, const struct turn *turn);
/* Of all units those with these numbers, in their order. *ret borrows all but its array of units,
   which was NULL, or is one that it had from here; it is valid until more is added. */
void tail_units_choose(const struct tail_units *units, const size_t *number, size_t count,
                       struct tail_units *ret);
/* If the unit stood in run queues for at least so long, not after waits, its key names the task
   that had the CPU most of that time, if tasks of its name had at least half of it. */
void tail_units_name_queue(struct tail_units *units, const struct tail_unit *unit, nsec_t least);
/* The unit's part with that key; NULL: it has none. */
struct tail_part *tail_unit_part(const struct tail_units *units, const struct tail_unit *unit,
                                 uint32_t key);
/* How much of the part has that leaf. */
nsec_t tail_part_leaf(const struct tail_units *units, const struct tail_part *part, uint32_t leaf);
