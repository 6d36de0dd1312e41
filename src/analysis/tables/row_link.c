/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "row_link.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"

/* A row, while its link is made. */
struct link_row {
	const struct column *columns;
	const struct cell *cells;
	size_t count;
	const struct question *question;
};

/* The cell of that column; of "tasks.comm" that of the first row of the table in the cell. NULL: it
   is empty. */
static const struct cell *cell_named(const struct link_row *row, const char *key, size_t length)
{
	const char *dot = memchr(key, '.', length);
	size_t own = dot ? (size_t)(dot - key) : length;
	const struct cell *cell = NULL;

	for (size_t i = 0; i < row->count && !cell; i++)
		if (row->columns[i].key && strlen(row->columns[i].key) == own &&
		    memcmp(row->columns[i].key, key, own) == 0)
			cell = &row->cells[i];
	if (!cell || cell->type == CELL_EMPTY)
		return NULL;
	if (!dot)
		return cell;
	if ((cell->type != CELL_ROWS && cell->type != CELL_RECORD) || cell->rows.count == 0)
		return NULL;
	return cell_named(&(struct link_row){cell->rows.columns, cell->rows.cells,
	                                     cell->rows.column_count, row->question},
	                  dot + 1, length - own - 1);
}

static void tid_append(struct buffer *to, const struct task *task)
{
	buffer_printf(to, "%s%s%d", task->host ? task->host : "", task->host ? ":" : "", task->tid);
}

static enum aim_kind aim_kind_of(const struct cell *cell)
{
	return cell->type == CELL_AIM ? cell->aim->kind : cell->brief_aim.kind;
}

/* False: it is no value of an option. */
static bool value_append(struct buffer *to, const struct cell *cell)
{
	if (cell->type == CELL_TASK && cell->task.tid != 0) /* the idle tasks all have this one */
		tid_append(to, &cell->task);
	else if ((cell->type == CELL_TEXT || cell->type == CELL_FRAMES) && cell->text &&
	         *cell->text)
		shell_quote_append(to, cell->text);
	else if (cell->type == CELL_COUNT)
		buffer_put_u64(to, cell->count);
	else if (cell->type == CELL_CAUSE && cell->cause)
		buffer_puts(to, cause_kind_name(cell->cause->kind));
	else if ((cell->type == CELL_AIM || cell->type == CELL_BRIEF_AIM) &&
	         aim_kind_of(cell) != AIM_NONE)
		buffer_puts(to, aim_kind_name(aim_kind_of(cell)));
	else
		return false;
	return true;
}

static void instant_append(struct buffer *to, const struct question *question, nsec_t instant,
                           bool is_end)
{
	nsec_t begin = question->timeline->begin, since = instant > begin ? instant - begin : 0;

	buffer_puts(to, INSTANT_TEXT(since + (is_end ? 999 : 0)));
}

static bool instant_of(const struct link_row *row, const char *key, size_t length, nsec_t *ret)
{
	const struct cell *cell = cell_named(row, key, length);

	if (!cell || (cell->type != CELL_INSTANT && cell->type != CELL_DURATION))
		return false;
	*ret = cell->time;
	return true;
}

/* What stands between { and }. */
static bool place_append(struct buffer *to, const struct link_row *row, const char *place,
                         size_t length)
{
	bool is_from = length > 5 && memcmp(place, "from:", 5) == 0;
	bool is_to = length > 3 && memcmp(place, "to:", 3) == 0;
	const char *key = place + (is_from ? 5 : is_to ? 3 : 0), *plus;
	const struct cell *cell;
	nsec_t instant, more = 0;

	length -= (size_t)(key - place);
	if (!is_from && !is_to) {
		cell = cell_named(row, key, length);
		return cell && value_append(to, cell);
	}
	plus = memchr(key, '+', length);
	if (!instant_of(row, key, plus ? (size_t)(plus - key) : length, &instant) ||
	    (plus && !instant_of(row, plus + 1, length - (size_t)(plus + 1 - key), &more)))
		return false;
	instant_append(to, row->question, instant + more, is_to);
	return true;
}

/* Appends the pattern up to its end, or a character of `until`, and sets *at there. False: a cell
   that it needs is empty, and nothing was appended. */
static bool pattern_append(struct buffer *to, const struct link_row *row, const char **at,
                           const char *until)
{
	size_t length = to->length;
	bool is_whole = true;

	for (; **at && !strchr(until, **at); (*at)++) {
		if (**at == '{') {
			const char *end = strchr(*at, '}');

			assert(end);
			is_whole &= place_append(to, row, *at + 1, (size_t)(end - *at - 1));
			*at = end;
		} else if (**at == '[') {
			(*at)++;
			(void)pattern_append(to, row, at, "]");
			assert(**at == ']');
		} else {
			buffer_putc(to, **at);
		}
	}
	if (!is_whole)
		buffer_truncate(to, length);
	return is_whole;
}

static void numbers_append(struct buffer *to, const char *option, const struct asked_numbers *asked)
{
	for (size_t i = 0; i < asked->count; i++) {
		const char *host = asked->host ? asked->host[i] : "";

		if (i == 0)
			buffer_printf(to, " %s ", option);
		buffer_printf(to, "%s%s%s%d", i ? "," : "", host, *host ? ":" : "",
		              asked->number[i]);
	}
}

static void globs_append(struct buffer *to, const char *option, const char *const *globs,
                         size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buffer_printf(to, " %s ", option);
		shell_quote_append(to, globs[i]);
	}
}

void asked_window_append(struct buffer *to, const struct question *question)
{
	if (!question->resolved->is_windowed)
		return;
	buffer_puts(to, " --from ");
	instant_append(to, question, question->resolved->begin, false);
	buffer_puts(to, " --to ");
	instant_append(to, question, question->resolved->end, true);
}

void asked_filter_append(struct buffer *to, const struct question *question)
{
	const struct asked *asked = question->asked;

	numbers_append(to, "--pid", &asked->pids);
	numbers_append(to, "--tid", &asked->tids);
	globs_append(to, "--comm", asked->comms, asked->comm_count);
	globs_append(to, "--cgroup", asked->cgroups, asked->cgroup_count);
	if (asked->is_all)
		buffer_puts(to, " --all");
}

bool row_link_append(struct buffer *to, const char *pattern, const struct column *columns,
                     const struct cell *cells, size_t count, const struct question *question)
{
	const struct link_row row = {columns, cells, count, question};
	size_t begin = to->length;
	const char *at = pattern;

	while (at && !pattern_append(to, &row, &at, "|"))
		at = *at == '|' ? at + 1 : NULL;
	if (!at)
		return false;
	if (!link_has_window(to->text + begin))
		asked_window_append(to, question);
	if (!link_has_tasks(to->text + begin))
		asked_filter_append(to, question);
	return true;
}

struct cell row_link_cell(struct buffer *text, const char *pattern, const struct column *columns,
                          const struct cell *cells, size_t count, const struct question *question)
{
	buffer_clear(text);
	if (!row_link_append(text, pattern, columns, cells, count, question))
		return (struct cell){.type = CELL_EMPTY};
	return (struct cell){.type = CELL_TEXT, .text = text->text};
}
