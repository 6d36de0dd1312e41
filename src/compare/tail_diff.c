/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tail_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "cost_diff.h"
#include "doubts.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "stats/far_values.h"
#include "stats/rank_test.h"
#include "views/tail/tail_words.h"

void tail_diff_init(struct tail_diff *diff, const struct turn_source *per, const char *per_value)
{
	*diff = (struct tail_diff){.per = per, .per_value = per_value, .p = 1};
	intern_init(&diff->names);
	tally_init(&diff->rows, sizeof(struct tail_diff_row), sizeof(uint64_t), TALLY_NO_LIMIT);
}

void tail_diff_release(struct tail_diff *diff)
{
	for (unsigned side = 0; side < TAIL_SIDES; side++) {
		diff_side_release(&diff->side[side].runs);
		free(diff->side[side].length);
	}
	tally_release(&diff->rows);
	intern_release(&diff->names);
}

/* Of both sides, as long as it is the same for all recordings. */
static void common_take(uint32_t id, bool is_first, uint32_t *common)
{
	if (is_first)
		*common = id;
	else if (*common != id)
		*common = 0;
}

static void vote_take(struct tail_diff *diff, unsigned side, const struct tail_answer *answer,
                      size_t number)
{
	_cleanup_(buffer_release) struct buffer what = {0};
	struct tail_diff_row *row;

	tail_vote_name(&what, answer->units, answer->vote[number]);
	row = tally_of(&diff->rows, intern_adds(&diff->names, what.text));
	row->of[side].votes++;
	row->of[side].longer += answer->units->unit[number].length - answer->median;
}

bool tail_diff_take(struct tail_diff *diff, unsigned of, const void *costs,
                    const struct tail *tail, const struct source *source,
                    const struct health *health, const char *path)
{
	const struct timeline *timeline = tail->question->timeline;
	const struct tail_answer *answer = &tail->answer;
	struct tail_side *side = &diff->side[of];
	struct run_account *run;
	bool is_first = diff->side[TAIL_OLD].runs.count + diff->side[TAIL_NEW].runs.count == 0;

	if (answer->count == 0)
		return false;
	run = diff_side_add(&side->runs, path);
	run_account_describe(run, &diff->names, costs, source, health, timeline);
	run->root = intern_adds(&diff->names, intern_text(&timeline->names, tail->program));
	run->turns = tail->role ? intern_adds(&diff->names, tail->role) : 0;
	common_take(run->root, is_first, &diff->program);
	common_take(run->turns, is_first, &diff->role);
	side->far += answer->far;
	for (size_t i = 0; i < answer->count; i++) {
		ARRAY_GROW(side->length, side->count, side->capacity);
		side->length[side->count++] = answer->units->unit[i].length;
		if (answer->vote[i] != TAIL_NONE)
			vote_take(diff, of, answer, i);
	}
	return true;
}

/* How likely it is that the part of the units that have something differs so much by chance. */
static double change_p(const struct tail_diff *diff, uint64_t old, uint64_t new)
{
	struct occurrence more = {
		.both = (size_t)new, .with = (size_t)(old + new),
		.far = diff->side[TAIL_NEW].count,
		.all = diff->side[TAIL_OLD].count + diff->side[TAIL_NEW].count,
	};
	struct occurrence less = more;

	less.both = (size_t)old;
	less.far = diff->side[TAIL_OLD].count;
	/* two-sided */
	return fmin(1, 2 * fmin(occurrence_p(&more), occurrence_p(&less)));
}

static double part_of(const struct tail_diff *diff, unsigned side, uint64_t votes)
{
	return nsec_ratio(votes, diff->side[side].count);
}

static double row_shift(const struct tail_diff *diff, const struct tail_diff_row *row)
{
	return part_of(diff, TAIL_NEW, row->of[TAIL_NEW].votes) -
	       part_of(diff, TAIL_OLD, row->of[TAIL_OLD].votes);
}

/* All tests of the comparison: of each row, and of the part that is far. */
static void tests_correct(struct tail_diff *diff)
{
	size_t count = 0;
	_cleanup_(freep) double *p = xcalloc(diff->rows.count + 1, sizeof(*p));
	struct tail_diff_row *row;

	TALLY_EACH(&diff->rows, row)
		p[count++] = change_p(diff, row->of[TAIL_OLD].votes, row->of[TAIL_NEW].votes);
	p[count++] = change_p(diff, diff->side[TAIL_OLD].far, diff->side[TAIL_NEW].far);
	holm_adjust(p, count);
	diff->p = p[--count];
	for (size_t i = 0; i < count; i++) {
		row = tally_at(&diff->rows, i);
		row->p = p[i];
		row->is_sure = p[i] < DIFF_LEVEL;
	}
}

static int row_compare(const void *a, const void *b, void *state)
{
	const struct tail_diff *diff = state;
	const struct tail_diff_row *x = a, *y = b;
	double of_x = fabs(row_shift(diff, x)), of_y = fabs(row_shift(diff, y));

	return ORDER_BY(FALLING(x, y, is_sure), (of_x < of_y) - (of_x > of_y),
	                strcmp(intern_text(&diff->names, (uint32_t)x->what),
	                       intern_text(&diff->names, (uint32_t)y->what)));
}

void tail_diff_make(struct tail_diff *diff)
{
	for (unsigned side = 0; side < TAIL_SIDES; side++)
		values_sort(diff->side[side].length, diff->side[side].count);
	tests_correct(diff);
	tally_sort(&diff->rows, row_compare, diff);
}

static nsec_t quantile(const struct tail_diff *diff, unsigned side, double part)
{
	return sorted_quantile(diff->side[side].length, diff->side[side].count, part);
}

/* "server: 0.1 % -> 1.9 % of the requests took far longer than the others (3 of 1,500, 28 of
   1,500); that is sure." */
static void whole_say(const struct tail_diff *diff, const struct output *to)
{
	const struct tail_side *old = &diff->side[TAIL_OLD], *new = &diff->side[TAIL_NEW];

	say_to(to, NULL,
	       "[{foreign}: ]{ratio} -> {ratio} of the {text}s took far longer than the others "
	       "({count} of {count}, {count} of {count}); that [{if}is sure|may be chance].",
	       FOREIGN(diff->program ? intern_text(&diff->names, diff->program) : NULL),
	       RATIO(part_of(diff, TAIL_OLD, old->far)), RATIO(part_of(diff, TAIL_NEW, new->far)),
	       TEXT(diff->per->noun), COUNT(old->far), COUNT(old->count), COUNT(new->far),
	       COUNT(new->count), IF(diff->p < DIFF_LEVEL));
	say_to(to, NULL,
	       "99 of 100 took at most {time} -> {time}, half of them at most {time} -> {time}.",
	       TIME(quantile(diff, TAIL_OLD, 0.99)), TIME(quantile(diff, TAIL_NEW, 0.99)),
	       TIME(quantile(diff, TAIL_OLD, 0.5)), TIME(quantile(diff, TAIL_NEW, 0.5)));
}

static enum diff_change row_change(const struct tail_diff *diff, const struct tail_diff_row *row)
{
	if (!row->is_sure)
		return CHANGE_SAME;
	if (row->of[TAIL_OLD].votes == 0)
		return CHANGE_NEW;
	if (row->of[TAIL_NEW].votes == 0)
		return CHANGE_GONE;
	return row_shift(diff, row) > 0 ? CHANGE_MORE : CHANGE_LESS;
}

static nsec_t row_longer(const struct tail_diff_row *row, unsigned side)
{
	return row->of[side].votes ? row->of[side].longer / row->of[side].votes : 0;
}

static void row_say(const struct tail_diff *diff, const struct tail_diff_row *row,
                    const struct output *to)
{
	static const char *const words[] = {
		[CHANGE_MORE] = "More", [CHANGE_LESS] = "Less", [CHANGE_NEW] = "New",
		[CHANGE_GONE] = "Gone",
	};
	unsigned told = row->of[TAIL_NEW].votes ? TAIL_NEW : TAIL_OLD;

	say_to(to, NULL, "{text}: {text}: {count} -> {count} of the {text}s, {time} longer each.",
	       TEXT(words[row_change(diff, row)]),
	       TEXT(intern_text(&diff->names, (uint32_t)row->what)),
	       COUNT(row->of[TAIL_OLD].votes), COUNT(row->of[TAIL_NEW].votes),
	       TEXT(diff->per->noun), TIME(row_longer(row, told)));
}

static void rows_say(const struct tail_diff *diff, const struct output *to)
{
	const struct tail_diff_row *row;
	size_t sure = 0;

	TALLY_EACH(&diff->rows, row)
		if (row->is_sure && sure++ < SHOWN_CHANGES)
			row_say(diff, row, to);
	if (sure == 0)
		prose_put(to, "What they are slow by has not changed for sure.");
	say_to(to, NULL,
	       "Sure: p < 0.05 by Fisher's exact test over {text}s, corrected (Holm) for {count} "
	       "figure{|s}. That holds only if no {text} depends on others.",
	       TEXT(diff->per->noun), COUNT(diff->rows.count + 1), TEXT(diff->per->noun));
}

static const struct column columns[] = {
	{"sure", "SURE", CELL_BOOL, COLUMN_MARK},
	{"old", "OLD", CELL_COUNT, 0},
	{"new", "NEW", CELL_COUNT, 0},
	{"old_share", NULL, CELL_RATIO, COLUMN_DATA_ONLY},
	{"new_share", NULL, CELL_RATIO, COLUMN_DATA_ONLY},
	{"old_longer_ns", "LONGER", CELL_DURATION, COLUMN_USEFUL(1)},
	{"new_longer_ns", "NOW", CELL_DURATION, COLUMN_USEFUL(1)},
	{"what", "SLOWED BY", CELL_TEXT, COLUMN_POINT},
	{"p", NULL, CELL_RATIO, COLUMN_DATA_ONLY},
	{"change", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
};

static void row_show(const struct tail_diff *diff, const struct tail_diff_row *row,
                     const struct output *to)
{
	output_row(to, (struct cell[]){
		{.type = CELL_BOOL, .boolean = row->is_sure},
		{.type = CELL_COUNT, .count = row->of[TAIL_OLD].votes},
		{.type = CELL_COUNT, .count = row->of[TAIL_NEW].votes},
		{.type = CELL_RATIO, .ratio = part_of(diff, TAIL_OLD, row->of[TAIL_OLD].votes)},
		{.type = CELL_RATIO, .ratio = part_of(diff, TAIL_NEW, row->of[TAIL_NEW].votes)},
		{.type = CELL_DURATION, .time = row_longer(row, TAIL_OLD)},
		{.type = CELL_DURATION, .time = row_longer(row, TAIL_NEW)},
		{.type = CELL_TEXT, .text = intern_text(&diff->names, (uint32_t)row->what)},
		{.type = CELL_RATIO, .ratio = row->p},
		{.type = CELL_TEXT, .text = diff_change_name(row_change(diff, row))},
	});
}

static void side_data(const struct tail_diff *diff, unsigned side, const char *key,
                      const struct output *to)
{
	static const struct column of_side[] = {
		{"runs", NULL, CELL_COUNT, 0},       {"count", NULL, CELL_COUNT, 0},
		{"far", NULL, CELL_COUNT, 0},        {"median_ns", NULL, CELL_DURATION, 0},
		{"p99_ns", NULL, CELL_DURATION, 0},
	};
	const struct tail_side *of = &diff->side[side];

	output_table_begin(to, key, NULL, of_side, ARRAY_SIZE(of_side), /* is_single= */ true);
	output_row(to, (struct cell[]){
		{.type = CELL_COUNT, .count = of->runs.count},
		{.type = CELL_COUNT, .count = of->count},
		{.type = CELL_COUNT, .count = of->far},
		{.type = CELL_DURATION, .time = quantile(diff, side, 0.5)},
		{.type = CELL_DURATION, .time = quantile(diff, side, 0.99)},
	});
	output_table_end(to);
}

static void rows_put(const struct tail_diff *diff, const struct output *to)
{
	size_t shown = output_row_count(to, diff->rows.count);

	output_table_begin(to, "rows", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < shown; i++)
		row_show(diff, tally_at(&diff->rows, i), to);
	output_leave_rows(to, diff->rows.count - shown);
	output_table_end(to);
}

static struct cell text_cell(const struct tail_diff *diff, uint32_t id)
{
	return (struct cell){.type = id ? CELL_TEXT : CELL_EMPTY,
	                     .text = id ? intern_text(&diff->names, id) : NULL};
}

void tail_diff_report(const struct tail_diff *diff, const struct output *to)
{
	const struct diff_side *old = &diff->side[TAIL_OLD].runs, *new = &diff->side[TAIL_NEW].runs;
	const struct cell role = text_cell(diff, diff->role);
	struct doubts doubts = {0};

	doubts_add_repeated(&doubts, old, NULL);
	doubts_add_repeated(&doubts, new, old);
	doubts_add_unfit(&doubts, old);
	doubts_add_unfit(&doubts, new);
	doubts_add_odd(&doubts, &diff->names, old, new);
	output_section_begin(to, "diff_tail", "What changed in the tail", /* is_list= */ false);
	output_field(to, "per", NULL, &(struct cell){.type = CELL_TEXT, .text = diff->per_value});
	output_field(to, "role", NULL, &role);
	output_field(to, "p", NULL, &(struct cell){.type = CELL_RATIO, .ratio = diff->p});
	doubts_field(&doubts, "doubts", to);
	whole_say(diff, to);
	doubts_print(&doubts, "Careful", to);
	rows_say(diff, to);
	side_data(diff, TAIL_OLD, "old", to);
	side_data(diff, TAIL_NEW, "new", to);
	rows_put(diff, to);
	output_section_end(to);
	doubts_release(&doubts);
}
