/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_output.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "present/data/json_cell.h"
#include "present/text/text_page.h"
#include "top_words.h"

static void member_cause(struct json_writer *json, bool has_cause, const struct cause *cause)
{
	json_key(json, "cause");
	json_cause(json, has_cause ? cause : NULL);
}

/* What the tasks of the row have in common. */
static void member_whose(struct json_writer *json, enum top_by by, const struct top_row *row)
{
	switch (by) {
	case TOP_BY_COMM:
		json_member_string(json, "comm", row->name);
		break;
	case TOP_BY_TASK:
		json_member_task(json, "task", &row->task);
		break;
	case TOP_BY_CGROUP:
		json_member_string(json, "cgroup", *row->name ? row->name : NULL);
		break;
	}
}

static void json_row_put(struct json_writer *json, enum top_by by, const struct top_row *row)
{
	json_object_begin(json, JSON_INLINE);
	member_whose(json, by, row);
	json_member_u64(json, "tasks", row->task_count);
	json_member_bool(json, "is_kernel", row->is_kernel);
	json_member_u64(json, "waiting_ns", row->waiting);
	json_member_u64(json, "runnable_ns", row->runnable);
	json_member_u64(json, "running_ns", row->running);
	json_member_u64(json, "waits", row->waits);
	json_member_u64(json, "longest_ns", row->longest);
	member_cause(json, row->has_cause, &row->cause);
	json_key(json, "aim");
	json_brief_aim(json, &row->aim);
	json_member_known(json, "cause_ns", row->has_cause, row->cause_ns);
	json_member_known(json, "cause_waits", row->has_cause, row->cause_waits);
	json_member_task(json, "behind", row->has_behind ? &row->behind : NULL);
	json_object_end(json);
}

static void json_rows_put(struct json_writer *json, const struct top_shot *shot, size_t rows_max)
{
	size_t count = rows_max > 0 && rows_max < shot->row_count ? rows_max : shot->row_count;

	json_member_array(json, "rows", JSON_INLINE);
	for (size_t i = 0; i < count; i++)
		json_row_put(json, shot->by, &shot->row[i]);
	json_array_end(json);
	json_member_u64(json, "rows_left", shot->row_count - count);
}

static void aim_put(struct json_writer *json, const struct top_open *open)
{
	json_key(json, "aim");
	if (!json_object_if(json, open->aim.kind != AIM_NONE))
		return;
	json_member_string(json, "kind", aim_kind_name(open->aim.kind));
	json_member_string(json, "name", open->aim.name);
	json_member_string(json, "peer", open->aim_peer);
	json_member_array(json, "holders", JSON_INLINE);
	for (size_t i = 0; i < open->holder_count; i++)
		json_task(json, &open->holder[i]);
	json_array_end(json);
	json_object_end(json);
}

static void open_put(struct json_writer *json, const struct top_open *open)
{
	const char letter[] = {open->letter, '\0'};

	json_object_begin(json, JSON_INLINE);
	json_member_task(json, "task", &open->task);
	json_member_u64(json, "since_ns", open->since);
	json_member_bool(json, "is_since_begin", open->is_since_begin);
	json_member_string(json, "state", open->letter ? letter : NULL);
	member_cause(json, open->has_cause, &open->cause);
	json_member_task(json, "behind", open->has_behind ? &open->behind : NULL);
	aim_put(json, open);
	json_object_end(json);
}

static void machine_put(struct json_writer *json, const struct top_shot *shot)
{
	json_member_string(json, "host", shot->host);
	json_member_string(json, "kernel", shot->kernel);
	json_member_u64(json, "cpus", shot->cpu_count);
	json_member_known(json, "realtime_ns", shot->day_ns > 0, shot->day_ns);
	json_key(json, "own_cpu");
	if (shot->has_own_cpu)
		json_put_real(json, shot->own_cpu);
	else
		json_put_null(json);
	json_member_string(json, "note", shot->note);
}

static void waits_put(struct json_writer *json, const struct top_shot *shot)
{
	bool has_waits = shot->wait_count > 0;

	json_member_u64(json, "queued_now", shot->queued_now);
	json_key(json, "cpu_demand");
	json_put_real(json, top_cpu_demand(shot));
	json_member_bool(json, "is_cpu_too_little", top_is_cpu_too_little(shot));
	json_member_u64(json, "waits_ended", shot->wait_count);
	json_member_known(json, "wait_p50_ns", has_waits, shot->wait_p50);
	json_member_known(json, "wait_p99_ns", has_waits, shot->wait_p99);
	json_member_known(json, "wait_max_ns", has_waits, shot->wait_max);
	json_member_u64(json, "waiting_ns", shot->waiting);
	json_key(json, "by_kind");
	json_cell(json, &(struct cell){.type = CELL_BY_KIND, .by_kind = shot->by_kind});
}

static void requests_put(struct json_writer *json, const struct top_requests *requests)
{
	json_key(json, "requests");
	if (!json_object_if(json, requests->count > 0))
		return;
	json_member_string(json, "comm", requests->comm);
	json_member_string(json, "role", requests->is_server ? "server" : "client");
	json_member_u64(json, "count", requests->count);
	json_member_u64(json, "median_ns", requests->median);
	json_member_u64(json, "p99_ns", requests->p99);
	json_member_u64(json, "far", requests->far);
	json_member_string(json, "reason", requests->reason);
	json_member_u64(json, "votes", requests->votes);
	json_object_end(json);
}

void top_json_put(FILE *out, const struct top_shot *shot, size_t rows_max)
{
	struct json_writer json;

	json_init(&json, out);
	json_object_begin(&json, JSON_INLINE);
	json_member_string(&json, "schema", "ftwait.top/1");
	json_member_u64(&json, "begin_ns", shot->begin);
	json_member_u64(&json, "end_ns", shot->end);
	json_member_u64(&json, "events", shot->events);
	json_member_u64(&json, "lost", shot->lost);
	machine_put(&json, shot);
	waits_put(&json, shot);
	json_rows_put(&json, shot, rows_max);
	json_key(&json, "longest_open");
	if (shot->has_open)
		open_put(&json, &shot->open);
	else
		json_put_null(&json);
	requests_put(&json, &shot->requests);
	json_object_end(&json);
	json_release(&json);
}

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
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer part = buffer_of(BUFFER_LIMIT_DEFAULT);

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
	if (shot->requests.count) {
		buffer_printf(&line, "%sREQUESTS%s  ", style->title, style->plain);
		top_requests_append(&line, shot);
		line_put(page, "", &line);
	}
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
		text_table_cell_of(table, cell->length > 0 ? cell->text : "-", true);
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
	_cleanup_(buffer_release) struct buffer cell = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct text_table table;

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
