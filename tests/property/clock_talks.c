/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock_talks.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "clocks/clock_fit.h"
#include "random.h"

#define MESSAGES_MAX 200u
#define EXACT_MAX    12u /* messages each way for which all lines are tried */
#define SECOND       UINT64_C(1000000000)
/* Times are rounded to 1 ns where they are made, lines at their parameters. */
#define ROUNDING     8
/* What is rounded at messages that are close to each other counts for more far from them, and so
   does what they leave open. */
#define BOUND_ROUNDING(bound) (ROUNDING + (bound) / 10000)
/* A slope at its limit is not quite one from the other side. */
#define SWAP_ROUNDING(bound)  (ROUNDING + (bound) / 250)

/* The first clock is that of the second + offset + ppb * (second - begin) / 10^9. */
struct truth {
	int64_t offset, ppb;
	nsec_t begin, end; /* of the second machine's recording */
};

struct messages {
	struct clock_message there[MESSAGES_MAX], back[MESSAGES_MAX];
};

static nsec_t first_clock(const struct truth *truth, nsec_t second)
{
	int64_t x = (int64_t)(second - truth->begin);
	int64_t drift = (int64_t)llroundl((long double)x * (long double)truth->ppb / 1e9L);

	return second + (nsec_t)(truth->offset + drift);
}

static nsec_t random_between(struct random *random, nsec_t least, nsec_t most)
{
	return least + random_next(random) % (most - least + 1);
}

/* Mostly quick, now and then slow. */
static nsec_t random_latency(struct random *random)
{
	nsec_t latency = 20000 + random_next(random) % 60000;

	while (random_chance(random, 30))
		latency = latency * 3;
	return latency;
}

static struct truth truth_make(struct random *random)
{
	struct truth truth = {
		.ppb = random_chance(random, 50)
		               ? 0 : (int64_t)random_below(random, 800001) - 400000,
		.begin = random_between(random, 1, 1000000 * SECOND),
	};

	truth.end = truth.begin + random_between(random, SECOND, 300 * SECOND);
	truth.offset = (int64_t)random_between(random, SECOND, 2000000 * SECOND);
	if (random_chance(random, 50) && (nsec_t)truth.offset < truth.begin)
		truth.offset = -truth.offset;
	return truth;
}

static void talk_make(const struct truth *truth, struct random *random, struct messages *messages,
                      struct clock_talk *ret)
{
	size_t most = random_chance(random, 50) ? EXACT_MAX : MESSAGES_MAX;

	*ret = (struct clock_talk){
		.there = messages->there,
		.there_count = 1 + random_below(random, most),
		.back = messages->back,
		.back_count = 1 + random_below(random, most),
		.first_begin = first_clock(truth, truth->begin),
		.first_end = first_clock(truth, truth->end),
		.second_begin = truth->begin,
		.second_end = truth->end,
	};
	for (size_t i = 0; i < ret->there_count; i++) {
		nsec_t received = random_between(random, truth->begin, truth->end);

		messages->there[i] = (struct clock_message){
			first_clock(truth, received - random_latency(random)), received};
	}
	for (size_t i = 0; i < ret->back_count; i++) {
		nsec_t sent = random_between(random, truth->begin, truth->end);

		messages->back[i] = (struct clock_message){
			sent, first_clock(truth, sent + random_latency(random))};
	}
}

static nsec_t apart(int64_t a, int64_t b)
{
	return a > b ? (nsec_t)(a - b) : (nsec_t)(b - a);
}

/* What the true clocks differ by from the line at that time. */
static nsec_t line_error(const struct truth *truth, const struct clock_line *line, nsec_t second)
{
	return apart((int64_t)(first_clock(truth, second) - second),
	             clock_line_shift(line, second));
}

static bool messages_are_in_order(const struct clock_talk *talk, const struct clock_line *line)
{
	for (size_t i = 0; i < talk->there_count; i++) {
		const struct clock_message *message = &talk->there[i];

		if ((int64_t)(message->received - message->sent) +
		            clock_line_shift(line, message->received) < 0)
			return false;
	}
	for (size_t i = 0; i < talk->back_count; i++) {
		const struct clock_message *message = &talk->back[i];

		if ((int64_t)(message->received - message->sent) -
		            clock_line_shift(line, message->sent) < 0)
			return false;
	}
	return true;
}

/* A point that lines must be above, or below. */
struct point {
	long double x, y;
	bool is_below;
};

static size_t points_make(const struct clock_talk *talk, nsec_t at, struct point *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < talk->there_count; i++) {
		const struct clock_message *message = &talk->there[i];

		ret[count++] = (struct point){(int64_t)(message->received - at),
		                              (int64_t)(message->sent - message->received), true};
	}
	for (size_t i = 0; i < talk->back_count; i++) {
		const struct clock_message *message = &talk->back[i];

		ret[count++] = (struct point){(int64_t)(message->sent - at),
		                              (int64_t)(message->received - message->sent), false};
	}
	return count;
}

/* What is asked of all lines, relative to the time of the chosen one. */
struct exact_search {
	struct point point[2 * EXACT_MAX];
	size_t count;
	long double begin[2], end[2]; /* of the first recording, of the second one */
	long double offset, slope;    /* of the chosen line */
	long double worst;            /* what a line is off by, from either side */
};

static void error_try(struct exact_search *search, long double x, long double y)
{
	long double error = fabsl(y - search->offset - search->slope * x);

	search->worst = fmaxl(search->worst, fmaxl(error, error / (1 + search->slope)));
}

/* A line through that point, if it fits all: what the chosen one is off by at the ends of the
   time when it has both recorded. */
static void line_try(struct exact_search *search, const struct point *through, long double slope)
{
	long double offset = through->y - slope * through->x, begin, end;

	if (fabsl(slope) > 500e-6L)
		return;
	for (size_t i = 0; i < search->count; i++) {
		const struct point *point = &search->point[i];
		long double y = offset + slope * point->x;

		if (point->is_below ? y < point->y - 0.5L : y > point->y + 0.5L)
			return;
	}
	begin = fmaxl(search->begin[1], (search->begin[0] - offset) / (1 + slope));
	end = fminl(search->end[1], (search->end[0] - offset) / (1 + slope));
	error_try(search, begin, offset + slope * begin);
	error_try(search, end, offset + slope * end);
}

/* The bound by trying the lines through all pairs of points, and the steepest through each. */
static long double exact_bound(const struct clock_talk *talk, const struct clock_line *line)
{
	struct exact_search search = {
		.begin = {(int64_t)(talk->first_begin - line->at),
		          (int64_t)(talk->second_begin - line->at)},
		.end = {(int64_t)(talk->first_end - line->at),
		        (int64_t)(talk->second_end - line->at)},
		.offset = line->offset,
		.slope = ldexpl(line->slope, -CLOCK_SLOPE_BITS),
	};

	search.count = points_make(talk, line->at, search.point);
	for (size_t i = 0; i < search.count; i++) {
		const struct point *one = &search.point[i];

		line_try(&search, one, 500e-6L);
		line_try(&search, one, -500e-6L);
		for (size_t j = i + 1; j < search.count; j++) {
			const struct point *other = &search.point[j];

			if (one->x != other->x)
				line_try(&search, one,
				         (other->y - one->y) / (other->x - one->x));
		}
	}
	return search.worst;
}

/* The same from the other side: the first machine is the second one. */
static const char *swapped_check(const struct clock_talk *talk, const struct clock_fit *fit)
{
	const struct clock_talk swapped = {
		.there = talk->back,
		.there_count = talk->back_count,
		.back = talk->there,
		.back_count = talk->there_count,
		.first_begin = talk->second_begin,
		.first_end = talk->second_end,
		.second_begin = talk->first_begin,
		.second_end = talk->first_end,
	};
	nsec_t middle = talk->second_begin + (talk->second_end - talk->second_begin) / 2;
	int64_t shift = clock_line_shift(&fit->line, middle);
	struct clock_fit other;

	if (clock_fit_find(&swapped, &other) != CLOCK_FIT_FOUND)
		return "the clocks fit in one order of the machines only";
	if (apart(clock_line_shift(&other.line, middle + (nsec_t)shift), -shift) >
	    SWAP_ROUNDING(fit->bound))
		return "the order of the machines changes the line";
	if (apart((int64_t)other.bound, (int64_t)fit->bound) > SWAP_ROUNDING(fit->bound))
		return "the order of the machines changes the bound";
	return NULL;
}

const char *clock_talk_check(uint64_t seed)
{
	struct random random = {seed};
	struct truth truth = truth_make(&random);
	struct messages messages;
	struct clock_talk talk;
	struct clock_fit fit;
	nsec_t middle = truth.begin + (truth.end - truth.begin) / 2;

	talk_make(&truth, &random, &messages, &talk);
	if (clock_fit_find(&talk, &fit) != CLOCK_FIT_FOUND)
		return "no line fits the messages";
	if (!messages_are_in_order(&talk, &fit.line))
		return "a message is received before it is sent";
	if (line_error(&truth, &fit.line, truth.begin) > fit.bound + ROUNDING ||
	    line_error(&truth, &fit.line, middle) > fit.bound + ROUNDING ||
	    line_error(&truth, &fit.line, truth.end) > fit.bound + ROUNDING)
		return "the truth is not within the bound";
	if (talk.there_count <= EXACT_MAX && talk.back_count <= EXACT_MAX &&
	    fabsl(exact_bound(&talk, &fit.line) - (long double)fit.bound) >
	            BOUND_ROUNDING(fit.bound))
		return "the bound is not the distance of the farthest line";
	return swapped_check(&talk, &fit);
}
