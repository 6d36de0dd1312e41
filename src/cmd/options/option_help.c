/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "option_help.h"

#include <string.h>

#include "base/cleanup.h"
#include "cmd/pager.h"
#include "cmd/terminal.h"

#define HELP_COLUMN 29 /* column of descriptions */
#define HELP_WIDTH  80
#define NARROW      60 /* width below which descriptions are on lines of their own */
#define HELP_COLUMN_NARROW 8 /* column of descriptions then */

/* Where help goes, and how wide it may be. */
struct help_page {
	FILE *out;
	size_t width;
};

/* Prints the words of `text`, continued at column `indent`; the cursor is at `column`. */
static void print_wrapped(const struct help_page *page, const char *text, size_t indent,
                          size_t column)
{
	FILE *out = page->out;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > indent && column + 1 + length > page->width) {
			(void)fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		}
		if (column > indent) {
			(void)fputc(' ', out);
			column++;
		}
		(void)fwrite(text, 1, length, out);
		column += length;
		text += length + strspn(text + length, " ");
	}
	(void)fputc('\n', out);
}

static void print_row(const struct help_page *page, const struct option_row *row)
{
	_cleanup_(buffer_release) struct buffer left = buffer_of(1000);
	size_t help_column = page->width < NARROW ? HELP_COLUMN_NARROW : HELP_COLUMN;
	bool is_optional = row->type == OPTION_OPTIONAL && !row->needs_value;
	const char *between = is_optional ? "[=" : "=";
	const char *after = is_optional ? "]" : "";

	if (row->letter)
		buffer_printf(&left, "  -%c, --%s", row->letter, row->name);
	else
		buffer_printf(&left, "      --%s", row->name);
	if (row->argument)
		buffer_printf(&left, "%s%s%s", between, row->argument, after);
	if (left.length + 2 > help_column)
		(void)fprintf(page->out, "%s\n%*s", left.text, (int)help_column, "");
	else
		(void)fprintf(page->out, "%-*s", (int)help_column, left.text);
	buffer_clear(&left);
	if (row->help_append)
		row->help_append(&left);
	else if (row->help)
		buffer_puts(&left, row->help);
	else
		option_values_append(&left, row->value_at, ", ");
	if (row->groups)
		buffer_printf(&left, " (-e %s)", row->groups);
	print_wrapped(page, left.text, help_column, help_column);
}

static const struct option_row help_row = {
	.type = OPTION_BOOL, .letter = 'h', .name = "help", .help = "show this text and exit",
};

static void print_absent(const struct help_page *page, const char *const *absent)
{
	_cleanup_(buffer_release) struct buffer names = buffer_of(1000);

	if (!absent || !*absent)
		return;
	for (; *absent; absent++) {
		buffer_puts(&names, names.length ? ", --" : "--");
		for (const char *at = *absent; *at; at++)
			buffer_putc(&names, *at == '_' ? '-' : *at);
	}
	(void)fputs("\nThis program was built without", page->out);
	print_wrapped(page, names.text, 0, sizeof("This program was built without") - 1);
}

void option_help_print(FILE *out, unsigned width, const struct option_set *set)
{
	const struct help_page page = {out, width && width < HELP_WIDTH ? width : HELP_WIDTH};
	struct option_row row;

	(void)fprintf(out, "usage: ftwait %s [options]%s%s\n", set->command,
	              set->operands ? " " : "", set->operands ? set->operands : "");
	if (set->about) {
		(void)fputc('\n', out);
		print_wrapped(&page, set->about, 0, 0);
	}
	if (set->row_count == 0 || set->rows[0].type != OPTION_HEADING)
		(void)fputs("\noptions:\n", out);
	for (size_t i = 0; option_row_at(set, i, &row); i++) {
		if (row.type == OPTION_HEADING)
			(void)fprintf(out, "\n%s:\n", row.name);
		else if (!row.is_hidden)
			print_row(&page, &row);
	}
	print_row(&page, &help_row);
	print_absent(&page, set->absent);
}

void option_help_show(const struct option_set *set, bool has_pager)
{
	unsigned width = terminal_width(stdout);
	struct pager pager = {0};

	if (has_pager)
		pager_begin(&pager);
	option_help_print(stdout, width, set);
	pager_end(&pager);
}
