/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice on a lock that tasks waited for, and its owner meanwhile; or on a barrier, and the task
 * that reached it last. A futex counts as a barrier if its calls show that, and tasks waited for it
 * again and again.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "advice.h"
#include "analysis/lock_holder.h"
#include "analysis/prose.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "heavy_sums.h"
#include "views/lock/lock_contention.h"

#define OWNERS_KEPT 8    /* for each lock; the owner with the least time makes room */
#define WAITS_LEAST 10
#define SAME_PART   100 /* waits that differ by less than this part of their mean are the same */
#define MOST_LEAST  0.5  /* least part of the waiting that makes a task its main cause */

struct lock_owner {
	uint32_t track;
	nsec_t owned; /* time that other tasks waited for this owner */
	nsec_t stopped; /* part of it in which a signal or a tracer stopped the owner */
	uint32_t rounds; /* for a barrier: number of rounds in which this task was last */
	bool only_released; /* it began to live only when a task already waited for the lock */
};

struct lock_use {
	struct heavy_sum waits; /* by hash of the lock */
	bool is_set;
	struct lock lock;
	struct lock_tenures tenures;
	struct futex_tally tally;
	nsec_t shortest, longest;
	uint32_t rounds; /* for a barrier: number of rounds that asked tasks waited for */
	nsec_t stopped; /* the sum of all owners */
	nsec_t free;    /* part of the waits in which nobody had the lock any more */
	struct lock_owner owner[OWNERS_KEPT];
	size_t owner_count;
};

struct lock_uses {
	const struct question *question;
	struct heavy_sums use; /* struct lock_use */
};

static void *lock_uses_begin(const struct question *question)
{
	struct lock_uses *uses = xcalloc(1, sizeof(*uses));

	uses->question = question;
	heavy_sums_init(&uses->use, sizeof(struct lock_use));
	return uses;
}

static void lock_uses_end(void *state)
{
	struct lock_uses *uses = state;

	heavy_sums_release(&uses->use);
	free(uses);
}

static struct lock_use *lock_use_of(struct lock_uses *uses, const struct lock *lock)
{
	struct lock_use *use = (void *)heavy_sums_of(&uses->use, lock_hash(lock));

	if (!use->is_set)
		use->lock = *lock;
	use->is_set = true;
	return use;
}

static void use_add_owned(struct lock_use *use, const struct lock_owner *own)
{
	struct lock_owner *least = &use->owner[0];

	use->stopped += own->stopped;
	for (size_t i = 0; i < use->owner_count; i++) {
		if (use->owner[i].track == own->track) {
			use->owner[i].owned += own->owned;
			use->owner[i].stopped += own->stopped;
			use->owner[i].rounds += own->rounds;
			use->owner[i].only_released |= own->only_released;
			return;
		}
		if (use->owner[i].owned < least->owned)
			least = &use->owner[i];
	}
	if (use->owner_count < OWNERS_KEPT)
		least = &use->owner[use->owner_count++];
	*least = *own;
}

static void uses_add_tenure(struct lock_uses *uses, const struct interval *interval)
{
	const struct lock lock = lock_of_interval(uses->question->timeline, interval);
	const struct lock_tenure tenure = lock_tenure_of(interval);

	lock_tenures_add(&lock_use_of(uses, &lock)->tenures, &tenure);
}

/* Whether the owner cannot have taken the lock, as a task had begun to wait for it before the
   owner was forked. */
static bool only_releases(const struct timeline *timeline, const struct lock_tenure *part)
{
	nsec_t born = timeline->track[part->owner].born;

	return born != NSEC_NEVER && born > part->begin;
}

/* Adds to which owners the wait for the lock went. */
static void use_add_owners(struct lock_use *use, const struct timeline *timeline,
                           const struct contention *contention, bool is_round)
{
	nsec_t end = contention->begin + contention->length;
	struct lock_tenure part[LOCK_OWNERS];
	uint32_t count = lock_contention_owners(contention, &use->tenures, part);

	use->rounds += is_round && count > 0;
	use->free += lock_contention_free(contention);
	for (uint32_t i = 0; i < count; i++)
		if (part[i].owner != TRACK_NONE)
			use_add_owned(use, &(struct lock_owner){
				.track = part[i].owner,
				.owned = part[i].end - part[i].begin,
				.stopped = holder_stopped(timeline, part[i].owner,
			                                  part[i].begin, part[i].end),
				.rounds = part[i].end == end && is_round,
				.only_released = only_releases(timeline, &part[i]),
			});
}

static void uses_add_contention(struct lock_uses *uses, const struct interval *interval)
{
	const struct question *question = uses->question;
	struct contention contention = lock_contention_of(question->timeline, interval);
	struct lock_tenure last = lock_contention_tenure(&contention);
	struct lock_use *use = lock_use_of(uses, &contention.lock);
	bool is_round = futex_tally_add(&use->tally, contention.signs, last.begin, last.end);

	/* As long as it is not known which tasks are asked for, all tasks that may be count. A lock
	   that was not acquired is reported separately (hung_tasks.h). */
	if (contention.has_slept && !contention.is_open &&
	    question_asks_track(question, contention.waiter)) {
		use->waits.count++;
		use->waits.total += contention.length;
		if (use->waits.count == 1 || contention.length < use->shortest)
			use->shortest = contention.length;
		use->longest = nsec_max(use->longest, contention.length);
		use_add_owners(use, question->timeline, &contention, is_round);
	}
	if (lock_contention_shows_tenure(&contention))
		lock_tenures_add(&use->tenures, &last);
}

static void lock_uses_on_interval(void *state, const struct interval *interval)
{
	struct lock_uses *uses = state;
	struct interval part = *interval;

	if (interval->kind == INTERVAL_TENURE)
		uses_add_tenure(uses, interval);
	else if (lock_contention_clip(uses->question, &part))
		uses_add_contention(uses, &part);
}

/* The time of the asked tasks, without the time that they chose to sleep. */
static nsec_t time_not_chosen(const struct summary *summary)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < summary->count; i++) {
		const struct times *times = &summary->by_track[i];
		nsec_t chosen = times->unknown;

		if (!summary->question->resolved->is_asked[i])
			continue;
		chosen += explanation_chosen(summary->explanation, (uint32_t)i);
		if (chosen < times->time)
			sum += times->time - chosen;
	}
	return sum;
}

static bool use_is_of_barrier(const struct lock_use *use)
{
	return use->lock.kind == LOCK_FUTEX &&
	       futex_tally_kind(&use->tally) == FUTEX_KIND_BARRIER;
}

static bool use_is_of_lock(const struct lock_use *use)
{
	if (use->lock.kind != LOCK_FUTEX)
		return lock_kind_has_owner((enum lock_kind)use->lock.kind);
	return (use_is_of_barrier(use) ||
	        futex_tally_kind(&use->tally) == FUTEX_KIND_LOCK) &&
	       use->waits.count >= WAITS_LEAST && use->longest < use->waits.total / 2;
}

static const struct lock_use *uses_most(const struct lock_uses *uses)
{
	const struct lock_use *most = NULL;

	for (size_t i = 0; i < uses->use.count; i++) {
		const struct lock_use *use = (const void *)heavy_sums_at(&uses->use, i);

		if (use_is_of_lock(use) && (!most || use->waits.total > most->waits.total))
			most = use;
	}
	return most;
}

static void advice_owner_append(const struct lock_uses *uses, const struct lock_use *use,
                                struct buffer *to)
{
	const struct lock_owner *most = NULL;

	for (size_t i = 0; i < use->owner_count; i++)
		if (!most || use->owner[i].owned > most->owned)
			most = &use->owner[i];
	if (!most) {
		buffer_puts(to, "; its owner is not known.");
		return;
	}
	if (nsec_ratio(use->free, use->waits.total) > MOST_LEAST) {
		buffer_printf(to, ", %.0f %% of that when it was free again: try for it more "
		                  "often, or wait for it in the kernel.",
		              100 * nsec_ratio(use->free, use->waits.total));
		return;
	}
	if (nsec_ratio(most->owned, use->waits.total) < MOST_LEAST) {
		buffer_puts(to, ", while various tasks held it");
		if (nsec_ratio(use->stopped, use->waits.total) >= MOST_LEAST)
			buffer_printf(to, ", which were stopped for %s of that: stop no task that "
			              "holds the lock.", DURATION_TEXT(use->stopped));
		else
			buffer_puts(to, ": hold it for less time, or use more than one lock.");
		return;
	}
	/* one process freezes a file system, and another one may thaw it: the only percpu-rwsem for
	   which that is so */
	if (use->lock.kind == LOCK_PERCPU_RWSEM && most->only_released) {
		buffer_puts(to, ": a frozen file system, until ");
		prose_task_append(to, uses->question->timeline, most->track);
		buffer_puts(to, " thawed it (fsfreeze -u).");
		return;
	}
	buffer_printf(to, ", %.0f %% of that while ",
	              100 * nsec_ratio(most->owned, use->waits.total));
	prose_task_append(to, uses->question->timeline, most->track);
	buffer_puts(to, " held it");
	if (nsec_ratio(most->stopped, most->owned) >= MOST_LEAST)
		buffer_printf(to, ", which was stopped for %s of that: do not stop it while it "
		              "holds the lock.", DURATION_TEXT(most->stopped));
	else
		buffer_puts(to, ": let it hold the lock for less time, or less often.");
}

/* Appends which task reached the barrier last, if it was mostly the same task. */
static void last_append(const struct lock_uses *uses, const struct lock_use *use,
                        struct buffer *to)
{
	const struct lock_owner *most = NULL;

	for (size_t i = 0; i < use->owner_count; i++)
		if (!most || use->owner[i].rounds > most->rounds)
			most = &use->owner[i];
	if (!most || most->rounds < MOST_LEAST * use->rounds) {
		buffer_puts(to, ", where the last to arrive varied: let them meet less often.");
		return;
	}
	buffer_puts(to, ", where ");
	prose_task_append(to, uses->question->timeline, most->track);
	buffer_printf(to, " arrived last %" PRIu32 " of %" PRIu32
	                  " times: give it less of the work.",
	              most->rounds, use->rounds);
}

/* ", 12 of 3.011 ms each", or the mean of waits that differ. */
static void waits_append(const struct lock_use *use, struct buffer *to)
{
	nsec_t mean = use->waits.total / use->waits.count;
	bool is_same = use->longest - use->shortest <= mean / SAME_PART;

	buffer_printf(to, is_same ? ", %s of %s each" : ", %s, of %s on average",
	              COUNT_TEXT(use->waits.count), DURATION_TEXT(mean));
}

static double lock_uses_advise(const void *state, const struct summary *summary,
                               const struct cost_list *list, struct buffer *to)
{
	const struct lock_uses *uses = state;
	const struct lock_use *most = uses_most(uses);
	double part = most ? nsec_ratio(most->waits.total, time_not_chosen(summary)) : 0;
	struct lock lock;

	(void)list;
	if (!most || part < ADVICE_LEAST)
		return 0;
	lock = most->lock;
	if (use_is_of_barrier(most))
		lock.kind = LOCK_BARRIER;
	buffer_puts(to, lock.kind == LOCK_BARRIER ? "waits at " : "waits for ");
	lock_append(to, uses->question->timeline, &lock);
	buffer_printf(to, " took %s", DURATION_TEXT(most->waits.total));
	if (most->waits.count > 1)
		waits_append(most, to);
	if (lock.kind == LOCK_BARRIER)
		last_append(uses, most, to);
	else
		advice_owner_append(uses, most, to);
	return part;
}

const struct advice lock_advice = {
	.view = "lock",
	.begin = lock_uses_begin,
	.on_interval = lock_uses_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_LOCK) | INTERVAL_MASK(INTERVAL_TENURE),
	.advise = lock_uses_advise,
	.end = lock_uses_end,
};
