/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_pairs.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "packet_match.h"
#include "packet_share.h"
#include "packet_shift.h"
#include "packet_votes.h"
#include "stream_fit.h"

#define COPY_APART  1000 /* ns */
#define SPREAD_LEAST 31250 /* ns; packets that are paired by a known line may take longer by that */
#define QUICK_MAX   1
#define PAIRS_LEAST 12 /* independent ones, both directions */

/* Two machines in the order in which they are compared. */
struct talk {
	const struct host_packets *first, *second;
	nsec_t together, origin; /* how long at most, and the middle of the second recording */
	struct packet_shift shift;
	size_t independent, by_chance; /* pairs, as in struct packet_match */
	/* By pair: enum quickness. Released by talk_find_once(). */
	uint8_t *there_quick, *back_quick;
};

/* A pair with a greater value is left out earlier where clocks are compared. */
enum quickness {
	QUICK_USUAL,
	QUICK_LONE, /* struct packet_match.is_lone */
	QUICK_TOO,  /* is_quick */
};

/* On the first machine's clock: while both were recorded. */
struct common {
	int64_t begin, end;
};

ORDER_FUNCTION(timed_compare, struct timed_sight, RISING(x, y, bytes), RISING(x, y, time),
               RISING(x, y, index))

/* Those within that time on the first machine's clock; `line` leads to it, NULL: it is that. */
static struct timed_sight *timed_make(const struct packet_sight *sight, size_t count,
                                      const struct clock_line *line, const struct common *common,
                                      size_t *ret_count)
{
	struct timed_sight *timed = xcalloc(count, sizeof(*timed));
	size_t kept = 0;

	for (size_t i = 0; i < count && sight[i].time < HOST_TIME_MAX; i++) {
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

static void way_take(struct packet_match *match, struct talk *talk, struct packet_way *ret,
                     uint8_t **ret_quick)
{
	size_t sent = match->sent_count, received = match->received_count;

	packet_match_find(match);
	talk->independent += match->independent;
	talk->by_chance += match->by_chance;
	ret->pair = xcalloc(match->partner_count, sizeof(*ret->pair));
	*ret_quick = xcalloc(match->partner_count, sizeof(**ret_quick));
	for (size_t i = 0; i < match->partner_count; i++) {
		if (match->partner[i] == PACKET_ALONE)
			continue;
		(*ret_quick)[ret->count] = match->is_quick[i]  ? QUICK_TOO
		                           : match->is_lone[i] ? QUICK_LONE
		                                               : QUICK_USUAL;
		ret->pair[ret->count++] = (struct packet_pair){(uint32_t)i, match->partner[i]};
	}
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
	way_take(&there, talk, &ret->there, &talk->there_quick);
	common = common_make(talk, &back_line);
	back.sent = timed_make(second->sent, second->sent_count, &back_line, &common,
	                       &back.sent_count);
	back.received = timed_make(first->received, first->received_count, NULL, &common,
	                           &back.received_count);
	way_take(&back, talk, &ret->back, &talk->back_quick);
}

/* A few pairs of many packets are no talk; packets to and from others have no partner, either. If
   that direction is doubtful, most packets must have one. */
static bool way_is_real(const struct packet_way *way, bool is_doubtful)
{
	size_t alone = way->sent_alone < way->received_alone ? way->sent_alone
	                                                     : way->received_alone;

	return way->count > 0 && alone <= (is_doubtful ? 1 : 8) * way->count;
}

/* Many more pairs than by chance: 8 times the standard deviation, and some. */
static bool talk_is_real(const struct talk *talk, const struct packet_pairs *pairs)
{
	uint64_t more = talk->independent - talk->by_chance;

	return way_is_real(&pairs->there, talk->shift.there_is_doubtful) &&
	       way_is_real(&pairs->back, talk->shift.back_is_doubtful) &&
	       talk->independent > talk->by_chance && more >= PAIRS_LEAST &&
	       more * more >= 64 * (uint64_t)talk->by_chance;
}

/* Those that are less quick than that. */
static struct clock_message *messages_make(const struct packet_way *way, const uint8_t *quick,
                                           enum quickness limit,
                                           const struct packet_sight *sent,
                                           const struct packet_sight *received,
                                           size_t *ret_count)
{
	struct clock_message *message = xcalloc(way->count, sizeof(*message));
	size_t count = 0;

	for (size_t i = 0; i < way->count; i++)
		if (quick[i] < limit)
			message[count++] =
				(struct clock_message){sent[way->pair[i].sent].time,
			                               received[way->pair[i].received].time};
	*ret_count = count;
	return message;
}

/* Drops those that the line says to be received before they are sent. */
static void way_keep_possible(struct packet_way *way, const struct packet_sight *sent,
                              const struct packet_sight *received, const struct clock_line *line,
                              bool is_there)
{
	size_t kept = 0;

	for (size_t i = 0; i < way->count; i++) {
		nsec_t from = sent[way->pair[i].sent].time;
		nsec_t to = received[way->pair[i].received].time;
		int64_t shift = clock_line_shift(line, is_there ? to : from);

		if (is_there ? (int64_t)from <= (int64_t)to + shift
		             : (int64_t)from + shift <= (int64_t)to)
			way->pair[kept++] = way->pair[i];
	}
	way->sent_alone += way->count - kept;
	way->received_alone += way->count - kept;
	way->count = kept;
}

/* Few pairs can be too quick, if the others are right. */
static bool quick_are_few(size_t quick, size_t count)
{
	return quick <= QUICK_MAX + count / 16;
}

/* Fits a line to the pairs that are less quick than that; false: none fits, or too few are left. */
static bool talk_fit_below(const struct talk *talk, enum quickness limit,
                           struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	struct clock_talk messages = {
		.first_begin = first->begin,
		.first_end = first->end,
		.second_begin = second->begin,
		.second_end = second->end,
	};
	_cleanup_(freep) struct clock_message *there =
		messages_make(&ret->there, talk->there_quick, limit, first->sent, second->received,
	                      &messages.there_count);
	_cleanup_(freep) struct clock_message *back =
		messages_make(&ret->back, talk->back_quick, limit, second->sent, first->received,
	                      &messages.back_count);

	messages.there = there;
	messages.back = back;
	if (!quick_are_few(ret->there.count - messages.there_count, ret->there.count) ||
	    !quick_are_few(ret->back.count - messages.back_count, ret->back.count))
		return false;
	return clock_fit_find(&messages, &ret->fit) == CLOCK_FIT_FOUND;
}

/* A lone quick pair, such as of ARP, may contradict all others. */
static bool talk_fit(const struct talk *talk, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;

	if (!talk_fit_below(talk, QUICK_TOO, ret) && !talk_fit_below(talk, QUICK_LONE, ret))
		return false;
	way_keep_possible(&ret->there, first->sent, second->received, &ret->fit.line, true);
	way_keep_possible(&ret->back, second->sent, first->received, &ret->fit.line, false);
	return true;
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
	if (first->near_clock && first->near_clock == second->near_clock) {
		packet_votes_limit(&there, HOST_APART_MAX);
		packet_votes_limit(&back, HOST_APART_MAX);
	}
	result = packet_shift_find(&there, &back, talk->together, &talk->shift);
	packet_votes_release(&there);
	packet_votes_release(&back);
	if (result == PACKET_SHIFT_FOUND)
		return PACKET_PAIRS_FOUND;
	return result == PACKET_SHIFT_NONE ? PACKET_PAIRS_NONE : PACKET_PAIRS_AMBIGUOUS;
}

static enum packet_pairs_result talk_find_once(struct talk *talk, struct packet_pairs *ret)
{
	enum packet_pairs_result result = talk_shift(talk);

	if (result == PACKET_PAIRS_NONE)
		return result;
	talk_pair(talk, ret);
	if (!talk_is_real(talk, ret) || !talk_fit(talk, ret))
		result = PACKET_PAIRS_NONE;
	free(talk->there_quick);
	free(talk->back_quick);
	return result;
}

/* By number of the packet of one machine: whether it has a partner. */
static bool *paired_make(size_t count, const struct packet_way *way, bool is_sent)
{
	bool *is_paired = xcalloc(count, sizeof(*is_paired));

	for (size_t i = 0; i < way->count; i++)
		is_paired[is_sent ? way->pair[i].sent : way->pair[i].received] = true;
	return is_paired;
}

/* The packets that have no partner. */
static struct packet_sight *sights_left(const struct packet_sight *sight, size_t count,
                                        const struct packet_way *way, bool is_sent,
                                        size_t *ret_count)
{
	struct packet_sight *left = xcalloc(count, sizeof(*left));
	_cleanup_(freep) bool *is_paired = paired_make(count, way, is_sent);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_paired[i])
			left[kept++] = sight[i];
	*ret_count = kept;
	return left;
}

/* Whether from some time on one direction has no pairs where the other one has. */
static bool shares_contradict(const struct talk *talk, const struct packet_pairs *pairs)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	const struct clock_line *line = &pairs->fit.line;
	const struct common common = common_make(talk, line);
	const struct share_time time = {common.begin, common.end};
	_cleanup_(freep) bool *first_sent = paired_make(first->sent_count, &pairs->there, true);
	_cleanup_(freep) bool *first_received =
		paired_make(first->received_count, &pairs->back, false);
	_cleanup_(freep) bool *second_sent = paired_make(second->sent_count, &pairs->back, true);
	_cleanup_(freep) bool *second_received =
		paired_make(second->received_count, &pairs->there, false);
	struct packet_share there, back;

	packet_share_find(
		&(struct share_side){first->sent, first->sent_count, NULL, first_sent},
		&(struct share_side){second->received, second->received_count, line,
	                             second_received},
		&time, &there);
	packet_share_find(
		&(struct share_side){second->sent, second->sent_count, line, second_sent},
		&(struct share_side){first->received, first->received_count, NULL, first_received},
		&time, &back);
	return packet_shares_differ(&there, &back);
}

static bool lines_contradict(const struct clock_fit *one, const struct clock_fit *other,
                             nsec_t second)
{
	int64_t apart = clock_line_shift(&one->line, second) -
	                clock_line_shift(&other->line, second);

	return (uint64_t)(apart < 0 ? -apart : apart) > one->bound + other->bound;
}

/* Whether the packets without partner are a talk with another difference of the clocks: one of them
   was set during the recording, or the talk is none. */
static bool rest_contradicts(const struct talk *talk, const struct packet_pairs *pairs)
{
	struct host_packets first = *talk->first, second = *talk->second;
	_cleanup_(freep) struct packet_sight *first_sent =
		sights_left(first.sent, first.sent_count, &pairs->there, true, &first.sent_count);
	_cleanup_(freep) struct packet_sight *first_received = sights_left(
		first.received, first.received_count, &pairs->back, false, &first.received_count);
	_cleanup_(freep) struct packet_sight *second_sent =
		sights_left(second.sent, second.sent_count, &pairs->back, true, &second.sent_count);
	_cleanup_(freep) struct packet_sight *second_received =
		sights_left(second.received, second.received_count, &pairs->there, false,
	                    &second.received_count);
	struct talk rest = {.first = &first,
	                    .second = &second,
	                    .together = talk->together,
	                    .origin = talk->origin};
	struct packet_pairs found = {0};
	bool does_contradict = false;

	first.sent = first_sent;
	first.received = first_received;
	second.sent = second_sent;
	second.received = second_received;
	if (talk_find_once(&rest, &found) == PACKET_PAIRS_FOUND) {
		nsec_t time = second.sent[found.back.pair[0].sent].time;
		nsec_t last = second.sent[found.back.pair[found.back.count - 1].sent].time;

		does_contradict = lines_contradict(&pairs->fit, &found.fit, time) ||
		                  lines_contradict(&pairs->fit, &found.fit, last);
	}
	packet_pairs_release(&found);
	return does_contradict;
}

static enum packet_pairs_result talk_find(struct talk *talk, struct packet_pairs *ret)
{
	enum packet_pairs_result result = talk_find_once(talk, ret);

	if (result == PACKET_PAIRS_FOUND &&
	    (shares_contradict(talk, ret) || rest_contradicts(talk, ret)))
		return PACKET_PAIRS_AMBIGUOUS;
	return result;
}

/* Pairs packets by a line that is already known, for which any number of packets will do. */
static void talk_pair_by(struct talk *talk, const struct clock_fit *fit, struct packet_pairs *ret)
{
	const struct host_packets *first = talk->first, *second = talk->second;
	int64_t shift = clock_line_shift(&fit->line, talk->origin);
	int64_t spread = (int64_t)fit->bound + SPREAD_LEAST;

	packet_pairs_release(ret);
	talk->shift = (struct packet_shift){
		.slope = fit->line.slope,
		.there = -shift,
		.back = shift,
		.there_spread = spread,
		.back_spread = spread,
	};
	talk_pair(talk, ret);
	free(talk->there_quick);
	free(talk->back_quick);
	way_keep_possible(&ret->there, first->sent, second->received, &fit->line, true);
	way_keep_possible(&ret->back, second->sent, first->received, &fit->line, false);
	ret->fit = *fit;
}

/* Bytes of connections identify a message better than lengths do: if the two contradict, the bytes
   are right. Else the closer of both bounds holds. */
static enum packet_pairs_result talk_settle(struct talk *talk, enum packet_pairs_result result,
                                            struct packet_pairs *ret)
{
	struct clock_fit fit;
	uint64_t calls = stream_fit_find(talk->first, talk->second, &fit);

	/* a bound as large as the recording says nothing */
	if (calls == 0 || fit.bound > talk->together ||
	    (result == PACKET_PAIRS_FOUND && ret->fit.bound <= fit.bound &&
	     !lines_contradict(&ret->fit, &fit, talk->origin)))
		return result;
	talk_pair_by(talk, &fit, ret);
	ret->calls = calls;
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

static bool times_are_same(nsec_t time, nsec_t other)
{
	nsec_t more = nsec_max(time, other), less = nsec_min(time, other);

	return more - less <= COPY_APART;
}

static bool sights_are_copies(const struct packet_sight *one, size_t one_count,
                              const struct packet_sight *other, size_t other_count)
{
	if (one_count != other_count)
		return false;
	for (size_t i = 0; i < one_count; i++)
		if (one[i].bytes != other[i].bytes ||
		    !times_are_same(one[i].time - one[0].time, other[i].time - other[0].time))
			return false;
	return true;
}

/* Whether both are one machine: it does not talk to itself, though that may seem to fit. */
static bool hosts_are_copies(const struct host_packets *first, const struct host_packets *second)
{
	return first->sent_count + first->received_count > 0 &&
	       sights_are_copies(first->sent, first->sent_count, second->sent,
	                         second->sent_count) &&
	       sights_are_copies(first->received, first->received_count, second->received,
	                         second->received_count);
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
	if (first->end > HOST_TIME_MAX || second->end > HOST_TIME_MAX ||
	    first->begin > first->end || second->begin > second->end)
		return PACKET_PAIRS_NONE;
	talk.origin = talk.second->begin + (talk.second->end - talk.second->begin) / 2;
	talk.together = nsec_min(first->end - first->begin, second->end - second->begin);
	result = talk_settle(&talk, talk_find(&talk, ret), ret);
	if (result == PACKET_PAIRS_FOUND && hosts_are_copies(first, second))
		result = PACKET_PAIRS_NONE;
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
