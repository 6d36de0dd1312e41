/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/options/option_help.h"
#include "suites.h"

struct sample_options {
	bool is_quiet;
	const char *output;
	struct optional_string path;
	nsec_t duration;
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
	ret->help = "how it looks";
	return true;
}

static void made_help_append(struct buffer *to)
{
	buffer_puts(to, "made elsewhere");
}

static const struct option_row rows[] = {
	OPT_HEADING("Output"),
	OPT_BOOL('q', "quiet", struct sample_options, is_quiet, "less"),
	OPT_STRING('o', "output", struct sample_options, output, "FILE",
	           "where to write what is found, in words that do not fit on one line"),
	OPT_OPTIONAL(0, "critical-path", struct sample_options, path, "TID|COMM", "one path"),
	OPT_TIME(0, "time", struct sample_options, duration, "TIME", "how long"),
	OPT_EACH(struct sample_options, shape, shape_at),
	OPT_STRING_HELP(0, "made", struct sample_options, output, NULL, "WHERE", made_help_append,
	                .is_hidden = false),
};

static const struct option_set set = {
	.command = "sample", .operands = "FILE", .about = "Does nothing.",
	.rows = rows, .row_count = ARRAY_SIZE(rows),
};

START_TEST(help_comes_from_the_rows)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	option_help_print(out, 0, &set);
	(void)fclose(out);
	ck_assert_str_eq(text,
	                 "usage: ftwait sample [options] FILE\n\n"
	                 "Does nothing.\n\n"
	                 "Output:\n"
	                 "  -q, --quiet                less\n"
	                 "  -o, --output=FILE          where to write what is found, in words that "
	                 "do not\n"
	                 "                             fit on one line\n"
	                 "      --critical-path[=TID|COMM]\n"
	                 "                             one path\n"
	                 "      --time=TIME            how long\n"
	                 "      --round                how it looks\n"
	                 "      --square[=WIDTH]       how it looks\n"
	                 "      --made=WHERE           made elsewhere\n"
	                 "  -h, --help                 show this text and exit\n");
	free(text);
}
END_TEST

/* Whatever the commands are, no line of their help is wider than a terminal. */
START_TEST(help_fits_a_terminal)
{
	for (size_t i = 0; i < command_count; i++) {
		char *text = NULL, *line, *save;
		size_t length;
		FILE *out = open_memstream(&text, &length);

		option_help_print(out, 0, commands[i].options);
		(void)fclose(out);
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			ck_assert_msg(strlen(line) <= 80, "%s", line);
		free(text);
	}
}
END_TEST

Suite *option_help_suite(void)
{
	Suite *suite = suite_create("option_help");
	TCase *tests = tcase_create("option_help");

	tcase_add_test(tests, help_comes_from_the_rows);
	tcase_add_test(tests, help_fits_a_terminal);
	suite_add_tcase(suite, tests);
	return suite;
}
