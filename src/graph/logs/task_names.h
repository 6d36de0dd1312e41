/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of tasks as people read them: which are shown as one, and what tells those of one name
 * apart.
 *
 * Names that differ only in the number at their end, as those of the threads of a pool do:
 * worker-1, worker-2, worker-7 are shown as one, "worker-*", which becomes a name itself.
 *
 * Names that are asked for fold if at least STEM_LEAST of them have one stem; otherwise they stay
 * apart from the rest, which folds by the same rule. So a question about worker-1 shows how it
 * waits for worker-*.
 *
 * Order of calls: init, add for each name, close, then read, release.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "graph/timeline/timeline.h"
#include "tally/tally.h"

/* The least number of names with one stem that fold. */
#define STEM_LEAST 3

struct name_member {
	uint64_t name; /* id */
	uint32_t group;
	bool is_asked;
};

struct name_group {
	uint64_t fold;   /* id of its name, "worker-*" */
	size_t count[2]; /* number of other names, of names that are asked for */
};

struct name_folds {
	struct intern *names; /* borrowed; those of the folds are added */
	TALLY(members, struct name_member, member, member_count);
	TALLY(groups, struct name_group, group, group_count);
	struct map folds; /* name id -> name id of its fold, which maps to itself; after close */
};

/* Length of the name without the digits at its end; 0: no digits are at its end, or all are
   digits. */
size_t name_stem(const char *name);

void name_folds_init(struct name_folds *folds, struct intern *names);
void name_folds_release(struct name_folds *folds);
/* Adds a name. A name that was added before keeps its first kind, so add those that are asked for
   first. */
void name_folds_add(struct name_folds *folds, uint32_t name, bool is_asked);
/* All names were added. Returns whether any fold. */
bool name_folds_close(struct name_folds *folds);

/* The name id of its fold; the name itself if it does not fold. NULL: no names fold. */
static inline uint32_t name_fold(const struct name_folds *folds, uint32_t name)
{
	uint32_t fold = folds ? map_get(&folds->folds, name) : MAP_NONE;

	return fold == MAP_NONE ? name : fold;
}

/* Whether the name folds with others, or is that of a fold. */
static inline bool name_is_folded(const struct name_folds *folds, uint32_t name)
{
	return folds && map_get(&folds->folds, name) != MAP_NONE;
}

/*
 * Labels: short words that tell tasks apart that have one name but execute programs with different
 * command lines: of "python3 manage.py" and "python3 worker.py" the scripts, of several "cc1" the
 * files that they compile.
 */

/* A name with such words has at most about so many columns. */
#define PROGRAM_LABEL_COLUMNS 28

/*
 * The trace has ended: sets program_log_label() for each name with several command lines, or with
 * recorded processes whose command line is not known. The words are those of the first argument
 * that is no option, nor the output of -o, and that not all of these command lines have; for
 * interpreters also the script, if there is room for both. Of a path they are the last part. Cost:
 * O(bytes of all command lines).
 */
void timeline_label_programs(struct timeline *timeline);

/*
 * The trace has ended: finds the main name of each track. A subshell may work for long and execute
 * a short program last, so an earlier name counts if the task ran and waited much longer under it
 * than under all later ones together. Time in run queues does not count: a new child may stand
 * there for long before it executes its program.
 */
void timeline_settle_names(struct timeline *timeline);
