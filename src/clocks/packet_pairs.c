/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_pairs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/xalloc.h"
#include "packet_match.h"
#include "packet_shift.h"
#include "packet_votes.h"

#define TIME_MAX    (UINT64_C(1) << 62)
#define PAIRS_LEAST 12 /* independent ones, both directions */

/* Two machines in the order in which they are compared. */
struct talk {
	const struct host_packets *first, *second;
	nsec_t together, origin; /* how long at most, and the middle of the second recording */
	struct packet_shift shift;
	size_t independent, by_chance; /* pairs, as in struct packet_match */
};

/* On the first machine's clock: while both were recorded. */
struct common {
	int64_t begin, end;
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

/* Those within that time on the first machine's clock; `line` leads to it, NULL: it is that. */
static struct timed_sight *timed_make(const struct packet_sight *sight, size_t count,
                                      const struct clock_line *line, const struct common *common,
                                      size_t *ret_count)
{
	struct timed_sight *timed = xcalloc(count, sizeof(*timed));
	size_t kept = 0;

	for (size_t i = 0; i < count && sight[i].time < TIME_MAX; i++) {
		int64_t time = (int64_t)sight[i].time;

		if (line)
			time += clock_line_shift(line, sight[i].time);
		if (time >= common->begin && time <= common->end)
			timed[kept++] = (struct timed_sight){time, sight[i].bytes, (uint32_t)i};
	}
	array_sort(timed, kept, sizeof(*timed), timed_compare);
	*ret_count = kept;
	return timed;
}

static struct common common_make(const struct talk *talk, const struct clock_line *line)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	int64_t begin = (int64_t)second->begin + clock_line_shift(line, second->begin);
	int64_t end = (int64_t)second->end + clock_line_shift(line, second->end);

	return (struct common){
		begin > (int64_t)first->begin ? begin : (int64_t)first->begin,
		end < (int64_t)first->end ? end : (int64_t)first->end,
	};
}

static void way_take(struct packet_match *match, struct talk *talk, struct packet_way *ret)
{
	size_t sent = match->sent_count, received = match->received_count;

	packet_match_find(match);
	talk->independent += match->independent;
	talk->by_chance += match->by_chance;
	ret->pair = xcalloc(match->partner_count, sizeof(*ret->pair));
	for (size_t i = 0; i < match->partner_count; i++)
		if (match->partner[i] != PACKET_ALONE)
			ret->pair[ret->count++] =
				(struct packet_pair){(uint32_t)i, match->partner[i]};
	ret->sent_alone = sent - ret->count;
	ret->received_alone = received - ret->count;
	packet_match_release(match);
}

static void talk_pair(struct talk *talk, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	const struct packet_shift *shift = &talk->shift;
	const struct clock_line there_line = {talk->origin, -shift->there, shift->slope};
	const struct clock_line back_line = {talk->origin, shift->back, shift->slope};
	struct common common = common_make(talk, &there_line);
	struct packet_match there = {.spread = shift->there_spread};
	struct packet_match back = {.spread = shift->back_spread};

	there.sent = timed_make(first->sent, first->sent_count, NULL, &common, &there.sent_count);
	there.received = timed_make(second->received, second->received_count, &there_line, &common,
	                            &there.received_count);
	way_take(&there, talk, &ret->there);
	common = common_make(talk, &back_line);
	back.sent = timed_make(second->sent, second->sent_count, &back_line, &common,
	                       &back.sent_count);
	back.received = timed_make(first->received, first->received_count, NULL, &common,
	                           &back.received_count);
	way_take(&back, talk, &ret->back);
}

/* Many more pairs than by chance: 8 times the standard deviation, and some. */
static bool talk_is_real(const struct talk *talk, const struct packet_pairs *pairs)
{
	uint64_t more = talk->independent - talk->by_chance;

	return pairs->there.count > 0 && pairs->back.count > 0 &&
	       talk->independent > talk->by_chance && more >= PAIRS_LEAST &&
	       more * more >= 64 * (uint64_t)talk->by_chance;
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
	if (result == PACKET_SHIFT_FOUND)
		return PACKET_PAIRS_FOUND;
	return result == PACKET_SHIFT_NONE ? PACKET_PAIRS_NONE : PACKET_PAIRS_AMBIGUOUS;
}

static enum packet_pairs_result talk_find(struct talk *talk, struct packet_pairs *ret)
{
	enum packet_pairs_result result = talk_shift(talk);

	if (result == PACKET_PAIRS_NONE)
		return result;
	talk_pair(talk, ret);
	if (!talk_is_real(talk, ret) || !talk_fit(talk, ret))
		return PACKET_PAIRS_NONE;
	return result;
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
