/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_pairs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "packet_shift.h"
#include "packet_votes.h"

#define TIME_MAX   (UINT64_C(1) << 62)
#define LATE_MAX   10000000 /* ns; a packet that takes longer is not paired */
#define PAIRS_LEAST 4       /* each direction */
#define ALONE      UINT32_MAX

/* A packet of one direction, its time on the first machine's clock. */
struct timed_sight {
	int64_t time;
	uint32_t bytes, index;
};

/* Those of one direction; `sent` and `received` by length and time. */
struct way {
	struct timed_sight *sent, *received;
	size_t sent_count, received_count;
	uint32_t *partner; /* by index of the sent packet: of the received one, or ALONE */
};

static int timed_compare(const void *a, const void *b)
{
	const struct timed_sight *left = a, *right = b;

	if (left->bytes != right->bytes)
		return left->bytes < right->bytes ? -1 : 1;
	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

/* By that line, or as they are. */
static struct timed_sight *timed_make(const struct packet_sight *sight, size_t count,
                                      const struct clock_line *line)
{
	struct timed_sight *timed = xcalloc(count, sizeof(*timed));

	for (size_t i = 0; i < count; i++) {
		int64_t shift = line ? clock_line_shift(line, sight[i].time) : 0;

		timed[i] = (struct timed_sight){(int64_t)sight[i].time + shift, sight[i].bytes,
		                                (uint32_t)i};
	}
	array_sort(timed, count, sizeof(*timed), timed_compare);
	return timed;
}

/* With a line by which the quickest packets take no time. */
static void way_make(struct way *way, const struct packet_sight *sent, size_t sent_count,
                     const struct clock_line *sent_line, const struct packet_sight *received,
                     size_t received_count, const struct clock_line *received_line)
{
	way->sent = timed_make(sent, sent_count, sent_line);
	way->sent_count = sent_count;
	way->received = timed_make(received, received_count, received_line);
	way->received_count = received_count;
	way->partner = xcalloc(sent_count, sizeof(*way->partner));
	for (size_t i = 0; i < sent_count; i++)
		way->partner[i] = ALONE;
}

static void way_release(struct way *way)
{
	free(way->sent);
	free(way->received);
	free(way->partner);
	*way = (struct way){0};
}

/* How far two packets may be apart. */
struct reach {
	int64_t least, most;
};

static int sights_order(const struct timed_sight *sent, const struct timed_sight *received,
                        const struct reach *reach)
{
	if (sent->bytes != received->bytes)
		return sent->bytes < received->bytes ? -1 : 1;
	if (received->time - sent->time > reach->most)
		return -1;
	return received->time - sent->time < reach->least;
}

/* A run of packets that may be each other's: as many sent as received, and each fits. */
static bool run_is_sure(const struct timed_sight *sent, size_t sent_count,
                        const struct timed_sight *received, size_t received_count,
                        const struct reach *reach)
{
	if (sent_count != received_count)
		return false;
	for (size_t i = 0; i < sent_count; i++)
		if (sights_order(&sent[i], &received[i], reach) != 0)
			return false;
	return true;
}

/* Pairs what is within reach of each other, and of nothing else. */
static void way_pair(struct way *way, const struct reach *reach)
{
	size_t i = 0, j = 0;

	while (i < way->sent_count && j < way->received_count) {
		int order = sights_order(&way->sent[i], &way->received[j], reach);
		size_t sent_end = i + 1, received_end = j + 1;

		if (order != 0) {
			i += order < 0;
			j += order > 0;
			continue;
		}
		for (bool grows = true; grows;) {
			grows = false;
			for (; received_end < way->received_count &&
			       sights_order(&way->sent[sent_end - 1], &way->received[received_end],
			                    reach) == 0;
			     received_end++)
				grows = true;
			for (; sent_end < way->sent_count &&
			       sights_order(&way->sent[sent_end], &way->received[received_end - 1],
			                    reach) == 0;
			     sent_end++)
				grows = true;
		}
		if (run_is_sure(&way->sent[i], sent_end - i, &way->received[j], received_end - j,
		                reach))
			for (size_t k = i; k < sent_end; k++)
				way->partner[way->sent[k].index] =
					way->received[j + k - i].index;
		i = sent_end;
		j = received_end;
	}
}

/* Leaves out those that have a partner. */
static void way_shrink(struct way *way)
{
	_cleanup_(freep) bool *is_taken = xcalloc(way->received_count + 1, sizeof(*is_taken));
	size_t sent_kept = 0, received_kept = 0, limit = 0;

	for (size_t i = 0; i < way->received_count; i++)
		if (way->received[i].index >= limit)
			limit = (size_t)way->received[i].index + 1;
	is_taken = xreallocarray(is_taken, limit + 1, sizeof(*is_taken));
	for (size_t i = 0; i <= limit; i++)
		is_taken[i] = false;
	for (size_t i = 0; i < way->sent_count; i++) {
		uint32_t partner = way->partner[way->sent[i].index];

		if (partner == ALONE)
			way->sent[sent_kept++] = way->sent[i];
		else
			is_taken[partner] = true;
	}
	for (size_t i = 0; i < way->received_count; i++)
		if (!is_taken[way->received[i].index])
			way->received[received_kept++] = way->received[i];
	way->sent_count = sent_kept;
	way->received_count = received_kept;
}

/* First those that take as long as most do; then, of the others, those that are late. */
static void way_find(struct way *way, int64_t spread)
{
	const struct reach usual = {-spread, 4 * spread}, late = {0, LATE_MAX};

	way_pair(way, &usual);
	way_shrink(way);
	way_pair(way, &late);
	way_shrink(way);
}

static size_t pairs_take(const struct way *way, size_t sent_count, struct packet_pair **ret)
{
	size_t count = 0;

	*ret = xcalloc(sent_count, sizeof(**ret));
	for (size_t i = 0; i < sent_count; i++)
		if (way->partner[i] != ALONE)
			(*ret)[count++] = (struct packet_pair){(uint32_t)i, way->partner[i]};
	return count;
}

/* Two machines in the order in which they are compared. */
struct talk {
	const struct host_packets *first, *second;
	nsec_t together, origin; /* how long at most, and the middle of the second recording */
	struct packet_shift shift;
	struct clock_line there_line, back_line;
};

static void talk_pair(struct talk *talk, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	struct way there = {0}, back = {0};

	way_make(&there, first->sent, first->sent_count, NULL, second->received,
	         second->received_count, &talk->there_line);
	way_make(&back, second->sent, second->sent_count, &talk->back_line, first->received,
	         first->received_count, NULL);
	way_find(&there, talk->shift.there_spread);
	way_find(&back, talk->shift.back_spread);
	ret->there.count = pairs_take(&there, first->sent_count, &ret->there.pair);
	ret->back.count = pairs_take(&back, second->sent_count, &ret->back.pair);
	way_release(&there);
	way_release(&back);
}

static struct clock_message *messages_make(const struct packet_way *way,
                                           const struct packet_sight *sent,
                                           const struct packet_sight *received)
{
	struct clock_message *message = xcalloc(way->count, sizeof(*message));

	for (size_t i = 0; i < way->count; i++)
		message[i] = (struct clock_message){sent[way->pair[i].sent].time,
		                                    received[way->pair[i].received].time};
	return message;
}

static bool talk_fit(const struct talk *talk, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	_cleanup_(freep) struct clock_message *there =
		messages_make(&ret->there, first->sent, second->received);
	_cleanup_(freep) struct clock_message *back =
		messages_make(&ret->back, second->sent, first->received);
	const struct clock_talk messages = {
		.there = there,
		.there_count = ret->there.count,
		.back = back,
		.back_count = ret->back.count,
		.first_begin = first->begin,
		.first_end = first->end,
		.second_begin = second->begin,
		.second_end = second->end,
	};

	return clock_fit_find(&messages, &ret->fit) == CLOCK_FIT_FOUND;
}

/* Packets within that time. */
static size_t sights_within(const struct packet_sight *sight, size_t count, nsec_t begin,
                            nsec_t end)
{
	size_t within = 0;

	for (size_t i = 0; i < count; i++)
		within += sight[i].time >= begin && sight[i].time <= end;
	return within;
}

static void talk_count(const struct talk *talk, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	const struct clock_line *line = &ret->fit.line;
	nsec_t second_begin = nsec_max(second->begin, clock_line_back(line, first->begin));
	nsec_t second_end = nsec_min(second->end, clock_line_back(line, first->end));
	nsec_t first_begin = second_begin + (nsec_t)clock_line_shift(line, second_begin);
	nsec_t first_end = second_end + (nsec_t)clock_line_shift(line, second_end);
	size_t sent = sights_within(first->sent, first->sent_count, first_begin, first_end);
	size_t received = sights_within(second->received, second->received_count, second_begin,
	                                second_end);

	ret->there.sent_alone = sent > ret->there.count ? sent - ret->there.count : 0;
	ret->there.received_alone = received > ret->there.count ? received - ret->there.count : 0;
	sent = sights_within(second->sent, second->sent_count, second_begin, second_end);
	received = sights_within(first->received, first->received_count, first_begin, first_end);
	ret->back.sent_alone = sent > ret->back.count ? sent - ret->back.count : 0;
	ret->back.received_alone = received > ret->back.count ? received - ret->back.count : 0;
}

static enum packet_pairs_result talk_shift(struct talk *talk)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	struct packet_votes there, back;
	enum packet_shift_result result;

	packet_votes_find(first->sent, first->sent_count, second->received,
	                  second->received_count, talk->origin, true, &there);
	packet_votes_find(second->sent, second->sent_count, first->received,
	                  first->received_count, talk->origin, false, &back);
	result = packet_shift_find(&there, &back, talk->together, &talk->shift);
	packet_votes_release(&there);
	packet_votes_release(&back);
	if (result != PACKET_SHIFT_FOUND)
		return result == PACKET_SHIFT_NONE ? PACKET_PAIRS_NONE : PACKET_PAIRS_AMBIGUOUS;
	talk->there_line =
		(struct clock_line){talk->origin, -talk->shift.there, talk->shift.slope};
	talk->back_line = (struct clock_line){talk->origin, talk->shift.back, talk->shift.slope};
	return PACKET_PAIRS_FOUND;
}

static enum packet_pairs_result talk_find(struct talk *talk, struct packet_pairs *ret)
{
	enum packet_pairs_result result = talk_shift(talk);

	if (result != PACKET_PAIRS_FOUND)
		return result;
	talk_pair(talk, ret);
	if (ret->there.count < PAIRS_LEAST || ret->back.count < PAIRS_LEAST || !talk_fit(talk, ret))
		return PACKET_PAIRS_NONE;
	talk_count(talk, ret);
	return PACKET_PAIRS_FOUND;
}

static void pairs_swap(struct packet_pairs *pairs)
{
	struct packet_way there = pairs->there;
	int64_t least = pairs->fit.slope_least;

	pairs->there = pairs->back;
	pairs->back = there;
	pairs->fit.line = clock_line_inverse(&pairs->fit.line);
	pairs->fit.slope_least = -pairs->fit.slope_most;
	pairs->fit.slope_most = -least;
}

static bool hosts_are_swapped(const struct host_packets *first, const struct host_packets *second)
{
	if (first->begin != second->begin)
		return first->begin > second->begin;
	if (first->end != second->end)
		return first->end > second->end;
	if (first->sent_count != second->sent_count)
		return first->sent_count > second->sent_count;
	return first->received_count > second->received_count;
}

enum packet_pairs_result packet_pairs_find(const struct host_packets *first,
                                           const struct host_packets *second,
                                           struct packet_pairs *ret)
{
	bool is_swapped = hosts_are_swapped(first, second);
	struct talk talk = {.first = is_swapped ? second : first,
	                    .second = is_swapped ? first : second};
	enum packet_pairs_result result;

	*ret = (struct packet_pairs){0};
	if (first->end > TIME_MAX || second->end > TIME_MAX || first->begin > first->end ||
	    second->begin > second->end)
		return PACKET_PAIRS_NONE;
	talk.origin = talk.second->begin + (talk.second->end - talk.second->begin) / 2;
	talk.together = nsec_min(first->end - first->begin, second->end - second->begin);
	result = talk_find(&talk, ret);
	if (result != PACKET_PAIRS_FOUND)
		packet_pairs_release(ret);
	else if (is_swapped)
		pairs_swap(ret);
	return result;
}

void packet_pairs_release(struct packet_pairs *pairs)
{
	free(pairs->there.pair);
	free(pairs->back.pair);
	*pairs = (struct packet_pairs){0};
}
