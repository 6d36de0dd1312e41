/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_layout.h"

#include <assert.h>

/* With fewer columns than _GOOD a text is shown poorly, with fewer than _LEAST it is unreadable,
   with fewer than _FLOOR it is useless. */
#define NAME_GOOD   24 /* a name of 15 bytes and the tid of a large machine */
#define NAME_LEAST  16
#define WORDS_GOOD  32
#define WORDS_LEAST 18
#define CAUSE_GOOD  36
#define CAUSE_LEAST 24
#define LABEL_GOOD  60 /* includes the tree lines */
#define LABEL_LEAST 40
#define NAME_FLOOR  8
#define CAUSE_FLOOR 12

/* The widths that a column may demand, in ascending order. */
enum demand {
	DEMAND_FLOOR,
	DEMAND_LEAST,
	DEMAND_GOOD,
	DEMAND_ALL,
};

bool text_column_is_shown(const struct text_column *columns, size_t at)
{
	const struct text_column *column = &columns[at];

	assert(at > 0 || !column->is_stand_in);
	return !column->is_left_out && (!column->is_stand_in || columns[at - 1].is_left_out);
}

static const size_t text_most[][DEMAND_ALL] = {
	[TEXT_NAME] = {NAME_FLOOR, NAME_LEAST, NAME_GOOD},
	[TEXT_WORDS] = {NAME_FLOOR, WORDS_LEAST, WORDS_GOOD},
	[TEXT_CAUSE] = {CAUSE_FLOOR, CAUSE_LEAST, CAUSE_GOOD},
	[TEXT_LABEL] = {CAUSE_FLOOR, LABEL_LEAST, LABEL_GOOD},
	[TEXT_BAR] = {NAME_FLOOR, NAME_LEAST, NAME_GOOD},
};

static bool column_may_be_cut(const struct text_column *column)
{
	return column->form != TEXT_FIGURE && column->form != TEXT_FIXED;
}

static size_t column_demand(const struct text_column *column, enum demand demand)
{
	size_t most;

	if (!column_may_be_cut(column) || demand == DEMAND_ALL)
		return column->width;
	most = text_most[column->form][demand];
	return column->width < most ? column->width : most;
}

/* The width of a row in which every column gets the width that it demands. */
static size_t row_demand(const struct text_column *columns, size_t count, enum demand demand)
{
	size_t sum = 0, shown = 0;

	for (size_t i = 0; i < count; i++) {
		if (!text_column_is_shown(columns, i))
			continue;
		sum += column_demand(&columns[i], demand);
		shown++;
	}
	return shown > 1 ? sum + (shown - 1) * TEXT_LAYOUT_GAP : sum;
}

/* The demand that texts must meet: if they cannot, a column of that rank is left out. */
static enum demand demand_before(unsigned rank)
{
	return rank < TEXT_RANK_USEFUL ? DEMAND_GOOD : DEMAND_LEAST;
}

static bool any_is_shown(const struct text_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_column_is_shown(columns, i))
			return true;
	return false;
}

/* Columns are left out in steps: 1 to TEXT_RANK_LAST are the blank columns by rank, further steps
   the other ones by rank. */
#define STEP_LAST (2 * TEXT_RANK_LAST)

static bool step_is_of_blank(unsigned step)
{
	return step <= TEXT_RANK_LAST;
}

static unsigned step_rank(unsigned step)
{
	return step_is_of_blank(step) ? step : step - TEXT_RANK_LAST;
}

static void step_set(struct text_column *columns, size_t count, unsigned step, bool is_left_out)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].rank == step_rank(step) &&
		    columns[i].is_blank == step_is_of_blank(step))
			columns[i].is_left_out = is_left_out;
}

/* Leaves out the columns of that step, unless no column would be left. */
static void step_leave_out(struct text_column *columns, size_t count, unsigned step)
{
	step_set(columns, count, step, /* is_left_out= */ true);
	if (!any_is_shown(columns, count))
		step_set(columns, count, step, /* is_left_out= */ false);
}

/* Whether a row fits, so that the step need not be taken: no text is cut for a blank column. */
static bool row_fits(const struct text_column *columns, size_t count, unsigned step, size_t width)
{
	enum demand demand = step_is_of_blank(step) ? DEMAND_GOOD : demand_before(step_rank(step));

	return row_demand(columns, count, demand) <= width;
}

/* Leaves columns out until a row fits; then restores columns for which there is room: a narrow
   column may have been left out before a wide one. */
static void columns_choose(struct text_column *columns, size_t count, size_t width)
{
	unsigned step = 1;

	for (; step <= STEP_LAST && !row_fits(columns, count, step, width); step++)
		step_leave_out(columns, count, step);
	while (--step > 0) {
		step_set(columns, count, step, /* is_left_out= */ false);
		if (!row_fits(columns, count, step, width))
			step_leave_out(columns, count, step);
	}
}

/* Distributes the remaining room among the columns that demand more, one terminal column at a
   time. */
static void columns_raise(struct text_column *columns, size_t count, enum demand demand,
                          size_t room)
{
	bool is_dealt = true;

	while (room > 0 && is_dealt) {
		is_dealt = false;
		for (size_t i = 0; i < count && room > 0; i++) {
			struct text_column *column = &columns[i];

			if (!text_column_is_shown(columns, i) ||
			    column->shown >= column_demand(column, demand))
				continue;
			column->shown++;
			room--;
			is_dealt = true;
		}
	}
}

/* Widens columns of texts in advance, as later rows may have longer texts. */
static void texts_foresee(struct text_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t good = column_may_be_cut(&columns[i])
		                      ? text_most[columns[i].form][DEMAND_GOOD]
		                      : 0;

		if (columns[i].width < good && columns[i].form != TEXT_BAR)
			columns[i].width = good;
	}
}

void text_layout(struct text_column *columns, size_t count, size_t width, bool is_open)
{
	enum demand demand = DEMAND_ALL;
	size_t row;

	for (size_t i = 0; i < count; i++)
		columns[i].is_left_out = false;
	if (width)
		columns_choose(columns, count, width);
	while (width && demand > DEMAND_FLOOR && row_demand(columns, count, demand) > width)
		demand--;
	for (size_t i = 0; i < count; i++)
		columns[i].shown = column_demand(&columns[i], demand);
	row = row_demand(columns, count, demand);
	if (row >= width)
		return;
	if (demand == DEMAND_ALL && is_open)
		texts_foresee(columns, count);
	columns_raise(columns, count, demand < DEMAND_ALL ? demand + 1 : demand, width - row);
}
