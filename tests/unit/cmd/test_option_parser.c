/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "suites.h"

enum color {
	COLOR_AUTO,
	COLOR_ALWAYS,
};

struct sample_options {
	bool is_quiet, is_verbose;
	const char *format, *output;
	struct optional_string path;
	uint64_t top, bytes;
	nsec_t duration;
	unsigned color;
	struct string_list globs, events;
	struct number_list pids, cpus;
	struct optional_string shape[2];
};

static bool shape_at(size_t index, struct option_row *ret)
{
	static const char *const names[] = {"round", "square"};
	static const char *const arguments[] = {NULL, "WIDTH"};

	if (index >= ARRAY_SIZE(names))
		return false;
	ret->name = names[index];
	ret->argument = arguments[index];
	return true;
}

static const char *color_at(size_t index)
{
	static const char *const colors[] = {"auto", "always"};

	return index < ARRAY_SIZE(colors) ? colors[index] : NULL;
}

static const struct option_row sample_rows[] = {
	OPT_HEADING("Output"),
	OPT_BOOL('q', "quiet", struct sample_options, is_quiet, "less"),
	OPT_BOOL('v', "verbose", struct sample_options, is_verbose, "more"),
	OPT_CONSTANT(0, "json", struct sample_options, format, "json", "JSON"),
	OPT_STRING('o', "output", struct sample_options, output, "FILE", "where to"),
	OPT_OPTIONAL(0, "critical-path", struct sample_options, path, "TID", "path"),
	OPT_EACH(struct sample_options, shape, shape_at),
	OPT_COUNT(0, "top", struct sample_options, top, "N", "rows"),
	OPT_SIZE('b', "buffer", struct sample_options, bytes, "SIZE", "buffer"),
	OPT_TIME('d', "duration", struct sample_options, duration, "TIME", "so long"),
	OPT_CHOICE(0, "color", struct sample_options, color, color_at, "WHEN", "colour"),
	OPT_STRINGS(0, "comm", struct sample_options, globs, "GLOB", "names"),
	OPT_LIST('e', "event", struct sample_options, events, "EVENT,...", "events"),
	OPT_PIDS('p', "pid", struct sample_options, pids, "PID,...", "tasks"),
	OPT_PIDS('r', "run", struct sample_options, pids, "PID,...", "processes",
	         .is_of_processes = true),
	OPT_CPUS(0, "cpu", struct sample_options, cpus, "CPU,...", "processors"),
};

static const struct option_set sample_set = {
	.command = "report", /* for what users of other tools type behind that */
	.operands = "FILE...",
	.rows = sample_rows,
	.row_count = ARRAY_SIZE(sample_rows),
};

static const struct option_set stopping_set = {
	.command = "run",
	.operands = "COMMAND",
	.stops_at_operand = true,
	.rows = sample_rows,
	.row_count = ARRAY_SIZE(sample_rows),
};

#define WORDS_MAX 16

/* A command line, parsed. */
struct parsed {
	char *argv[WORDS_MAX + 2];
	char line[256];
	struct sample_options options;
	struct operands operands;
	struct buffer why;
	int status;
};

/* Splits at blanks; "_" stands for an empty word. */
static void parse(struct parsed *parsed, const struct option_set *set, const char *line)
{
	int argc = 1;
	char *save;

	*parsed = (struct parsed){.options = {.duration = NSEC_NEVER}};
	ck_assert_uint_lt(strlen(line), sizeof(parsed->line));
	memcpy(parsed->line, line, strlen(line));
	parsed->argv[0] = parsed->line + sizeof(parsed->line) - 1;
	for (char *word = strtok_r(parsed->line, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		ck_assert_int_lt(argc, WORDS_MAX);
		parsed->argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
	}
	buffer_init(&parsed->why, 1000);
	parsed->status = options_parse(set, argc, parsed->argv, &parsed->options, &parsed->why,
	                               &parsed->operands);
}

static void parsed_release(struct parsed *parsed)
{
	options_release(&sample_set, &parsed->options);
	buffer_release(&parsed->why);
}

static void check_refused(const char *line, const char *why)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, line);
	ck_assert_int_eq(parsed.status, -EINVAL);
	ck_assert_str_eq(parsed.why.text, why);
	ck_assert_uint_eq(parsed.options.events.count, 0);
	ck_assert_ptr_null(parsed.options.events.text);
	parsed_release(&parsed);
}

START_TEST(options_stand_anywhere)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "-q a.dat --output=x b.dat --top 5 - -d500ms");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(parsed.options.is_quiet && !parsed.options.is_verbose);
	ck_assert_str_eq(parsed.options.output, "x");
	ck_assert_uint_eq(parsed.options.top, 5);
	ck_assert_uint_eq(parsed.options.duration, 500000000);
	ck_assert_uint_eq(parsed.operands.count, 3);
	ck_assert_str_eq(parsed.operands.argv[0], "a.dat");
	ck_assert_str_eq(parsed.operands.argv[1], "b.dat");
	ck_assert_str_eq(parsed.operands.argv[2], "-");
	ck_assert_ptr_null(parsed.operands.argv[3]);
	parsed_release(&parsed);
}
END_TEST

START_TEST(letters_bundle_and_take_values)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "-qvofile -b 8M -o other");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(parsed.options.is_quiet && parsed.options.is_verbose);
	ck_assert_str_eq(parsed.options.output, "other");
	ck_assert_uint_eq(parsed.options.bytes, 8u << 20);
	ck_assert_uint_eq(parsed.operands.count, 0);
	ck_assert_ptr_null(parsed.operands.argv[0]);
	parsed_release(&parsed);
}
END_TEST

START_TEST(two_dashes_end_options)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "a -- -q --output -- b");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(!parsed.options.is_quiet);
	ck_assert_uint_eq(parsed.operands.count, 5);
	ck_assert_str_eq(parsed.operands.argv[1], "-q");
	ck_assert_str_eq(parsed.operands.argv[3], "--");
	parsed_release(&parsed);
}
END_TEST

START_TEST(foreign_command_lines_are_left_alone)
{
	static const char *const lines[] = {"-q make -v --json", "-q -- make -v --json"};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct parsed parsed;

		parse(&parsed, &stopping_set, lines[i]);
		ck_assert_int_eq(parsed.status, 0);
		ck_assert(parsed.options.is_quiet && !parsed.options.is_verbose);
		ck_assert_ptr_null(parsed.options.format);
		ck_assert_uint_eq(parsed.operands.count, 3);
		ck_assert_str_eq(parsed.operands.argv[0], "make");
		ck_assert_str_eq(parsed.operands.argv[2], "--json");
		ck_assert_ptr_null(parsed.operands.argv[3]);
		parsed_release(&parsed);
	}
}
END_TEST

START_TEST(lists_grow)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "-e sched,irq --event block --comm a,b --comm c -p 12,13 "
	                            "--cpu 0,2-4");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert_uint_eq(parsed.options.events.count, 3);
	ck_assert_str_eq(parsed.options.events.text[1], "irq");
	ck_assert_str_eq(parsed.options.events.text[2], "block");
	ck_assert_uint_eq(parsed.options.globs.count, 2);
	ck_assert_str_eq(parsed.options.globs.text[0], "a,b");
	ck_assert_uint_eq(parsed.options.pids.count, 2);
	ck_assert_int_eq(parsed.options.pids.number[1], 13);
	ck_assert_uint_eq(parsed.options.cpus.count, 4);
	ck_assert_int_eq(parsed.options.cpus.number[3], 4);
	parsed_release(&parsed);
}
END_TEST

START_TEST(optional_values_need_an_equals_sign)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "--critical-path a.dat");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(parsed.options.path.is_given);
	ck_assert_ptr_null(parsed.options.path.text);
	ck_assert_uint_eq(parsed.operands.count, 1);
	parsed_release(&parsed);
	parse(&parsed, &sample_set, "--critical-path=101 --json --color always");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert_str_eq(parsed.options.path.text, "101");
	ck_assert_str_eq(parsed.options.format, "json");
	ck_assert_uint_eq(parsed.options.color, COLOR_ALWAYS);
	parsed_release(&parsed);
}
END_TEST

/* One row that stands for several options, which another table names. */
START_TEST(each_of_a_table_is_an_option)
{
	struct parsed parsed;

	parse(&parsed, &sample_set, "--square=3 --top=2 a.dat --round");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(parsed.options.shape[0].is_given);
	ck_assert_ptr_null(parsed.options.shape[0].text);
	ck_assert(parsed.options.shape[1].is_given);
	ck_assert_str_eq(parsed.options.shape[1].text, "3");
	ck_assert_uint_eq(parsed.options.top, 2);
	ck_assert_uint_eq(parsed.operands.count, 1);
	parsed_release(&parsed);
	parse(&parsed, &sample_set, "--square a.dat");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert(!parsed.options.shape[0].is_given);
	ck_assert(parsed.options.shape[1].is_given);
	ck_assert_ptr_null(parsed.options.shape[1].text);
	ck_assert_str_eq(parsed.operands.behind, "a.dat");
	ck_assert_str_eq(parsed.operands.behind_option, "square");
	parsed_release(&parsed);
	parse(&parsed, &sample_set, "b.dat --round c.dat --square -q d.dat --square=2 e.dat");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert_uint_eq(parsed.operands.count, 4);
	ck_assert_ptr_null(parsed.operands.behind);
	ck_assert_ptr_null(parsed.operands.behind_option);
	parsed_release(&parsed);
	parse(&parsed, &sample_set, "b.dat --square -- c.dat");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert_ptr_null(parsed.operands.behind);
	parsed_release(&parsed);
	parse(&parsed, &stopping_set, "-q --square 7 --square 8");
	ck_assert_int_eq(parsed.status, 0);
	ck_assert_str_eq(parsed.operands.behind, "7");
	ck_assert_uint_eq(parsed.operands.count, 3);
	parsed_release(&parsed);
	check_refused("--round=1", "option --round takes no value");
	check_refused("--squar", "unknown option --squar; did you mean --square?");
}
END_TEST

START_TEST(help_is_known_everywhere)
{
	static const char *const lines[] = {"--help", "-h", "-qh", "a --help", "-e x --help"};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct parsed parsed;

		parse(&parsed, &sample_set, lines[i]);
		ck_assert_int_eq(parsed.status, OPTIONS_HELP);
		parsed_release(&parsed);
	}
}
END_TEST

START_TEST(wrong_options_are_refused)
{
	check_refused("--jsno", "unknown option --jsno; did you mean --json?");
	check_refused("--colour=x", "unknown option --colour; did you mean --color?");
	check_refused("--qui", "unknown option --qui; did you mean --quiet?");
	check_refused("--zzzzzz", "unknown option --zzzzzz");
	/* other tools' names of it come first, however near a name of ours is */
	check_refused("--iotop x", "unknown option --iotop; did you mean --disk?");
	check_refused("--iotop=x", "unknown option --iotop; did you mean --disk?");
	check_refused("-qg", "unknown option -g; did you mean --chains?");
	check_refused("--stdio", "unknown option --stdio: text is the default; --no-pager prints "
	                         "it without a pager");
	check_refused("--help=x", "option --help takes no value");
	check_refused("-qx", "unknown option -x");
	check_refused("--quiet=1", "option --quiet takes no value");
	check_refused("--output", "option --output needs a value: FILE");
	check_refused("-qo", "option -o needs a value: FILE");
}
END_TEST

#define NO_PROCESS "no process id; does the program run? \"pidof NAME\" prints nothing if it does not"

START_TEST(wrong_values_are_refused)
{
	check_refused("--top x", "option --top: \"x\" is not a number");
	check_refused("--top _", "option --top: \"\" is not a number");
	check_refused("-b 8Q", "option -b: \"8Q\" is not a size like 8M, 512K or 65536");
	check_refused("-d -1", "option -d: \"-1\" is not a time like 10, 1.5s, 500ms or 20us");
	check_refused("-d 99999999999", "option -d: 99999999999 is too long; the longest time is "
	                                "18446744073 s, which is 584 years");
	check_refused("--color=red", "option --color: \"red\" is not one of auto, always");
	check_refused("-e a,,b", "option -e: \"a,,b\" is not a list without empty elements");
	check_refused("-p 1,x", "option -p: \"1,x\" is not a list of process ids like 12,13");
	check_refused("-p _", "option -p: \"\" is not a list of process ids like 12,13");
	check_refused("-p", "option -p needs a value: PID,...");
	check_refused("-r", "option -r: " NO_PROCESS);
	check_refused("--run", "option --run: " NO_PROCESS);
	check_refused("-r _ a.dat", "option -r: " NO_PROCESS);
	check_refused("--run=", "option --run: " NO_PROCESS);
	check_refused("-r -d 5", "option -r: " NO_PROCESS);
	check_refused("-r -- a.dat", "option -r: " NO_PROCESS);
	check_refused("-r 1,x", "option -r: \"1,x\" is not a list of process ids like 12,13");
	check_refused("--cpu 4-2", "option --cpu: \"4-2\" is not a list of CPUs like 0,2-4");
	check_refused("--cpu 0-65535", "option --cpu: more than 4096 elements");
}
END_TEST

START_TEST(operands_only_where_wanted)
{
	static const struct option_set bare = {.command = "bare"};
	struct parsed parsed;

	parse(&parsed, &bare, "x");
	ck_assert_int_eq(parsed.status, -EINVAL);
	ck_assert_str_eq(parsed.why.text, "unexpected operand \"x\"");
	parsed_release(&parsed);
}
END_TEST

/* Words that look like options, values and nonsense, in any order. */
START_TEST(any_words_are_parsed_or_refused)
{
	static const char *const pieces[] = {
		"-", "--", "=", "q", "v", "o", "e", "p", "d", "b", "h", "x", ",", "1", "0-9", "8M",
		"quiet", "json", "top", "comm", "cpu", "event", "color", "auto", "critical-path",
		"10ms", "\xff", "-1", "_",
	};

	srandom(7);
	for (int round = 0; round < 50000; round++) {
		const struct option_set *set = round % 2 ? &sample_set : &stopping_set;
		struct buffer line;
		struct parsed parsed;

		buffer_init(&line, 200);
		for (long i = random() % 12; i > 0; i--)
			buffer_printf(&line, "%s%s", pieces[(size_t)random() % ARRAY_SIZE(pieces)],
			              random() % 3 ? "" : " ");
		parse(&parsed, set, line.text);
		if (parsed.status == -EINVAL)
			ck_assert_msg(parsed.why.length > 0, "%s", line.text);
		else if (parsed.status == 0)
			ck_assert_msg(parsed.operands.count <= WORDS_MAX &&
			                      !parsed.operands.argv[parsed.operands.count],
			              "%s", line.text);
		else
			ck_assert_msg(parsed.status == OPTIONS_HELP, "%s", line.text);
		parsed_release(&parsed);
		buffer_release(&line);
	}
}
END_TEST

Suite *option_parser_suite(void)
{
	Suite *suite = suite_create("option_parser");
	TCase *tests = tcase_create("option_parser");

	tcase_add_test(tests, options_stand_anywhere);
	tcase_add_test(tests, letters_bundle_and_take_values);
	tcase_add_test(tests, two_dashes_end_options);
	tcase_add_test(tests, foreign_command_lines_are_left_alone);
	tcase_add_test(tests, lists_grow);
	tcase_add_test(tests, optional_values_need_an_equals_sign);
	tcase_add_test(tests, each_of_a_table_is_an_option);
	tcase_add_test(tests, help_is_known_everywhere);
	tcase_add_test(tests, wrong_options_are_refused);
	tcase_add_test(tests, wrong_values_are_refused);
	tcase_add_test(tests, operands_only_where_wanted);
	tcase_add_test(tests, any_words_are_parsed_or_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
