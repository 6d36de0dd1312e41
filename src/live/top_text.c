/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_text.h"

#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "present/text/text_page.h"
#include "top_words.h"

static void line_put(const struct text_page *page, const char *style, struct buffer *line)
{
	text_page_line(page, style, line->text);
	buffer_clear(line);
}

/* Puts the text behind the line, with two blanks between; nothing if it is empty. */
static void part_append(struct buffer *line, const struct buffer *text)
{
	if (text->length > 0)
		buffer_printf(line, "  %s", text->text);
}

static void head_put(const struct text_page *page, const struct top_shot *shot)
{
	const struct text_style *style = &page->style;
	_cleanup_(buffer_release) struct buffer line = {0}, part = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_init(&part, BUFFER_LIMIT_DEFAULT);
	top_title_append(&line, shot);
	top_clock_append(&part, shot);
	part_append(&line, &part);
	line_put(page, style->title, &line);
	top_rate_append(&line, shot);
	line_put(page, shot->lost > 0 ? style->warning : "", &line);
	top_queue_append(&line, shot);
	buffer_clear(&part);
	top_trend_append(&part, shot, TOP_TREND, page->options.utf8);
	part_append(&line, &part);
	line_put(page, "", &line);
	buffer_printf(&line, "%sLONGEST%s  ", style->title, style->plain);
	top_longest_append(&line, shot);
	line_put(page, "", &line);
	if (shot->note) {
		buffer_puts_clean(&line, shot->note, strlen(shot->note));
		line_put(page, style->warning, &line);
	}
}

static void columns_add(struct text_table *table, enum top_by by)
{
	static const struct {
		const char *title;
		size_t width;
		unsigned rank;
	} figures[] = {
		{"WAITING", TOP_TIME_COLUMNS, 0},
		{"QUEUED", TOP_TIME_COLUMNS, TEXT_RANK_SPARE + 2},
		{"RUNNING", TOP_TIME_COLUMNS, TEXT_RANK_SPARE},
		{"WAITS", sizeof("1,204") - 1, TEXT_RANK_SPARE + 1},
		{"LONGEST", TOP_TIME_COLUMNS, TEXT_RANK_USEFUL + 1},
	};

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
		struct text_column *column =
			text_table_column(table, figures[i].title, TEXT_FIGURE);

		column->rank = figures[i].rank;
		column->width = figures[i].width;
	}
	(void)text_table_column(table, top_name_head(by), TEXT_NAME);
	/* what it says is said by BEHIND, too: both are left out together */
	text_table_column(table, "FOR", TEXT_CAUSE)->rank = TEXT_RANK_USEFUL;
	text_table_column(table, "FOR", TEXT_CAUSE)->is_stand_in = true;
	text_table_column(table, "BEHIND", TEXT_NAME)->rank = TEXT_RANK_USEFUL;
}

static void cell_put(struct text_table *table, struct buffer *cell, bool is_blank)
{
	if (is_blank)
		text_table_blank_cell(table, cell->length > 0 ? cell->text : "-");
	else
		text_table_cell(table, cell->text);
	buffer_clear(cell);
}

static void time_put(struct text_table *table, struct buffer *cell, nsec_t time)
{
	top_time_append(cell, time);
	cell_put(table, cell, /* is_blank= */ time == 0);
}

static void row_put(struct text_table *table, const struct top_row *row, struct buffer *cell)
{
	time_put(table, cell, row->waiting);
	time_put(table, cell, row->runnable);
	time_put(table, cell, row->running);
	buffer_puts(cell, COUNT_TEXT(row->waits));
	cell_put(table, cell, /* is_blank= */ row->waits == 0);
	time_put(table, cell, row->longest);
	top_row_name_append(cell, row);
	cell_put(table, cell, /* is_blank= */ cell->length == 0);
	top_row_for_append_beside(cell, row);
	cell_put(table, cell, /* is_blank= */ cell->length == 0);
	top_row_for_append(cell, row);
	cell_put(table, cell, /* is_blank= */ cell->length == 0);
	top_row_behind_append(cell, row);
	cell_put(table, cell, /* is_blank= */ cell->length == 0);
	text_table_row_end(table);
}

static void rows_put(struct text_page *page, const struct top_shot *shot)
{
	size_t top = page->options.top;
	size_t count = top > 0 && top < shot->row_count ? top : shot->row_count;
	_cleanup_(buffer_release) struct buffer cell = {0};
	struct text_table table;

	buffer_init(&cell, BUFFER_LIMIT_DEFAULT);
	text_page_table_begin(page, &table, /* has_header= */ true);
	columns_add(&table, shot->by);
	for (size_t i = 0; i < count; i++)
		row_put(&table, &shot->row[i], &cell);
	if (!text_page_table_end(page, &table)) {
		top_none_append(&cell, shot);
		line_put(page, "", &cell);
	}
	if (count < shot->row_count) {
		buffer_printf(&cell, "... %s more (--top 0 shows all)",
		              COUNT_TEXT(shot->row_count - count));
		line_put(page, "", &cell);
	}
}

void top_text_put(FILE *out, const struct presenter_options *options, const struct top_shot *shot)
{
	struct text_page page;

	text_page_init(&page, out, options);
	head_put(&page, shot);
	text_page_line(&page, "", "");
	rows_put(&page, shot);
	text_page_line(&page, "", "");
	text_page_release(&page);
}
