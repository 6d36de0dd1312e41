/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_diff.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"

#define RUNS_NEEDED_MOST 1000
/* A change follows from waits if these account for at least so much of the changed number of stays,
   and of the changed time. Stays after a wait are longer than others; how much longer is not
   known. */
#define FOLLOWS_STAYS 0.5
#define FOLLOWS_TIME  0.25
#define AS_MANY 0.1 /* numbers that differ by less can be those of one thing */

void cost_diff_init(struct cost_diff *diff)
{
	*diff = (struct cost_diff){.per = &turn_sources[DIFF_PER_RUN], .per_value = "run"};
	intern_init(&diff->names);
}

void cost_diff_release(struct cost_diff *diff)
{
	diff_side_release(&diff->old);
	diff_side_release(&diff->new);
	intern_release(&diff->names);
	free(diff->row);
}

const char *diff_change_name(enum diff_change change)
{
	static const char *const names[] = {
		[CHANGE_SAME] = "same",       [CHANGE_MORE] = "more",   [CHANGE_LESS] = "less",
		[CHANGE_LONGER] = "longer",   [CHANGE_SHORTER] = "shorter",
		[CHANGE_NEW] = "new",         [CHANGE_GONE] = "gone",   [CHANGE_MOVED] = "moved",
	};

	return names[change];
}

/* The figures of a row in each run, old ones first. */
struct figures_of_runs {
	struct account_key key;
	double sum[2];         /* of all old runs, of all new ones */
	double *total, *count; /* NULL: they are negligible */
};

/* All rows before it is known which are negligible. */
struct gathering {
	TALLY(tally, struct figures_of_runs, row, count);
	size_t runs;
	struct figures_of_runs rest; /* sums of those that are negligible */
};

/* First the sums of all rows, which show those that are negligible: with many runs there is no room
   for each figure of these. */
static void sum_side(struct gathering *gathering, const struct diff_side *side, size_t index,
                     const struct row_source *source)
{
	for (size_t run = 0; run < side->count; run++)
		for (size_t i = 0; i < side->run[run].count; i++) {
			const struct account_cost *cost = &side->run[run].cost[i];
			struct account_key key = row_source_key(source, &cost->key);
			struct figures_of_runs *row = tally_row(&gathering->tally, &key);

			row->sum[index] += (double)cost->total;
		}
}

static void gather_side(struct gathering *gathering, const struct diff_side *side, size_t first,
                        const struct row_source *source)
{
	for (size_t run = 0; run < side->count; run++)
		for (size_t i = 0; i < side->run[run].count; i++) {
			const struct account_cost *cost = &side->run[run].cost[i];
			struct account_key key = row_source_key(source, &cost->key);
			struct figures_of_runs *row = tally_row(&gathering->tally, &key);

			if (!row->total)
				row = &gathering->rest;
			row->total[first + run] += (double)cost->total;
			row->count[first + run] += (double)cost->count;
		}
}

static void gathering_release(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->count; i++) {
		free(gathering->row[i].total);
		free(gathering->row[i].count);
	}
	tally_release(&gathering->tally);
	free(gathering->rest.total);
	free(gathering->rest.count);
}

static struct contrast contrast_of(struct sample old, struct sample new, bool is_tested)
{
	struct contrast ret = {
		.old = sample_median(old),
		.new = sample_median(new),
		.old_mean = sample_mean(old),
		.new_mean = sample_mean(new),
		.dominance = rank_dominance(old, new),
		.change = rank_shift_of(old, new),
		.p = 1,
	};

	ret.is_tested = is_tested && old.count > 1 && new.count > 1;
	if (ret.is_tested)
		ret.p = rank_test_p(old, new);
	return ret;
}

/* The old and the new values of a figure. */
static struct sample old_of(const struct cost_diff *diff, const double *value)
{
	return (struct sample){value, diff->old.count};
}

static struct sample new_of(const struct cost_diff *diff, const double *value)
{
	return (struct sample){value + diff->old.count, diff->new.count};
}

/* The mean lengths of a run's waits, of the runs that have any. */
static size_t means_of(const double *total, const double *count, size_t runs, double *ret)
{
	size_t filled = 0;

	for (size_t i = 0; i < runs; i++)
		if (count[i] > 0)
			ret[filled++] = total[i] / count[i];
	return filled;
}

static struct contrast contrast_each(const struct cost_diff *diff,
                                     const struct figures_of_runs *figures, bool is_tested)
{
	size_t olds = diff->old.count, news = diff->new.count;
	_cleanup_(freep) double *means = xcalloc(olds + news, sizeof(*means));
	struct sample old = {means, means_of(figures->total, figures->count, olds, means)};
	struct sample new = {means + olds, means_of(figures->total + olds, figures->count + olds,
	                                            news, means + olds)};

	return contrast_of(old, new, is_tested);
}

static void row_add(struct cost_diff *diff, const struct figures_of_runs *figures, double wall,
                    bool is_rest)
{
	bool is_counted = row_source_counts(&row_sources[diff->by], &figures->key) && !is_rest;
	struct diff_row row = {
		.key = figures->key,
		.is_rest = is_rest,
		.total = contrast_of(old_of(diff, figures->total), new_of(diff, figures->total),
	                             !is_counted && !is_rest),
		.count = contrast_of(old_of(diff, figures->count), new_of(diff, figures->count),
	                             is_counted),
		.each = contrast_each(diff, figures, is_counted),
		.p = 1,
	};

	row.share = wall > 0 ? fmax(sample_mean(old_of(diff, figures->total)),
	                            sample_mean(new_of(diff, figures->total))) / wall
	                     : 0;
	ARRAY_ADD(diff->row, diff->row_count, diff->row_capacity) = row;
}

static void figures_init(struct figures_of_runs *figures, size_t runs)
{
	figures->total = xcalloc(runs, sizeof(double));
	figures->count = xcalloc(runs, sizeof(double));
}

/*
 * Makes room for the figures of the rows that are not negligible. All runs of both sides count
 * alike: if a row were chosen as it is large on one side, those that differ by chance would be, and
 * the correction would not count the others. A cost of one side only is halved by that, and so is
 * the limit.
 */
static void choose_rows(const struct cost_diff *diff, struct gathering *gathering, double wall)
{
	figures_init(&gathering->rest, gathering->runs);
	for (size_t i = 0; i < gathering->count; i++) {
		struct figures_of_runs *row = &gathering->row[i];
		double mean = (row->sum[0] + row->sum[1]) / (double)gathering->runs;

		if (mean >= diff->least * wall / 2 &&
		    row_source_names(&row_sources[diff->by], &row->key))
			figures_init(row, gathering->runs);
	}
}

/* Adds the rows that are not negligible, and the sum of those that are. */
static void rows_add(struct cost_diff *diff, const struct gathering *gathering, double wall)
{
	bool has_rest = false;

	for (size_t i = 0; i < gathering->count; i++) {
		const struct figures_of_runs *figures = &gathering->row[i];

		if (figures->total)
			row_add(diff, figures, wall, /* is_rest= */ false);
		has_rest |= !figures->total;
	}
	if (has_rest)
		row_add(diff, &gathering->rest, wall, /* is_rest= */ true);
}

/* Corrects the p of all tests of rows, and counts them. The test of the whole time is corrected by
   itself, so that its result does not depend on how rows are divided. */
static void correct(struct cost_diff *diff)
{
	_cleanup_(freep) struct contrast **tested =
		/* NOLINTNEXTLINE: pointers are meant */
		xcalloc(3 * diff->row_count + 1, sizeof(*tested));
	_cleanup_(freep) double *p = xcalloc(3 * diff->row_count + 1, sizeof(*p));
	size_t count = 0;

	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->row[i];
		struct contrast *const all[] = {&row->total, &row->count, &row->each};

		for (size_t j = 0; j < ARRAY_SIZE(all); j++)
			if (all[j]->is_tested)
				tested[count++] = all[j];
	}
	for (size_t i = 0; i < count; i++)
		p[i] = tested[i]->p;
	holm_adjust(p, count);
	for (size_t i = 0; i < count; i++)
		tested[i]->p = fmin(1, p[i] / (1 - DIFF_LEVEL_OF_WALL));
	diff->tests = count;
	diff->wall.p = fmin(1, diff->wall.p / DIFF_LEVEL_OF_WALL);
}

/* What changed of waits or calls, if their number and their length both did: what changed the sum
   more. */
static enum diff_change change_of_counted(const struct diff_row *row)
{
	bool count_is_sure = row->count.p < DIFF_LEVEL, each_is_sure = row->each.p < DIFF_LEVEL;
	double by_count = fabs(row->count.new - row->count.old) * row->each.old;
	double by_each = fabs(row->each.new - row->each.old) * row->count.new;

	if (count_is_sure && (!each_is_sure || by_count >= by_each))
		return row->count.dominance > 0 ? CHANGE_MORE : CHANGE_LESS;
	return row->each.dominance > 0 ? CHANGE_LONGER : CHANGE_SHORTER;
}

/* The least amount that the figure has changed by, as far as its interval says. */
static double least_change(const struct contrast *contrast)
{
	const struct rank_shift *change = &contrast->change;

	if (!change->has_interval)
		return 0;
	return fmax(0, fmax(change->low, -change->high));
}

/* The least change of the time; of waits also what a changed number, or length, makes of it at
   least: a number hardly varies where the sum of their lengths does. */
static double row_least_change(const struct diff_row *row)
{
	double by_count, by_each;

	if (row->total.is_tested)
		return least_change(&row->total);
	by_count = least_change(&row->count) *
	           (row->each.old > 0 ? row->each.old : row->each.new);
	by_each = least_change(&row->each) * fmin(row->count.old, row->count.new);
	return fmax(least_change(&row->total), fmax(by_count, by_each));
}

static void row_decide(struct diff_row *row)
{
	row->p = fmin(row->total.p, fmin(row->count.p, row->each.p));
	row->is_sure = row->p < DIFF_LEVEL;
	row->least_change = row_least_change(row);
	if (!row->is_sure)
		return;
	/* a median of 0 is no proof that no run has any */
	if (row->count.old_mean <= 0)
		row->change = CHANGE_NEW;
	else if (row->count.new_mean <= 0)
		row->change = CHANGE_GONE;
	else if (row->total.is_tested)
		row->change = row->total.dominance > 0 ? CHANGE_MORE : CHANGE_LESS;
	else
		row->change = change_of_counted(row);
}

/* Whether what is gone in one row is what is new in the other: the same of another task, or of
   another object of its kind, and about as long; of chains and calls, of which nothing else is the
   same, also about as many. */
static bool row_moved_to(const struct row_source *source, const struct diff_row *gone,
                         const struct diff_row *new)
{
	const struct account_key *a = &gone->key, *b = &new->key;

	if (source->are_counted &&
	    fabs(new->count.new - gone->count.old) > AS_MANY * gone->count.old)
		return false;
	return new->change == CHANGE_NEW && a->kind == b->kind && a->cause == b->cause &&
	       a->aim == b->aim &&
	       (a->name == b->name || a->task == b->task) &&
	       new->total.new < 2 * gone->total.old && new->total.new > gone->total.old / 2;
}

/* The new row that is most like the one that is gone, of those that nothing moved to yet; NULL:
   there is none. */
static struct diff_row *find_target(struct cost_diff *diff, const struct diff_row *gone)
{
	struct diff_row *best = NULL;

	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->row[i];

		if (row->is_target || !row_moved_to(&row_sources[diff->by], gone, row))
			continue;
		if (!best || fabs(row->total.new - gone->total.old) <
		                     fabs(best->total.new - gone->total.old))
			best = row;
	}
	return best;
}

static void find_moved(struct cost_diff *diff)
{
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->row[i], *target;

		target = row->change == CHANGE_GONE ? find_target(diff, row) : NULL;
		if (!target)
			continue;
		target->is_target = true;
		row->change = CHANGE_MOVED;
		row->moved_to = target;
	}
}

static int key_compare(const struct intern *names, const struct account_key *a,
                       const struct account_key *b)
{
	const uint32_t x[] = {a->cause, a->name, a->aim_name, a->task, a->what};
	const uint32_t y[] = {b->cause, b->name, b->aim_name, b->task, b->what};
	int order = (a->kind > b->kind) - (a->kind < b->kind);

	if (order == 0)
		order = (a->aim > b->aim) - (a->aim < b->aim);
	for (size_t i = 0; i < ARRAY_SIZE(x) && order == 0; i++)
		order = strcmp(intern_text(names, x[i]), intern_text(names, y[i]));
	return order;
}

/* How many more waits the task of the row has in a run, as far as that is sure. */
static double waits_changed(const struct cost_diff *diff, const struct diff_row *of)
{
	double sum = 0;

	for (size_t i = 0; i < diff->row_count; i++) {
		const struct diff_row *row = &diff->row[i];

		if (row->key.kind == COST_WAIT && row->key.task == of->key.task &&
		    row->count.is_tested && row->count.p < DIFF_LEVEL)
			sum += row->count.change.shift;
	}
	return sum;
}

/*
 * A task that waits more often also runs, and stands in a run queue, more often. A change of these
 * follows from its waits if they account for most of the changed number of stays, and that number
 * for much of the changed time; else the stays became longer for a reason of their own.
 */
static bool row_follows_waits(const struct cost_diff *diff, const struct diff_row *row)
{
	double stays = row->count.change.shift, time = row->total.change.shift;
	double of_stays = stays * fmax(row->each.old, row->each.new);
	bool is_of_cpu = row->key.kind == COST_RUNNING || row->key.kind == COST_QUEUE;

	return is_of_cpu && stays * time > 0 &&
	       waits_changed(diff, row) / stays >= FOLLOWS_STAYS &&
	       of_stays / time >= FOLLOWS_TIME;
}

static void find_followers(struct cost_diff *diff)
{
	for (size_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->row[i];

		row->follows_waits = row->is_sure && row->total.is_tested &&
		                     row_follows_waits(diff, row);
	}
}

/* Ends with the names, not their numbers, which depend on the order of the files. */
static int row_compare(const void *a, const void *b, void *names)
{
	const struct diff_row *x = a, *y = b;
	double by_x = x->is_sure ? x->least_change : fabs(x->total.change.shift);
	double by_y = y->is_sure ? y->least_change : fabs(y->total.change.shift);

	return ORDER_BY(RISING(x, y, is_rest), FALLING(x, y, is_sure), RISING(x, y, follows_waits),
	                (by_x < by_y) - (by_x > by_y), FALLING(x, y, share),
	                key_compare(names, &x->key, &y->key));
}

static void gather_wall(const struct diff_side *side, double *ret)
{
	for (size_t i = 0; i < side->count; i++)
		ret[i] = (double)side->run[i].wall;
}

/* The name of the task that all paths of a side belong to; 0: there are several, or none. */
static uint32_t side_root(const struct diff_side *side)
{
	uint32_t root = side->run[0].root;

	for (size_t i = 1; i < side->count; i++)
		if (side->run[i].root != root)
			return 0;
	return root;
}

static bool side_names(const struct diff_side *side, uint32_t name)
{
	for (size_t run = 0; run < side->count; run++)
		for (size_t i = 0; i < side->run[run].count; i++)
			if (side->run[run].cost[i].key.task == name)
				return true;
	return false;
}

/* If the program has another name than before, as "./old-program" and "./new-program" do, it is
   still the same: its costs of before get its new name. */
static void match_roots(struct cost_diff *diff)
{
	uint32_t old = side_root(&diff->old), new = side_root(&diff->new);

	/* turns may be of any task */
	if (diff->per->gather || !old || !new || old == new || side_names(&diff->old, new) ||
	    side_names(&diff->new, old))
		return;
	diff->old_root = old;
	for (size_t run = 0; run < diff->old.count; run++)
		for (size_t i = 0; i < diff->old.run[run].count; i++) {
			struct account_key *key = &diff->old.run[run].cost[i].key;

			key->task = key->task == old ? new : key->task;
			key->name = key->name == old ? new : key->name;
		}
}

void cost_diff_make(struct cost_diff *diff)
{
	struct gathering gathering = {.runs = diff->old.count + diff->new.count};
	_cleanup_(freep) double *walls = xcalloc(gathering.runs, sizeof(*walls));
	const struct row_source *source = &row_sources[diff->by];
	double wall;

	assert(diff->old.count > 0 && diff->new.count > 0);
	match_roots(diff);
	gather_wall(&diff->old, walls);
	gather_wall(&diff->new, walls + diff->old.count);
	wall = fmax(sample_mean(old_of(diff, walls)), sample_mean(new_of(diff, walls)));
	diff->wall = contrast_of(old_of(diff, walls), new_of(diff, walls), /* is_tested= */ true);
	tally_init(&gathering.tally, sizeof(*gathering.row), sizeof(gathering.row->key),
	           TALLY_NO_LIMIT);
	sum_side(&gathering, &diff->old, 0, source);
	sum_side(&gathering, &diff->new, 1, source);
	choose_rows(diff, &gathering, sample_mean((struct sample){walls, gathering.runs}));
	gather_side(&gathering, &diff->old, 0, source);
	gather_side(&gathering, &diff->new, diff->old.count, source);
	rows_add(diff, &gathering, wall);
	gathering_release(&gathering);
	correct(diff);
	for (size_t i = 0; i < diff->row_count; i++)
		row_decide(&diff->row[i]);
	find_followers(diff);
	if (diff->row_count > 0)
		qsort_r(diff->row, diff->row_count, sizeof(*diff->row), row_compare, &diff->names);
	find_moved(diff);
}

/* Whether the clearest difference of one row among so many tests is sure. */
static bool tests_can_be_sure(size_t old_count, size_t new_count, size_t tests)
{
	return rank_test_least_p(old_count, new_count) * (double)tests /
	               (1 - DIFF_LEVEL_OF_WALL) <
	       DIFF_LEVEL;
}

bool cost_diff_wall_can_be_sure(const struct cost_diff *diff)
{
	return rank_test_least_p(diff->old.count, diff->new.count) / DIFF_LEVEL_OF_WALL <
	       DIFF_LEVEL;
}

bool cost_diff_can_be_sure(const struct cost_diff *diff)
{
	return diff->tests > 0 &&
	       tests_can_be_sure(diff->old.count, diff->new.count, diff->tests);
}

size_t cost_diff_runs_needed(const struct cost_diff *diff)
{
	const struct row_source *source = &row_sources[diff->by];
	size_t runs = 1, tests = 0;

	for (size_t i = 0; i < diff->row_count; i++)
		if (!diff->row[i].is_rest)
			tests += row_source_counts(source, &diff->row[i].key) ? 2 : 1;
	while (runs < RUNS_NEEDED_MOST && !tests_can_be_sure(runs, runs, tests))
		runs++;
	return runs;
}

static void side_add(struct diff_sums *sums, const struct cost_diff *diff,
                     const struct diff_side *side)
{
	for (size_t run = 0; run < side->count; run++)
		for (size_t i = 0; i < side->run[run].count; i++) {
			const struct account_cost *cost = &side->run[run].cost[i];
			struct account_key key = row_source_key(&row_sources[diff->by], &cost->key);
			struct diff_sum *sum = tally_row(&sums->tally, &key);
			struct side_sum *spent = side == &diff->old ? &sum->old : &sum->new;

			spent->total += cost->total;
			spent->count += cost->count;
		}
}

struct sum_order {
	const struct intern *names;
};

/* By texts, as the numbers of names depend on the order of the files. */
static int sum_compare(const void *a, const void *b, void *order_by)
{
	const struct intern *names = ((const struct sum_order *)order_by)->names;
	const struct account_key *x = &((const struct diff_sum *)a)->key;
	const struct account_key *y = &((const struct diff_sum *)b)->key;
	const uint32_t of_x[] = {x->task, x->kind, x->cause, x->name, x->aim_name, x->what};
	const uint32_t of_y[] = {y->task, y->kind, y->cause, y->name, y->aim_name, y->what};
	int order = 0;

	for (size_t i = 0; i < ARRAY_SIZE(of_x) && order == 0; i++)
		order = i == 1 ? strcmp(cost_kind_key((enum cost_kind)of_x[i]),
		                        cost_kind_key((enum cost_kind)of_y[i]))
		               : strcmp(intern_text(names, of_x[i]), intern_text(names, of_y[i]));
	return order ? order : memcmp(x, y, sizeof(*x));
}

static const struct diff_row *row_of(const struct cost_diff *diff, const struct account_key *key)
{
	for (size_t i = 0; i < diff->row_count; i++)
		if (!diff->row[i].is_rest && memcmp(&diff->row[i].key, key, sizeof(*key)) == 0)
			return &diff->row[i];
	return NULL;
}

void diff_sums_make(struct diff_sums *sums, const struct cost_diff *diff)
{
	tally_init(&sums->tally, sizeof(*sums->sum), sizeof(sums->sum->key), TALLY_NO_LIMIT);
	side_add(sums, diff, &diff->old);
	side_add(sums, diff, &diff->new);
	tally_sort(&sums->tally, sum_compare, &(struct sum_order){&diff->names});
	for (size_t i = 0; i < sums->count; i++)
		sums->sum[i].row = row_of(diff, &sums->sum[i].key);
}

void diff_sums_release(struct diff_sums *sums)
{
	tally_release(&sums->tally);
}
