/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "text_fold.h"
#include "words/cause/cause_kind.h"
#include "words/cause/unknown_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

#define COLUMNS_UNLIMITED 120 /* width of a page without a limit */
#define LABEL_MOST        22
#define LABEL_SHARE       4  /* a label takes at most the width divided by this */
#define COLUMNS_LEAST     10
#define TICK_COLUMNS      12
#define DAY_TICK_COLUMNS  24 /* of times of day */
#define SECOND            1000000000u
#define ON_PATH_PART      8  /* a column is on the path if at least its length divided by this is */

/* How a stretch is drawn. */
enum picture_class {
	CLASS_RUNNING,
	CLASS_RUNNABLE,
	CLASS_FOR_WORK,
	CLASS_STOPPED,
	CLASS_NOT_KNOWN,
	CLASS_IDLE, /* a CPU */
	CLASS_WAIT, /* + enum cause_kind */
	CLASS_COUNT = CLASS_WAIT + CAUSE_KIND_COUNT,
};

#define CLASS_NONE 0x7f
#define ON_PATH    0x80

/* The symbol on the path, the symbol off the path, and the colour. */
static const struct {
	const char *name;
	char ascii[2];
	const char *utf8[2];
	const char *color;
} looks[CLASS_WAIT] = {
	[CLASS_RUNNING] = {"running", {'#', '+'}, {"█", "▄"}, "32"},
	[CLASS_RUNNABLE] = {"runnable", {'=', '-'}, {"▒", "░"}, "33"},
	[CLASS_FOR_WORK] = {"nothing to do", {'_', '_'}, {"_", "_"}, "2"},
	[CLASS_STOPPED] = {"stopped", {'X', 'x'}, {"X", "x"}, "35"},
	[CLASS_NOT_KNOWN] = {WORDS_NOT_RECORDED, {'?', '?'}, {"?", "?"}, "2"},
	[CLASS_IDLE] = {"idle", {'.', '.'}, {"·", "·"}, "2"},
};

struct drawn_row {
	char *label;
	uint8_t *look; /* by column: enum picture_class | ON_PATH */
};

struct text_timeline {
	const struct text_page *page;
	nsec_t begin, end;
	size_t columns, label_columns;
	nsec_t trigger; /* NSEC_NEVER: none to show */
	struct drawn_row *row;
	size_t count, capacity;
	/* Both by column, for the current row. */
	nsec_t (*sum)[CLASS_COUNT];
	nsec_t *on_path;
	bool is_used[CLASS_COUNT];
	bool has_path; /* a part of the picture is on the critical path */
};

/* The time at which the column begins. */
static nsec_t column_begin(const struct text_timeline *self, size_t column)
{
	nsec_t length = self->end - self->begin;

	return self->begin + length / self->columns * column +
	       length % self->columns * column / self->columns;
}

struct text_timeline *text_timeline_begin(const struct text_page *page, nsec_t begin, nsec_t end)
{
	struct text_timeline *self = xcalloc(1, sizeof(*self));
	size_t width = page->options.width ? page->options.width : COLUMNS_UNLIMITED;
	size_t beside;

	self->page = page;
	self->begin = begin;
	self->end = end;
	self->trigger = NSEC_NEVER;
	self->label_columns = width / LABEL_SHARE < LABEL_MOST ? width / LABEL_SHARE : LABEL_MOST;
	beside = self->label_columns + sizeof(" ||") - 1;
	self->columns = width > beside + COLUMNS_LEAST ? width - beside : COLUMNS_LEAST;
	self->sum = xcalloc(self->columns, sizeof(*self->sum));
	self->on_path = xcalloc(self->columns, sizeof(*self->on_path));
	return self;
}

/* Chooses the symbols of the current row, when all its segments have come. */
static void row_finish(struct text_timeline *self)
{
	struct drawn_row *row = self->count ? &self->row[self->count - 1] : NULL;

	for (size_t column = 0; row && column < self->columns; column++) {
		nsec_t length = column_begin(self, column + 1) - column_begin(self, column);
		unsigned most = CLASS_NONE;

		for (unsigned class = 0; class < CLASS_COUNT; class++)
			if (self->sum[column][class] &&
			    (most == CLASS_NONE ||
			     self->sum[column][class] > self->sum[column][most]))
				most = class;
		if (most != CLASS_NONE)
			self->is_used[most] = true;
		row->look[column] = (uint8_t)most;
		if (most != CLASS_NONE && self->on_path[column] > length / ON_PATH_PART)
			row->look[column] |= ON_PATH;
		self->has_path |= row->look[column] & ON_PATH;
	}
	memset(self->sum, 0, self->columns * sizeof(*self->sum));
	memset(self->on_path, 0, self->columns * sizeof(*self->on_path));
}

void text_timeline_row(struct text_timeline *self, const struct picture_row *row)
{
	_cleanup_(buffer_release) struct buffer label = buffer_of(512);

	row_finish(self);
	if (row->is_path)
		buffer_puts(&label, "critical path");
	else if (row->task)
		task_text_append(&label, row->task);
	else {
		buffer_puts(&label, "CPU ");
		cpu_append(&label, &row->cpu);
	}
	ARRAY_ADD(self->row, self->count, self->capacity) = (struct drawn_row){
		.label = xstrdup(label.text),
		.look = xcalloc(self->columns, sizeof(*self->row->look)),
	};
}

static enum picture_class class_of(const struct state_segment *segment)
{
	if (strcmp(segment->state, "running") == 0)
		return CLASS_RUNNING;
	if (strcmp(segment->state, "runnable") == 0)
		return CLASS_RUNNABLE;
	if (strcmp(segment->state, "stopped") == 0)
		return CLASS_STOPPED;
	if (strcmp(segment->state, "idle") == 0)
		return CLASS_IDLE;
	if (strcmp(segment->state, "waiting") != 0)
		return CLASS_NOT_KNOWN;
	if (segment->is_for_work)
		return CLASS_FOR_WORK;
	return (enum picture_class)(CLASS_WAIT +
	                            (segment->kind < 0 ? CAUSE_UNKNOWN : segment->kind));
}

/* The column in which t lies. */
static size_t column_of(const struct text_timeline *self, nsec_t t)
{
	nsec_t length = self->end - self->begin;
	size_t column = (size_t)((double)(t - self->begin) / (double)length *
	                         (double)self->columns);

	column = column < self->columns ? column : self->columns - 1;
	while (column > 0 && column_begin(self, column) > t)
		column--;
	while (column + 1 < self->columns && column_begin(self, column + 1) <= t)
		column++;
	return column;
}

void text_timeline_segment(struct text_timeline *self, const struct state_segment *segment)
{
	enum picture_class class = class_of(segment);
	nsec_t begin = segment->begin;
	size_t column;

	if (begin >= segment->end)
		return;
	for (column = column_of(self, begin); begin < segment->end; column++) {
		nsec_t end = nsec_min(segment->end, column_begin(self, column + 1));

		self->sum[column][class] += end - begin;
		if (segment->is_on_path)
			self->on_path[column] += end - begin;
		begin = end;
	}
}

/* "|12.34", "|03:12:05.34": an instant and the mark of its column. */
static void tick_append(struct buffer *to, const struct instant_form *instants, nsec_t time,
                        unsigned decimals)
{
	buffer_putc(to, '|');
	if (instants->realtime) {
		nsec_t real = time_scale_real(instants->realtime, time);

		time_of_day_append(to, real, /* from= */ real, decimals);
	} else {
		buffer_printf(to, "%.*f", (int)decimals,
		              (double)(time - instants->begin) / SECOND);
	}
}

/* Writes instants above the columns, with as many decimals as are needed to distinguish them. */
static void axis_put(const struct text_timeline *self, const struct instant_form *instants)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t apart = instants->realtime ? DAY_TICK_COLUMNS : TICK_COLUMNS;
	nsec_t tick = (self->end - self->begin) / self->columns * apart, unit = SECOND;
	size_t used = self->label_columns + sizeof(" ") - 1;
	unsigned decimals = 0;

	while (decimals < 9 && unit > tick / 10) {
		unit /= 10;
		decimals++;
	}
	buffer_put_blanks(&line, used);
	for (size_t column = 0; column + apart <= self->columns; column += apart) {
		while (column && line.length < used + column)
			buffer_putc(&line, ' ');
		tick_append(&line, instants, column_begin(self, column), decimals);
	}
	(void)fprintf(self->page->out, "%s%s%s\n", self->page->style.faint, line.text,
	              self->page->style.plain);
}

static void symbol_append(const struct text_timeline *self, struct buffer *to, unsigned class,
                          bool is_on_path)
{
	if (class >= CLASS_WAIT) {
		/* off the path; on it the capital letter */
		char letter = cause_kinds[class - CLASS_WAIT].look.letter;

		buffer_putc(to, is_on_path ? (char)(letter - 'a' + 'A') : letter);
	} else if (self->page->options.utf8) {
		buffer_puts(to, looks[class].utf8[!is_on_path]);
	} else {
		buffer_putc(to, looks[class].ascii[!is_on_path]);
	}
}

/* Writes a colour only when it changes. */
static void column_append(const struct text_timeline *self, struct buffer *to, uint8_t look,
                          uint8_t before)
{
	unsigned class = look & (ON_PATH - 1u);
	bool is_on_path = look & ON_PATH;

	if (self->page->options.color && look != before)
		buffer_printf(to, "\033[0;%s%sm", is_on_path ? "1;" : "",
		              class == CLASS_NONE   ? "0"
		              : class >= CLASS_WAIT ? cause_kinds[class - CLASS_WAIT].look.color
		                                    : looks[class].color);
	if (class == CLASS_NONE)
		buffer_putc(to, ' ');
	else
		symbol_append(self, to, class, is_on_path);
}

/* Appends what stands before the columns of a row. */
static void label_append(const struct text_timeline *self, struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer label = buffer_of(BUFFER_LIMIT_DEFAULT);

	text_cut_append(&label, text, TEXT_NAME, self->label_columns, self->page->style.ellipsis);
	buffer_puts(to, label.text);
	for (size_t used = utf8_columns(label.text); used < self->label_columns + 1; used++)
		buffer_putc(to, ' ');
	buffer_putc(to, '|');
}

static void row_put(const struct text_timeline *self, const struct drawn_row *row)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (self->page->options.is_ascii)
		text_make_ascii(row->label);
	label_append(self, &line, row->label);
	for (size_t column = 0; column < self->columns; column++)
		column_append(self, &line, row->look[column],
		              column ? row->look[column - 1] : CLASS_NONE);
	if (self->page->options.color)
		buffer_puts(&line, "\033[0m");
	(void)fprintf(self->page->out, "%s|\n", line.text);
}

static void trigger_put(const struct text_timeline *self)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	label_append(self, &line, "trigger");
	for (size_t column = 0; column < self->columns; column++)
		buffer_putc(&line, column == column_of(self, self->trigger) ? '^' : ' ');
	(void)fprintf(self->page->out, "%s|\n", line.text);
}

/* Whether the class has different symbols on and off the path. */
static bool class_is_on_path(unsigned class)
{
	return class != CLASS_FOR_WORK && class != CLASS_NOT_KNOWN && class != CLASS_IDLE;
}

static const char *class_name(unsigned class)
{
	if (class < CLASS_WAIT)
		return looks[class].name;
	return cause_kind_words((enum cause_kind)(class - CLASS_WAIT));
}

/* Writes the symbols that occur:
   "█ ▄ running, ▒ ░ runnable, waiting for D d disk, T t task". */
static void legend_put(const struct text_timeline *self)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	bool has_wait = false;

	for (unsigned class = 0; class < CLASS_COUNT; class++) {
		if (!self->is_used[class])
			continue;
		buffer_puts(&line, line.length ? ", " : "");
		buffer_puts(&line, class >= CLASS_WAIT && !has_wait ? "waiting for " : "");
		has_wait |= class >= CLASS_WAIT;
		if (self->has_path || !class_is_on_path(class)) {
			symbol_append(self, &line, class, /* is_on_path= */ true);
			buffer_putc(&line, ' ');
		}
		if (class_is_on_path(class)) {
			symbol_append(self, &line, class, /* is_on_path= */ false);
			buffer_putc(&line, ' ');
		}
		buffer_puts(&line, class_name(class));
	}
	if (line.length == 0)
		buffer_puts(&line, "(none)");
	else
		buffer_printf(&line, ".%s A column is %s, and shows what filled most of it.",
		              self->has_path
		                      ? " Of two symbols, the first is on the critical path."
		                      : "",
		              DURATION_TEXT((self->end - self->begin) / self->columns));
	text_page_line(self->page, self->page->style.faint, line.text);
}

void text_timeline_trigger(struct text_timeline *self, nsec_t at)
{
	if (at >= self->begin && at <= self->end && self->begin < self->end)
		self->trigger = at;
}

void text_timeline_end(struct text_timeline *self, const struct instant_form *instants)
{
	row_finish(self);
	if (self->count && self->begin < self->end)
		axis_put(self, instants);
	for (size_t i = 0; i < self->count; i++) {
		if (self->begin < self->end)
			row_put(self, &self->row[i]);
		free(self->row[i].label);
		free(self->row[i].look);
	}
	if (self->count && self->trigger != NSEC_NEVER)
		trigger_put(self);
	legend_put(self);
	free(self->row);
	free(self->sum);
	free(self->on_path);
	free(self);
}
