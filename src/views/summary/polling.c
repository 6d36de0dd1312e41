/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "polling.h"

#include "base/xalloc.h"

/* Two series count as one if the time between them is less than this many sleeps: then something
   delayed the task. */
#define TOGETHER 10

/* The places of their sleeps may differ in what is known of them. */
static bool series_are_alike(const struct poll *a, const struct poll *b)
{
	return a->count && a->is_by_child == b->is_by_child &&
	       poll_fits(poll_period(a), poll_period(b));
}

/* Adds the later series to `poll`. */
static void series_add(struct poll *poll, const struct poll *later)
{
	poll->end = later->end;
	poll->last = later->last;
	poll->late = later->late;
	poll->breaker = later->breaker;
	poll->waiting += later->waiting;
	poll->slept += later->slept;
	poll->ran += later->ran;
	poll->count += later->count;
	poll->quiet += later->quiet;
}

static void polling_note(struct polling *polling, const struct poll *poll)
{
	struct poll *latest = &polling->latest;

	if (series_are_alike(latest, poll) &&
	    poll->begin - latest->end < TOGETHER * poll_period(latest))
		series_add(latest, poll);
	else
		*latest = *poll;
	if (series_are_alike(&polling->all, poll)) {
		series_add(&polling->all, poll);
		if (latest->waiting > polling->heaviest.waiting)
			polling->heaviest = *latest;
	} else if (latest->waiting > polling->all.waiting) {
		polling->all = polling->heaviest = *latest;
	}
}

/* Whether the series counts. A series that is too short counts only together with similar series: a
   delay of the task has split them. */
static bool polling_takes(const struct polling *polling, const struct poll *poll)
{
	return poll->count && (poll_is_one(poll) || (series_are_alike(&polling->all, poll) &&
	                                             poll_is_quiet(poll)));
}

/*
 * Ends the current series. A series with too few sleeps is kept as `few`, which polling_close()
 * uses only if the task has no longer series: if a child ends during the very last sleep, even a
 * short series may be polling.
 */
static void polling_end_series(struct polling *polling)
{
	if (polling_takes(polling, &polling->now))
		polling_note(polling, &polling->now);
	else if (polling->now.count && poll_may_be_one(&polling->now))
		polling->few = polling->now;
}

void polling_add_sleep(struct polling **polling, const struct timeline *timeline,
                       const struct span *span)
{
	struct poll_sleep sleep;

	if (!*polling && !poll_find_sleep(timeline, span, &sleep))
		return;
	if (!*polling)
		*polling = xcalloc(1, sizeof(**polling));
	if (!poll_follow(&(*polling)->now, timeline, span, &sleep))
		return;
	polling_end_series(*polling);
	poll_begin(&(*polling)->now, span, &sleep);
}

bool polling_close(const struct polling *polling, struct polling *ret)
{
	if (!polling)
		return false;
	*ret = *polling;
	polling_end_series(ret);
	if (ret->all.count == 0)
		ret->all = ret->heaviest = ret->few;
	return ret->all.count > 0;
}
