/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contentions for locks, summed by lock, waiter, owner and confidence in the owner, so that tasks
 * can be selected when the trace has ended. About 100 bytes for each combination, at most
 * LOCK_SHARES_MAX, and what a distribution takes; and some 260 for each lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "analysis/tables/distribution.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "ftwait/cause.h"
#include "ftwait/nsec.h"
#include "graph/timeline/interval.h"
#include "tally/tally.h"
#include "words/cause/futex_kind.h"

/*
 * The owners of a lock over time, as the ends of the waits for it show them. A task that waits
 * while the lock changes hands waits for each owner in turn, though only the last owner wakes it.
 * If there are more than LOCK_TENURES, the least important one is forgotten: a short one of long
 * ago.
 */

#define LOCK_TENURES 6

struct lock_tenure {
	nsec_t begin; /* or, if that is not known, the first instant at which a task is known to
	                 have waited */
	nsec_t end;
	uint32_t owner; /* a track; TRACK_NONE: not known */
	uint32_t next;  /* the one that got the lock at the end; TRACK_NONE: not known */
	uint8_t confidence;
};

/* All zero: empty; newest first. */
struct lock_tenures {
	struct lock_tenure tenure[LOCK_TENURES];
	uint32_t count;
};

/* Adds `tenure`, which a wait has shown at its end: tenure->begin may be just the begin of that
   wait. Only the part after the known tenures is added. */
void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure);
/* Divides a wait among the owners meanwhile, latest first, without gaps or overlaps; `last` has the
   wait's begin and end and its last owner, TRACK_NONE where a known tenure may show that. Returns
   the number of parts. */
uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1]);

#define LOCK_SHARES_MAX (1u << 18)

/* What identifies a lock. */
struct lock {
	uint64_t address; /* for a file lock the inode number */
	int32_t process; /* for futex and join the tgid, or -1; else 0 */
	uint32_t dev;    /* for a file lock; else 0 */
	uint8_t kind;    /* enum lock_kind */
	uint8_t machine; /* number of its machine */
	uint32_t name;   /* name id of the variable; 0: none; not part of the identity */
};

struct lock_figures {
	struct distribution length; /* of contentions, from their begin */
	uint64_t open;              /* contentions in which the lock was not acquired when the
	                               trace ended */
	nsec_t slept;               /* time of contentions that did not only spin */
};

/* What one task waited for one lock while another task owned it. */
struct lock_share {
	uint32_t lock;          /* index of the lock */
	uint32_t waiter, owner; /* tracks; TRACK_NONE: not known */
	uint32_t confidence;    /* enum confidence in the owner; the key ends here */
	/* figures of the contentions that this owner ended */
	struct lock_figures figures;
	nsec_t owned; /* part of the waiter's time in which this owner had the lock */
};

struct known_lock {
	struct lock lock;
	struct lock_tenures tenures; /* its owners */
	struct futex_tally tally;    /* only for futexes */
};

struct lock_list {
	TALLY(locks, struct known_lock, known, lock_count);
	TALLY(shares, struct lock_share, share, share_count);
	struct map caller_by_place; /* name id of the function that takes the lock, by the
	                               lock's address, of futexes also by the process, and
	                               by the machine */
	uint64_t left_out; /* contentions left out as there are too many locks or shares */
};

struct contention {
	struct lock lock;
	uint32_t waiter, owner;
	uint8_t confidence;
	bool has_slept, is_open;
	uint32_t signs; /* for a futex: enum futex_sign */
	nsec_t begin, length;
	nsec_t released; /* when the owner released it, if the waiter noticed that only at the end;
	                    else 0 */
};

/* Hash of the members that identify the lock. */
uint64_t lock_hash(const struct lock *lock);
/* The tenure of the owner that the end of the contention shows: as long as the contention. */
struct lock_tenure lock_contention_tenure(const struct contention *contention);
/* For how long the lock was free before the waiter noticed that. */
nsec_t lock_contention_free(const struct contention *contention);
#define LOCK_OWNERS (LOCK_TENURES + 2)
/* Divides the contention among the lock's owners meanwhile, latest first, without gaps or overlaps.
   While the lock was free there is none. Returns the number of parts. */
uint32_t lock_contention_owners(const struct contention *contention,
                                const struct lock_tenures *tenures,
                                struct lock_tenure ret[LOCK_OWNERS]);
/* Whether that tenure also holds for other tasks that waited at that time. */
bool lock_contention_shows_tenure(const struct contention *contention);

void lock_list_init(struct lock_list *list);
void lock_list_release(struct lock_list *list);
void lock_list_add(struct lock_list *list, const struct contention *contention);
/* Adds a tenure, for contentions for that lock that end after it. */
void lock_list_add_tenure(struct lock_list *list, const struct lock *lock,
                          const struct lock_tenure *tenure);
/* Call when a task slept for a lock of the kernel at that place: notes the function that takes the
   lock, if none is noted yet. */
void lock_list_note_place(struct lock_list *list, struct intern *names, const struct lock *lock,
                          uint32_t frames);
/*
 * The same for a futex, by the stack of the program. Nothing is noted unless functions of the
 * library of locks had called each other there: a library without frame pointers leaves out its
 * caller, so that the next function on the stack did not take the lock.
 */
void lock_list_note_user_place(struct lock_list *list, struct intern *names,
                               const struct lock *lock, uint32_t user_frames);
/* Call after everything is added: until then a futex may turn out not to be a lock. */
enum lock_kind lock_list_kind(const struct lock_list *list, uint32_t lock);
/* Whether the task that wakes a waiter of the lock is taken to be its owner. */
bool lock_list_knows_owners(const struct lock_list *list, uint32_t lock);
/* Name id of the function that took the lock; 0: not known. */
uint32_t lock_list_caller(const struct lock_list *list, const struct lock *lock);
/* Adds `more` to `sum`; of equally long contentions the earliest counts as the longest. */
void lock_figures_add(struct lock_figures *sum, const struct lock_figures *more);

/* Passes the waits for locks that the recorder saw in /proc when the trace ended, and no event
   shows - locks of files, mutexes of programs - as intervals of INTERVAL_LOCK, but for those of
   tasks that wait for a lock of the list. The question must be resolved. */
void noted_locks_visit(const struct question *question, const struct lock_list *list,
                       void (*take)(void *state, const struct interval *interval), void *state);

/* Puts the table of --lock --by cgroup: the contentions of the asked tasks for locks that have
   owners, summed by the waiter's control group or process tree. The question is resolved. */
void lock_groups_put(const struct lock_list *list, const struct question *question,
                     const struct output *to);
