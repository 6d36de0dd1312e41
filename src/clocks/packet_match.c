/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_match.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

#define LATE_MAX      10000000 /* ns; a packet that takes longer is not paired */
#define CONTROLS      8        /* wrong times that are tried */
#define ACCIDENTS_MAX 64       /* at most one pair in that many of a length is an accident */
#define TRIM_BELOW    4        /* no trimming with fewer accidents than one in that many talks */
#define FIRST_BELOW   1024     /* likewise, to note quick pairs that are alone */
#define OTHERS_MAX    64       /* packets that are looked at beside one */
#define SUCCESSION    8        /* spreads; packets closer to each other are not independent */

/* How far two packets may be apart. */
struct reach {
	int64_t least, most;
};

struct matching {
	struct packet_match *match;
	struct reach usual, late;
	struct timed_sight *left_sent, *left_received;
	bool *is_taken; /* by number of the received packet: it has a partner */
	size_t paired;  /* of the usual ones */
	uint64_t accidents, control; /* CONTROLS times their number */
	uint64_t possible; /* pairs of packets of one length, sent and received, not paired */
};

/* Packets of one length. */
struct sight_range {
	const struct timed_sight *sent, *received;
	size_t sent_count, received_count;
};

struct pairing {
	size_t count, independent;
};

static size_t sights_same(const struct timed_sight *sight, size_t count)
{
	size_t same = 1;

	while (same < count && sight[same].bytes == sight->bytes)
		same++;
	return same;
}

/* The next length that was both sent and received, of what is in *rest. */
static bool range_next(struct sight_range *rest, struct sight_range *ret)
{
	while (rest->sent_count > 0 && rest->received_count > 0) {
		bool has_sent = rest->sent->bytes <= rest->received->bytes;
		bool has_received = rest->received->bytes <= rest->sent->bytes;
		size_t sent = has_sent ? sights_same(rest->sent, rest->sent_count) : 0;
		size_t received =
			has_received ? sights_same(rest->received, rest->received_count) : 0;

		*ret = (struct sight_range){rest->sent, rest->received, sent, received};
		*rest = (struct sight_range){rest->sent + sent, rest->received + received,
		                             rest->sent_count - sent,
		                             rest->received_count - received};
		if (has_sent && has_received)
			return true;
	}
	return false;
}

/* Negative: the sent packet is too early. */
static int sights_order(const struct timed_sight *sent, const struct timed_sight *received,
                        const struct reach *reach)
{
	if (received->time - sent->time > reach->most)
		return -1;
	return received->time - sent->time < reach->least;
}

/* From the first ones of *rest, which fit: what is within reach of the last ones. */
static struct sight_range run_of(const struct sight_range *rest, const struct reach *reach)
{
	struct sight_range run = {rest->sent, rest->received, 1, 1};

	for (bool grows = true; grows;) {
		const struct timed_sight *sent = &run.sent[run.sent_count - 1];
		const struct timed_sight *received = &run.received[run.received_count - 1];

		grows = false;
		if (run.received_count < rest->received_count &&
		    sights_order(sent, received + 1, reach) == 0) {
			run.received_count++;
			grows = true;
		}
		if (run.sent_count < rest->sent_count &&
		    sights_order(sent + 1, received, reach) == 0) {
			run.sent_count++;
			grows = true;
		}
	}
	return run;
}

/* As many were sent as received, and all in their order fit. */
static bool run_is_sure(const struct sight_range *run, const struct reach *reach)
{
	if (run->sent_count != run->received_count)
		return false;
	for (size_t i = 0; i < run->sent_count; i++)
		if (sights_order(&run->sent[i], &run->received[i], reach) != 0)
			return false;
	return true;
}

/* Takes the next run from *rest, or a packet that has no partner within reach, alone. Returns
   false if one side has none left. */
static bool run_next(struct sight_range *rest, const struct reach *reach, struct sight_range *run)
{
	int order;

	if (rest->sent_count == 0 || rest->received_count == 0)
		return false;
	order = sights_order(rest->sent, rest->received, reach);
	*run = order == 0 ? run_of(rest, reach)
	                  : (struct sight_range){rest->sent, rest->received, order < 0, order > 0};
	*rest = (struct sight_range){rest->sent + run->sent_count,
	                             rest->received + run->received_count,
	                             rest->sent_count - run->sent_count,
	                             rest->received_count - run->received_count};
	return true;
}

/* n * n * a * b <= all * all; false if the product is too large to say. */
static bool product_fits(uint64_t n, uint64_t a, uint64_t b, uint64_t all)
{
	uint64_t product, limit;

	return !__builtin_mul_overflow(n, n, &product) &&
	       !__builtin_mul_overflow(product, a, &product) &&
	       !__builtin_mul_overflow(product, b, &product) &&
	       (__builtin_mul_overflow(all, all, &limit) || product <= limit);
}

/*
 * Returns how many packets a run has at most that is paired. A run may have lost as many packets as
 * it has packets of other machines: then as many were received as sent, and all its pairs are
 * shifted. With n packets the chance is (n * lost / all) * (n * others / all), by what the other
 * runs show; it must not be above 1/64. Where none is lost, or of others, an eighth of a packet
 * stands for what a longer recording would show.
 */
static size_t run_longest(const struct sight_range *range, const struct reach *reach)
{
	struct sight_range run, rest = *range;
	uint64_t all = 0, lost = 0, others = 0, longest = 1;

	while (run_next(&rest, reach, &run)) {
		if (run.sent_count == 0 || run.received_count == 0)
			continue;
		all += run.sent_count;
		if (run.received_count < run.sent_count)
			lost += run.sent_count - run.received_count;
		else
			others += run.received_count - run.sent_count;
	}
	while (longest < all && product_fits(longest + 1, 8 * lost + 1, 8 * others + 1, all))
		longest++;
	return (size_t)longest;
}

/* Pairs packets; in `partner`, or NULL: only counts. */
static struct pairing range_pair(const struct sight_range *range, const struct reach *reach,
                                 int64_t apart, uint32_t *partner)
{
	struct sight_range run, rest = *range;
	struct pairing pairing = {0};
	int64_t last = INT64_MIN / 2;
	size_t longest = run_longest(range, reach);

	while (run_next(&rest, reach, &run)) {
		if (run.sent_count > longest || !run_is_sure(&run, reach))
			continue;
		pairing.count += run.sent_count;
		pairing.independent += run.sent->time - last > apart;
		last = run.sent[run.sent_count - 1].time;
		for (size_t i = 0; partner && i < run.sent_count; i++)
			partner[run.sent[i].index] = run.received[i].index;
	}
	return pairing;
}

/* The sum of what is paired with CONTROLS wrong times. */
static struct pairing range_control(const struct sight_range *range, const struct reach *reach,
                                    int64_t apart)
{
	int64_t span = reach->most - reach->least;
	struct pairing sum = {0};

	for (int64_t i = 1; i <= CONTROLS / 2; i++) {
		int64_t away = span * i + span / 3 * i * i;
		const struct reach early = {reach->least - away, reach->most - away};
		const struct reach late = {reach->least + away, reach->most + away};
		struct pairing one = range_pair(range, &early, apart, NULL);
		struct pairing other = range_pair(range, &late, apart, NULL);

		sum.count += one.count + other.count;
		sum.independent += one.independent + other.independent;
	}
	return sum;
}

/* What part of `control` is between packets without a true partner: of these are accidents, with
   wrong times all packets are. */
static uint64_t accidents_of(uint64_t control, size_t sent, size_t received, size_t true_pairs)
{
	control = control * (sent - true_pairs) / sent;
	return control * (received - true_pairs) / received;
}

static bool accidents_are_rare(uint64_t accidents, size_t pairs)
{
	return accidents * ACCIDENTS_MAX <= (uint64_t)pairs * CONTROLS;
}

/* The packets of a range that have no partner, in arrays that are large enough. */
static struct sight_range range_left(const struct sight_range *range, struct matching *matching)
{
	struct timed_sight *sent = matching->left_sent, *received = matching->left_received;
	struct sight_range left = {sent, received, 0, 0};

	for (size_t i = 0; i < range->received_count; i++)
		matching->is_taken[range->received[i].index] = false;
	for (size_t i = 0; i < range->sent_count; i++) {
		uint32_t partner = matching->match->partner[range->sent[i].index];

		if (partner == PACKET_ALONE)
			sent[left.sent_count++] = range->sent[i];
		else
			matching->is_taken[partner] = true;
	}
	for (size_t i = 0; i < range->received_count; i++)
		if (!matching->is_taken[range->received[i].index])
			received[left.received_count++] = range->received[i];
	return left;
}

static void range_forget(const struct sight_range *range, uint32_t *partner)
{
	for (size_t i = 0; i < range->sent_count; i++)
		partner[range->sent[i].index] = PACKET_ALONE;
}

/* Those that take as long as most do. */
static void range_find(const struct sight_range *range, struct matching *matching)
{
	struct packet_match *match = matching->match;
	int64_t apart = SUCCESSION * match->spread;
	struct pairing usual = range_pair(range, &matching->usual, apart, match->partner);
	struct pairing control = range_control(range, &matching->usual, apart);
	struct sight_range left = range_left(range, matching);
	size_t late = range_pair(&left, &matching->late, apart, NULL).count;
	size_t by_chance = range_control(&left, &matching->late, apart).count / CONTROLS;
	size_t true_pairs = usual.count + (late > by_chance ? late - by_chance : 0);
	uint64_t accidents = accidents_of(control.count, range->sent_count, range->received_count,
	                                  true_pairs);

	match->independent += usual.independent;
	matching->control += control.independent;
	if (accidents_are_rare(accidents, usual.count)) {
		matching->accidents += accidents;
		matching->paired += usual.count;
		matching->possible += (uint64_t)left.sent_count * left.received_count;
	} else {
		range_forget(range, match->partner);
	}
}

ORDER_FUNCTION(number_compare, uint32_t, (*x > *y) - (*x < *y))

/* Packets of one length arrive in the order in which they were sent. */
static void range_uncross(const struct sight_range *range, uint32_t *partner)
{
	_cleanup_(freep) uint32_t *sorted = xcalloc(range->sent_count, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < range->sent_count; i++)
		if (partner[range->sent[i].index] != PACKET_ALONE)
			sorted[count++] = partner[range->sent[i].index];
	array_sort(sorted, count, sizeof(*sorted), number_compare);
	count = 0;
	for (size_t i = 0; i < range->sent_count; i++)
		if (partner[range->sent[i].index] != PACKET_ALONE)
			partner[range->sent[i].index] = sorted[count++];
}

/* Whether a packet without partner was received after that one, and soon after `sent`. */
static bool range_has_other(const struct sight_range *range, const struct matching *matching,
                            size_t received, int64_t sent)
{
	for (size_t i = received + 1; i < range->received_count && i < received + OTHERS_MAX &&
	                              range->received[i].time - sent <= LATE_MAX; i++)
		if (!matching->is_taken[range->received[i].index])
			return true;
	return false;
}

/* Unpairs packets that took less time than most, if their partner may be another packet's. */
static void range_doubt(const struct sight_range *range, struct matching *matching)
{
	uint32_t *partner = matching->match->partner;
	int64_t last_alone = INT64_MIN / 2;
	size_t j = 0;

	for (size_t i = 0; i < range->sent_count; i++) {
		const struct timed_sight *sent = &range->sent[i];
		uint32_t *mine = &partner[sent->index];
		int64_t time;

		if (*mine == PACKET_ALONE) {
			last_alone = sent->time;
			continue;
		}
		while (range->received[j].index != *mine)
			j++;
		time = range->received[j].time;
		if (time < sent->time && (time - last_alone <= LATE_MAX ||
		                          range_has_other(range, matching, j, sent->time)))
			*mine = PACKET_ALONE;
	}
}

/* Finds the late packets among the others. */
static void range_find_late(const struct sight_range *range, struct matching *matching)
{
	struct packet_match *match = matching->match;
	int64_t apart = SUCCESSION * match->spread;
	struct sight_range left = range_left(range, matching);
	size_t late = range_pair(&left, &matching->late, apart, NULL).count;
	uint64_t control = range_control(&left, &matching->late, apart).count + 1;
	uint64_t accidents = accidents_of(control * ACCIDENTS_MAX, match->sent_count,
	                                  match->received_count, matching->paired);

	if (late > 0 && accidents <= (uint64_t)late * CONTROLS)
		(void)range_pair(&left, &matching->late, apart, match->partner);
	range_uncross(range, match->partner);
	(void)range_left(range, matching);
	range_doubt(range, matching);
}

ORDER_FUNCTION(taken_compare, int64_t, (*x > *y) - (*x < *y))

/* Sent times by number, and received ones. */
struct times {
	int64_t *sent, *received;
};

static int64_t *times_make(const struct timed_sight *sight, size_t count, size_t limit)
{
	int64_t *time = xcalloc(limit, sizeof(*time));

	for (size_t i = 0; i < count; i++)
		time[sight[i].index] = sight[i].time;
	return time;
}

/* From where on there are several pairs within a step: one alone may be an accident. */
static int64_t taken_first(const int64_t *taken, size_t count, int64_t step)
{
	for (size_t i = 0; i + 2 < count; i++)
		if (taken[i + 2] - taken[i] <= step)
			return taken[i];
	return INT64_MAX;
}

/* From where on there are many more pairs than accidents, the quickest of which may still be such
   ones. All true pairs may be within a step, so it is not the end of the step. */
static int64_t taken_begin(const int64_t *taken, size_t count, int64_t step, uint64_t accidents)
{
	size_t end = 0, many = 4 + 4 * (size_t)accidents;

	for (size_t i = 0; i < count; i++) {
		while (end < count && taken[end] - taken[i] <= step)
			end++;
		if (end - i > many)
			return taken[i + many];
	}
	return INT64_MAX;
}

/* Drops those that are so quick that there are no more of them than accidents; notes them where
   hardly any is an accident. */
static void match_trim(struct packet_match *match, const struct times *times,
                       const struct matching *matching, bool *is_quick)
{
	_cleanup_(freep) int64_t *taken = xcalloc(match->partner_count, sizeof(*taken));
	int64_t step = match->spread / 4, begin;
	uint64_t steps = (uint64_t)((matching->usual.most - matching->usual.least) / step);
	size_t count = 0;
	bool is_few;

	for (size_t i = 0; i < match->partner_count; i++)
		if (match->partner[i] != PACKET_ALONE)
			taken[count++] = times->received[match->partner[i]] - times->sent[i];
	array_sort(taken, count, sizeof(*taken), taken_compare);
	is_few = matching->accidents * TRIM_BELOW < CONTROLS;
	begin = is_few ? taken_first(taken, count, step)
	               : taken_begin(taken, count, step, matching->accidents / CONTROLS / steps);
	for (size_t i = 0; i < match->partner_count; i++) {
		if (match->partner[i] == PACKET_ALONE ||
		    times->received[match->partner[i]] - times->sent[i] >= begin)
			continue;
		if (is_few)
			is_quick[i] = true;
		else
			match->partner[i] = PACKET_ALONE;
	}
}

static size_t sights_limit(const struct timed_sight *sight, size_t count)
{
	size_t limit = 0;

	for (size_t i = 0; i < count; i++)
		if (sight[i].index >= limit)
			limit = (size_t)sight[i].index + 1;
	return limit;
}

/* By what time there is for them, and where those that are paired would be. */
static bool accidents_are_possible(const struct matching *matching)
{
	const struct packet_match *match = matching->match;
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < match->sent_count; i++) {
		first = match->sent[i].time < first ? match->sent[i].time : first;
		last = match->sent[i].time > last ? match->sent[i].time : last;
	}
	if (match->sent_count == 0)
		return false;
	return matching->possible * FIRST_BELOW >=
	       (uint64_t)((last - first) / (matching->usual.most - matching->usual.least));
}

static void match_ranges(struct packet_match *match, struct matching *matching)
{
	const struct sight_range all = {match->sent, match->received, match->sent_count,
	                                match->received_count};
	struct sight_range range, rest = all;

	while (range_next(&rest, &range))
		range_find(&range, matching);
	rest = all;
	while (range_next(&rest, &range))
		range_find_late(&range, matching);
	match->by_chance = (size_t)(matching->control / CONTROLS);
}

void packet_match_find(struct packet_match *match)
{
	size_t received_limit = sights_limit(match->received, match->received_count);
	_cleanup_(freep) struct timed_sight *sent = xcalloc(match->sent_count, sizeof(*sent));
	_cleanup_(freep) struct timed_sight *received =
		xcalloc(match->received_count, sizeof(*received));
	_cleanup_(freep) bool *is_taken = xcalloc(received_limit, sizeof(*is_taken));
	struct matching matching = {
		.match = match,
		.usual = {-match->spread, 4 * match->spread},
		.late = {0, LATE_MAX},
		.left_sent = sent,
		.left_received = received,
		.is_taken = is_taken,
	};
	struct times times;
	bool is_unlikely;

	match->partner_count = sights_limit(match->sent, match->sent_count);
	match->partner = xcalloc(match->partner_count, sizeof(*match->partner));
	match->is_quick = xcalloc(match->partner_count, sizeof(*match->is_quick));
	match->is_lone = xcalloc(match->partner_count, sizeof(*match->is_lone));
	for (size_t i = 0; i < match->partner_count; i++)
		match->partner[i] = PACKET_ALONE;
	match_ranges(match, &matching);
	is_unlikely = matching.accidents * TRIM_BELOW < CONTROLS &&
	              !accidents_are_possible(&matching);
	times.sent = times_make(match->sent, match->sent_count, match->partner_count);
	times.received = times_make(match->received, match->received_count, received_limit);
	match_trim(match, &times, &matching, is_unlikely ? match->is_lone : match->is_quick);
	free(times.sent);
	free(times.received);
}

void packet_match_release(struct packet_match *match)
{
	free(match->sent);
	free(match->received);
	free(match->partner);
	free(match->is_quick);
	free(match->is_lone);
	*match = (struct packet_match){0};
}
