/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_page.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "present/health_lines.h"
#include "text_fold.h"

struct text_style text_style_of(const struct presenter_options *options)
{
	struct text_style style = {
		.title = "", .faint = "", .warning = "", .plain = "",
		.branch = "|- ", .last_branch = "`- ", .trunk = "|  ", .no_trunk = "   ",
		.ellipsis = "~",
	};

	if (options->color) {
		style.title = "\033[1m";
		style.faint = "\033[2m";
		style.warning = "\033[1;31m";
		style.plain = "\033[0m";
	}
	if (options->utf8) {
		style.branch = "├─ ";
		style.last_branch = "└─ ";
		style.trunk = "│  ";
		style.ellipsis = "…";
	}
	return style;
}

void text_page_init(struct text_page *page, FILE *out, const struct presenter_options *options)
{
	*page = (struct text_page){
		.out = out,
		.options = *options,
		.style = text_style_of(options),
	};
	buffer_init(&page->left_out, BUFFER_LIMIT_DEFAULT);
}

void text_page_release(struct text_page *page)
{
	buffer_release(&page->left_out);
}

void text_page_line(const struct text_page *page, const char *style, const char *text)
{
	_cleanup_(buffer_release) struct buffer styled = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer folded = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_puts(&styled, style);
	buffer_puts(&styled, text);
	buffer_puts(&styled, *style ? page->style.plain : "");
	if (page->options.is_ascii)
		text_make_ascii(styled.text);
	text_fold_line(&folded, styled.text, page->options.width);
	(void)fprintf(page->out, "%s\n", folded.text);
}

void text_page_table_begin(const struct text_page *page, struct text_table *table,
                           bool has_header)
{
	text_table_begin(table, page->out, has_header);
	table->title_on = page->style.title;
	table->title_off = page->style.plain;
	table->ellipsis = page->style.ellipsis;
	table->width = page->options.width;
	table->is_ascii = page->options.is_ascii;
}

static bool title_is_listed(const struct buffer *listed, const char *title)
{
	size_t length = strlen(title);

	for (const char *at = listed->text; *at; at += strspn(at, ", ")) {
		size_t other = strcspn(at, ",");

		if (other == length && strncmp(at, title, length) == 0)
			return true;
		at += other;
	}
	return false;
}

bool text_page_table_end(struct text_page *page, struct text_table *table)
{
	bool had_rows = text_table_end(table);

	for (size_t i = 0; i < table->column_count && had_rows; i++) {
		const struct text_column *column = &table->column[i];

		if (!column->is_left_out || column->is_stand_in ||
		    title_is_listed(&page->left_out, column->title))
			continue;
		buffer_printf(&page->left_out, "%s%s", page->left_out.length ? ", " : "",
		              column->title);
	}
	return had_rows;
}

void text_page_print_left_out(const struct text_page *page)
{
	_cleanup_(freep) char *line = NULL;

	if (page->left_out.length == 0)
		return;
	line = xasprintf("No room for %s: widen the terminal or pipe to cat.", page->left_out.text);
	text_page_line(page, page->style.faint, line);
}

/* Number of lines that are shown, unless all are asked for. If there is just one more, it is shown,
   too, instead of a line that says so. */
#define LINES_SHOWN 3

static void headline_put(FILE *out, const struct text_style *style, const struct health *health)
{
	_cleanup_(buffer_release) struct buffer verdict = buffer_of(512);

	health_verdict_append(&verdict, health);
	(void)fprintf(out, "%shealth: %s%s\n",
	              health_is_impaired(health) ? style->warning : style->title, verdict.text,
	              style->plain);
}

void text_health_put(FILE *out, const struct text_style *style, const struct health *health,
                     const struct instant_form *instants,
                     const struct presenter_options *options)
{
	_cleanup_(health_lines_release) struct health_lines lines = {0};
	size_t shown;

	headline_put(out, style, health);
	if (options->is_unanswered && !options->is_verbose)
		return;
	health_lines_make(health, instants, options->is_verbose, &lines);
	shown = options->is_verbose || lines.count <= LINES_SHOWN + 1 ? lines.count : LINES_SHOWN;
	for (size_t i = 0; i < shown; i++)
		(void)fprintf(out, "  %s\n", lines.line[i]);
	if (shown < lines.count)
		(void)fprintf(out, "  ... %zu lines more with --verbose\n", lines.count - shown);
}
