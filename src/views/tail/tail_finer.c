/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_finer.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

static bool is_finer(const struct tail_reason *reason)
{
	return reason->is_by_leaf || reason->floor;
}

static bool key_is_queue(const struct tail_answer *answer, uint32_t key)
{
	return key < answer->units->key_count && answer->units->key[key].key.what == TAIL_QUEUE;
}

static bool is_lone_queue(const struct tail_answer *answer, const struct tail_reason *reason)
{
	return !reason->is_pooled && key_is_queue(answer, reason->key);
}

/* Adds the finer reason, measured, unless there is no room. */
static void finer_add(struct tail_search *search, const struct tail_reason *added, size_t finer)
{
	struct tail_answer *answer = search->answer;
	struct tail_reason *reason = &answer->reason[answer->reason_count];

	if (finer >= TAIL_FINER_MAX)
		return;
	*reason = *added;
	tail_reason_measure(search, reason);
	answer->reason_count++;
	search->asked++;
}

static bool may_divide(const struct tail_answer *answer, const struct tail_reason *reason)
{
	return reason->key != TAIL_SEVERAL && !key_is_queue(answer, reason->key) &&
	       reason->votes >= TAIL_VOTES_LEAST;
}

/* Of the units that have the key: then a leaf may tell those apart that are far. */
static bool most_are_not_far(const struct tail_reason *reason)
{
	return (double)reason->slow_with < TAIL_LIFT * (double)reason->all_with;
}

/* A unit that has more of a key than the median. */
struct excess_row {
	nsec_t excess;
	bool has_vote;
};

static int excess_compare(const void *a, const void *b)
{
	const struct excess_row *x = a, *y = b;

	return ORDER_BY(FALLING(x, y, excess), FALLING(x, y, has_vote));
}

/* Fills in all such units, those with most first. Returns how many. */
static size_t excesses_find(const struct tail_answer *answer, const struct tail_reason *reason,
                            struct excess_row *row)
{
	size_t count = 0;

	for (size_t i = 0; i < answer->count; i++) {
		nsec_t time = tail_reason_time(answer, reason, i);

		if (time > reason->median)
			row[count++] = (struct excess_row){time - reason->median,
			                                   answer->vote[i] == reason->key};
	}
	array_sort(row, count, sizeof(*row), excess_compare);
	return count;
}

/*
 * Whether the units that have most of the key are apart from all others: the least of them exceeds
 * the median by more than twice what the next one does. Of a tail as heavy as 1 / x, the n largest
 * of many are with a chance of 2^-n (Renyi, On the theory of order statistics, 1953: the ratios of
 * neighbours are independent, and the n-th one is above 2 with that chance); of lighter ones, which
 * lengths of time mostly have, with less. It is asked of each number of votes.
 */
static bool apart_find(const struct tail_answer *answer, const struct tail_reason *reason,
                       struct tail_reason *ret)
{
	_cleanup_(freep) struct excess_row *row = xcalloc(answer->count + 1, sizeof(*row));
	size_t count = excesses_find(answer, reason, row), votes = 0;

	*ret = (struct tail_reason){.key = reason->key, .leaf = TAIL_NONE, .floor_p = 1};
	for (size_t i = 0; i + 1 < count && 2 * (votes + row[i].has_vote) > i; i++) {
		votes += row[i].has_vote;
		if (row[i].excess / 2 <= row[i + 1].excess)
			continue;
		ret->floor = reason->median + row[i].excess;
		ret->floor_p = fmin(1, exp2(-(double)votes) * (double)reason->votes);
	}
	return ret->floor_p < TAIL_P;
}

static bool apart_ask(struct tail_search *search, const struct tail_reason *reason, size_t base)
{
	struct tail_answer *answer = search->answer;
	struct tail_reason apart;

	if (!apart_find(answer, reason, &apart))
		return false;
	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);

		if (answer->vote[number] == reason->key &&
		    tail_reason_time(answer, &apart, number) > 0)
			answer->vote_leaf[number] = TAIL_APART;
	}
	finer_add(search, &apart, answer->reason_count - base);
	return true;
}

/* The leaf that exceeds its median most in the unit, if it has half of what the unit exceeds the
   median by. */
static uint32_t leaf_vote(const struct tail_answer *answer, const struct tally *rows,
                          uint32_t key, size_t number)
{
	const struct tail_unit *unit = &answer->units->unit[number];
	const struct tail_part *part = tail_unit_part(answer->units, unit, key);
	const struct tail_leaf_row *row;
	uint32_t vote = TAIL_NONE;
	nsec_t most = 0;

	TALLY_EACH(rows, row) {
		nsec_t time = tail_part_leaf(answer->units, part, (uint32_t)row->leaf);
		nsec_t excess = tail_excess_over(time, row->median);

		if (excess <= most)
			continue;
		most = excess;
		vote = (uint32_t)row->leaf;
	}
	return most < (unit->length - answer->median + 1) / 2 ? TAIL_NONE : vote;
}

static void leaves_ask(struct tail_search *search, const struct tail_reason *reason, size_t base)
{
	struct tail_answer *answer = search->answer;
	struct tail_leaf_row *row;
	struct tally rows;

	tail_leaves_gather(search, reason, &rows);
	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);

		if (answer->vote[number] == reason->key)
			answer->vote_leaf[number] = leaf_vote(answer, &rows, reason->key, number);
	}
	TALLY_EACH(&rows, row) {
		struct tail_reason finer = {.key = reason->key, .leaf = (uint32_t)row->leaf,
		                            .is_by_leaf = true, .median = row->median};

		for (size_t i = 0; i < answer->far; i++)
			finer.votes += tail_reason_has_vote(answer, &finer,
			                                    tail_far_at(answer, i));
		if (finer.votes >= TAIL_VOTES_LEAST)
			finer_add(search, &finer, answer->reason_count - base);
	}
	tally_release(&rows);
}

/* Whether there may be a pool of tasks that had the CPU. */
static bool may_pool(const struct tail_answer *answer, size_t base)
{
	size_t tasks = 0;

	for (size_t i = 0; i < base; i++)
		tasks += is_lone_queue(answer, &answer->reason[i]);
	return tasks > 1;
}

void tail_finer_ask(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	size_t base = answer->reason_count;

	/* which tasks the pool has is known only once it is known which are named alone */
	search->asked += may_pool(answer, base);
	for (size_t i = 0; i < base; i++)
		if (may_divide(answer, &answer->reason[i]) &&
		    !apart_ask(search, &answer->reason[i], base) &&
		    most_are_not_far(&answer->reason[i]))
			leaves_ask(search, &answer->reason[i], base);
}

/* Gives the votes of leaves that are not named back to their keys. */
static void votes_settle(struct tail_answer *answer)
{
	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);
		bool is_of_reason = false;

		for (size_t r = 0; r < answer->reason_count; r++) {
			const struct tail_reason *reason = &answer->reason[r];

			is_of_reason |= is_finer(reason) && reason->is_named &&
			                tail_reason_has_vote(answer, reason, number);
		}
		if (!is_of_reason)
			answer->vote_leaf[number] = TAIL_NONE;
	}
}

/* Measures again what has lost votes to finer reasons. Returns whether there are any left. */
static bool rest_measure(struct tail_search *search, struct tail_reason *reason)
{
	const struct tail_answer *answer = search->answer;
	size_t votes = 0;

	for (size_t i = 0; i < answer->reason_count; i++)
		if (answer->reason[i].key == reason->key && answer->reason[i].floor &&
		    answer->reason[i].is_named)
			reason->below = answer->reason[i].floor;
	for (size_t i = 0; i < answer->far; i++)
		votes += tail_reason_has_vote(answer, reason, tail_far_at(answer, i));
	if (votes == 0 || votes == reason->votes)
		return votes > 0;
	tail_reason_measure(search, reason);
	reason->p = fmin(1, reason->p * (double)search->asked);
	reason->is_named = tail_reason_is_rare(answer, reason);
	return true;
}

static bool is_pooled(const struct tail_answer *answer, const struct tail_reason *reason)
{
	return is_lone_queue(answer, reason) && !reason->is_named;
}

/* Lists the tasks of the pool, and marks the keys of the others as alone. Returns the votes. */
static size_t pool_list(struct tail_answer *answer, struct tail_reason *pool)
{
	size_t votes = 0;

	answer->is_alone = xcalloc(answer->units->key_count, sizeof(*answer->is_alone));
	for (size_t i = 0; i < answer->reason_count; i++) {
		const struct tail_reason *reason = &answer->reason[i];

		if (is_lone_queue(answer, reason) && reason->is_named)
			answer->is_alone[reason->key] = true;
		if (!is_pooled(answer, reason))
			continue;
		/* the reasons are still in order of their votes */
		if (pool->pooled_count++ < TAIL_POOLED_SHOWN)
			pool->pooled[pool->pooled_count - 1] =
				(struct tail_pooled){reason->key, reason->votes};
		votes += reason->votes;
	}
	return votes;
}

/* Makes one reason of all tasks that had the CPU and are not named, if it is rare that any of them
   had it. */
static void pool_take(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	const struct tail_key_row *unnamed =
		tally_find(&answer->units->keys, &(struct tail_key){.what = TAIL_QUEUE});
	struct tail_reason pool = {.is_pooled = true, .leaf = TAIL_NONE};
	size_t votes = pool_list(answer, &pool), kept = 0;

	if (!unnamed || pool.pooled_count < 2 || votes < TAIL_POOL_LEAST ||
	    (double)votes < TAIL_POOL_PART * (double)answer->count)
		return;
	pool.key = tally_number(&answer->units->keys, unnamed);
	tail_reason_measure(search, &pool);
	pool.p = fmin(1, pool.p * (double)search->asked);
	pool.is_named = tail_reason_is_rare(answer, &pool);
	if (!pool.is_named)
		return;
	for (size_t i = 0; i < answer->reason_count; i++)
		if (!is_pooled(answer, &answer->reason[i]))
			answer->reason[kept++] = answer->reason[i];
	answer->reason[kept++] = pool;
	answer->reason_count = kept;
}

/* Keeps the leaves that are named, and what has votes without them. */
static void leaves_take(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	size_t kept = 0;

	votes_settle(answer);
	for (size_t i = 0; i < answer->reason_count; i++) {
		struct tail_reason *reason = &answer->reason[i];
		bool stays = reason->key == TAIL_SEVERAL ||
		             (is_finer(reason) ? reason->is_named : rest_measure(search, reason));

		if (stays)
			answer->reason[kept++] = *reason;
	}
	answer->reason_count = kept;
}

void tail_finer_take(struct tail_search *search)
{
	leaves_take(search);
	pool_take(search);
}
