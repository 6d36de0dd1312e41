/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_reasons.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "stats/far_values.h"
#include "stats/rank_test.h"
#include "tail_finer.h"

static const struct tail_part *parts_of(const struct tail_answer *answer,
                                        const struct tail_unit *unit)
{
	return answer->units->part + unit->first;
}

static int length_compare(const void *a, const void *b, void *state)
{
	const struct tail_units *units = state;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct tail_unit *of_x = &units->unit[x], *of_y = &units->unit[y];

	return ORDER_BY(RISING(of_x, of_y, length), RISING(of_x, of_y, begin), (x > y) - (x < y));
}

/* The largest length that is not far. */
static nsec_t fence_of_part(const nsec_t *sorted, size_t count, double part)
{
	size_t slow = (size_t)fmin(ceil(part * (double)count), (double)count);

	return slow < count ? sorted[count - slow - 1] : 0;
}

void tail_answer_init(struct tail_answer *answer, const struct tail_units *units, double part)
{
	size_t count = units->count;
	_cleanup_(freep) nsec_t *sorted = xcalloc(count + 1, sizeof(*sorted));
	struct quartiles quartiles;

	*answer = (struct tail_answer){.units = units, .count = count};
	answer->order = xcalloc(count + 1, sizeof(*answer->order));
	answer->vote = xcalloc(count + 1, sizeof(*answer->vote));
	answer->vote_leaf = xcalloc(count + 1, sizeof(*answer->vote_leaf));
	for (size_t i = 0; i < count; i++) {
		answer->order[i] = i;
		answer->vote[i] = answer->vote_leaf[i] = TAIL_NONE;
	}
	if (count > 0)
		qsort_r(answer->order, count, sizeof(*answer->order), length_compare,
		        (void *)(uintptr_t)units);
	for (size_t i = 0; i < count; i++)
		sorted[i] = tail_unit_at(answer, answer->order[i])->length;
	quartiles = quartiles_of(sorted, count);
	answer->median = quartiles.median;
	answer->p99 = sorted_quantile(sorted, count, 0.99);
	answer->fence = part > 0 ? fence_of_part(sorted, count, part) : quartiles.fence;
	while (answer->far < count && sorted[count - 1 - answer->far] > answer->fence)
		answer->far++;
}

void tail_answer_release(struct tail_answer *answer)
{
	free(answer->order);
	free(answer->vote);
	free(answer->vote_leaf);
	free(answer->is_alone);
	free(answer->reason);
	free(answer->profile);
	free(answer->leaf);
	*answer = (struct tail_answer){0};
}

/* A reason has half of a unit's excess, and another unit has it that has half of that. */
nsec_t tail_answer_least(const struct tail_answer *answer)
{
	return tail_excess_over(answer->fence, answer->median) / 4;
}

/* Medians of the keys. It is asked only of those that most units of the middle half have: there may
   be thousands of others. */
static void medians_find(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	size_t keys = answer->units->key_count, from = answer->count / 4;
	size_t count = answer->count - answer->count / 4 - from;
	_cleanup_(freep) uint32_t *have = xcalloc(keys, sizeof(*have));

	for (size_t i = 0; i < count; i++) {
		const struct tail_unit *unit = tail_unit_at(answer, answer->order[from + i]);

		for (uint32_t k = 0; k < unit->count; k++)
			have[parts_of(answer, unit)[k].key]++;
	}
	for (uint32_t key = 0; key < keys; key++)
		if (2 * (size_t)have[key] > count)
			search->median[key] = tail_middle_median(
				answer, &(struct tail_reason){.key = key});
}

/* What a far unit's excess is made of. */
static uint32_t vote_of(const struct tail_search *search, const struct tail_unit *unit)
{
	const struct tail_answer *answer = search->answer;
	const struct tail_part *part = parts_of(answer, unit);
	uint32_t vote = TAIL_SEVERAL;
	nsec_t most = 0;

	for (uint32_t i = 0; i < unit->count; i++) {
		nsec_t excess = tail_excess_over(part[i].total, search->median[part[i].key]);

		if (excess > most) {
			most = excess;
			vote = part[i].key;
		}
	}
	if (vote == TAIL_KEY_OTHER || most < (unit->length - answer->median + 1) / 2)
		return TAIL_SEVERAL;
	return vote;
}

static int reason_compare(const void *a, const void *b)
{
	const struct tail_reason *x = a, *y = b;

	return ORDER_BY(FALLING(x, y, votes), RISING(x, y, key));
}

/* The rare causes first, of these the one first that cost most. */
static int shown_compare(const void *a, const void *b)
{
	const struct tail_reason *x = a, *y = b;
	nsec_t of_x = x->votes * x->excess, of_y = y->votes * y->excess;

	return ORDER_BY(FALLING(x, y, is_named), (of_x < of_y) - (of_x > of_y), RISING(x, y, key));
}

/* Only so many keys with most votes are reasons: an odd recording may have thousands, each of which
   costs a look at all units. */
#define REASONS_MAX 64

/* Casts the votes; makes a row with its key, its votes, and the first that voted, of each key. */
static void votes_cast(const struct tail_search *search, struct tally *reasons)
{
	struct tail_answer *answer = search->answer;

	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);
		const struct tail_unit *unit = tail_unit_at(answer, number);
		uint32_t vote = vote_of(search, unit);
		struct tail_reason *reason = tally_row(reasons, &vote);

		if (reason->votes++ == 0) {
			reason->leaf = TAIL_NONE;
			reason->track = unit->track;
			reason->p = 1;
		}
		answer->vote[number] = vote;
	}
}

/* The votes for keys that are no reasons are for several things. */
static void votes_recast(struct tail_answer *answer, const struct tail_reason *left_out,
                         size_t count)
{
	struct tail_reason *several = NULL;

	for (size_t i = 0; i < answer->reason_count; i++)
		if (answer->reason[i].key == TAIL_SEVERAL)
			several = &answer->reason[i];
	if (!several) {
		several = &answer->reason[answer->reason_count++];
		*several = *left_out;
		several->key = TAIL_SEVERAL;
		several->votes = 0;
	}
	for (size_t i = 0; i < count; i++) {
		several->votes += left_out[i].votes;
		for (size_t n = 0; n < answer->far; n++)
			if (answer->vote[tail_far_at(answer, n)] == left_out[i].key)
				answer->vote[tail_far_at(answer, n)] = TAIL_SEVERAL;
	}
}

static void votes_count(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	struct tally reasons;
	size_t count;

	tally_init(&reasons, sizeof(struct tail_reason), sizeof(uint32_t), TALLY_NO_LIMIT);
	votes_cast(search, &reasons);
	array_sort(reasons.row, reasons.count, sizeof(struct tail_reason), reason_compare);
	search->asked = reasons.count;
	count = reasons.count < REASONS_MAX ? reasons.count : REASONS_MAX;
	answer->reason = xcalloc(REASONS_MAX + 1 + TAIL_FINER_MAX, sizeof(*answer->reason));
	answer->reason_count = count;
	memcpy(answer->reason, reasons.row, count * sizeof(*answer->reason));
	if (reasons.count > count)
		votes_recast(answer, tally_at(&reasons, count), reasons.count - count);
	tally_release(&reasons);
}

/* What exceeds the median in units of which nothing has half. */
static void several_sum(struct tail_answer *answer, struct tail_reason *reason)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < answer->far; i++) {
		size_t number = tail_far_at(answer, i);

		if (answer->vote[number] == TAIL_SEVERAL)
			sum += tail_unit_at(answer, number)->length - answer->median;
	}
	reason->excess = sum / reason->votes;
}

/* Holm's correction is for all keys with votes: those that are no reasons have a p of 1. */
static void reasons_correct(const struct tail_search *search)
{
	struct tail_answer *answer = search->answer;
	size_t count = search->asked > answer->reason_count ? search->asked : answer->reason_count;
	_cleanup_(freep) double *p = xcalloc(count, sizeof(*p));

	for (size_t i = 0; i < count; i++)
		p[i] = i < answer->reason_count ? answer->reason[i].p : 1;
	holm_adjust(p, count);
	for (size_t i = 0; i < answer->reason_count; i++)
		answer->reason[i].p = p[i];
}

static void reasons_find(struct tail_search *search)
{
	struct tail_answer *answer = search->answer;

	votes_count(search);
	for (size_t i = 0; i < answer->reason_count; i++) {
		struct tail_reason *reason = &answer->reason[i];

		if (reason->key == TAIL_SEVERAL) {
			several_sum(answer, reason);
			continue;
		}
		tail_reason_measure(search, reason);
	}
	tail_finer_ask(search);
	reasons_correct(search);
	for (size_t i = 0; i < answer->reason_count; i++)
		answer->reason[i].is_named = tail_reason_is_rare(answer, &answer->reason[i]);
	tail_finer_take(search);
	for (size_t i = 0; i < answer->reason_count; i++)
		if (answer->reason[i].is_named)
			answer->reason[i].p99_without =
				tail_p99_without(answer, &answer->reason[i]);
	array_sort(answer->reason, answer->reason_count, sizeof(*answer->reason), shown_compare);
}

/* Falling by the difference of the means: of the sums, each times the other side's number. */
static int profile_compare(const void *a, const void *b, void *state)
{
	const struct tail_answer *answer = state;
	const struct tail_profile *x = a, *y = b;
	double far = (double)answer->far, rest = (double)(answer->count - answer->far);
	double of_x = (double)x->slow * rest - (double)x->other * far;
	double of_y = (double)y->slow * rest - (double)y->other * far;

	return ORDER_BY((of_x < of_y) - (of_x > of_y), RISING(x, y, key));
}

/* Adds time of a unit; `count` as the profile has it. */
static void leaf_add(struct tally *leaves, const struct tail_leaf_key *key, bool is_far,
                     const struct figures *time)
{
	struct tail_leaf_profile *row;

	if (time->total == 0)
		return;
	row = tally_row(leaves, key);
	figures_add(is_far ? &row->slow : &row->other, time);
}

static void unit_leaves_sum(const struct tail_answer *answer, size_t number, struct tally *leaves)
{
	const struct tail_unit *unit = tail_unit_at(answer, number);
	bool is_far = answer->vote[number] != TAIL_NONE;
	nsec_t at = unit->begin;

	for (uint32_t i = 0; i < unit->count; i++) {
		const struct tail_part *part = &parts_of(answer, unit)[i];
		nsec_t rest = part->total;

		for (uint32_t k = 0; k < part->leaf_count; k++) {
			const struct tail_leaf_time *time =
				&answer->units->leaf_time[part->first_leaf + k];

			leaf_add(leaves, &(struct tail_leaf_key){part->key, time->leaf}, is_far,
			         &(struct figures){time->total, k == 0, time->total, at});
			rest -= time->total;
		}
		leaf_add(leaves, &(struct tail_leaf_key){part->key, TAIL_NONE}, is_far,
		         &(struct figures){rest, part->leaf_count == 0, rest, at});
	}
}

/* Makes the rows of the profile, in their order, with the sums of their leaves. */
static void profile_sum(struct tail_answer *answer, const struct tally *leaves)
{
	size_t keys = answer->units->key_count, count = 0;
	const struct tail_leaf_profile *leaf = leaves->row;

	answer->profile = xcalloc(keys, sizeof(*answer->profile));
	for (uint32_t key = 0; key < keys; key++)
		answer->profile[key].key = key;
	for (size_t i = 0; i < leaves->count; i++) {
		struct tail_profile *row = &answer->profile[leaf[i].of.key];

		row->leaves++;
		row->slow += leaf[i].slow.total;
		row->other += leaf[i].other.total;
	}
	for (size_t i = 0; i < keys; i++)
		if (answer->profile[i].leaves)
			answer->profile[count++] = answer->profile[i];
	answer->profile_count = count;
	if (count > 0)
		qsort_r(answer->profile, count, sizeof(*answer->profile), profile_compare, answer);
}

static int leaf_compare(const void *a, const void *b)
{
	const struct tail_leaf_profile *x = a, *y = b;
	bool x_is_none = x->of.leaf == TAIL_NONE, y_is_none = y->of.leaf == TAIL_NONE;

	return ORDER_BY(x_is_none - y_is_none, FALLING(x, y, slow.total),
	                FALLING(x, y, other.total), RISING(x, y, of.leaf));
}

/* Puts the leaves in the order of the rows of the profile, and tells these where they are. */
static void leaves_order(struct tail_answer *answer, const struct tally *leaves)
{
	_cleanup_(freep) size_t *next = xcalloc(answer->units->key_count, sizeof(*next));
	const struct tail_leaf_profile *leaf = leaves->row;
	size_t first = 0;

	answer->leaf = xcalloc(leaves->count + 1, sizeof(*answer->leaf));
	answer->leaf_count = leaves->count;
	for (size_t i = 0; i < answer->profile_count; i++) {
		answer->profile[i].first = next[answer->profile[i].key] = first;
		first += answer->profile[i].leaves;
	}
	for (size_t i = 0; i < leaves->count; i++)
		answer->leaf[next[leaf[i].of.key]++] = leaf[i];
	for (size_t i = 0; i < answer->profile_count; i++)
		array_sort(answer->leaf + answer->profile[i].first, answer->profile[i].leaves,
		           sizeof(*answer->leaf), leaf_compare);
}

/* Turns the sum of a row, and of all before it, into a mean; with no unit there is none. */
static nsec_t mean_next(nsec_t *sum, nsec_t more, size_t count)
{
	nsec_t before = count ? *sum / count : 0;

	*sum += more;
	return count ? *sum / count - before : 0;
}

/* Turns the sums of the leaves, in their order, into means that sum to the mean of all. */
static void profile_divide(struct tail_answer *answer)
{
	nsec_t slow = 0, other = 0;

	for (size_t i = 0; i < answer->profile_count; i++) {
		struct tail_profile *row = &answer->profile[i];

		row->slow = row->other = 0;
		for (size_t n = row->first; n < row->first + row->leaves; n++) {
			struct tail_leaf_profile *leaf = &answer->leaf[n];

			leaf->slow.total = mean_next(&slow, leaf->slow.total, answer->far);
			leaf->other.total = mean_next(&other, leaf->other.total,
			                              answer->count - answer->far);
			row->slow += leaf->slow.total;
			row->other += leaf->other.total;
		}
	}
}

static void profile_find(struct tail_answer *answer)
{
	struct tally leaves;

	tally_init(&leaves, sizeof(struct tail_leaf_profile),
	           sizeof(struct tail_leaf_key), TALLY_NO_LIMIT);
	for (size_t i = 0; i < answer->count; i++)
		unit_leaves_sum(answer, i, &leaves);
	profile_sum(answer, &leaves);
	leaves_order(answer, &leaves);
	tally_release(&leaves);
	profile_divide(answer);
}

void tail_answer_find(struct tail_answer *answer)
{
	struct tail_search search = {.answer = answer};

	if (answer->far == 0)
		return;
	search.median = xcalloc(answer->units->key_count, sizeof(*search.median));
	medians_find(&search);
	reasons_find(&search);
	profile_find(answer);
	free(search.median);
}
