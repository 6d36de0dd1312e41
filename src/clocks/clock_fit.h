/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the clocks of two machines relate, by the messages between them. No message is received
 * before it is sent: so each one from the first machine to the second bounds the difference of the
 * clocks from below, and each one back bounds it from above.
 *
 *	difference  |      x    x  x       x      back: the line is below these
 *	            |---------------------------  the line: offset, slope
 *	            |   x     x   x   x    x      there: it is above these
 *	            '--------------------------> clock of the second machine
 *
 * All lines between the two sets of points are possible, and the bound is the largest distance of
 * the chosen line from any of them, while both machines were recorded: what the messages leave open
 * counts as error, a slope too. Quartz clocks differ by up to CLOCK_SLOPE_MAX.
 *
 * The method is that of the two convex hulls (Duda, Harrus, Haddad, Bernard 1987), without hulls: a
 * point is left out if another one bounds all lines of these slopes more closely. What is left is
 * searched, in integers of 64 bits: the result is the same on all machines.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

struct clock_message {
	nsec_t sent, received; /* each on the clock of the machine that did so */
};

/* A slope of one: as many ns a ns. */
#define CLOCK_SLOPE_BITS 36
/* 500 parts in a million */
#define CLOCK_SLOPE_MAX ((INT64_C(500) << CLOCK_SLOPE_BITS) / 1000000)

/* The clock of the first machine is that of the second + offset + slope * (second - at). */
struct clock_line {
	nsec_t at;
	int64_t offset;
	int64_t slope; /* in 1 / 2^CLOCK_SLOPE_BITS; 0 unless the messages exclude that */
};

/* What was recorded of two machines that talk to each other; in any order. */
struct clock_talk {
	const struct clock_message *there; /* from the first machine to the second */
	size_t there_count;
	const struct clock_message *back;
	size_t back_count;
	nsec_t first_begin, first_end;     /* of the recording, on its clock */
	nsec_t second_begin, second_end;
};

struct clock_fit {
	struct clock_line line;
	/* The line, from either side, is off by at most that while both machines were recorded. */
	nsec_t bound;
	int64_t slope_least, slope_most; /* of all possible lines */
};

enum clock_fit_result {
	CLOCK_FIT_FOUND,
	CLOCK_FIT_ONE_WAY,     /* one of the directions has no message */
	CLOCK_FIT_CONTRADICTS, /* no line fits: these are not messages between two such clocks */
};

/* *ret is set where a line is found. Times that are years apart are no messages, and ignored.
   O(n log n) time, O(n) memory. */
enum clock_fit_result clock_fit_find(const struct clock_talk *talk, struct clock_fit *ret);

/* What the line adds to a time of the second machine. */
int64_t clock_line_shift(const struct clock_line *line, nsec_t second);
/* The time of the second machine that the line takes to `first`, to within 1 ns. */
nsec_t clock_line_back(const struct clock_line *line, nsec_t first);
/* The same line from the other side: the clock of the second machine by that of the first. */
struct clock_line clock_line_inverse(const struct clock_line *line);
/* The line from `inner`'s second machine to `outer`'s first one, where inner's first machine is
   outer's second one. Both are rounded to some ns. */
struct clock_line clock_line_chain(const struct clock_line *outer, const struct clock_line *inner);
