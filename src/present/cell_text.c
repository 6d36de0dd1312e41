/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cell_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

#define BY_KIND_SHOWN 4 /* number of kinds that a text cell names; the other kinds are summed */
#define ROWS_SHOWN    3 /* number of rows of a table within a cell */

void frame_folded_append(struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_puts_clean(&clean, text, strlen(text));
	for (size_t i = 0; i < clean.length; i++) {
		if (clean.text[i] == ';')
			clean.text[i] = ':';
		else if (clean.text[i] == ' ')
			clean.text[i] = '_';
	}
	/* An empty frame would shift all frames after it. */
	buffer_puts(to, clean.length ? clean.text : "-");
}

void links_folded_append(struct buffer *to, const struct links *links)
{
	_cleanup_(buffer_release) struct buffer end = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < links->count; i++) {
		if (i > 0)
			buffer_putc(to, ';');
		frame_folded_append(to, links->link[i].comm);
	}
	if (links->count == 0 || !link_end_append(&end, &links->link[links->count - 1]))
		return;
	buffer_putc(to, ';');
	frame_folded_append(to, end.text);
}

/* The largest kinds first: "disk 12.840 ms, lock 3.100 ms, others 20.000 us". */
static void by_kind_text(struct buffer *to, const nsec_t *by_kind)
{
	bool is_shown[CAUSE_KIND_COUNT] = {false};
	nsec_t others = 0;

	for (unsigned shown = 0; shown < BY_KIND_SHOWN; shown++) {
		unsigned largest = CAUSE_KIND_COUNT;

		for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			if (!is_shown[kind] && by_kind[kind] &&
			    (largest == CAUSE_KIND_COUNT || by_kind[kind] > by_kind[largest]))
				largest = kind;
		if (largest == CAUSE_KIND_COUNT)
			break;
		is_shown[largest] = true;
		buffer_printf(to, "%s%s %s", shown ? ", " : "", cause_kind_words(largest),
		              DURATION_TEXT(by_kind[largest]));
	}
	for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		others += is_shown[kind] ? 0 : by_kind[kind];
	if (others)
		buffer_printf(to, ", others %s", DURATION_TEXT(others));
}

static void distribution_text(struct buffer *to, const struct distribution_sum *sum)
{
	buffer_printf(to, "%s / %s / %s", DURATION_TEXT(sum->p50),
	              DURATION_TEXT(sum->p99), DURATION_TEXT(sum->max));
}

/* "-2: 7, -11: 3", plain "-2=7 -11=3". `is` separates a number from its count, `between` two of
   these. */
static void tallies_append(struct buffer *to, const struct tallies *tallies, const char *is,
                           const char *between)
{
	for (size_t i = 0; i < tallies->count; i++)
		buffer_printf(to, "%s%" PRId64 "%s%" PRIu64, i ? between : "",
		              tallies->tally[i].number, is, tallies->tally[i].count);
}

#define STRIP_LEVELS 8 /* levels, besides empty */

/* The largest of the values that share a column. */
static nsec_t series_column(const struct series *series, size_t columns, size_t column)
{
	size_t from = column * series->count / columns;
	size_t to = (column + 1) * series->count / columns;
	nsec_t most = 0;

	for (size_t i = from; i < to; i++)
		most = nsec_max(most, series->value[i]);
	return most;
}

void series_strip_append(struct buffer *to, const struct series *series, size_t columns,
                         bool utf8)
{
	static const char *const blocks[STRIP_LEVELS + 1] = {" ", "▁", "▂", "▃", "▄",
	                                     "▅", "▆", "▇", "█"};
	static const char ascii[] = " .:-=+*%#";
	nsec_t most = 0;

	if (columns > series->count)
		columns = series->count;
	for (size_t i = 0; i < columns; i++)
		most = nsec_max(most, series_column(series, columns, i));
	buffer_putc(to, '|');
	for (size_t i = 0; i < columns; i++) {
		double part = nsec_ratio(series_column(series, columns, i), most);
		size_t level = (size_t)(part * STRIP_LEVELS + 0.5);

		/* so that any value above 0 is visible */
		level += part > 0 && level == 0;
		if (utf8)
			buffer_puts(to, blocks[level]);
		else
			buffer_putc(to, ascii[level]);
	}
	buffer_putc(to, '|');
}

/* There is no head here that says what it is; what is certain needs no word. */
static void row_cell_text(struct buffer *to, const char *between, const struct cell *cell,
                          const struct instant_form *instants)
{
	static const char *const words[] = {
		[CONFIDENCE_LOW] = "(guessed)", [CONFIDENCE_MEDIUM] = "(likely)",
		[CONFIDENCE_HIGH] = NULL,
	};
	const char *word = cell->type == CELL_CONFIDENCE ? words[cell->confidence] : NULL;

	if (cell->type == CELL_CONFIDENCE && !word)
		return;
	buffer_puts(to, between);
	if (word)
		buffer_puts(to, word);
	else
		cell_text_append(to, cell, instants);
}

/* "writer[12] 400.000 ms, reader[13] 1.000 ms, 5 more"; empty cells are omitted. */
static void rows_text(struct buffer *to, const struct cell_rows *rows,
                      const struct instant_form *instants)
{
	size_t shown = rows->count <= ROWS_SHOWN ? rows->count : ROWS_SHOWN;

	for (size_t row = 0; row < shown; row++) {
		const struct cell *cell = rows->cells + row * rows->column_count;
		const char *between = row ? ", " : "";

		for (size_t i = 0; i < rows->column_count; i++) {
			if (cell[i].type == CELL_EMPTY ||
			    rows->columns[i].flags & (COLUMN_DATA_ONLY | COLUMN_DETAIL))
				continue;
			row_cell_text(to, between, &cell[i], instants);
			between = " ";
		}
	}
	if (shown < rows->count)
		buffer_printf(to, ", %zu more", rows->count - shown);
}

void cell_text_append(struct buffer *to, const struct cell *cell,
                      const struct instant_form *instants)
{
	size_t before = to->length;

	if (cell->type == CELL_COUNT)
		buffer_puts(to, COUNT_TEXT(cell->count));
	else if (cell->type == CELL_INSTANT && cell->time != NSEC_NEVER)
		buffer_puts(to, INSTANT_OF(instants, cell->time));
	else if (cell->type == CELL_DURATION && cell->time != NSEC_NEVER)
		buffer_puts(to, DURATION_TEXT(cell->time));
	else if (cell->type == CELL_PRIORITY)
		priority_append(to, (int)cell->integer);
	else if (cell->type == CELL_RATIO)
		buffer_puts(to, RATIO_TEXT(cell->ratio));
	else if (cell->type == CELL_RATE)
		buffer_printf(to, "%.1f", cell->ratio);
	else if (cell->type == CELL_BOOL)
		buffer_puts(to, cell->boolean ? "yes" : "no");
	else if (cell->type == CELL_BY_KIND && cell->by_kind)
		by_kind_text(to, cell->by_kind);
	else if (cell->type == CELL_DISTRIBUTION)
		distribution_text(to, cell->distribution);
	else if (cell->type == CELL_ROWS || cell->type == CELL_RECORD)
		rows_text(to, &cell->rows, instants);
	else if (cell->type == CELL_SERIES)
		series_strip_append(to, &cell->series, STRIP_COLUMNS, /* utf8= */ false);
	else if (cell->type == CELL_TALLIES)
		tallies_append(to, &cell->tallies, ": ", ", ");
	else if (cell->type == CELL_FRAMES)
		buffer_puts_clean(to, cell->text, strcspn(cell->text, ";"));
	else if (cell->type != CELL_AIM)
		cell_plain_append(to, cell);
	if (to->length == before)
		buffer_putc(to, '-');
}

static void by_kind_plain(struct buffer *to, const nsec_t *by_kind)
{
	const char *between = "";

	for (unsigned kind = 0; by_kind && kind < CAUSE_KIND_COUNT; kind++) {
		if (!by_kind[kind])
			continue;
		buffer_printf(to, "%s%s=%" PRIu64, between, cause_kind_name(kind), by_kind[kind]);
		between = " ";
	}
}

/* In quotes if it has what also stands between values, or between a name and its value. */
static void value_append(struct buffer *to, const struct cell *cell)
{
	_cleanup_(buffer_release) struct buffer value = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t begin = to->length;

	cell_plain_append(to, cell);
	if (cell->type != CELL_TEXT ||
	    (to->length > begin && !strpbrk(to->text + begin, " \"=")))
		return;
	buffer_append(&value, to->text + begin, to->length - begin);
	buffer_truncate(to, begin);
	buffer_putc(to, '"');
	for (size_t i = 0; i < value.length; i++) {
		if (value.text[i] == '"' || value.text[i] == '\\')
			buffer_putc(to, '\\');
		buffer_putc(to, value.text[i]);
	}
	buffer_putc(to, '"');
}

/* "writer[12] 400000000; reader[13] 1000000": all rows, "-" for empty cells; named
   ones are "a=1 b=". */
static void rows_plain(struct buffer *to, const struct cell_rows *rows)
{
	const char *between = "";

	for (size_t i = 0; i < rows->count * rows->column_count; i++) {
		const struct column *column = &rows->columns[i % rows->column_count];

		if (i > 0 && i % rows->column_count == 0)
			between = "; ";
		if (column->flags & (COLUMN_TEXT_ONLY | COLUMN_DETAIL))
			continue;
		buffer_puts(to, between);
		between = " ";
		if (column->flags & COLUMN_NAMED) {
			buffer_puts_clean(to, column->key, strlen(column->key));
			buffer_putc(to, '=');
			value_append(to, &rows->cells[i]);
		} else if (rows->cells[i].type == CELL_EMPTY)
			buffer_putc(to, '-');
		else
			cell_plain_append(to, &rows->cells[i]);
	}
}

void cell_plain_append(struct buffer *to, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
	case CELL_BY_AIM:
		break;
	case CELL_TEXT:
	case CELL_FRAMES:
		if (cell->text)
			buffer_puts_clean(to, cell->text, strlen(cell->text));
		break;
	case CELL_COUNT:
		buffer_put_u64(to, cell->count);
		break;
	case CELL_INTEGER:
	case CELL_PRIORITY:
		buffer_put_i64(to, cell->integer);
		break;
	case CELL_INSTANT:
	case CELL_DURATION:
		if (cell->time != NSEC_NEVER)
			buffer_put_u64(to, cell->time);
		break;
	case CELL_RATIO:
	case CELL_RATE:
		/* as json_put_real() */
		buffer_printf(to, cell->ratio != 0 && fabs(cell->ratio) < 1e-6 ? "%.3g" : "%.6f",
		              cell->ratio);
		break;
	case CELL_BOOL:
		buffer_puts(to, cell->boolean ? "true" : "false");
		break;
	case CELL_MACHINE:
		buffer_puts_clean(to, cell->machine.name, strlen(cell->machine.name));
		break;
	case CELL_TASK:
		task_text_append(to, &cell->task);
		break;
	case CELL_CAUSE:
		if (cell->cause)
			cause_text_append(to, cell->cause);
		break;
	case CELL_AIM:
		buffer_puts(to, cell->aim->kind ? aim_kind_name(cell->aim->kind) : "-");
		break;
	case CELL_BRIEF_AIM:
		if (cell->brief_aim.kind != AIM_NONE)
			aim_words_append(to, &cell->brief_aim);
		break;
	case CELL_CONFIDENCE:
		buffer_puts(to, confidence_name(cell->confidence));
		break;
	case CELL_LINKS:
		links_folded_append(to, &cell->links);
		break;
	case CELL_DISTRIBUTION:
		buffer_put_u64(to, cell->distribution->total);
		break;
	case CELL_TALLIES:
		tallies_append(to, &cell->tallies, "=", " ");
		break;
	case CELL_BY_KIND:
		by_kind_plain(to, cell->by_kind);
		break;
	case CELL_SERIES:
		for (size_t i = 0; i < cell->series.count; i++) {
			buffer_puts(to, i ? " " : "");
			buffer_put_u64(to, cell->series.value[i]);
		}
		break;
	case CELL_CHANGE:
		buffer_printf(to, "%.6f", cell->change->shift);
		break;
	case CELL_ROWS:
	case CELL_RECORD:
		rows_plain(to, &cell->rows);
		break;
	}
}

bool cell_type_is_figure(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INTEGER || type == CELL_PRIORITY ||
	       type == CELL_INSTANT || type == CELL_DURATION || type == CELL_RATIO ||
	       type == CELL_RATE;
}

static bool text_is_blank(const char *text)
{
	return !text || *text == '\0' || strcmp(text, SIZE_TEXT(0)) == 0;
}

bool cell_is_blank(const struct cell *cell)
{
	switch (cell->type) {
	case CELL_EMPTY:
		return true;
	case CELL_TEXT:
	case CELL_FRAMES:
		return text_is_blank(cell->text);
	case CELL_COUNT:
		return cell->count == 0;
	case CELL_INTEGER:
		return cell->integer == 0;
	case CELL_DURATION:
		return cell->time == 0 || cell->time == NSEC_NEVER;
	case CELL_INSTANT:
		return cell->time == NSEC_NEVER;
	case CELL_RATIO:
	case CELL_RATE:
		return cell->ratio <= 0;
	case CELL_BOOL:
		return !cell->boolean;
	case CELL_CAUSE:
		return !cell->cause;
	case CELL_AIM:
		return cell->aim->kind == AIM_NONE;
	case CELL_BRIEF_AIM:
		return cell->brief_aim.kind == AIM_NONE;
	case CELL_TALLIES:
		return cell->tallies.count == 0;
	case CELL_DISTRIBUTION:
		return cell->distribution->max == 0;
	case CELL_ROWS:
	case CELL_RECORD:
		return cell->rows.count == 0;
	case CELL_PRIORITY:
	case CELL_MACHINE:
	case CELL_TASK:
	case CELL_CONFIDENCE:
	case CELL_LINKS:
	case CELL_BY_KIND:
	case CELL_BY_AIM:
	case CELL_SERIES:
	case CELL_CHANGE:
		break;
	}
	return false;
}

#define LINE_GAP 2

/* Whether a line of text has the column of a table in a cell. */
static bool column_is_told(const struct column *column)
{
	return column->title && !(column->flags & COLUMN_DATA_ONLY);
}

/* The width of the widest text of that column. */
static size_t line_column_width(const struct cell_rows *rows, size_t column,
                             const struct instant_form *instants)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t most = 0;

	for (size_t row = 0; row < rows->count; row++) {
		buffer_clear(&text);
		cell_text_append(&text, &rows->cells[row * rows->column_count + column], instants);
		if (text.length && utf8_columns(text.text) > most)
			most = utf8_columns(text.text);
	}
	return most;
}

void cell_rows_line_append(struct buffer *to, const struct cell_rows *rows, size_t row,
                           const struct instant_form *instants)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < rows->column_count; i++) {
		size_t width;

		if (!column_is_told(&rows->columns[i]))
			continue;
		buffer_clear(&text);
		cell_text_append(&text, &rows->cells[row * rows->column_count + i], instants);
		buffer_puts(to, text.length ? text.text : "");
		if (i + 1 == rows->column_count)
			break;
		width = line_column_width(rows, i, instants) + LINE_GAP;
		buffer_put_blanks(to, width - (text.length ? utf8_columns(text.text) : 0));
	}
}
