/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a part of the time was spent on, as costs name it: the kind of a cost. */
#pragma once

#include <stdbool.h>

#include "analysis/analysis.h"
#include "ftwait/aim.h"
#include "ftwait/cause.h"
#include "graph/aims/awaited.h"
#include "graph/walk/walk_visitor.h"

enum cost_kind {
	COST_RUNNING,
	COST_QUEUE,   /* runnable, but other tasks had the CPU */
	COST_LIMIT,   /* runnable, but held back by its control group's limit on CPU time */
	COST_BUDGET,  /* runnable, but held back by its own budget as a deadline task */
	COST_REAL_TIME, /* runnable, but held back by the limit of all real-time tasks */
	COST_WAIT,    /* waiting for what the cause describes */
	COST_OTHERS_RUNNING, /* another task ran, which was waited for */
	COST_OTHERS_QUEUE,   /* such a task was in a run queue */
	COST_STOPPED,
	COST_UNKNOWN,
	COST_OTHERS_UNKNOWN, /* the same of a task that was waited for */
	COST_CUT,     /* unknown, as the chain is too long to follow */
	/* From here on apart: as far as is known, these held nothing up. */
	COST_FOR_WORK, /* there was no work */
	COST_ASLEEP,   /* asleep on a timer of its own */
	COST_COUNTED,  /* the same, and other tasks waited for it: their waits count */
	COST_OPEN,     /* the wait had not ended, so its purpose is unknown */
	COST_KERNEL,   /* threads of the kernel waited, which is their purpose */
	COST_RECORDER, /* the recorder itself, whatever it did */
	COST_UNSEEN,   /* not recorded: before a task's first event, or where events were lost */
	COST_KIND_COUNT,
};

static inline bool cost_is_apart(enum cost_kind kind)
{
	return kind >= COST_FOR_WORK;
}

/* Whether a task's own time can be of that kind; the others are of others that it waits for, or of
   the recorder. */
bool cost_is_own(enum cost_kind kind);

/* Whether it is of the kinds with the key "unknown". */
bool cost_is_unknown(enum cost_kind kind);
/* The kind of a part of a path, or of a task's own time. `cause` as in struct part. */
enum cost_kind cost_of_part(enum part_state state, const struct cause_note *cause);
enum cost_kind cost_of_limit(enum cpu_limit limit);
/* `chosen` is not SLEEP_NOT_CHOSEN. */
enum cost_kind cost_of_sleep(enum chosen_sleep chosen);
/* "running", "throttled", as in JSON. */
const char *cost_kind_key(enum cost_kind kind);
/* "run queue", "held back by a CPU limit". */
const char *cost_kind_words(enum cost_kind kind);
/* "run queue", "disk vda", "task mysqld", "signal 14, for lock: /run/x", appended as printable
   UTF-8. cause: the name of the kind of cause; name: of what was waited for; any may be NULL. */
struct buffer;
void cost_words_append(struct buffer *to, enum cost_kind kind, const char *cause,
                       const char *name, const struct brief_aim *aim);

/* A row of what views pass to callers that compare runs: its identity, which other runs have, too,
   and its figures. Texts are borrowed from the view. */

struct cost_sum {
	enum cost_kind kind;
	const char *cause; /* name of the kind of cause; NULL: none */
	const char *name;  /* of what was waited for; NULL: it has none */
	const char *task;  /* name of the tasks that spent the time; NULL or "": of none */
	const char *what;  /* what the view divides by besides: a control group, a system call, a
	                      chain; NULL: nothing */
	struct brief_aim aim; /* what the time was waited for, whatever ended the waits */
	uint64_t count;    /* how often */
	nsec_t total;
};

typedef void cost_taker(void *state, const struct cost_sum *sum);

/*
 * A task's own time, without that of others that it waited for: a part for each segment, with the
 * kind of cost that it was. A wait counts under what ended it.
 */

struct own_time {
	uint32_t track;
	size_t segment;    /* its index */
	enum cost_kind kind;
	const struct cause_note *cause; /* NULL: none */
	nsec_t begin, end; /* within the window */
};

/* Passes each segment of the track that the window has a part of, the latest first; the question
   must be resolved. has_programs: waits of threads of the kernel are a kind of their own; by
   default question_asks_programs(). */
void own_time_visit(const struct question *question, uint32_t track, bool has_programs,
                    void (*take)(void *state, const struct own_time *time), void *state);
/* The name of the track's task as other runs have it, too: of "kworker/1:2" only the part before
   the slash. An id in the timeline's names. */
uint32_t cost_task(struct timeline *timeline, uint32_t track);
/* The name of what was waited for, as other runs have it, too; 0: it has none. */
uint32_t cost_object(struct timeline *timeline, const struct cause_note *note);
