/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which waits are walked where a walk of each would take too long. If hundreds of tasks wake each
 * other at random, the walk of one wait has hundreds of parts, nearly all different from those of
 * any other walk, so that nothing can be used twice (graph/README).
 *
 * All waits are walked as long as they have few parts on average. From then on waits are kept
 * back, and one of those with the same name stands for all of them. It is drawn by length: each
 * instant of these waits is equally likely to be explained. The sums of its walk are scaled to the
 * time of all, so the time of each name stays exact, and only its division is an estimate.
 *
 * Of many names that have few waits each, a wait of every name would still take too long: then one
 * wait stands for those of several names, drawn in the same way, and counts as one of MANY_TASKS.
 * Names with more of the time than others have a walk of their own.
 *
 * Order of calls: init, then for each wait take, and rest before the history changes or the sums
 * are read.
 */
#pragma once

#include "base/assume.h"
#include "ftwait/health.h"
#include "ftwait/nsec.h"
#include "graph/timeline/cause_note.h"
#include "tally/tally.h"

/* All waits are walked until there were more parts than so many, and so many for each wait. */
#define SAMPLE_PARTS_FREE 1000000u
#define SAMPLE_PARTS_WAIT 16u
/* From then on so many parts are walked for each wait. */
#define SAMPLE_PARTS_THEN 4u
/* Views that walk all waits share these parts: a report of two takes no longer than one of either.
   More views get no less than this. */
#define SAMPLE_SHARERS_MAX 4u
/* At the end one wait of each name is walked that has any which were kept back; of more names about
   so many waits. */
#define SAMPLE_NAMES_MAX 1024u
/* Stands for tasks that are not distinguished, as there are too many. */
#define MANY_TASKS "many tasks"

/* A wait, and for how much it stands. */
struct sampled_wait {
	uint32_t track;
	uint32_t tag; /* for the caller's use */
	nsec_t begin, end;
	nsec_t time;    /* of all waits for which it stands, its own included */
	uint64_t waits; /* their number; 0: none is kept back */
	bool is_of_many; /* not all of them have its name */
};

struct walk_sample {
	uint64_t parts_free; /* instead of SAMPLE_PARTS_FREE */
	size_t names_max;    /* instead of SAMPLE_NAMES_MAX */
	unsigned sharers;    /* views for which these parts are, 1 to SAMPLE_SHARERS_MAX */
	uint64_t parts_max;  /* more are not walked yet; grows with each wait */
	bool is_partial;     /* not all waits are walked any more */
	uint64_t random;
	uint64_t waits;  /* that were taken */
	uint64_t spared; /* of these: for which another one was walked */
	uint64_t spared_of_many; /* of these: which stood for several names */
	TALLY(names, struct sampled_wait, kept, count); /* of each name the one drawn so far */
	bool keeps; /* any */
	nsec_t rest_least; /* names with less time share a walk */
	struct sampled_wait rest; /* drawn of such names so far */
};

void walk_sample_init(struct walk_sample *sample);
/* That many views of the report walk all waits; 0: as many as one. Call before any wait is
   taken. */
void walk_sample_share(struct walk_sample *sample, unsigned views);
void walk_sample_release(struct walk_sample *sample);
/* Takes a wait that is walked in any case; false: there are too many parts, so nothing is taken. */
static inline bool walk_sample_is_free(struct walk_sample *sample, uint64_t parts)
{
	bool is_free = parts <= sample->parts_free && !sample->is_partial;

	sample->waits += is_free;
	return is_free;
}

/*
 * Takes a wait of that name: its track, tag, begin and end. `parts` were walked so far. Returns
 * whether a wait is to be walked now, which is then in *wait: this or one that was kept back.
 */
bool walk_sample_take(struct walk_sample *sample, uint32_t name, uint64_t parts,
                      struct sampled_wait *wait);
/* Returns whether there are waits that are still kept back: then the one to be walked for them is
   in *ret, and they are no longer kept. *at: 0 at first. */
bool walk_sample_rest(struct walk_sample *sample, size_t *at, struct sampled_wait *ret);

/* Says in health which results are estimates, if any are. */
void walk_sample_note(const struct walk_sample *sample, struct health *health);

/* Whether a walk of a wait with that cause may go on along other tasks. Others cost no more than it
   costs to keep them back. */
static inline bool walk_may_go_on(const struct cause_note *cause)
{
	return cause && (cause->is_walked || cause->originator != TRACK_NONE);
}

/* For how many waits the walk of the drawn one counts: a long one is drawn more often. */
static inline uint64_t sampled_wait_weight(const struct sampled_wait *wait)
{
	nsec_t own = wait->end - wait->begin;

	ASSUME(own > 0 && wait->time >= own);
	return (wait->time + own / 2) / own;
}

/* A walk of `whole` ns that stands for `time` ns. */
struct walk_scale {
	nsec_t whole, time;
	nsec_t walked, given; /* so far */
};

/* The slow path of walk_scale_next(). */
nsec_t walk_scale_share(struct walk_scale *scale, nsec_t length);
/* The time for which the next so many ns of the walk stand. In all that is exactly scale->time. */
static inline nsec_t walk_scale_next(struct walk_scale *scale, nsec_t length)
{
	return scale->whole == scale->time ? length : walk_scale_share(scale, length);
}
