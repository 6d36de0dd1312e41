/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_votes.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

/* A packet, and the time since the one of its length before it. */
struct spaced_sight {
	nsec_t time, silence;
	uint32_t bytes;
};

/* The packets of one length. */
struct sight_group {
	struct spaced_sight *first, *second;
	size_t first_count, second_count;
};

ORDER_FUNCTION(sight_compare, struct spaced_sight, RISING(x, y, bytes), RISING(x, y, time))

ORDER_FUNCTION(silence_compare, struct spaced_sight, FALLING(x, y, silence), RISING(x, y, time))

static uint64_t group_product(const struct sight_group *group)
{
	return (uint64_t)group->first_count * group->second_count;
}

static int group_compare(const void *a, const void *b)
{
	const struct sight_group *left = a, *right = b;
	uint64_t left_product = group_product(left), right_product = group_product(right);

	if (left_product != right_product)
		return left_product < right_product ? -1 : 1;
	return (left->first->bytes > right->first->bytes) -
	       (left->first->bytes < right->first->bytes);
}

static struct spaced_sight *sights_sort(const struct packet_sight *sight, size_t count)
{
	struct spaced_sight *sorted = xcalloc(count, sizeof(*sorted));

	for (size_t i = 0; i < count; i++)
		sorted[i] = (struct spaced_sight){sight[i].time, 0, sight[i].bytes};
	array_sort(sorted, count, sizeof(*sorted), sight_compare);
	for (size_t i = 0; i < count; i++)
		sorted[i].silence = i > 0 && sorted[i - 1].bytes == sorted[i].bytes
		                            ? sorted[i].time - sorted[i - 1].time
		                            : NSEC_NEVER;
	return sorted;
}

static size_t sights_same(const struct spaced_sight *sight, size_t count)
{
	size_t same = 1;

	while (same < count && sight[same].bytes == sight->bytes)
		same++;
	return same;
}

/* The lengths that both sides have. */
static struct sight_group *groups_find(struct spaced_sight *first, size_t first_count,
                                       struct spaced_sight *second, size_t second_count,
                                       size_t *ret_count)
{
	struct sight_group *group = NULL;
	size_t count = 0, capacity = 0, i = 0, j = 0;

	while (i < first_count && j < second_count) {
		size_t ahead = sights_same(&first[i], first_count - i);
		size_t other = sights_same(&second[j], second_count - j);

		if (first[i].bytes == second[j].bytes) {
			ARRAY_ADD(group, count, capacity) =
				(struct sight_group){&first[i], &second[j], ahead, other};
		}
		if (first[i].bytes <= second[j].bytes)
			ahead = i + ahead;
		else
			ahead = i;
		j += second[j].bytes <= first[i].bytes ? other : 0;
		i = ahead;
	}
	*ret_count = count;
	return group;
}

static size_t square_root(uint64_t n)
{
	uint64_t low = 0, high = UINT32_MAX;

	while (low < high) {
		uint64_t middle = low + (high - low + 1) / 2;

		if (middle * middle <= n)
			low = middle;
		else
			high = middle - 1;
	}
	return (size_t)low;
}

/* Those after the longest silence: most of these are the same packets on both sides. */
static size_t sights_choose(struct spaced_sight *sight, size_t count, size_t most)
{
	if (count <= most)
		return count;
	array_sort(sight, count, sizeof(*sight), silence_compare);
	return most;
}

static void group_thin(struct sight_group *group, uint64_t room)
{
	size_t least = group->first_count < group->second_count ? group->first_count
	                                                        : group->second_count;
	size_t most = square_root(room);

	if (group_product(group) <= room)
		return;
	if (least > 0 && least < most)
		most = (size_t)(room / least);
	group->first_count = sights_choose(group->first, group->first_count, most);
	group->second_count = sights_choose(group->second, group->second_count, most);
}

/* Half the average time between packets, of the side that has more of them. */
static int64_t sights_reach(const struct spaced_sight *sight, size_t count)
{
	nsec_t first = sight[0].time, last = sight[0].time;

	for (size_t i = 1; i < count; i++) {
		first = nsec_min(first, sight[i].time);
		last = nsec_max(last, sight[i].time);
	}
	return count > 1 ? (int64_t)((last - first) / (count - 1) / 2) : INT64_MAX;
}

static void group_vote(const struct sight_group *group, nsec_t origin, bool is_at_receipt,
                       struct packet_votes *votes)
{
	size_t most = group->first_count > group->second_count ? group->first_count
	                                                       : group->second_count;
	int64_t sent_reach = sights_reach(group->first, group->first_count);
	int64_t reach = sights_reach(group->second, group->second_count);
	uint64_t weight;

	if (group_product(group) == 0) /* there was no room left for it */
		return;
	weight = PACKET_VOTE_ONE / square_root(most);
	if (reach > sent_reach)
		reach = sent_reach;
	for (size_t i = 0; i < group->first_count; i++)
		for (size_t j = 0; j < group->second_count; j++)
			votes->vote[votes->count++] = (struct packet_vote){
				(int64_t)(group->second[j].time - group->first[i].time),
				(int64_t)((is_at_receipt ? group->second[j].time
				                         : group->first[i].time) -
				          origin),
				reach, weight};
}

/* The rare lengths first: what room they leave is for the frequent ones. */
static void groups_vote(struct sight_group *group, size_t count, nsec_t origin,
                        bool is_at_receipt, struct packet_votes *ret)
{
	uint64_t room = PACKET_VOTES_MAX, total = 0;

	array_sort(group, count, sizeof(*group), group_compare);
	for (size_t i = 0; i < count; i++) {
		group_thin(&group[i], room / (count - i));
		room -= group_product(&group[i]);
		total += group_product(&group[i]);
	}
	ret->vote = xcalloc((size_t)total, sizeof(*ret->vote));
	for (size_t i = 0; i < count; i++)
		group_vote(&group[i], origin, is_at_receipt, ret);
}

void packet_votes_find(const struct packet_sight *sent, size_t sent_count,
                       const struct packet_sight *received, size_t received_count, nsec_t origin,
                       bool is_at_receipt, struct packet_votes *ret)
{
	_cleanup_(freep) struct spaced_sight *first = sights_sort(sent, sent_count);
	_cleanup_(freep) struct spaced_sight *second = sights_sort(received, received_count);
	_cleanup_(freep) struct sight_group *group = NULL;
	size_t count;

	*ret = (struct packet_votes){0};
	group = groups_find(first, sent_count, second, received_count, &count);
	groups_vote(group, count, origin, is_at_receipt, ret);
}

void packet_votes_limit(struct packet_votes *votes, int64_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < votes->count; i++)
		if (votes->vote[i].taken >= -most && votes->vote[i].taken <= most)
			votes->vote[kept++] = votes->vote[i];
	votes->count = kept;
}

void packet_votes_release(struct packet_votes *votes)
{
	free(votes->vote);
	*votes = (struct packet_votes){0};
}
