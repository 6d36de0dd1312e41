/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_comparison.h"

#include <stdio.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "ftwait/report.h"
#include "sample_paths.h"

#define ROOT "sv;c</script>"

static const struct {
	const char *notation;
	struct side_sum old, new;
	struct significance verdict;
} paths[] = {
	/* 999.5 us a run before, and 1000 us now */
	{"a;c:running", {1999000, 4}, {3000000, 6}, {false, false, 1, "same"}},
	{"a;c:waiting;c:disk <b>", {1000, 1}, {0, 0}, {true, true, 0.001, "gone"}},
	/* with what is left of the ones before it, 1 us */
	{"b\"&;c:waiting;c:net 5", {0, 0}, {3000, 3}, {true, false, 0.5, "same"}},
	{"c;c:waiting;c:less than a us", {10, 1}, {20, 2}, {false, false, 1, "same"}},
};

static void comparison_show(const struct output *to)
{
	const struct compared_sides comparison = {
		.root = ROOT,
		.old_runs = 2,
		.new_runs = 3,
		.whole = {true, true, 0.002, "longer"},
		.can_be_sure = true,
	};
	static const struct column columns[] = {
		{"sure", "SURE", CELL_BOOL, COLUMN_MARK},
		{"what", "WHAT", CELL_TEXT, 0},
	};

	output_section_begin(to, "diff", "What changed", false);
	output_field(to, NULL, NULL, &(struct cell){.type = CELL_TEXT, .text = "It took <b>."});
	output_comparison_begin(to, &comparison);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct sample_path sample;
		char text[100];
		struct path path = sample_path(&sample, text, sizeof(text), paths[i].notation,
		                               0, 0);

		output_compared_path(to, &(struct compared_path){
			path.frame, path.count, paths[i].old, paths[i].new, paths[i].verdict});
	}
	output_comparison_end(to);
	output_table_begin(to, "rows", NULL, columns, ARRAY_SIZE(columns), false);
	for (int is_sure = 0; is_sure <= 1; is_sure++)
		output_row(to, (struct cell[]){{.type = CELL_BOOL, .boolean = is_sure},
		                               {.type = CELL_TEXT, .text = "<i>"}});
	output_table_end(to);
	output_section_end(to);
}

char *comparison_render(const char *name)
{
	static const char *const files[] = {"1.dat", "2.dat", "</title>.dat", "4.dat", "5.dat"};
	const struct trace_summary trace = {
		.files = files, .file_count = ARRAY_SIZE(files), .old_count = 2, .events = 5};
	const struct presenter *presenter = presenter_find(name);
	struct output to = {.presenter = presenter};
	struct health health = {.events = 5};
	char *text = NULL;
	size_t length = 0;
	FILE *out = xopen_memstream(&text, &length);

	to.state = presenter->begin(out, &(struct presenter_options){0}, &trace);
	comparison_show(&to);
	presenter->end(to.state, &health);
	(void)fclose(out);
	return text;
}
