/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packet_shift.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

#define WIDTH_LEAST    15625      /* ns; what the quickest packets vary by */
#define WIDTH_FIRST    2000000
#define LEVELS         11         /* of doubled widths: up to 16 ms */
#define ROUND_TRIP_MAX 1000000000 /* ns */
#define TOGETHER_MAX   (UINT64_C(500000) * 1000000000) /* ns; slope_step() stays within 64 bits */
#define SLOPES_MAX     256
#define PEAKS_MAX      8
#define FOLLOWED_MAX   2048       /* votes of a candidate, each direction */
#define FOLLOWED_PEAKS 3
#define CANDIDATES_MAX 8
#define ACCIDENT_PART  64
#define EARLY_MAX      16000000   /* ns */

/* A time that many votes follow closely. */
struct peak {
	int64_t low;
	uint64_t weight;
};

struct residual {
	int64_t value, reach;
	uint64_t weight;
};

/* Sorted by value. */
struct residuals {
	struct residual *item;
	uint64_t *followed; /* weight of the votes that follow each */
	size_t count;
};

struct candidate {
	int64_t there, back;
	uint64_t weight;
};

ORDER_FUNCTION(vote_compare, struct packet_vote, RISING(x, y, taken), RISING(x, y, at))

ORDER_FUNCTION(weight_compare, struct packet_vote, FALLING(x, y, weight), vote_compare(x, y))

ORDER_FUNCTION(residual_compare, struct residual, RISING(x, y, value))

/* What the votes say with a line of that slope. */
static void residuals_set(struct residuals *residuals, const struct packet_vote *vote,
                          size_t count, int64_t slope)
{
	const struct clock_line line = {.slope = slope};

	for (size_t i = 0; i < count; i++)
		residuals->item[i] = (struct residual){
			vote[i].taken - clock_line_shift(&line, (nsec_t)vote[i].at),
			vote[i].reach, vote[i].weight};
	residuals->count = count;
	array_sort(residuals->item, count, sizeof(*residuals->item), residual_compare);
}

/* The votes that follow within one width. */
struct level {
	int64_t width;
	uint64_t weight;
	size_t end;
};

static void level_move(struct level *level, const struct residuals *residuals, size_t begin,
                       int64_t width_least)
{
	const struct residual *item = residuals->item;

	for (; level->end < residuals->count &&
	       item[level->end].value - item[begin].value <= level->width; level->end++)
		if (level->width == width_least || item[level->end].reach >= level->width)
			level->weight += item[level->end].weight;
}

static void level_leave(struct level *level, const struct residual *item, int64_t width_least)
{
	if (level->width == width_least || item->reach >= level->width)
		level->weight -= item->weight;
}

/* How many votes follow each one. A vote counts once for each doubled width that it is within: so
   its weight falls with the logarithm of its distance. */
static void residuals_weigh(struct residuals *residuals, int64_t width, size_t levels)
{
	struct level level[LEVELS] = {0};

	for (size_t k = 0; k < levels; k++)
		level[k].width = width << k;
	for (size_t i = 0; i < residuals->count; i++) {
		uint64_t weight = 0;

		for (size_t k = 0; k < levels; k++) {
			level_move(&level[k], residuals, i, width);
			weight += level[k].weight;
			level_leave(&level[k], &residuals->item[i], width);
		}
		residuals->followed[i] = weight;
	}
}

/* The time that most votes follow; of several, the first one. */
static size_t residuals_best(const struct residuals *residuals)
{
	size_t best = 0;

	for (size_t i = 1; i < residuals->count; i++)
		if (residuals->followed[i] > residuals->followed[best])
			best = i;
	return best;
}

/* No peak is there again. */
static void residuals_flatten(struct residuals *residuals, size_t peak, int64_t width)
{
	int64_t value = residuals->item[peak].value;

	for (size_t i = peak; i < residuals->count && residuals->item[i].value < value + width; i++)
		residuals->followed[i] = 0;
	for (size_t i = peak; i > 0 && residuals->item[i - 1].value > value - width; i--)
		residuals->followed[i - 1] = 0;
}

/* The best `most` ones. */
static size_t peaks_find(struct residuals *residuals, int64_t width, size_t levels, size_t most,
                         struct peak *ret)
{
	size_t count = 0;

	residuals_weigh(residuals, width, levels);
	for (; count < most && residuals->count > 0; count++) {
		size_t best = residuals_best(residuals);

		if (residuals->followed[best] == 0)
			break;
		ret[count] = (struct peak){residuals->item[best].value, residuals->followed[best]};
		residuals_flatten(residuals, best, width);
	}
	return count;
}

/* Packets there and back take no time less than none in sum, and not too long. */
static bool round_trip_is_possible(int64_t there, int64_t back, int64_t width)
{
	return there + back >= -width && there + back <= ROUND_TRIP_MAX + width;
}

ORDER_FUNCTION(candidate_compare, struct candidate, FALLING(x, y, weight), RISING(x, y, there))

static size_t candidates_find(struct residuals *there, struct residuals *back,
                              int64_t width, struct candidate *ret)
{
	struct peak outward[PEAKS_MAX], inward[PEAKS_MAX];
	size_t outward_count = peaks_find(there, width, 1, PEAKS_MAX, outward), count = 0;
	size_t inward_count = peaks_find(back, width, 1, PEAKS_MAX, inward);

	for (size_t i = 0; i < outward_count; i++)
		for (size_t j = 0; j < inward_count; j++)
			if (round_trip_is_possible(outward[i].low, inward[j].low, 2 * width))
				ret[count++] = (struct candidate){outward[i].low, inward[j].low,
				                                  outward[i].weight +
				                                          inward[j].weight};
	array_sort(ret, count, sizeof(*ret), candidate_compare);
	return count;
}

/* The votes from low to high, the heaviest ones if there are many. */
static size_t votes_within(const struct packet_votes *votes, int64_t low, int64_t high,
                           struct packet_vote *ret)
{
	_cleanup_(freep) struct packet_vote *within = NULL;
	size_t begin = ARRAY_BEFORE(it, votes->vote, votes->count, it->taken < low), end, count;

	for (end = begin; end < votes->count && votes->vote[end].taken <= high; end++)
		;
	count = end - begin;
	if (count == 0)
		return 0;
	within = xcalloc(count, sizeof(*within));
	memcpy(within, &votes->vote[begin], count * sizeof(*within));
	array_sort(within, count, sizeof(*within), weight_compare);
	if (count > FOLLOWED_MAX)
		count = FOLLOWED_MAX;
	memcpy(ret, within, count * sizeof(*ret));
	return count;
}

struct follow {
	struct packet_vote there[FOLLOWED_MAX], back[FOLLOWED_MAX];
	size_t there_count, back_count;
	struct residual item[FOLLOWED_MAX];
	uint64_t followed[FOLLOWED_MAX];
};

static uint64_t shift_weight(const struct packet_shift *shift)
{
	return shift->there_weight + shift->back_weight;
}

static size_t width_levels(int64_t width)
{
	size_t levels = 1;

	while (levels < LEVELS && width << levels <= (int64_t)WIDTH_LEAST << (LEVELS - 1))
		levels++;
	return levels;
}

static size_t follow_peaks(struct follow *follow, const struct packet_vote *vote, size_t count,
                           int64_t slope, int64_t width, struct peak *ret)
{
	struct residuals residuals = {follow->item, follow->followed, 0};

	residuals_set(&residuals, vote, count, slope);
	return peaks_find(&residuals, width, width_levels(width), FOLLOWED_PEAKS, ret);
}

/* How many votes agree with a line of that slope. The best ones of both directions need not fit
   each other: a packet and the next one that a router forwards look alike. */
static void follow_try(struct follow *follow, int64_t slope, int64_t width,
                       struct packet_shift *best)
{
	struct peak there[FOLLOWED_PEAKS], back[FOLLOWED_PEAKS];
	size_t there_count =
		follow_peaks(follow, follow->there, follow->there_count, -slope, width, there);
	size_t back_count =
		follow_peaks(follow, follow->back, follow->back_count, slope, width, back);

	for (size_t i = 0; i < there_count; i++)
		for (size_t j = 0; j < back_count; j++)
			if (there[i].weight + back[j].weight > shift_weight(best) &&
			    round_trip_is_possible(there[i].low, back[j].low, width))
				*best = (struct packet_shift){
					.slope = slope,
					.there = there[i].low,
					.back = back[j].low,
					.there_weight = there[i].weight,
					.back_weight = back[j].weight,
				};
}

/* Half the width, over that time, as a slope. */
static int64_t slope_step(int64_t width, nsec_t together)
{
	int64_t step = (int64_t)(((uint64_t)width << 32) / (together + 1) << 3);

	return step < 1 ? 1 : step > CLOCK_SLOPE_MAX ? CLOCK_SLOPE_MAX : step;
}

/* The slopes around best->slope in steps within which the width hides the difference. */
static void follow_slopes(struct follow *follow, int64_t step, int64_t width, int64_t reach,
                          struct packet_shift *best)
{
	int64_t middle = best->slope;

	*best = (struct packet_shift){0};
	follow_try(follow, middle, width, best);
	for (int64_t away = step; away < reach + step; away += step) {
		int64_t slope = away < reach ? away : reach;

		if (middle + slope <= CLOCK_SLOPE_MAX)
			follow_try(follow, middle + slope, width, best);
		if (middle - slope >= -CLOCK_SLOPE_MAX)
			follow_try(follow, middle - slope, width, best);
	}
}

/* The line of most votes: first roughly, then ever more closely. */
static struct packet_shift follow_find(struct follow *follow, nsec_t together)
{
	int64_t width = (int64_t)(together / 1000 / (SLOPES_MAX / 2));
	int64_t reach = CLOCK_SLOPE_MAX;
	struct packet_shift best = {0};

	if (width < WIDTH_FIRST)
		width = WIDTH_FIRST;
	for (;;) {
		int64_t step = slope_step(width, together);

		follow_slopes(follow, step, width, reach, &best);
		if (width <= WIDTH_LEAST)
			return best;
		reach = 2 * step < CLOCK_SLOPE_MAX ? 2 * step : CLOCK_SLOPE_MAX;
		width = width / 2 > WIDTH_LEAST ? width / 2 : WIDTH_LEAST;
	}
}

/* `there` and `back` have room for all votes. */
static struct packet_shift shift_choose(const struct packet_votes *there_votes,
                                        const struct packet_votes *back_votes, nsec_t together,
                                        struct residuals *there, struct residuals *back)
{
	_cleanup_(freep) struct follow *follow = xcalloc(1, sizeof(*follow));
	struct candidate candidate[PEAKS_MAX * PEAKS_MAX];
	const int64_t late = (int64_t)WIDTH_LEAST << (LEVELS - 1);
	int64_t width = WIDTH_FIRST + (int64_t)(together / 1000);
	struct packet_shift best = {0};
	size_t count;

	residuals_set(there, there_votes->vote, there_votes->count, 0);
	residuals_set(back, back_votes->vote, back_votes->count, 0);
	count = candidates_find(there, back, width, candidate);
	for (size_t i = 0; i < count && i < CANDIDATES_MAX; i++) {
		struct packet_shift shift;

		follow->there_count =
			votes_within(there_votes, candidate[i].there - late,
		                     candidate[i].there + width + late, follow->there);
		follow->back_count =
			votes_within(back_votes, candidate[i].back - late,
		                     candidate[i].back + width + late, follow->back);
		shift = follow_find(follow, together);
		if (shift_weight(&shift) > shift_weight(&best) &&
		    round_trip_is_possible(shift.there, shift.back, WIDTH_LEAST))
			best = shift;
	}
	return best;
}

/* Within what time half of the votes are that are within 4 ms. */
static int64_t residuals_spread(const struct residuals *residuals, int64_t low)
{
	uint64_t total = 0, half = 0;
	size_t begin = 0, i;

	while (begin < residuals->count && residuals->item[begin].value < low)
		begin++;
	for (i = begin; i < residuals->count && residuals->item[i].value <= low + 2 * WIDTH_FIRST;
	     i++)
		total += residuals->item[i].weight;
	for (i = begin; i < residuals->count; i++) {
		half += residuals->item[i].weight;
		if (half * 2 >= total)
			break;
	}
	if (i == residuals->count || residuals->item[i].value - low < WIDTH_LEAST)
		return WIDTH_LEAST;
	return residuals->item[i].value - low;
}

/* Leaves out the votes of most packets that follow that time. */
static void residuals_remove(struct residuals *residuals, int64_t low, int64_t spread)
{
	size_t kept = 0;

	for (size_t i = 0; i < residuals->count; i++)
		if (residuals->item[i].value < low || residuals->item[i].value > low + 2 * spread)
			residuals->item[kept++] = residuals->item[i];
	residuals->count = kept;
}

/* What one direction says about the found difference. */
struct opinion {
	struct peak peak[PEAKS_MAX + 1]; /* those that explain nearly as much; it is the last one */
	size_t count;
	bool has_better, has_early;
};

/* Differences that explain nearly as much in one direction. */
static void rivals_find(struct residuals *residuals, int64_t low, int64_t spread,
                        uint64_t weight, struct opinion *ret)
{
	struct peak rival[PEAKS_MAX];
	size_t count;

	residuals_remove(residuals, low, spread);
	count = peaks_find(residuals, WIDTH_LEAST, LEVELS, PEAKS_MAX, rival);
	ret->has_better = count > 0 && rival[0].weight >= weight;
	for (size_t i = 0; i < count; i++)
		if (rival[i].weight * 4 >= weight * 3)
			ret->peak[ret->count++] = rival[i];
	ret->peak[ret->count++] = (struct peak){low, weight};
}

/* Whether many packets of rare lengths would be received just before they were sent: two runs of
   one program, say, or a router, which sends what it receives. Votes of chance are as many before
   that time as anywhere. */
static bool many_are_early(const struct residuals *residuals, int64_t low, int64_t spread)
{
	uint64_t early = 0, taken = 0, others = 0, chance;
	int64_t range;

	if (residuals->count == 0)
		return false;
	range = residuals->item[residuals->count - 1].value - residuals->item[0].value;
	for (size_t i = 0; i < residuals->count; i++) {
		const struct residual *item = &residuals->item[i];
		int64_t late = item->value - low;
		bool is_near = late >= -EARLY_MAX && late <= EARLY_MAX;

		if (item->reach < EARLY_MAX)
			continue;
		early += is_near && late < -spread - WIDTH_LEAST ? item->weight : 0;
		taken += is_near && late >= 0 ? item->weight : 0;
		others += is_near ? 0 : item->weight;
	}
	/* there are twice as many in the middle of the range as on average */
	chance = range > EARLY_MAX ? 2 * others / (uint64_t)(range / EARLY_MAX) : 0;
	return early > chance && (early - chance) * 2 > taken;
}

static void opinion_find(struct residuals *residuals, int64_t low, int64_t spread,
                         uint64_t weight, struct opinion *ret)
{
	*ret = (struct opinion){.has_early = many_are_early(residuals, low, spread)};
	rivals_find(residuals, low, spread, weight, ret);
}

/* Packets take little more than none by the found difference, and much longer by the other one. If
   that were the true one, the round trip would be what the talk repeats itself by, to within a
   small part, by accident. */
static bool rival_is_accident(const struct packet_shift *shift, int64_t there, int64_t back)
{
	bool is_one_way = there == shift->there || back == shift->back;

	return is_one_way && (there + back) / ACCIDENT_PART > shift->there + shift->back;
}

/* Whether another difference explains nearly as much in both directions. */
static bool shift_is_ambiguous(const struct packet_shift *shift, const struct opinion *there,
                               const struct opinion *back)
{
	for (size_t i = 0; i < there->count; i++)
		for (size_t j = 0; j < back->count; j++) {
			int64_t outward = there->peak[i].low, inward = back->peak[j].low;

			if ((i + 1 < there->count || j + 1 < back->count) &&
			    round_trip_is_possible(outward, inward, WIDTH_LEAST) &&
			    !rival_is_accident(shift, outward, inward))
				return true;
		}
	return false;
}

/* Asks both directions. */
static enum packet_shift_result shift_judge(struct packet_shift *shift,
                                            struct residuals *there_residuals,
                                            struct residuals *back_residuals)
{
	struct opinion there, back;

	opinion_find(there_residuals, shift->there, shift->there_spread, shift->there_weight,
	             &there);
	opinion_find(back_residuals, shift->back, shift->back_spread, shift->back_weight, &back);
	if (shift_is_ambiguous(shift, &there, &back))
		return PACKET_SHIFT_AMBIGUOUS;
	shift->there_is_doubtful = there.has_better || there.has_early;
	shift->back_is_doubtful = back.has_better || back.has_early;
	return PACKET_SHIFT_FOUND;
}

enum packet_shift_result packet_shift_find(struct packet_votes *there, struct packet_votes *back,
                                           nsec_t together, struct packet_shift *ret)
{
	_cleanup_(freep) struct residual *outward = xcalloc(there->count, sizeof(*outward));
	_cleanup_(freep) struct residual *inward = xcalloc(back->count, sizeof(*inward));
	size_t most = there->count > back->count ? there->count : back->count;
	_cleanup_(freep) uint64_t *followed = xcalloc(most, sizeof(*followed));
	struct residuals there_residuals = {outward, followed, 0};
	struct residuals back_residuals = {inward, followed, 0};

	together = nsec_min(together, TOGETHER_MAX);
	array_sort(there->vote, there->count, sizeof(*there->vote), vote_compare);
	array_sort(back->vote, back->count, sizeof(*back->vote), vote_compare);
	*ret = shift_choose(there, back, together, &there_residuals, &back_residuals);
	if (ret->there_weight == 0 || ret->back_weight == 0)
		return PACKET_SHIFT_NONE;
	residuals_set(&there_residuals, there->vote, there->count, -ret->slope);
	residuals_set(&back_residuals, back->vote, back->count, ret->slope);
	ret->there_spread = residuals_spread(&there_residuals, ret->there);
	ret->back_spread = residuals_spread(&back_residuals, ret->back);
	return shift_judge(ret, &there_residuals, &back_residuals);
}
