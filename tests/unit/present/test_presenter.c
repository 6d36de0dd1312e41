/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "json/json_reader.h"
#include "present/presenter.h"
#include "sample_comparison.h"
#include "sample_report.h"
#include "suites.h"

#define TO (&(struct output){presenter, state})

static void check_sample(const char *presenter, const struct presenter_options *options,
                         const char *expected)
{
	char *text = sample_render(presenter, options);

	ck_assert_str_eq(text, expected);
	free(text);
}

static const char expected_text[] =
	"run.dat: 1,234 events in 1.000 s, 4 CPUs, kernel 6.1.0\n"
	"\n"
	"Where the time went\n"
	"A line of prose.\n"
	"running          12.840 ms\n"
	"waiting by kind  timer 5.000 ms, disk 3.000 us\n"
	"\n"
	"Waits\n"
	" begin s  task            duration  conf  cause\n"
	"0.012840  mysqld[101]    12.840 ms  high  task io;wor ker[7]\n"
	"0.000000  io;wor ker[7]     812 ns  high    disk 254,0 (read 4.0 KiB, sector 123)\n"
	"0.000001  mysqld[101]     1.500 us  -     -\n"
	"\n"
	"Who waited for whom\n"
	"     TOTAL   SHARE  COUNT     LONGEST        AT  WHO WAITED, FOR WHOM, FOR WHAT\n"
	" 12.840 ms  81.1 %      -           -         -  mysqld\n"
	" 12.000 ms  75.8 %      3    9.100 ms  0.009100  ├─ io;wor ker\n"
	" 12.000 ms  75.8 %      3    9.100 ms  0.009100  │  └─ disk 254,0\n"
	"839.400 us   5.3 %      1  839.400 us  0.000839  └─ io;wor ker running\n"
	"  3.000 ms  18.9 %      1    3.000 ms  0.003000  \\xff sh\n"
	"  3.000 ms  18.9 %      1    3.000 ms  0.003000  └─ its own timer\n"
	"\n"
	"Wait-for graph\n"
	"edges\n"
	"from         to                     total  waits\n"
	"mysqld[101]  a \"lock\"\\x0a, held  1.500 us  1,234\n"
	"   total  waits\n"
	"1.500 us  1,234\n"
	"\n"
	"Timeline\n"
	"                       |0.00000000 |0.00000013 |0.00000025 |0.00000038 |0.00000051 |0.00000063 |0.00000076\n"
	"critical path          |█████████████████████████████                                                                  |\n"
	"mysqld[101]            |█████████████████████████████dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd|\n"
	"io;wor ker[7]          |                                                                                               |\n"
	"CPU 3                  |▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄                                                                  |\n"
	"█ ▄ running, waiting for D d disk. Of two symbols, the first is on the critical path. A column is 10 ns, and shows what filled most of it.\n"
	"\n"
	"(none)\n"
	"\n"
	"health: all of the tasks' time is explained; no events lost (1,234 read)\n";

START_TEST(text_is_a_page_to_read)
{
	check_sample("text", &(struct presenter_options){.utf8 = true}, expected_text);
}
END_TEST

static const char expected_narrow[] =
	"run.dat: 1,234 events in 1.000 s, 4 CPUs, kernel 6.1.0\n"
	"\n"
	"Where the time went\n"
	"A line of prose.\n"
	"running          12.840 ms\n"
	"waiting by kind  timer 5.000 ms, disk 3.000 us\n"
	"\n"
	"Waits\n"
	" begin s  task          duration  conf  cause\n"
	"0.012840  mysqld[101]  12.840 ms  high  task io;wor ker[7]\n"
	"... 2 more (--top 0 shows all)\n"
	"\n"
	"Who waited for whom\n"
	"     TOTAL   SHARE  COUNT  WHO WAITED, FOR WHOM, FOR WHAT\n"
	" 12.840 ms  81.1 %      -  mysqld\n"
	" 12.000 ms  75.8 %      3  |- io;wor ker\n"
	" 12.000 ms  75.8 %      3  |  `- disk 254,0\n"
	"839.400 us   5.3 %      1  `- io;wor ker running\n"
	"  3.000 ms  18.9 %      1  ... 1 more\n"
	"\n"
	"Wait-for graph\n"
	"edges\n"
	"from         to                     total  waits\n"
	"mysqld[101]  a \"lock\"\\x0a, held  1.500 us  1,234\n"
	"   total  waits\n"
	"1.500 us  1,234\n"
	"\n"
	"Timeline\n"
	"                |0.00000000 |0.00000029 |0.00000057\n"
	"critical path   |#############                             |\n"
	"mysqld[101]     |#############ddddddddddddddddddddddddddddd|\n"
	"io;wor ker[7]   |                                          |\n"
	"CPU 3           |+++++++++++++                             |\n"
	"# + running, waiting for D d disk. Of two symbols, the first\n"
	"  is on the critical path. A column is 23 ns, and shows what\n"
	"  filled most of it.\n"
	"\n"
	"(none)\n"
	"No room for LONGEST, AT: widen the terminal or pipe to cat.\n"
	"\n"
	"health: all of the tasks' time is explained; no events lost\n"
	"  (1,234 read)\n";

START_TEST(text_obeys_top_width_and_locale)
{
	check_sample("text", &(struct presenter_options){.top = 1, .width = 60}, expected_narrow);
}
END_TEST

/* What is to be pasted and what would be half a figure are never cut; a point later than others. */
START_TEST(columns_say_how_they_are_cut)
{
	static const struct column columns[] = {
		{"what", "WHAT", CELL_TEXT, COLUMN_POINT},
		{"whose", "WHOSE", CELL_TEXT, 0},
		{"options", "OPTIONS", CELL_TEXT, COLUMN_NUMBER},
	};
	const struct cell row[] = {
		{.type = CELL_TEXT, .text = "threads of the kernel that wait"},
		{.type = CELL_TEXT, .text = "somebody or other of them all"},
		{.type = CELL_TEXT, .text = "--from 0.97 --to 1.01"},
	};
	const struct presenter *text = presenter_find("text");
	struct health health = {0};
	char *shown = NULL;
	size_t length;
	FILE *out = open_memstream(&shown, &length);
	void *state = text->begin(out, &(struct presenter_options){.width = 70},
	                          &(struct trace_summary){0});

	text->section_begin(state, "costs", NULL, /* is_list= */ true);
	text->table_begin(state, "costs", NULL, columns, ARRAY_SIZE(columns), false);
	text->row(state, row);
	text->table_end(state);
	text->section_end(state);
	text->end(state, &health);
	(void)fclose(out);
	ck_assert_msg(strstr(shown, "\nthreads of the kernel tha~  somebody or other ~  "
	                            "--from 0.97 --to 1.01\n") != NULL, "%s", shown);
	free(shown);
}
END_TEST

START_TEST(numbers_that_name_have_no_separators)
{
	static const struct column columns[] = {
		{"tid", "TID", CELL_COUNT, COLUMN_NUMBER},
		{"count", "COUNT", CELL_COUNT, 0},
	};
	const struct cell rows[][2] = {
		{{.type = CELL_COUNT, .count = 12345}, {.type = CELL_COUNT, .count = 12345}},
		{{.type = CELL_EMPTY}, {.type = CELL_EMPTY}},
	};
	const struct presenter *text = presenter_find("text");
	struct health health = {0};
	char *shown = NULL;
	size_t length;
	FILE *out = open_memstream(&shown, &length);
	void *state = text->begin(out, &(struct presenter_options){0}, &(struct trace_summary){0});

	text->section_begin(state, "tasks", NULL, /* is_list= */ true);
	text->table_begin(state, "tasks", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		text->row(state, rows[i]);
	text->table_end(state);
	text->section_end(state);
	text->end(state, &health);
	(void)fclose(out);
	ck_assert_ptr_nonnull(strstr(shown, "\n12345  12,345\n    -       -\n"));
	free(shown);
}
END_TEST

START_TEST(colour_only_where_wanted)
{
	char *text = sample_render("text", &(struct presenter_options){.color = true});
	char *plain = sample_render("text", &(struct presenter_options){0});

	ck_assert_ptr_nonnull(strstr(text, "\033[1mWaits\033[0m\n"));
	ck_assert_ptr_null(strchr(plain, '\033'));
	free(text);
	free(plain);
}
END_TEST

static const char expected_json[] =
	"  \"summary\": {\n"
	"    \"running_ns\": 12840000,\n"
	"    \"waiting_ns\": {\"disk\": 3000, \"timer\": 5000000},\n"
	"    \"task\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}\n"
	"  },\n"
	"  \"waits\": [\n"
	"    {\"begin_ns\": 5012840000, \"task\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}, \"open\": false, \"confidence\": \"high\", \"depth\": 0, \"cause\": {\"kind\": \"task\", \"name\": null, \"waker\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}}},\n"
	"    {\"begin_ns\": 5000000812, \"task\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}, \"open\": false, \"confidence\": \"high\", \"depth\": 1, \"cause\": {\"kind\": \"disk\", \"name\": null, \"dev\": \"254,0\", \"disk\": null, \"sector\": 123, \"bytes\": 4096, \"rwbs\": \"R\", \"what\": null, \"held_back\": false, \"submitter\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}, \"queue_ns\": 1000, \"device_ns\": 80000, \"wake_ns\": null}},\n"
	"    {\"begin_ns\": 5000001500, \"task\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}, \"open\": true, \"confidence\": null, \"depth\": 0, \"cause\": null}\n"
	"  ],\n"
	"  \"chains\": [\n"
	"    {\"links\": [{\"comm\": \"mysqld\", \"state\": \"waiting\", \"cause\": {\"kind\": \"task\", \"name\": null, \"waker\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}}, \"aim\": null}, {\"comm\": \"io;wor ker\", \"state\": \"waiting\", \"cause\": {\"kind\": \"disk\", \"name\": null, \"dev\": \"254,0\", \"disk\": null, \"sector\": null, \"bytes\": null, \"rwbs\": null, \"what\": null, \"held_back\": false, \"submitter\": null, \"queue_ns\": null, \"device_ns\": null, \"wake_ns\": null}, \"aim\": null}], \"count\": 3, \"total_ns\": 12000600, \"max_ns\": 9100000, \"max_at_ns\": 5009100000, \"next\": \"--waits\"},\n"
	"    {\"links\": [{\"comm\": \"� sh\", \"state\": \"waiting\", \"cause\": {\"kind\": \"timer\", \"name\": \"hrtimer_wakeup\", \"function\": \"hrtimer_wakeup\", \"own\": true, \"what\": null, \"in\": null, \"late\": null, \"armed_by\": null}, \"aim\": null}], \"count\": 1, \"total_ns\": 3000700, \"max_ns\": 3000700, \"max_at_ns\": 5003000700, \"next\": \"--waits\"},\n"
	"    {\"links\": [{\"comm\": \"mysqld\", \"state\": \"waiting\", \"cause\": {\"kind\": \"task\", \"name\": null, \"waker\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}}, \"aim\": null}, {\"comm\": \"io;wor ker\", \"state\": \"running\", \"cause\": null, \"aim\": null}], \"count\": 1, \"total_ns\": 839400, \"max_ns\": 839400, \"max_at_ns\": 5000839400, \"next\": \"--waits\"}\n"
	"  ],\n"
	"  \"graph\": {\n"
	"    \"edges\": [\n"
	"      {\"from\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}, \"to\": \"a \\\"lock\\\"\\n, held\", \"total_ns\": 1500, \"count\": 1234}\n"
	"    ],\n"
	"    \"total\": {\"total_ns\": 1500, \"count\": 1234}\n"
	"  },\n"
	"  \"timeline\": {\n"
	"    \"begin_ns\": 5000000000,\n"
	"    \"end_ns\": 5000001000,\n"
	"    \"rows\": [\n"
	"      {\"task\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}, \"segments\": [\n"
	"          {\"begin_ns\": 5000000000, \"end_ns\": 5000000300, \"state\": \"running\", \"on_path\": true},\n"
	"          {\"begin_ns\": 5000000300, \"end_ns\": 5000001000, \"state\": \"waiting\", \"on_path\": false, \"kind\": \"disk\"}\n"
	"        ]},\n"
	"      {\"task\": {\"tid\": 7, \"tgid\": null, \"comm\": \"io;wor ker\"}, \"segments\": []},\n"
	"      {\"cpu\": 3, \"segments\": [\n"
	"          {\"begin_ns\": 5000000000, \"end_ns\": 5000000300, \"state\": \"running\", \"on_path\": false, "
	"\"task\": {\"tid\": 101, \"tgid\": 100, \"comm\": \"mysqld\"}}\n"
	"        ]}\n"
	"    ]\n"
	"  },\n"
	"  \"empty\": {\n"
	"    \"begin_ns\": 5000000000,\n"
	"    \"end_ns\": 5000000000,\n"
	"    \"rows\": []\n"
	"  },\n";

START_TEST(json_has_sections_and_rows)
{
	char *text = sample_render("json", &(struct presenter_options){0});
	const char *sections = strstr(text, "  \"summary\"");

	ck_assert_ptr_nonnull(sections);
	ck_assert_ptr_eq(strstr(sections, expected_json), sections);
	ck_assert_ptr_nonnull(strstr(text, "\"begin_ns\": 5000000000,\n"));
	free(text);
}
END_TEST

static const char expected_csv[] =
	"# waits\n"
	"begin_ns,task_comm,task_tid,task_tgid,open,confidence,depth,cause_kind,cause,"
	"cause_name,cause_waker_comm,cause_waker_tid,cause_waker_tgid\n"
	"5012840000,mysqld,101,100,false,high,0,task,task io;wor ker[7],,io;wor ker,7,\n"
	"5000000812,io;wor ker,7,,false,high,1,disk,\"disk 254,0 (read 4.0 KiB, sector 123)\",\"254,0\",,,\n"
	"5000001500,mysqld,101,100,true,,0,,,,,,\n"
	"\n"
	"# chains\n"
	"links,count,total_ns,max_ns,max_at_ns,next\n"
	"\"mysqld;io:wor_ker;[disk_254,0]\",3,12000600,9100000,5009100000,'--waits\n"
	"\\xff_sh;[timer_hrtimer_wakeup],1,3000700,3000700,5003000700,'--waits\n"
	"mysqld;io:wor_ker,1,839400,839400,5000839400,'--waits\n"
	"\n"
	"# graph.edges\n"
	"from_comm,from_tid,from_tgid,to,total_ns,count\n"
	"mysqld,101,100,\"a \"\"lock\"\"\\x0a, held\",1500,1234\n"
	"\n"
	"# graph.total\n"
	"total_ns,count\n"
	"1500,1234\n"
	"\n"
	"# timeline.rows\n"
	"cpu,task_comm,task_tid,task_tgid,begin_ns,end_ns,state,kind,for_work,on_path,"
	"aim_kind,aim_name\n"
	",mysqld,101,100,5000000000,5000000300,running,,false,true,,\n"
	",mysqld,101,100,5000000300,5000001000,waiting,disk,false,false,,\n"
	"3,mysqld,101,100,5000000000,5000000300,running,,false,false,,\n"
	"\n"
	"# empty.rows\n"
	"cpu,task_comm,task_tid,task_tgid,begin_ns,end_ns,state,kind,for_work,on_path,"
	"aim_kind,aim_name\n";

START_TEST(csv_quotes_and_splits)
{
	check_sample("csv", &(struct presenter_options){0}, expected_csv);
}
END_TEST

/* One table is CSV and nothing else; of data no line looks like the name of a table. */
START_TEST(csv_of_one_view_begins_with_its_header)
{
	static const struct column columns[] = {{"comm", "COMM", CELL_TEXT, 0}};
	const struct cell cell = {.type = CELL_TEXT, .text = "# stops"};
	const struct presenter *presenter = presenter_find("csv");
	char *shown = NULL;
	size_t length;
	FILE *out = open_memstream(&shown, &length);
	void *state = presenter->begin(out, &(struct presenter_options){.views = 1},
	                               &(struct trace_summary){0});

	for (int i = 0; i < 2; i++) {
		output_section_begin(TO, i ? "stops" : "chains", NULL, /* is_list= */ true);
		output_table_begin(TO, "tasks", NULL, columns, ARRAY_SIZE(columns), false);
		output_row(TO, &cell);
		output_table_end(TO);
		output_section_end(TO);
	}
	presenter->end(state, &(struct health){0});
	(void)fclose(out);
	ck_assert_str_eq(shown, "comm\n\"# stops\"\n\n# stops\ncomm\n\"# stops\"\n");
	free(shown);
}
END_TEST

static const char expected_folded[] =
	"mysqld;io:wor_ker;[disk_254,0] 12000\n"
	"\\xff_sh;[timer_hrtimer_wakeup] 3001\n"
	"mysqld;io:wor_ker 839\n";

START_TEST(folded_is_stacks_and_nothing_else)
{
	check_sample("folded", &(struct presenter_options){0}, expected_folded);
}
END_TEST

static const char expected_comparison[] =
	"sv:c</script>;a;running 999 1000\n"
	"sv:c</script>;a;waiting;disk_<b> 1 0\n"
	"sv:c</script>;b\"&;waiting;net_5 0 1\n";

/* Averages of 2 and 3 runs. What is left of 999.5 us is in the next line. */
START_TEST(folded_comparisons_have_two_columns)
{
	char *text = comparison_render("folded");

	ck_assert_str_eq(text, expected_comparison);
	free(text);
}
END_TEST

static struct json *parsed_back(const char *text)
{
	struct json *json = NULL;
	struct buffer why;

	buffer_init(&why, 1000);
	ck_assert_msg(json_parse(text, strlen(text), &json, &why) == 0, "%s", why.text);
	buffer_release(&why);
	return json;
}

static const char expected_dot[] =
	"digraph ftwait {\n"
	"	rankdir=LR;\n"
	"	node [shape=box];\n"
	"	\"mysqld[101]\" -> \"a \\\"lock\\\"\\\\x0a, held\" [label=\"1.500 us\\n1,234 waits\"];\n"
	"}\n";

START_TEST(dot_is_a_graph)
{
	check_sample("dot", &(struct presenter_options){0}, expected_dot);
}
END_TEST

START_TEST(json_is_read_back)
{
	const struct health health = {0};
	char *text = sample_render("json", &(struct presenter_options){0});
	struct json *json = parsed_back(text);

	ck_assert_uint_eq(json_count(json_find(json, "waits")), 3);
	ck_assert_uint_eq(json_u64(json_find(json, "trace.end_ns")), 6000000000);
	ck_assert_uint_eq(json_u64(json_find(json, "summary.waiting_ns.disk")), 3000);
	ck_assert_str_eq(json_text(json_find(json, "summary.task.comm")), "mysqld");
	ck_assert_uint_eq(json_u64(json_find(json, "graph.total.count")), 1234);
	ck_assert_uint_eq(json_count(json_find(json, "timeline.rows")), 3);
	json_free(json);
	free(text);
	text = empty_render("json", &health);
	json = parsed_back(text);
	ck_assert_str_eq(json_text(json_find(json, "schema")), "ftwait.report/1");
	ck_assert_ptr_nonnull(json_find(json, "health.lost_by_cpu"));
	json_free(json);
	free(text);
}
END_TEST

/* A trace without events still gives a whole document. */
START_TEST(empty_reports_are_whole)
{
	const struct health health = {0};
	char *text = empty_render("json", &health);

	ck_assert_ptr_eq(strstr(text, "{\n  \"schema\": \"ftwait.report/1\",\n"), text);
	ck_assert_ptr_nonnull(strstr(text, "\"files\": [],"));
	ck_assert_ptr_nonnull(strstr(text, "\"notes\": []\n  }\n}\n"));
	free(text);
	text = empty_render("folded", &health);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

/* A shape that can be shown has all its hooks but for the end, of trees the one or the other. */
static void check_shapes(const struct presenter *presenter)
{
	const struct tree_hooks *tree = presenter->tree;
	const struct paths_hooks *paths = presenter->paths;
	const struct comparison_hooks *comparison = presenter->comparison;
	const struct timeline_hooks *timeline = presenter->timeline;

	ck_assert(!tree || (tree->begin && !tree->node == !!tree->chain));
	ck_assert(!paths || (paths->begin && paths->path));
	ck_assert(!comparison || (comparison->begin && comparison->path));
	ck_assert(!timeline || (timeline->begin && timeline->row && timeline->segment));
}

START_TEST(presenters_are_found_by_name)
{
	for (size_t i = 0; presenters[i]; i++) {
		const struct presenter *presenter = presenters[i];

		ck_assert_ptr_eq(presenter_find(presenter->name), presenter);
		ck_assert(presenter->begin && presenter->end);
		ck_assert(!presenter->table_begin == !presenter->row);
		check_shapes(presenter);
	}
	ck_assert_ptr_null(presenter_find("tex"));
	ck_assert_ptr_null(presenter_find(""));
}
END_TEST

static const struct column marked_columns[] = {
	{"from", "FROM", CELL_TEXT, COLUMN_FROM},
	{"to", "TO", CELL_TEXT, COLUMN_TO},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_WEIGHT},
	{"longest_ns", "LONGEST", CELL_DURATION, 0},
	{"knot", "KNOT", CELL_COUNT, COLUMN_MARK},
};

static void marked_edge(const struct presenter *presenter, void *state, const char *to,
                        uint64_t knot)
{
	output_row(TO,
	               (struct cell[]){
			       {.type = CELL_TEXT, .text = "a"},
			       {.type = CELL_TEXT, .text = to},
			       {.type = CELL_DURATION, .time = 1500},
			       {.type = CELL_DURATION, .time = 800},
			       {.type = knot ? CELL_COUNT : CELL_EMPTY, .count = knot},
		       });
}

/* Times other than the weight are named. */
START_TEST(dot_makes_marked_edges_red)
{
	const struct presenter *presenter = presenter_find("dot");
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	void *state = presenter->begin(out, &(struct presenter_options){0},
	                               &(struct trace_summary){0});

	output_section_begin(TO, "graph", "Graph", /* is_list= */ false);
	output_table_begin(TO, "edges", NULL, marked_columns, ARRAY_SIZE(marked_columns),
	                       /* is_single= */ false);
	marked_edge(presenter, state, "b", 2);
	marked_edge(presenter, state, "c", 0);
	output_table_end(TO);
	output_section_end(TO);
	presenter->end(state, &(struct health){0});
	(void)fclose(out);
	ck_assert_ptr_nonnull(strstr(text, "\"a\" -> \"b\" [label=\"1.500 us\\nLONGEST 800 ns\\n"
	                                   "2 KNOT\", color=red, penwidth=2];\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\"a\" -> \"c\" [label=\"1.500 us\\nLONGEST 800 ns\"];\n"));
	free(text);
}
END_TEST

Suite *presenter_suite(void)
{
	Suite *suite = suite_create("presenter");
	TCase *tests = tcase_create("presenter");

	tcase_add_test(tests, text_is_a_page_to_read);
	tcase_add_test(tests, text_obeys_top_width_and_locale);
	tcase_add_test(tests, columns_say_how_they_are_cut);
	tcase_add_test(tests, numbers_that_name_have_no_separators);
	tcase_add_test(tests, colour_only_where_wanted);
	tcase_add_test(tests, json_has_sections_and_rows);
	tcase_add_test(tests, json_is_read_back);
	tcase_add_test(tests, csv_quotes_and_splits);
	tcase_add_test(tests, csv_of_one_view_begins_with_its_header);
	tcase_add_test(tests, folded_is_stacks_and_nothing_else);
	tcase_add_test(tests, folded_comparisons_have_two_columns);
	tcase_add_test(tests, dot_is_a_graph);
	tcase_add_test(tests, dot_makes_marked_edges_red);
	tcase_add_test(tests, empty_reports_are_whole);
	tcase_add_test(tests, presenters_are_found_by_name);
	suite_add_tcase(suite, tests);
	return suite;
}
