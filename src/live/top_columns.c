/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_columns.h"

#include <assert.h>
#include <stdbool.h>

#include "base/data/array.h"
#include "top_words.h"

#define WAITS_COLUMNS  6  /* "99,999" */
#define NAME_COLUMNS   11
#define NAME_NARROW    7  /* on a terminal of less than NARROW columns */
#define NARROW         28
#define FOR_COLUMNS    12
#define BEHIND_COLUMNS 8

static size_t column_least(enum top_column column, size_t columns)
{
	static const size_t least[TOP_COLUMN_COUNT] = {
		[TOP_COLUMN_WAITING] = TOP_TIME_COLUMNS, [TOP_COLUMN_QUEUED] = TOP_TIME_COLUMNS,
		[TOP_COLUMN_RUNNING] = TOP_TIME_COLUMNS, [TOP_COLUMN_WAITS] = WAITS_COLUMNS,
		[TOP_COLUMN_LONGEST] = TOP_TIME_COLUMNS, [TOP_COLUMN_NAME] = NAME_COLUMNS,
		[TOP_COLUMN_FOR] = FOR_COLUMNS,          [TOP_COLUMN_BEHIND] = BEHIND_COLUMNS,
	};

	return column == TOP_COLUMN_NAME && columns < NARROW ? NAME_NARROW : least[column];
}

/* The widest useful column of names: a comm has 15 bytes, with the tid 25; paths are longer. */
static size_t name_most(enum top_by by)
{
	static const size_t most[] = {
		[TOP_BY_COMM] = 15, [TOP_BY_TASK] = 25, [TOP_BY_CGROUP] = 60,
	};

	assert(by < ARRAY_SIZE(most));
	return most[by];
}

static size_t behind_most(enum top_by by)
{
	return name_most(by == TOP_BY_TASK ? TOP_BY_TASK : TOP_BY_COMM);
}

/* Widens a column by at most `room`, up to `most`; returns what is left of the room. */
static size_t column_widen(size_t *width, size_t room, size_t share, size_t most)
{
	size_t more = *width < most ? most - *width : 0;

	if (more > share)
		more = share;
	if (*width == 0)
		more = 0;
	*width += more;
	return room - more;
}

/* Divides the room that is left among the texts: the cause has most to say. */
static void texts_widen(struct top_columns *fit, size_t room, enum top_by by)
{
	size_t *width = fit->width, name_share = width[TOP_COLUMN_FOR] ? room / 2 : room;
	size_t behind_share = room / 4;

	room = column_widen(&width[TOP_COLUMN_NAME], room, name_share, name_most(by));
	room = column_widen(&width[TOP_COLUMN_BEHIND], room, behind_share, behind_most(by));
	if (width[TOP_COLUMN_FOR])
		width[TOP_COLUMN_FOR] += room;
}

struct top_columns top_columns_fit(size_t columns, enum top_by by)
{
	/* most important first */
	static const enum top_column order[] = {
		TOP_COLUMN_WAITING, TOP_COLUMN_NAME,  TOP_COLUMN_FOR,    TOP_COLUMN_LONGEST,
		TOP_COLUMN_BEHIND,  TOP_COLUMN_WAITS, TOP_COLUMN_QUEUED, TOP_COLUMN_RUNNING,
	};
	struct top_columns fit = {0};
	size_t taken = 0, at = 0;

	_Static_assert(ARRAY_SIZE(order) == TOP_COLUMN_COUNT, "all of them");
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		size_t least = column_least(order[i], columns) + (taken > 0);

		if (taken + least > columns)
			break;
		fit.width[order[i]] = least - (taken > 0);
		taken += least;
	}
	texts_widen(&fit, columns - taken, by);
	for (size_t i = 0; i < TOP_COLUMN_COUNT; i++) {
		fit.at[i] = at;
		if (fit.width[i])
			at += fit.width[i] + 1;
	}
	return fit;
}
