/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/cost_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "compare/doubts.h"
#include "suites.h"

static struct cost_diff diff;

static void begin(void)
{
	cost_diff_init(&diff);
	diff.least = 0.01;
}

static struct run_account *run_add(struct diff_side *side, const char *path)
{
	ARRAY_GROW(side->run, side->count, side->capacity);
	side->run[side->count] = (struct run_account){
		.path = path,
		.root = intern_adds(&diff.names, "svc"),
		.explained = 1,
		.cpus = 2,
	};
	return &side->run[side->count++];
}

static void cost_add(struct run_account *run, enum cost_kind kind, const char *cause,
                     const char *name, const char *task, uint64_t count, nsec_t total)
{
	ARRAY_GROW(run->cost, run->count, run->capacity);
	run->cost[run->count++] = (struct account_cost){
		.key = {.kind = kind,
		        .cause = cause ? intern_adds(&diff.names, cause) : 0,
		        .name = name ? intern_adds(&diff.names, name) : 0,
		        .task = intern_adds(&diff.names, task)},
		.count = count,
		.total = total,
	};
	run->wall += total;
}

static const struct diff_row *row_of(const char *name)
{
	for (size_t i = 0; i < diff.row_count; i++)
		if (diff.row[i].key.name &&
		    strcmp(intern_text(&diff.names, diff.row[i].key.name), name) == 0)
			return &diff.row[i];
	return NULL;
}

/* A run with some waits for each of some disks; lengths differ a little from run to run. */
struct disk {
	const char *name;
	uint64_t count;
	nsec_t each;
};

static void runs_add(struct diff_side *side, size_t runs, const struct disk *disks, size_t count)
{
	for (size_t i = 0; i < runs; i++) {
		struct run_account *run = run_add(side, "run.dat");

		cost_add(run, COST_RUNNING, NULL, NULL, "svc", 10, 1000000 + 1000 * i);
		for (size_t j = 0; j < count; j++)
			if (disks[j].count)
				cost_add(run, COST_WAIT, "disk", disks[j].name, "svc",
				         disks[j].count,
				         disks[j].count * (disks[j].each + 10 * i));
	}
}

START_TEST(changes_are_told_apart)
{
	static const struct disk old[] = {
		{"more", 10, 50000},  {"less", 20, 50000},  {"longer", 10, 50000},
		{"shorter", 10, 90000}, {"gone", 7, 100000}, {"same", 10, 50000},
		{"from", 5, 300000},
	};
	static const struct disk new[] = {
		{"more", 20, 50000},  {"less", 10, 50000},  {"longer", 10, 90000},
		{"shorter", 10, 50000}, {"new", 7, 40000},  {"same", 10, 50000},
		{"to", 5, 310000},
	};
	static const struct {
		const char *name;
		enum diff_change change;
	} wanted[] = {
		{"more", CHANGE_MORE},     {"less", CHANGE_LESS}, {"longer", CHANGE_LONGER},
		{"shorter", CHANGE_SHORTER}, {"gone", CHANGE_GONE}, {"new", CHANGE_NEW},
		{"same", CHANGE_SAME},     {"from", CHANGE_MOVED}, {"to", CHANGE_NEW},
	};

	begin();
	runs_add(&diff.old, 10, old, ARRAY_SIZE(old));
	runs_add(&diff.new, 10, new, ARRAY_SIZE(new));
	cost_diff_make(&diff);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const struct diff_row *row = row_of(wanted[i].name);

		ck_assert_ptr_nonnull(row);
		ck_assert_msg(row->change == wanted[i].change, "%s: %s", wanted[i].name,
		              diff_change_name(row->change));
		ck_assert_int_eq(row->is_sure, row->change != CHANGE_SAME);
	}
	ck_assert_ptr_eq(row_of("from")->moved_to, row_of("to"));
	/* those that are sure come first */
	ck_assert(diff.row[0].is_sure);
	ck_assert(!diff.row[diff.row_count - 1].is_sure);
	cost_diff_release(&diff);
}
END_TEST

START_TEST(few_runs_prove_nothing)
{
	static const struct disk old[] = {{"vda", 10, 50000}}, new[] = {{"vda", 90, 50000}};

	for (size_t runs = 1; runs <= 3; runs++) {
		begin();
		runs_add(&diff.old, runs, old, 1);
		runs_add(&diff.new, runs, new, 1);
		cost_diff_make(&diff);
		ck_assert(!row_of("vda")->is_sure);
		ck_assert(!cost_diff_can_be_sure(&diff));
		ck_assert_uint_eq(cost_diff_runs_needed(&diff), 5); /* 4 figures, 2 in 252 */
		ck_assert_uint_eq(diff.tests, runs == 1 ? 0 : 4);
		ck_assert_double_eq_tol(row_of("vda")->count.change.shift, 80, 1e-9);
		cost_diff_release(&diff);
	}
}
END_TEST

START_TEST(small_costs_are_one_row)
{
	static const struct disk disks[] = {
		{"large", 10, 50000}, {"small", 1, 2000}, {"tiny", 1, 1000}};

	begin();
	runs_add(&diff.old, 2, disks, ARRAY_SIZE(disks));
	runs_add(&diff.new, 2, disks, ARRAY_SIZE(disks));
	cost_diff_make(&diff);
	ck_assert_uint_eq(diff.row_count, 3);
	ck_assert(diff.row[2].is_rest);
	ck_assert_double_eq_tol(diff.row[2].total.old, 3010, 1e-9);
	ck_assert(!diff.row[2].total.is_tested);
	ck_assert_ptr_null(row_of("small"));
	cost_diff_release(&diff);
}
END_TEST

START_TEST(rows_are_divided_as_asked)
{
	static const struct disk disks[] = {{"vda", 10, 50000}, {"vdb", 10, 50000}};
	static const size_t rows[] = {
		[DIFF_BY_CAUSE] = 3, [DIFF_BY_TASK] = 1, [DIFF_BY_RESOURCE] = 3};

	for (int by = 0; by < DIFF_BY_COUNT; by++) {
		double sum = 0;

		begin();
		diff.by = (enum diff_by)by;
		runs_add(&diff.old, 1, disks, ARRAY_SIZE(disks));
		runs_add(&diff.new, 1, disks, ARRAY_SIZE(disks));
		cost_diff_make(&diff);
		ck_assert_uint_eq(diff.row_count, rows[by]);
		for (size_t i = 0; i < diff.row_count; i++)
			sum += diff.row[i].total.old;
		ck_assert_double_eq_tol(sum, (double)diff.old.run[0].wall, 1e-6);
		cost_diff_release(&diff);
	}
}
END_TEST

static double random_part(void)
{
	return rand() / ((double)RAND_MAX + 1);
}

/* Skewed, as times are: most near 1, some several times that. */
static double random_scale(void)
{
	return exp(2 * (random_part() + random_part() + random_part() - 1.5));
}

static void random_run(struct diff_side *side, double scale)
{
	static const char *const names[] = {"vda", "vdb", "vdc", "vdd", "vde", "vdf"};
	struct run_account *run = run_add(side, "run.dat");

	cost_add(run, COST_RUNNING, NULL, NULL, "svc", 10, (nsec_t)(1e6 * random_scale()));
	cost_add(run, COST_QUEUE, NULL, NULL, "svc", 10, (nsec_t)(3e6 * random_scale()));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		double count = floor(1 + 20 * random_scale() * (i == 0 ? scale : 1));

		cost_add(run, COST_WAIT, "disk", names[i], "svc", (uint64_t)count,
		         (nsec_t)(count * 1e5 * random_scale()));
	}
}

static bool is_any_sure(size_t runs, double scale, bool *ret_is_right)
{
	bool is_sure = false;

	begin();
	for (size_t i = 0; i < runs; i++) {
		random_run(&diff.old, 1);
		random_run(&diff.new, scale);
	}
	cost_diff_make(&diff);
	for (size_t i = 0; i < diff.row_count; i++)
		is_sure |= diff.row[i].is_sure;
	is_sure |= diff.wall.is_tested && diff.wall.p < DIFF_LEVEL;
	*ret_is_right = diff.row[0].is_sure && row_of("vda") == &diff.row[0];
	cost_diff_release(&diff);
	return is_sure;
}

#define ROUNDS 200

/* Of equal sides at most one in twenty differs for sure; a changed number is found. */
START_TEST(equal_sides_seldom_alarm)
{
	const char *given = getenv("DIFF_SEED");
	unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : 1;
	unsigned alarms = 0, found = 0;
	bool is_right;

	srand(seed);
	for (int i = 0; i < ROUNDS; i++)
		alarms += is_any_sure(10, 1, &is_right);
	for (int i = 0; i < ROUNDS; i++) {
		(void)is_any_sure(10, 20, &is_right);
		found += is_right;
	}
	/* a true rate of 5 % gives more than 20 alarms in one of 1,000 seeds */
	ck_assert_msg(alarms <= 20, "%u alarms, DIFF_SEED=%u", alarms, seed);
	ck_assert_msg(found >= 190, "%u found, DIFF_SEED=%u", found, seed);
}
END_TEST

START_TEST(unlike_runs_are_doubted)
{
	static const struct disk disks[] = {{"vda", 10, 50000}};
	struct doubts doubts;

	begin();
	runs_add(&diff.old, 2, disks, 1);
	runs_add(&diff.new, 2, disks, 1);
	cost_diff_make(&diff);
	doubts_find(&doubts, &diff);
	ck_assert_uint_eq(doubts.count, 0);
	doubts_release(&doubts);
	diff.new.run[0].cpus = 4;
	diff.new.run[1].cpus = 8;
	diff.new.run[1].lost = 1234;
	diff.old.run[1].explained = 0.5;
	diff.old.run[1].steal = 0.06;
	doubts_find(&doubts, &diff);
	ck_assert_uint_eq(doubts.count, 3);
	ck_assert_str_eq(doubts.text[0], "run.dat (and 1 more) has another number of CPUs than "
	                                 "run.dat: 4, not 2");
	ck_assert_str_eq(doubts.text[1], "run.dat: the host took 6 % of its CPU time, only 50 % of "
	                                 "its time is explained");
	ck_assert_str_eq(doubts.text[2], "run.dat: 1,234 events were lost");
	doubts_release(&doubts);
	cost_diff_release(&diff);
}
END_TEST

Suite *cost_diff_suite(void)
{
	Suite *suite = suite_create("cost_diff");
	TCase *tests = tcase_create("cost_diff");

	tcase_add_test(tests, changes_are_told_apart);
	tcase_add_test(tests, few_runs_prove_nothing);
	tcase_add_test(tests, small_costs_are_one_row);
	tcase_add_test(tests, rows_are_divided_as_asked);
	tcase_add_test(tests, equal_sides_seldom_alarm);
	tcase_add_test(tests, unlike_runs_are_doubted);
	suite_add_tcase(suite, tests);
	return suite;
}
