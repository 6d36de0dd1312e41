/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_measure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "stats/far_values.h"

static bool key_is_pooled(const struct tail_answer *answer, uint32_t key)
{
	return answer->units->key[key].key.what == TAIL_QUEUE && !answer->is_alone[key];
}

nsec_t tail_reason_time(const struct tail_answer *answer, const struct tail_reason *reason,
                        size_t number)
{
	const struct tail_units *units = answer->units;
	const struct tail_unit *unit = &units->unit[number];
	const struct tail_part *part;
	nsec_t sum = 0;

	if (!reason->is_pooled) {
		part = tail_unit_part(units, unit, reason->key);
		if (!part || part->total < reason->floor ||
		    (reason->below && part->total >= reason->below))
			return 0;
		return reason->is_by_leaf ? tail_part_leaf(units, part, reason->leaf) : part->total;
	}
	for (uint32_t i = 0; i < unit->count; i++) {
		part = &units->part[unit->first + i];
		if (key_is_pooled(answer, part->key))
			sum += part->total;
	}
	return sum;
}

bool tail_reason_has_vote(const struct tail_answer *answer, const struct tail_reason *reason,
                          size_t number)
{
	uint32_t vote = answer->vote[number], finer = TAIL_NONE;

	if (reason->floor)
		finer = TAIL_APART;
	else if (reason->is_by_leaf)
		finer = reason->leaf;
	if (reason->is_pooled)
		return vote < answer->units->key_count && key_is_pooled(answer, vote);
	return vote == reason->key && answer->vote_leaf[number] == finer;
}

nsec_t tail_middle_median(const struct tail_answer *answer, const struct tail_reason *reason)
{
	size_t from = answer->count / 4, count = answer->count - answer->count / 4 - from, have = 0;
	_cleanup_(freep) nsec_t *value = xcalloc(count + 1, sizeof(*value));

	for (size_t i = 0; i < count; i++) {
		value[i] = tail_reason_time(answer, reason, answer->order[from + i]);
		have += value[i] > 0;
	}
	if (2 * have <= count)
		return 0;
	values_sort(value, count);
	return sorted_quantile(value, count, 0.5);
}

/* Of so many leaves of a reason, those with most time, it is asked what exceeds their medians. */
#define LEAVES_MAX 8

static int leaf_compare(const void *a, const void *b)
{
	const struct tail_leaf_row *x = a, *y = b;

	return ORDER_BY(FALLING(x, y, total), RISING(x, y, leaf));
}

/* Adds up what each leaf has in the units that vote for the reason: its time, or what of that
   exceeds its median. */
static void leaves_sum(const struct tail_answer *answer, const struct tail_reason *reason,
                       struct tally *rows, bool is_excess)
{
	const struct tail_units *units = answer->units;

	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);
		const struct tail_part *part;

		if (!tail_reason_has_vote(answer, reason, number))
			continue;
		part = tail_unit_part(units, tail_unit_at(answer, number), reason->key);
		for (uint32_t k = 0; part && k < part->leaf_count; k++) {
			const struct tail_leaf_time *time = &units->leaf_time[part->first_leaf + k];
			struct tail_leaf_row *row = is_excess ? tally_get(rows, time->leaf)
			                                      : tally_of(rows, time->leaf);

			if (!is_excess)
				row->total += time->total;
			else if (row)
				row->excess += tail_excess_over(time->total, row->median);
		}
	}
}

void tail_leaves_gather(const struct tail_search *search, const struct tail_reason *reason,
                        struct tally *rows)
{
	const struct tail_answer *answer = search->answer;
	struct tally all;
	const struct tail_leaf_row *of_all;
	struct tail_leaf_row *row;

	tally_init(&all, sizeof(*row), sizeof(row->leaf), TALLY_NO_LIMIT);
	tally_init(rows, sizeof(*row), sizeof(row->leaf), LEAVES_MAX);
	leaves_sum(answer, reason, &all, /* is_excess= */ false);
	array_sort(all.row, all.count, sizeof(*row), leaf_compare);
	TALLY_EACH(&all, of_all) {
		const struct tail_reason of_leaf = {.key = reason->key,
		                                    .leaf = (uint32_t)of_all->leaf,
		                                    .is_by_leaf = true};

		row = tally_of(rows, of_all->leaf);
		if (!row)
			break;
		row->total = of_all->total;
		row->median = tail_middle_median(answer, &of_leaf);
	}
	tally_release(&all);
	leaves_sum(answer, reason, rows, /* is_excess= */ true);
}

/* The leaf with most of what exceeds the medians in the units that vote for the reason, if it has
   half of what they exceed the median of the reason by. */
static void leaf_find(const struct tail_search *search, struct tail_reason *reason)
{
	struct tally rows;
	const struct tail_leaf_row *most;

	tail_leaves_gather(search, reason, &rows);
	most = ORDER_MOST(it, (const struct tail_leaf_row *)rows.row, rows.count, true, it->excess);
	reason->leaf = most && most->excess >= reason->excess * reason->votes / 2
	                       ? (uint32_t)most->leaf : TAIL_NONE;
	tally_release(&rows);
}

/* Counts the votes, and sets what follows from them. */
static void votes_measure(const struct tail_answer *answer, struct tail_reason *reason)
{
	nsec_t least = NSEC_NEVER, sum = 0;

	reason->votes = 0;
	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);
		nsec_t excess;

		if (!tail_reason_has_vote(answer, reason, number))
			continue;
		if (reason->votes++ == 0)
			reason->track = tail_unit_at(answer, number)->track;
		excess = tail_excess_over(tail_reason_time(answer, reason, number), reason->median);
		least = nsec_min(least, excess);
		sum += excess;
	}
	assert(least != NSEC_NEVER);
	reason->excess = sum / reason->votes;
	reason->from = reason->median + nsec_max((least + 1) / 2, 1);
}

nsec_t tail_p99_without(const struct tail_answer *answer, const struct tail_reason *reason)
{
	_cleanup_(freep) nsec_t *longest = xcalloc(answer->count, sizeof(*longest));
	size_t above = answer->count - (size_t)ceil(0.99 * (double)answer->count);
	size_t count = 0, unchanged = 0;

	/* of those that stay as long as they are, no others can be among the longest */
	for (size_t i = 0; i < answer->count; i++) {
		size_t number = tail_far_at(answer, i);
		nsec_t time = tail_reason_time(answer, reason, number);
		bool has = time >= reason->from;

		if (has || unchanged++ <= above)
			longest[count++] = tail_unit_at(answer, number)->length -
			                   (has ? time - reason->median : 0);
	}
	values_sort(longest, count);
	return longest[count - 1 - above];
}

void tail_reason_measure(const struct tail_search *search, struct tail_reason *reason)
{
	const struct tail_answer *answer = search->answer;
	struct occurrence occurrence = {.far = answer->far, .all = answer->count};

	if (reason->is_pooled || reason->is_by_leaf)
		reason->median = tail_middle_median(answer, reason);
	else
		reason->median = search->median[reason->key];
	votes_measure(answer, reason);
	if (!reason->is_pooled && !reason->is_by_leaf)
		leaf_find(search, reason);
	for (size_t i = 0; i < answer->count; i++) {
		bool has = tail_reason_time(answer, reason, i) >= reason->from;

		occurrence.with += has;
		occurrence.both += has && answer->vote[i] != TAIL_NONE;
	}
	reason->slow_with = occurrence.both;
	reason->all_with = occurrence.with;
	reason->p = fmax(occurrence_p(&occurrence), reason->floor_p);
}

bool tail_reason_is_rare(const struct tail_answer *answer, const struct tail_reason *reason)
{
	return answer->far >= TAIL_FAR_LEAST && reason->key != TAIL_SEVERAL &&
	       answer->units->key[reason->key].key.what != TAIL_UNKNOWN && reason->p < TAIL_P &&
	       (double)reason->slow_with >= TAIL_LIFT * (double)reason->all_with &&
	       reason->votes >= TAIL_VOTES_LEAST && 2 * reason->votes >= reason->slow_with;
}
