/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clock_fit.h"

#include <stdlib.h>

#include "base/data/order.h"
#include "base/xalloc.h"

/* Half a year, and 146 years: sums and products stay within 64 bits. */
#define SPAN_MAX (INT64_C(1) << 54)
#define TIME_MAX (UINT64_C(1) << 62)

/* A bound of the line at a time, x, relative to its `at`. */
struct bound_point {
	int64_t x;
	int64_t y;
};

/* Those of one direction; `sign` is 1 if lines are above them, -1 if their negatives are. */
struct bounds {
	struct bound_point *point;
	size_t count;
	int sign;
};

struct search {
	struct bounds below, above;
	int64_t slope_least, slope_most; /* within which to look */
};

/* slope * x, rounded down. */
static int64_t slope_rise(int64_t slope, int64_t x)
{
	const int64_t unit = INT64_C(1) << 20;
	int64_t low = x & (unit - 1);
	int64_t high = (x - low) / unit;

	/* a right shift of a negative number rounds down with gcc and clang */
	return (slope * high + ((slope * low) >> 20)) >> (CLOCK_SLOPE_BITS - 20);
}

/* The time relative to `at`, or the closest one that can be computed with. */
static int64_t time_since(nsec_t time, nsec_t at)
{
	int64_t x = (int64_t)(time - at);

	if (x > SPAN_MAX)
		return SPAN_MAX;
	return x < -SPAN_MAX ? -SPAN_MAX : x;
}

int64_t clock_line_shift(const struct clock_line *line, nsec_t second)
{
	return line->offset + slope_rise(line->slope, time_since(second, line->at));
}

nsec_t clock_line_back(const struct clock_line *line, nsec_t first)
{
	nsec_t second = first - (nsec_t)line->offset;

	/* the slope is small: each step is 2,000 times closer */
	for (unsigned i = 0; i < 6; i++)
		second = first - (nsec_t)clock_line_shift(line, second);
	return second;
}

/* The product of two slopes. */
static int64_t slope_product(int64_t a, int64_t b)
{
	return ((a >> 4) * (b >> 4)) / (INT64_C(1) << (CLOCK_SLOPE_BITS - 8));
}

struct clock_line clock_line_inverse(const struct clock_line *line)
{
	/* 1 / (1 + s) = 1 - s + s^2 - s^3 ...; what follows is less than 1 ns in a day */
	return (struct clock_line){
		.at = line->at + (nsec_t)line->offset,
		.offset = -line->offset,
		.slope = slope_product(line->slope, line->slope) - line->slope,
	};
}

struct clock_line clock_line_chain(const struct clock_line *outer, const struct clock_line *inner)
{
	nsec_t at = inner->at + (nsec_t)inner->offset;

	return (struct clock_line){
		.at = inner->at,
		.offset = inner->offset + clock_line_shift(outer, at),
		.slope = inner->slope + outer->slope + slope_product(inner->slope, outer->slope),
	};
}

ORDER_FUNCTION(point_compare, struct bound_point, RISING(x, y, x), RISING(x, y, y))

/* Whether each line that is above `by` is above `point`, too. */
static bool point_is_implied(const struct bound_point *point, const struct bound_point *by)
{
	int64_t away = point->x > by->x ? point->x - by->x : by->x - point->x;

	return by->y - point->y > slope_rise(CLOCK_SLOPE_MAX, away) + 1;
}

/* Keeps the points that matter. One that only an earlier one implies does not exist: the last one
   kept would imply it as well. */
static void bounds_prune(struct bounds *bounds)
{
	size_t kept = 0;

	qsort(bounds->point, bounds->count, sizeof(*bounds->point), point_compare);
	for (size_t i = 0; i < bounds->count; i++) {
		const struct bound_point point = bounds->point[i];

		if (kept > 0 && point_is_implied(&point, &bounds->point[kept - 1]))
			continue;
		while (kept > 0 && point_is_implied(&bounds->point[kept - 1], &point))
			kept--;
		bounds->point[kept++] = point;
	}
	bounds->count = kept;
}

/* The least offset of a line of that slope above all points; with sign -1, the negative of the
   largest one below them. */
static int64_t bounds_offset(const struct bounds *bounds, int64_t slope)
{
	int64_t most = INT64_MIN;

	for (size_t i = 0; i < bounds->count; i++) {
		const struct bound_point *point = &bounds->point[i];
		int64_t offset = point->y - bounds->sign * slope_rise(slope, point->x);

		if (offset > most)
			most = offset;
	}
	return most;
}

/* By how much the offset of a line of that slope can vary; negative: there is none. */
static int64_t search_width(const struct search *search, int64_t slope)
{
	return -bounds_offset(&search->above, slope) - bounds_offset(&search->below, slope);
}

/* What is largest at one slope, and falls to both sides of it. */
typedef int64_t slope_value(const struct search *search, int64_t slope, int64_t x);

static int64_t value_of_width(const struct search *search, int64_t slope, int64_t x)
{
	(void)x;
	return search_width(search, slope);
}

static int64_t value_of_highest(const struct search *search, int64_t slope, int64_t x)
{
	return -bounds_offset(&search->above, slope) + slope_rise(slope, x);
}

static int64_t value_of_lowest(const struct search *search, int64_t slope, int64_t x)
{
	return -bounds_offset(&search->below, slope) - slope_rise(slope, x);
}

static int64_t search_peak(const struct search *search, slope_value *value, int64_t x)
{
	int64_t low = search->slope_least, high = search->slope_most;

	while (high - low > 2) {
		int64_t third = (high - low) / 3;

		if (value(search, low + third, x) < value(search, high - third, x))
			low += third;
		else
			high -= third;
	}
	for (; low < high && value(search, low, x) < value(search, low + 1, x); low++)
		;
	return low;
}

/* The last slope from `inside`, which fits, towards `outside` that fits. */
static int64_t search_edge(const struct search *search, int64_t inside, int64_t outside)
{
	if (search_width(search, outside) >= 0)
		return outside;
	while (inside - outside > 1 || outside - inside > 1) {
		int64_t middle = inside + (outside - inside) / 2;

		if (search_width(search, middle) >= 0)
			inside = middle;
		else
			outside = middle;
	}
	return inside;
}

/* Narrows the slopes to those of which there is a line; false: there is none. */
static bool search_narrow(struct search *search)
{
	int64_t best = search_width(search, 0) >= 0 ? 0 : search_peak(search, value_of_width, 0);

	if (search_width(search, best) < 0)
		return false;
	search->slope_least = search_edge(search, best, search->slope_least);
	search->slope_most = search_edge(search, best, search->slope_most);
	return true;
}

/* No slope if that is possible, else the one in the middle. */
static void search_choose(const struct search *search, struct clock_line *line)
{
	int64_t least, most;

	line->slope = 0;
	if (search->slope_least > 0 || search->slope_most < 0)
		line->slope = search->slope_least + (search->slope_most - search->slope_least) / 2;
	least = bounds_offset(&search->below, line->slope);
	most = -bounds_offset(&search->above, line->slope);
	line->offset = (least + most) / 2;
}

/* What the highest, or the lowest, of all possible lines is at x. */
typedef int64_t envelope(const struct search *search, int64_t x);

static int64_t envelope_highest(const struct search *search, int64_t x)
{
	return value_of_highest(search, search_peak(search, value_of_highest, x), x);
}

static int64_t envelope_lowest(const struct search *search, int64_t x)
{
	return -value_of_lowest(search, search_peak(search, value_of_lowest, x), x);
}

/* Where the envelope takes x to a time of the first machine, to within some ns. */
static int64_t envelope_back(const struct search *search, envelope *value, nsec_t at, nsec_t first)
{
	int64_t x = 0, last = -1;

	/* it is no steeper than lines are: see clock_line_back() */
	for (unsigned i = 0; i < 6 && x != last; i++) {
		last = x;
		x = time_since(first - (nsec_t)value(search, x), at);
	}
	return x;
}

static nsec_t envelope_distance(const struct search *search, envelope *value,
                                const struct clock_line *line, int64_t x)
{
	int64_t distance = value(search, x) - line->offset - slope_rise(line->slope, x);

	return distance < 0 ? (nsec_t)-distance : (nsec_t)distance;
}

/*
 * The largest distance of the envelope from the chosen line while both were recorded; at an instant
 * if that was one after the other. When the first recording began and ended is as uncertain as the
 * line: it is taken by the envelope, as the true line may be one of those that make it.
 */
static nsec_t envelope_bound(const struct search *search, envelope *value,
                             const struct clock_line *line, const struct clock_talk *talk)
{
	int64_t first_begin = envelope_back(search, value, line->at, talk->first_begin);
	int64_t first_end = envelope_back(search, value, line->at, talk->first_end);
	int64_t begin = time_since(talk->second_begin, line->at);
	int64_t end = time_since(talk->second_end, line->at);

	if (begin < first_begin)
		begin = first_begin;
	if (end > first_end)
		end = first_end;
	if (end < begin)
		end = begin;
	return nsec_max(envelope_distance(search, value, line, begin),
	                envelope_distance(search, value, line, end));
}

/* From either side: from that of the first machine, errors are seen along the line. */
static nsec_t search_bound(const struct search *search, const struct clock_line *line,
                           const struct clock_talk *talk)
{
	nsec_t bound = nsec_max(envelope_bound(search, envelope_highest, line, talk),
	                        envelope_bound(search, envelope_lowest, line, talk));
	int64_t slope = clock_line_inverse(line).slope;

	return slope > 0 ? bound + (nsec_t)slope_rise(slope, (int64_t)bound) + 1 : bound;
}

/* The message bounds the difference of the clocks at its time on the second one. */
static void bounds_add(struct bounds *bounds, const struct clock_message *message, nsec_t second,
                       nsec_t at)
{
	int64_t x = (int64_t)(second - at);
	int64_t difference = bounds->sign * (int64_t)(bounds->sign > 0
		                                      ? message->sent - message->received
		                                      : message->received - message->sent);

	if (message->sent < TIME_MAX && message->received < TIME_MAX && x <= SPAN_MAX &&
	    x >= -SPAN_MAX)
		bounds->point[bounds->count++] = (struct bound_point){x, difference};
}

static void bounds_release(struct bounds *bounds)
{
	free(bounds->point);
}

/* The points relative to `at`. */
static void search_fill(struct search *search, const struct clock_talk *talk, nsec_t at)
{
	search->below.point = xcalloc(talk->there_count, sizeof(*search->below.point));
	search->above.point = xcalloc(talk->back_count, sizeof(*search->above.point));
	for (size_t i = 0; i < talk->there_count; i++)
		bounds_add(&search->below, &talk->there[i], talk->there[i].received, at);
	for (size_t i = 0; i < talk->back_count; i++)
		bounds_add(&search->above, &talk->back[i], talk->back[i].sent, at);
	bounds_prune(&search->below);
	bounds_prune(&search->above);
}

enum clock_fit_result clock_fit_find(const struct clock_talk *talk, struct clock_fit *ret)
{
	struct search search = {
		.below.sign = 1,
		.above.sign = -1,
		.slope_least = -CLOCK_SLOPE_MAX,
		.slope_most = CLOCK_SLOPE_MAX,
	};
	enum clock_fit_result result = CLOCK_FIT_FOUND;

	ret->line.at = talk->second_begin + (talk->second_end - talk->second_begin) / 2;
	search_fill(&search, talk, ret->line.at);
	if (search.below.count == 0 || search.above.count == 0) {
		result = CLOCK_FIT_ONE_WAY;
	} else if (!search_narrow(&search)) {
		result = CLOCK_FIT_CONTRADICTS;
	} else {
		search_choose(&search, &ret->line);
		ret->slope_least = search.slope_least;
		ret->slope_most = search.slope_most;
		ret->bound = search_bound(&search, &ret->line, talk);
	}
	bounds_release(&search.below);
	bounds_release(&search.above);
	return result;
}
