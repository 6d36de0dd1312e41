/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "row_link.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/task_words.h"

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

static enum aim_kind aim_kind_of(const struct cell *cell)
{
	return cell->type == CELL_AIM ? cell->aim->kind : cell->brief_aim.kind;
}

static bool cell_has_text(const struct cell *cell)
{
	return (cell->type == CELL_TEXT || cell->type == CELL_FRAMES) && cell->text && *cell->text;
}

/* A name for an option that takes a list of globs. */
static bool glob_append(struct buffer *to, const struct cell *cell)
{
	_cleanup_(buffer_release) struct buffer glob = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!cell_has_text(cell))
		return false;
	list_glob_append(&glob, cell->text);
	shell_quote_append(to, glob.text);
	return true;
}

/* A CPU as its machine numbers it: "web:3". */
static bool cpu_cell_append(struct buffer *to, const struct link_row *row, const struct cell *cell)
{
	const struct cell *machine = cell_named(row, "machine", strlen("machine"));

	if (cell->type != CELL_COUNT)
		return false;
	host_number_append(
		to, machine && machine->type == CELL_MACHINE ? machine->machine.name : NULL,
		(int64_t)cell->count);
	return true;
}

/* False: it is no value of an option. */
static bool value_append(struct buffer *to, const struct cell *cell)
{
	if (cell->type == CELL_TASK && cell->task.tid != 0) /* the idle tasks all have this one */
		host_number_append(to, cell->task.host, cell->task.tid);
	else if (cell_has_text(cell))
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

/* Options have microseconds; `more` is added before the rest is cut off. */
static void instant_append(struct buffer *to, const struct question *question, nsec_t instant,
                           nsec_t more)
{
	nsec_t begin = question->timeline->begin, since = instant > begin ? instant - begin : 0;

	buffer_puts(to, INSTANT_TEXT(since + more));
}

/* An instant, or a length; of a distribution that of the longest one. */
static bool time_of(const struct link_row *row, const char *key, size_t length, bool is_length,
                    nsec_t *ret)
{
	const struct cell *cell = cell_named(row, key, length);

	if (cell && cell->type == CELL_DISTRIBUTION && cell->distribution->count)
		*ret = is_length ? cell->distribution->max : cell->distribution->max_at;
	else if (cell && (cell->type == CELL_INSTANT || cell->type == CELL_DURATION))
		*ret = cell->time;
	else
		return false;
	return *ret != NSEC_NEVER;
}

static bool starts_with(const char **text, size_t *length, const char *word)
{
	size_t bytes = strlen(word);

	if (*length <= bytes || memcmp(*text, word, bytes) != 0)
		return false;
	*text += bytes;
	*length -= bytes;
	return true;
}

/* Appends an end of a stretch: "begin_ns", "begin_ns+wait_ns" or "end_ns-work_ns". */
static bool end_append(struct buffer *to, const struct link_row *row, const char *key,
                       size_t length, bool is_to)
{
	size_t first = 0;
	nsec_t instant, other = 0;

	while (first < length && key[first] != '+' && key[first] != '-')
		first++;
	if (!time_of(row, key, first, false, &instant) ||
	    (first < length &&
	     !time_of(row, key + first + 1, length - first - 1, true, &other)))
		return false;
	instant = first == length || key[first] == '+' ? instant + other
	          : instant > other                    ? instant - other
	                                               : 0;
	instant_append(to, row->question, instant, is_to ? 1000 : 0);
	return true;
}

static bool has_text(const struct cell *cell, const char *text, size_t length)
{
	return cell && cell_has_text(cell) && strlen(cell->text) == length &&
	       memcmp(cell->text, text, length) == 0;
}

/* What stands between { and }. */
static bool place_append(struct buffer *to, const struct link_row *row, const char *place,
                         size_t length)
{
	const char *equals = memchr(place, '=', length);
	const struct cell *cell;

	if (equals)
		return has_text(cell_named(row, place, (size_t)(equals - place)), equals + 1,
		                length - (size_t)(equals + 1 - place));
	if (starts_with(&place, &length, "?"))
		return cell_named(row, place, length);
	if (starts_with(&place, &length, "from:"))
		return end_append(to, row, place, length, false);
	if (starts_with(&place, &length, "to:"))
		return end_append(to, row, place, length, true);
	if (starts_with(&place, &length, "glob:"))
		return (cell = cell_named(row, place, length)) && glob_append(to, cell);
	if (starts_with(&place, &length, "cpu:"))
		return (cell = cell_named(row, place, length)) && cpu_cell_append(to, row, cell);
	return (cell = cell_named(row, place, length)) && value_append(to, cell);
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
		buffer_printf(to, i ? "," : " %s ", option);
		host_number_append(to, asked->host ? asked->host[i] : NULL, asked->number[i]);
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
	/* a piece of a run that goes on is a window, even if nothing is before it */
	if (!question->resolved->is_windowed && !question->counts_ends)
		return;
	buffer_puts(to, " --from ");
	instant_append(to, question, question->resolved->begin, 0);
	buffer_puts(to, " --to ");
	instant_append(to, question, question->resolved->end, 999);
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
	else if (question->asked->is_all)
		buffer_puts(to, " --all");
	return true;
}

void row_link_fill(struct buffer *text, const char *pattern, const struct column *columns,
                   struct cell *cells, size_t count, const struct question *question)
{
	size_t link = count - 1;

	assert(columns[link].flags & COLUMN_LINK);
	cells[link] = (struct cell){.type = CELL_EMPTY};
	buffer_clear(text);
	if (row_link_append(text, pattern, columns, cells, link, question))
		cells[link] = (struct cell){.type = CELL_TEXT, .text = text->text};
}

void waits_link_append(struct buffer *to, const char *comm, const struct figures *longest,
                       const struct question *question)
{
	static const struct column columns[] = {
		{"comm", NULL, CELL_TEXT, 0},
		{"begin_ns", NULL, CELL_INSTANT, 0},
		{"length_ns", NULL, CELL_DURATION, 0},
	};
	const struct cell cells[ARRAY_SIZE(columns)] = {
		{.type = CELL_TEXT, .text = comm},
		{.type = CELL_INSTANT, .time = longest ? longest->longest_at : NSEC_NEVER},
		{.type = CELL_DURATION, .time = longest ? longest->longest : 0},
	};

	(void)row_link_append(to, "--waits --sort wait[ --comm {glob:comm}]"
	                          "[ --from {from:begin_ns} --to {to:begin_ns+length_ns}]",
	                      columns, cells, ARRAY_SIZE(columns), question);
}
