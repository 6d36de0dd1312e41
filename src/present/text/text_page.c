/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_page.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "present/cell_text.h"
#include "present/health_lines.h"
#include "present/presenter.h"
#include "text_fold.h"

static struct text_style text_style_of(const struct presenter_options *options)
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

void text_page_link(const struct text_page *page, const char *options)
{
	_cleanup_(buffer_release) struct buffer next = {0};

	if (!page->options.has_links || !*options)
		return;
	next_append(&next, options, &page->options);
	(void)fprintf(page->out, "%c%s%c", LINK_BEGIN, next.text, LINK_END);
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

void text_page_rows_below(struct text_table *table, const struct cell_rows *rows,
                          const struct instant_form *instants)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t row = 0; row < rows->count; row++) {
		buffer_clear(&line);
		buffer_put_blanks(&line, TEXT_BELOW_INDENT);
		cell_rows_line_append(&line, rows, row, instants);
		text_table_below(table, line.text);
	}
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

void text_page_health(const struct text_page *page, const struct health *health,
                      const struct instant_form *instants)
{
	const struct presenter_options *options = &page->options;
	_cleanup_(health_lines_release) struct health_lines lines = {0};
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t shown;

	buffer_puts(&line, "health: ");
	health_verdict_append(&line, health);
	text_page_line(page, health_is_impaired(health) ? page->style.warning : page->style.title,
	               line.text);
	if (options->is_unanswered && !options->is_verbose)
		return;
	health_lines_make(health, instants, options->is_verbose, &lines);
	shown = options->is_verbose || lines.count <= LINES_SHOWN + 1 ? lines.count : LINES_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		buffer_clear(&line);
		buffer_printf(&line, "  %s", lines.line[i]);
		text_page_line(page, "", line.text);
	}
	buffer_clear(&line);
	buffer_printf(&line, "  ... %zu lines more with --verbose", lines.count - shown);
	if (shown < lines.count)
		text_page_line(page, "", line.text);
}
