/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/top_screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "live/keys.h"
#include "property/random.h"
#include "suites.h"
#include "vt.h"

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

#define ROWS_MAX 40

/* A shot, and the screen and terminal that show it. */
struct stage {
	struct top_screen *top;
	struct screen *screen;
	struct vt vt;
	struct top_row row[ROWS_MAX];
	struct top_shot shot;
	size_t sent; /* bytes of the last drawing */
};

static struct top_row row_of(const char *name, nsec_t waiting, nsec_t longest, uint64_t waits)
{
	return (struct top_row){
		.name = name,
		.task.tid = -1,
		.waiting = waiting,
		.runnable = waiting / 10,
		.running = S - waiting,
		.waits = waits,
		.longest = longest,
	};
}

static struct stage stage_new(size_t rows, size_t columns)
{
	struct stage stage = {
		.top = top_screen_new(TOP_SORT_WAITING, true),
		.screen = screen_new(rows, columns, true),
		.vt = vt_new(rows, columns),
		.shot = {
			.begin = 7 * S, .end = 8 * S, .day_ns = 1764247267 * S,
			.host = "board7", .kernel = "6.18.44", .cpu_count = 2,
			.events = 51204, .has_own_cpu = true, .own_cpu = 0.014,
			.waiting = 1000 * MS,
			.by_kind = {[CAUSE_DISK] = 670 * MS, [CAUSE_LOCK] = 330 * MS},
			.queued_now = 6, .wait_count = 500,
			.wait_p50 = 1200000, .wait_p99 = 48 * MS, .wait_max = 212 * MS,
			.trend = {1, 2, 4, 8}, .trend_count = 4,
			.row_count = 4,
			.has_open = true,
			.open = {
				.task = {.tid = 812, .comm = "postgres"},
				.since = 8 * S - 3412 * MS, .letter = 'D', .has_cause = true,
				.cause = {.kind = CAUSE_DISK, .disk = "vda", .as.disk.dev = 1},
				.has_behind = true,
				.behind = {.tid = 211, .comm = "jbd2/vda-8"},
			},
		},
	};

	ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
	tzset();
	stage.row[0] = row_of("mysqld", 612300000, 48200000, 214);
	stage.row[0].has_cause = true;
	stage.row[0].cause = (struct cause){.kind = CAUSE_LOCK, .name = "rwsem"};
	stage.row[0].cause_waits = 5;
	stage.row[0].has_behind = true;
	stage.row[0].behind = (struct task){.tid = 9, .comm = "mysqld"};
	stage.row[1] = row_of("postgres", 388 * MS, 212400000, 17);
	stage.row[1].has_cause = true;
	stage.row[1].cause = stage.shot.open.cause;
	stage.row[1].cause_waits = 9;
	stage.row[1].has_behind = true;
	stage.row[1].behind = stage.shot.open.behind;
	stage.row[2] = row_of("nginx", 95700000, 9100000, 123456);
	stage.row[3] = row_of("kworker/u8:2", 700 * MS, MS, 3);
	stage.row[3].is_kernel = true;
	return stage;
}

static void stage_release(struct stage *stage)
{
	top_screen_freep(&stage->top);
	screen_freep(&stage->screen);
	vt_release(&stage->vt);
}

static void stage_draw(struct stage *stage)
{
	_cleanup_(buffer_release) struct buffer bytes = {0};

	buffer_init(&bytes, SCREEN_BYTES_MAX);
	top_screen_draw(stage->top, stage->screen);
	screen_flush(stage->screen, &bytes);
	vt_write(&stage->vt, bytes.text, bytes.length);
	stage->sent = bytes.length;
}

static void stage_take(struct stage *stage)
{
	stage->shot.row = stage->row;
	top_screen_take(stage->top, &stage->shot);
	stage_draw(stage);
}

/* Types keys that ask nothing of the caller. */
static void stage_type(struct stage *stage, const int *key, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(top_screen_key(stage->top, key[i]), TOP_REQUEST_NONE);
	stage_draw(stage);
}

#define TYPE(stage, ...)                                                              \
	stage_type((stage), (const int[]){__VA_ARGS__},                                   \
	           ARRAY_SIZE(((const int[]){__VA_ARGS__})))

static void check_lines(const struct stage *stage, const char *const *line, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_str_eq(vt_row(&stage->vt, i), line[i]);
}

#define CHECK_LINES(stage, ...)                                                       \
	check_lines((stage), (const char *const[]){__VA_ARGS__},                          \
	            ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

/* The row of the terminal in which a name stands; 0: in none. */
static size_t row_find(const struct stage *stage, const char *name)
{
	/* below the longest wait, which names tasks, too */
	for (size_t i = 4; i < stage->vt.rows; i++)
		if (strstr(vt_row(&stage->vt, i), name))
			return i;
	return 0;
}

static bool row_is_reverse(const struct stage *stage, size_t row)
{
	const struct vt_cell *cell = stage->vt.cell + row * stage->vt.columns;

	for (size_t i = 0; i < stage->vt.columns; i++)
		if (!cell[i].is_reverse)
			return false;
	return true;
}

START_TEST(the_screen_of_a_terminal)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

	stage_draw(&stage);
	CHECK_LINES(&stage, "ftwait top: the first interval has not ended yet", "");
	stage_take(&stage);
	CHECK_LINES(
		&stage,
		"ftwait top  board7  6.18.44  2 CPUs                      12:41:07  own CPU 1.4 %",
		"51,204 events/s, 0 lost | waiting for disk 67 %, lock 33 %",
		"6 tasks queued for 2 CPUs; waits p50 1.2 ms, p99 48.0 ms, max 212.0 ms |▁▂▄█|",
		"LONGEST  postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]",
		"",
		" WAITING   QUEUED  RUNNING  WAITS  LONGEST TASK          FOR           BEHIND",
		"612.3 ms  61.2 ms 387.7 ms    214  48.2 ms mysqld        lock rwsem, ~ mysqld",
		"388.0 ms  38.8 ms 612.0 ms     17 212.4 ms postgres      disk vda, 9 ~ jbd2/vda~",
		" 95.7 ms   9.5 ms 904.3 ms   123k   9.1 ms nginx",
		"700.0 ms  70.0 ms 300.0 ms      3   1.0 ms kworker/u8:2",
		"");
	ck_assert_str_eq(vt_row(&stage.vt, 23),
	                 "q quit  p pause  s sort  / filter  t tasks|cgroups  Enter chain"
	                 "  w save  h help");
}
END_TEST

/* Beside BEHIND, FOR does not repeat the task. */
START_TEST(a_task_behind_is_named_once)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	_cleanup_(stage_release) struct stage small = stage_new(10, 40);
	const struct cause cause = {
		.kind = CAUSE_TASK, .has_waker = true, .waker = {.tid = 9, .comm = "mysqld"},
		.purpose = "a pipe",
	};

	stage.row[0].cause = small.row[0].cause = cause;
	stage_take(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 6), "612.3 ms  61.2 ms 387.7 ms    214  48.2 ms mysqld"
	                                       "        a pipe, 5 ti~ mysqld");
	stage_take(&small);
	ck_assert_str_eq(vt_row(&small.vt, 5), "612.3 ms mysqld         task mysqld (fo~");
}
END_TEST

START_TEST(too_little_cpu_is_said_at_80_columns)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

	stage.shot.running = 2 * S;
	stage.shot.runnable = 43 * S;
	stage_take(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 2), "Too little CPU: 45.0 tasks for 2 CPUs; waits p50 1.2 "
	                                       "ms, p99 48.0 ms, max 212.0~");
}
END_TEST

START_TEST(small_terminals_show_what_matters)
{
	_cleanup_(stage_release) struct stage small = stage_new(10, 40);
	_cleanup_(stage_release) struct stage tiny = stage_new(5, 20);
	_cleanup_(stage_release) struct stage low = stage_new(3, 80);
	_cleanup_(stage_release) struct stage line = stage_new(1, 80);
	_cleanup_(stage_release) struct stage cell = stage_new(1, 1);

	stage_take(&small);
	CHECK_LINES(&small, "ftwait top  board7  6.18.44  2 CPUs",
	            "waiting for disk 67 %, lock 33 %",
	            "6 tasks queued for 2 CPUs; waits p50 1.~",
	            "postgres[812] in D for 3.412 s: disk vd~",
	            " WAITING TASK           FOR",
	            "612.3 ms mysqld         lock rwsem, 5 t~",
	            "388.0 ms postgres       disk vda, 9 tim~",
	            " 95.7 ms nginx",
	            "700.0 ms kworker/u8:2",
	            "q quit  h help  / filter  s sort");
	stage_take(&tiny);
	CHECK_LINES(&tiny, "3.412 s postgres[81~", " WAITING TASK", "612.3 ms mysqld",
	            "388.0 ms postgres", " 95.7 ms nginx");
	stage_take(&low);
	CHECK_LINES(&low, "LONGEST  postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]",
	            " WAITING   QUEUED  RUNNING  WAITS  LONGEST TASK          FOR           BEHIND",
	            "612.3 ms  61.2 ms 387.7 ms    214  48.2 ms mysqld        lock rwsem, ~ mysqld");
	stage_take(&line);
	CHECK_LINES(&line, "LONGEST  postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]");
	stage_take(&cell);
	CHECK_LINES(&cell, "~");
}
END_TEST

START_TEST(large_terminals_cut_nothing)
{
	_cleanup_(stage_release) struct stage wide = stage_new(50, 200);
	_cleanup_(stage_release) struct stage widest = stage_new(3, 500);
	_cleanup_(stage_release) struct stage high = stage_new(500, 3);
	_cleanup_(stage_release) struct stage tasks = stage_new(50, 200);
	const char *text;

	wide.row[1].cause.purpose = "a very long purpose, as no other one is, of this wait";
	stage_take(&wide);
	text = vt_row(&wide.vt, 7);
	ck_assert_ptr_eq(strstr(text, "postgres"), text + 43);
	ck_assert_ptr_nonnull(strstr(text, " disk vda (for a very long purpose, as no other one "
	                                   "is, of this wait), 9 times "));
	ck_assert_ptr_eq(strstr(text, "jbd2/vda-8"), text + 200 - 15);
	stage_take(&widest);
	CHECK_LINES(&widest, "LONGEST  postgres[812] in D for 3.412 s: disk vda, behind jbd2/vda-8[211]");
	text = vt_row(&widest.vt, 2);
	ck_assert_ptr_eq(strstr(text, "mysqld "), text + 43);
	ck_assert_ptr_nonnull(strstr(text, " lock rwsem, 5 times "));
	stage_take(&high);
	CHECK_LINES(&high, "ft~", "wa~", "6 ~", "3.~", "", "", "");
	tasks.shot.by = TOP_BY_TASK;
	tasks.row[1].task = (struct task){.tid = 4194303, .comm = "fifteen-letters"};
	stage_take(&tasks);
	ck_assert_ptr_nonnull(strstr(vt_row(&tasks.vt, 7), " fifteen-letters[4194303] "));
	ck_assert_ptr_nonnull(strstr(vt_row(&tasks.vt, 7), " jbd2/vda-8[211]"));
}
END_TEST

START_TEST(losses_and_notes_are_seen)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	_cleanup_(stage_release) struct stage small = stage_new(10, 40);

	stage.shot.lost = 12;
	stage.shot.note = "own CPU above 2 %: interval now 2 s";
	stage_take(&stage);
	ck_assert(stage.vt.cell[80].is_red);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "own CPU above 2 %: interval now 2 s");
	top_screen_say(stage.top, "saved to \"x\n\033[2J\"");
	stage_draw(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "saved to \"x\\x0a\\x1b[2J\"");
	TYPE(&stage, KEY_DOWN);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "own CPU above 2 %: interval now 2 s");
	stage.shot.note = NULL;
	stage_take(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "");
	small.shot.lost = 12;
	stage_take(&small);
	ck_assert_str_eq(vt_row(&small.vt, 1), "51,204 events/s, 12 lost | waiting for ~");
	top_screen_say(small.top, "saved");
	stage_draw(&small);
	ck_assert_str_eq(vt_row(&small.vt, 9), "saved");
}
END_TEST

START_TEST(what_is_said_is_seen_over_all_else)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

	ck_assert_int_eq(top_screen_key(stage.top, 'w'), TOP_REQUEST_SAVE);
	top_screen_say(stage.top, "nothing yet");
	stage_draw(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 23), "nothing yet");
	stage_take(&stage);
	/* in a pane, which has the same key */
	TYPE(&stage, 'h');
	ck_assert_int_eq(top_screen_key(stage.top, 'w'), TOP_REQUEST_SAVE);
	top_screen_say(stage.top, "writing");
	stage_draw(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 23), "writing");
	ck_assert_str_eq(vt_row(&stage.vt, 0), "ftwait top: help");
	TYPE(&stage, 'q');
	ck_assert_str_eq(vt_row(&stage.vt, 4), "");
	/* what comes while a filter is typed is seen after it */
	TYPE(&stage, '/', 'm');
	top_screen_say(stage.top, "saved");
	TYPE(&stage, 'y');
	ck_assert_str_eq(vt_row(&stage.vt, 4), "filter: my_");
	TYPE(&stage, KEY_ENTER);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "saved");
	TYPE(&stage, KEY_DOWN);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "filter: my (1 of 4 rows)");
}
END_TEST

/* Whether the names stand below each other in this order. */
static void check_order(struct stage *stage, const char *const *name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(row_find(stage, name[i]) == 6 + i, "%s in row %zu", name[i],
		              row_find(stage, name[i]));
}

#define CHECK_ORDER(stage, ...)                                                       \
	check_order((stage), (const char *const[]){__VA_ARGS__},                          \
	            ARRAY_SIZE(((const char *const[]){__VA_ARGS__})))

START_TEST(rows_are_sorted)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

	stage.row[1].behind.comm = "other";
	stage_take(&stage);
	CHECK_ORDER(&stage, "mysqld", "postgres", "nginx", "kworker");
	TYPE(&stage, 's'); /* queued */
	CHECK_ORDER(&stage, "kworker", "mysqld", "postgres", "nginx");
	TYPE(&stage, '>'); /* running */
	CHECK_ORDER(&stage, "nginx", "postgres", "mysqld", "kworker");
	TYPE(&stage, '>'); /* waits */
	CHECK_ORDER(&stage, "nginx", "mysqld", "postgres", "kworker");
	TYPE(&stage, 's'); /* longest */
	CHECK_ORDER(&stage, "postgres", "mysqld", "nginx", "kworker");
	TYPE(&stage, 's'); /* name */
	CHECK_ORDER(&stage, "kworker", "mysqld", "nginx", "postgres");
	TYPE(&stage, '<', '<');
	CHECK_ORDER(&stage, "nginx", "mysqld", "postgres", "kworker");
	TYPE(&stage, '<', '<', '<');
	CHECK_ORDER(&stage, "mysqld", "postgres", "nginx", "kworker");
	TYPE(&stage, '<');
	CHECK_ORDER(&stage, "kworker", "mysqld", "nginx", "postgres");
}
END_TEST

START_TEST(rows_are_filtered)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

	stage_take(&stage);
	TYPE(&stage, '/', 'V', 'D', 'q');
	ck_assert_str_eq(vt_row(&stage.vt, 4), "filter: VDq_");
	ck_assert_str_eq(vt_row(&stage.vt, 6), "");
	TYPE(&stage, KEY_BACKSPACE, KEY_UP);
	CHECK_ORDER(&stage, "postgres");
	ck_assert_str_eq(vt_row(&stage.vt, 7), "");
	TYPE(&stage, KEY_ENTER);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "filter: VD (1 of 4 rows)");
	/* the next shot passes it, too */
	stage.row[1] = row_of("vdr", MS, MS, 1);
	stage_take(&stage);
	CHECK_ORDER(&stage, "vdr");
	TYPE(&stage, '/');
	ck_assert_str_eq(vt_row(&stage.vt, 4), "filter: VD_");
	TYPE(&stage, KEY_ESCAPE);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "");
	CHECK_ORDER(&stage, "mysqld", "vdr", "nginx", "kworker");
	/* as much as there is room for */
	TYPE(&stage, '/');
	for (int i = 0; i < 2 * TOP_FILTER_MAX; i++)
		TYPE(&stage, 'x');
	for (int i = 0; i < 2 * TOP_FILTER_MAX; i++)
		TYPE(&stage, KEY_BACKSPACE);
	CHECK_ORDER(&stage, "mysqld", "vdr", "nginx", "kworker");
}
END_TEST

static void check_selected(const struct stage *stage, const char *name)
{
	struct top_selected selected;

	ck_assert(top_screen_selected(stage->top, &selected));
	ck_assert_str_eq(selected.name, name);
	ck_assert(row_is_reverse(stage, row_find(stage, name)));
}

START_TEST(the_selection_stays_on_its_row)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	struct top_selected selected;
	struct top_row row;

	stage_take(&stage);
	ck_assert(!top_screen_selected(stage.top, &selected));
	TYPE(&stage, KEY_DOWN);
	check_selected(&stage, "mysqld");
	TYPE(&stage, KEY_DOWN, KEY_DOWN);
	check_selected(&stage, "nginx");
	/* it is first in the next shot */
	row = stage.row[0];
	stage.row[0] = stage.row[2];
	stage.row[2] = row;
	stage_take(&stage);
	check_selected(&stage, "nginx");
	ck_assert_uint_eq(row_find(&stage, "nginx"), 6);
	TYPE(&stage, 's');
	check_selected(&stage, "nginx");
	ck_assert_uint_eq(row_find(&stage, "nginx"), 9);
	/* in the next shot it is missing, and then there again */
	stage.row[0].name = "other";
	stage_take(&stage);
	ck_assert(top_screen_selected(stage.top, &selected));
	ck_assert_str_eq(selected.name, "nginx");
	for (size_t i = 6; i < 10; i++)
		ck_assert(!row_is_reverse(&stage, i));
	stage.row[0].name = "nginx";
	stage_take(&stage);
	check_selected(&stage, "nginx");
	TYPE(&stage, KEY_UP);
	check_selected(&stage, "postgres");
	TYPE(&stage, KEY_ESCAPE);
	ck_assert(!top_screen_selected(stage.top, &selected));
	/* rows of another kind are other rows */
	TYPE(&stage, KEY_END);
	check_selected(&stage, "nginx");
	stage.shot.by = TOP_BY_CGROUP;
	stage_take(&stage);
	ck_assert(!top_screen_selected(stage.top, &selected));
	ck_assert_ptr_nonnull(strstr(vt_row(&stage.vt, 5), " CGROUP "));
}
END_TEST

START_TEST(threads_of_one_name_are_not_mixed_up)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	struct top_selected selected;

	stage.shot.by = TOP_BY_TASK;
	for (int i = 0; i < 3; i++) {
		stage.row[i] = row_of("worker", (nsec_t)(9 - i) * MS, MS, 1);
		stage.row[i].task = (struct task){.tid = 100 + i, .comm = "worker"};
	}
	stage_take(&stage);
	TYPE(&stage, KEY_HOME, KEY_DOWN);
	ck_assert(top_screen_selected(stage.top, &selected));
	ck_assert_int_eq(selected.tid, 101);
	ck_assert_int_eq(selected.by, TOP_BY_TASK);
	ck_assert(row_is_reverse(&stage, row_find(&stage, "worker[101]")));
	TYPE(&stage, '>', '>'); /* running: the other way round */
	ck_assert(top_screen_selected(stage.top, &selected));
	ck_assert_int_eq(selected.tid, 101);
}
END_TEST

START_TEST(long_lists_scroll)
{
	_cleanup_(stage_release) struct stage stage = stage_new(12, 80);
	static char name[ROWS_MAX][16];

	for (size_t i = 0; i < ROWS_MAX; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "task-%02zu", i);
		stage.row[i] = row_of(name[i], (ROWS_MAX - i) * MS, MS, 1);
	}
	stage.shot.row_count = ROWS_MAX;
	stage_take(&stage); /* five rows */
	CHECK_ORDER(&stage, "task-00", "task-01", "task-02", "task-03", "task-04");
	TYPE(&stage, KEY_HOME, KEY_PAGE_DOWN);
	check_selected(&stage, "task-05");
	CHECK_ORDER(&stage, "task-01", "task-02", "task-03", "task-04", "task-05");
	TYPE(&stage, KEY_END);
	CHECK_ORDER(&stage, "task-35", "task-36", "task-37", "task-38", "task-39");
	check_selected(&stage, "task-39");
	TYPE(&stage, KEY_PAGE_UP);
	check_selected(&stage, "task-34");
	CHECK_ORDER(&stage, "task-34", "task-35", "task-36", "task-37", "task-38");
	/* fewer rows */
	stage.shot.row_count = 3;
	stage_take(&stage);
	CHECK_ORDER(&stage, "task-00", "task-01", "task-02");
	TYPE(&stage, KEY_DOWN);
	check_selected(&stage, "task-02");
	stage.shot.row_count = 0;
	stage_take(&stage);
	TYPE(&stage, KEY_DOWN, KEY_PAGE_UP, KEY_HOME, KEY_END);
	ck_assert_str_eq(vt_row(&stage.vt, 6), "(none)");
	ck_assert_str_eq(vt_row(&stage.vt, 7), "");
}
END_TEST

START_TEST(a_paused_screen_stays)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	_cleanup_(stage_release) struct stage low = stage_new(3, 80);

	stage_take(&stage);
	ck_assert(!top_screen_is_paused(stage.top));
	TYPE(&stage, 'p');
	ck_assert(top_screen_is_paused(stage.top));
	ck_assert_str_eq(vt_row(&stage.vt, 0),
	                 "ftwait top  board7  6.18.44  2 CPUs              paused  12:41:07  own CPU"
	                 " 1.4 %");
	/* what the shot was of need not exist any more */
	stage.shot = (struct top_shot){.end = S};
	memset(stage.row, 0, sizeof(stage.row));
	stage_take(&stage);
	TYPE(&stage, KEY_DOWN, 's');
	check_selected(&stage, "mysqld");
	TYPE(&stage, ' ');
	stage_take(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 0), "ftwait top");
	ck_assert_str_eq(vt_row(&stage.vt, 6), "(none)");
	stage_take(&low);
	TYPE(&low, 'p');
	ck_assert(row_is_reverse(&low, 0));
	ck_assert(!row_is_reverse(&low, 1));
}
END_TEST

START_TEST(keys_ask_the_caller)
{
	static const struct {
		int key;
		enum top_request request;
	} cases[] = {
		{'q', TOP_REQUEST_QUIT},      {KEY_F10, TOP_REQUEST_QUIT},
		{KEY_CTRL_C, TOP_REQUEST_QUIT}, {KEY_CTRL_L, TOP_REQUEST_REDRAW},
		{'t', TOP_REQUEST_BY_NEXT},   {'w', TOP_REQUEST_SAVE},
		{'+', TOP_REQUEST_LONGER},    {'-', TOP_REQUEST_SHORTER},
		{KEY_NONE, TOP_REQUEST_NONE}, {'x', TOP_REQUEST_NONE},
		{KEY_DELETE, TOP_REQUEST_NONE},
	};
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	struct top_selected selected;

	/* before the first shot, too */
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_int_eq(top_screen_key(stage.top, cases[i].key), cases[i].request);
	ck_assert_int_eq(top_screen_key(stage.top, KEY_ENTER), TOP_REQUEST_NONE);
	stage_take(&stage);
	ck_assert_int_eq(top_screen_key(stage.top, KEY_ENTER), TOP_REQUEST_CHAIN);
	ck_assert(top_screen_selected(stage.top, &selected));
	ck_assert_str_eq(selected.name, "mysqld");
	/* while the filter is written they are letters */
	TYPE(&stage, '/', 'q', 't', 'w', '+', '-');
	ck_assert_int_eq(top_screen_key(stage.top, KEY_CTRL_C), TOP_REQUEST_QUIT);
}
END_TEST

START_TEST(lines_are_read_in_a_pane)
{
	_cleanup_(stage_release) struct stage stage = stage_new(6, 30);
	_cleanup_(stage_release) struct stage tiny = stage_new(1, 1);

	stage_take(&stage);
	top_screen_show(stage.top, "chain of mys\nqld",
	                "one\n├─ \033[7mtwo\nthree is longer than the screen\n\nfive\nsix");
	stage_draw(&stage);
	CHECK_LINES(&stage, "chain of mys\\x0aqld", "one", "├─ \\x1b[7mtwo",
	            "three is longer than the scree", "", "Enter browse it  q close  arro");
	ck_assert_int_eq(top_screen_key(stage.top, KEY_ENTER), TOP_REQUEST_BROWSE);
	TYPE(&stage, KEY_RIGHT, KEY_DOWN);
	CHECK_LINES(&stage, "chain of mys\\x0aqld", "7mtwo", " longer than the screen", "", "");
	TYPE(&stage, KEY_LEFT, KEY_PAGE_DOWN);
	CHECK_LINES(&stage, "chain of mys\\x0aqld", "three is longer than the scree", "", "five",
	            "six");
	TYPE(&stage, KEY_DOWN, KEY_END);
	ck_assert_str_eq(vt_row(&stage.vt, 4), "six");
	TYPE(&stage, KEY_PAGE_UP, KEY_UP, KEY_UP);
	ck_assert_str_eq(vt_row(&stage.vt, 1), "one");
	TYPE(&stage, KEY_END, KEY_HOME);
	ck_assert_str_eq(vt_row(&stage.vt, 1), "one");
	/* what a shot brings meanwhile is seen when it is closed */
	stage.shot.host = "other";
	stage_take(&stage);
	ck_assert_str_eq(vt_row(&stage.vt, 1), "one");
	TYPE(&stage, 'q');
	ck_assert_ptr_nonnull(strstr(vt_row(&stage.vt, 0), "other"));
	top_screen_show(stage.top, "", "");
	TYPE(&stage, KEY_END, KEY_DOWN, KEY_PAGE_UP, KEY_ESCAPE);
	ck_assert_ptr_nonnull(strstr(vt_row(&stage.vt, 0), "other"));
	top_screen_show(stage.top, "", "x");
	ck_assert_int_eq(top_screen_key(stage.top, KEY_F10), TOP_REQUEST_QUIT);
	TYPE(&tiny, 'h', KEY_DOWN, KEY_RIGHT, KEY_END);
	/* of the help nothing is to be browsed */
	ck_assert_int_eq(top_screen_key(tiny.top, KEY_ENTER), TOP_REQUEST_NONE);
}
END_TEST

START_TEST(help_names_the_keys)
{
	static const int keys[] = {'h', '?', KEY_F1};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		_cleanup_(stage_release) struct stage stage = stage_new(24, 80);

		stage_take(&stage);
		TYPE(&stage, keys[i]);
		/* all of it fits */
		for (size_t row = 0; row < 24; row++)
			ck_assert_uint_lt(strlen(vt_row(&stage.vt, row)), 80);
		ck_assert_str_eq(vt_row(&stage.vt, 22), "h, ?, F1     this help");
		ck_assert_str_eq(vt_row(&stage.vt, 0), "ftwait top: help");
		ck_assert_str_eq(vt_row(&stage.vt, 11), "q, F10       quit");
		TYPE(&stage, KEY_ESCAPE);
		ck_assert_uint_eq(row_find(&stage, "mysqld"), 6);
	}
}
END_TEST

/* A third of the figures are others: a serial console at 115,200 baud takes 600 bytes in 52 ms. */
START_TEST(a_redraw_takes_few_bytes)
{
	_cleanup_(stage_release) struct stage stage = stage_new(24, 80);
	static char name[ROWS_MAX][16];

	for (size_t i = 0; i < ROWS_MAX; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "task-%02zu", i);
		stage.row[i] = stage.row[0];
		stage.row[i].name = name[i];
		stage.row[i].waiting = (800 - i * 7) * MS;
	}
	stage.shot.row_count = ROWS_MAX;
	stage_take(&stage);
	ck_assert_uint_gt(stage.sent, 1000);
	for (size_t i = 0; i < 17 * 5; i += 3) {
		struct top_row *row = &stage.row[i / 5];
		nsec_t *const time[] = {
			&row->waiting, &row->runnable, &row->running, &row->longest,
		};

		if (i % 5 < ARRAY_SIZE(time))
			*time[i % 5] += 1300000 + i * 20000;
		else
			row->waits += 13;
	}
	stage.shot.day_ns += S;
	stage.shot.events += 1311;
	stage.shot.wait_p50 += 210000;
	stage.shot.open.since -= S;
	memmove(stage.shot.trend, stage.shot.trend + 1, 3 * sizeof(double));
	stage_take(&stage);
	ck_assert_uint_gt(stage.sent, 100);
	ck_assert_uint_le(stage.sent, 600);
	stage_take(&stage);
	ck_assert_uint_eq(stage.sent, 0);
}
END_TEST

/* Names and causes as a hostile program has them, at all sizes: the terminal of the test fails if
   anything moves its cursor, or is drawn outside. SEED=... in the environment repeats a run. */
START_TEST(hostile_names_are_only_names)
{
	static const char *const names[] = {
		"\033[2J\033[31m", "a\nb\r\tc", "\x9b[2J", "\xff\xfe", "\u6570\u636e\u5e93", "",
		"\u202eevil", "e\u0301\u0301", "\033]0;title\a", "%s%n", "mysqld",
	};
	static const int keys[] = {
		's', 'p', '/', 'x', KEY_BACKSPACE, KEY_ENTER, KEY_ESCAPE, KEY_DOWN, KEY_UP,
		KEY_PAGE_DOWN, KEY_END, KEY_HOME, 'h', 'q', '<', 't', KEY_RIGHT,
	};
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random random = {seed};

	for (int run = 0; run < 60; run++) {
		_cleanup_(stage_release) struct stage stage = stage_new(
			1 + random_below(&random, 30), 1 + random_below(&random, 130));

		for (int step = 0; step < 20; step++) {
			for (size_t i = 0; i < ROWS_MAX; i++) {
				struct top_row *row = &stage.row[i];
				const char *name = names[random_below(&random, ARRAY_SIZE(names))];

				*row = row_of(name, random_next(&random), random_next(&random),
				              random_next(&random));
				row->has_cause = row->has_behind = true;
				row->cause = (struct cause){.kind = CAUSE_LOCK, .name = name};
				row->behind = (struct task){.tid = 1, .comm = name};
				row->task = (struct task){.tid = (int32_t)i - 1, .comm = name};
			}
			stage.shot.row_count = random_below(&random, ROWS_MAX + 1);
			stage.shot.host = stage.shot.kernel = stage.shot.note =
				names[random_below(&random, ARRAY_SIZE(names))];
			stage.shot.open.task.comm = stage.shot.host;
			stage.shot.open.letter = (char)random_next(&random);
			stage_take(&stage);
			(void)top_screen_key(stage.top,
			                     keys[random_below(&random, ARRAY_SIZE(keys))]);
			stage_draw(&stage);
			ck_assert_msg(strstr(vt_row(&stage.vt, 0), "title\a") == NULL,
			              "SEED=%" PRIu64, seed);
		}
	}
}
END_TEST

Suite *top_screen_suite(void)
{
	Suite *suite = suite_create("top_screen");
	TCase *tests = tcase_create("top_screen");

	tcase_add_test(tests, the_screen_of_a_terminal);
	tcase_add_test(tests, a_task_behind_is_named_once);
	tcase_add_test(tests, too_little_cpu_is_said_at_80_columns);
	tcase_add_test(tests, small_terminals_show_what_matters);
	tcase_add_test(tests, large_terminals_cut_nothing);
	tcase_add_test(tests, losses_and_notes_are_seen);
	tcase_add_test(tests, what_is_said_is_seen_over_all_else);
	tcase_add_test(tests, rows_are_sorted);
	tcase_add_test(tests, rows_are_filtered);
	tcase_add_test(tests, the_selection_stays_on_its_row);
	tcase_add_test(tests, threads_of_one_name_are_not_mixed_up);
	tcase_add_test(tests, long_lists_scroll);
	tcase_add_test(tests, a_paused_screen_stays);
	tcase_add_test(tests, keys_ask_the_caller);
	tcase_add_test(tests, lines_are_read_in_a_pane);
	tcase_add_test(tests, help_names_the_keys);
	tcase_add_test(tests, a_redraw_takes_few_bytes);
	tcase_add_test(tests, hostile_names_are_only_names);
	suite_add_tcase(suite, tests);
	return suite;
}
