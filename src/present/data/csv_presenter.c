/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comma-separated values as in RFC 4180, but with plain line feeds. Every table begins with a
 * header line. Tables are separated by an empty line, and a line "# VIEW.TABLE" before each header
 * names the table; it is "# VIEW" if the view is one table. If the only view is one table, there is
 * no such line: the output is pure CSV. A cell holds one value, so some values take several
 * columns: a task takes three; a cause one for its kind, its words and its name, and three for its
 * waker; times by kind one for each kind of a fixed list and one for all others; a distribution one
 * for each figure except its histogram. Fields, prose, tables for text alone and health are not
 * shown. A cell that begins with "#" is quoted, so that no line of data looks like a table's name.
 *
 * Spreadsheets treat some texts as formulas, and names in a trace are not trusted: such texts are
 * prefixed with a single quote, as OWASP's "CSV Injection" recommends. Figures never need that.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/plain_bytes.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "present/cell_text.h"
#include "present/presenter.h"
#include "words/task_words.h"

struct csv_presenter;

/* A column that is shown. */
struct csv_column {
	size_t index; /* of its cell in a row */
	void (*put)(struct csv_presenter *self, const struct cell *cell);
};

struct csv_presenter {
	FILE *out;
	struct csv_column *columns; /* of the table; none: it is hidden */
	size_t column_count, column_capacity;
	unsigned views;      /* number of asked views; 0: not known */
	const char *section; /* key of the section; NULL: it has none */
	bool is_list;        /* the section is one table */
	bool had_table;
	bool is_line_begun;
	const char *const *member; /* of the table's records; borrowed */
	size_t member_count;       /* 0: they have different ones */
	struct picture_row row; /* the row of the next segments */
	struct task task;       /* its task, if it has one */
	struct buffer line;     /* the current line; written when it ends */
	struct buffer text;     /* text of a cell that is being quoted */
};

static void *csv_begin(FILE *out, const struct presenter_options *options,
                       const struct trace_summary *trace)
{
	struct csv_presenter *self = xcalloc(1, sizeof(*self));

	(void)trace;
	self->out = out;
	self->views = options->views;
	/* a line may have any length */
	buffer_init(&self->line, SIZE_MAX);
	buffer_init(&self->text, SIZE_MAX);
	return self;
}

static void csv_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct csv_presenter *self = state;

	(void)title;
	self->section = key;
	self->is_list = is_list;
}

/* Begins a cell; returns its offset in the line. */
static size_t cell_begin(struct csv_presenter *self)
{
	if (self->is_line_begun)
		buffer_putc(&self->line, ',');
	self->is_line_begun = true;
	return self->line.length;
}

/* Rewrites the cell that begins at `begin`: prefixed if it is a formula, and quoted if
   necessary. */
static void cell_quote(struct csv_presenter *self, size_t begin, bool is_formula)
{
	struct buffer *text = &self->text;
	const char *at;

	buffer_clear(text);
	if (is_formula)
		buffer_putc(text, '\'');
	buffer_append(text, self->line.text + begin, self->line.length - begin);
	buffer_truncate(&self->line, begin);
	at = text->text;
	if (*at != '#' && !at[strcspn(at, ",\"\r\n")]) {
		buffer_append(&self->line, at, text->length);
		return;
	}
	buffer_putc(&self->line, '"');
	for (size_t length; at[length = strcspn(at, "\"")]; at += length + 1) {
		buffer_append(&self->line, at, length);
		buffer_puts(&self->line, "\"\"");
	}
	buffer_puts(&self->line, at);
	buffer_putc(&self->line, '"');
}

/* Ends a cell with any text. */
static void text_end(struct csv_presenter *self, size_t begin)
{
	const char *text = self->line.text + begin;
	size_t length = self->line.length - begin;
	bool is_formula = *text == '=' || *text == '+' || *text == '-' || *text == '@' ||
	                  *text == '\t' || *text == '\r';

	if (is_formula || *text == '#' || plain_bytes(text, length, ',', '"') < length)
		cell_quote(self, begin, is_formula);
}

static void line_end(struct csv_presenter *self)
{
	buffer_putc(&self->line, '\n');
	(void)fwrite_unlocked(self->line.text, 1, self->line.length, self->out);
	buffer_clear(&self->line);
	self->is_line_begun = false;
}

/* The columns of times by kind, whatever kinds there are: who reads a table counts on its columns.
   All other kinds share one more column. */
static const uint8_t kinds_of_columns[] = {
	CAUSE_UNKNOWN,   CAUSE_TASK,      CAUSE_DISK,      CAUSE_NET,
	CAUSE_TIMER,     CAUSE_IRQ,       CAUSE_SOFTIRQ,   CAUSE_WORK,
	CAUSE_WORK_PENDING, CAUSE_SIGNAL, CAUSE_IPI,       CAUSE_RCU,
	CAUSE_LOCK,      CAUSE_MEMORY,    CAUSE_FORK,      CAUSE_WAKE_LATENCY,
	CAUSE_IDLE,      CAUSE_FROZEN,    CAUSE_INTERRUPT, CAUSE_THROTTLED,
	CAUSE_PREEMPTED, CAUSE_WOKEN,
};
#define OTHER_KINDS "others"

static void kind_title_put(struct csv_presenter *self, const char *key, const char *kind)
{
	size_t begin = cell_begin(self), length = strlen(key);

	if (length > 3 && strcmp(key + length - 3, "_ns") == 0)
		length -= 3;
	buffer_append(&self->line, key, length);
	buffer_printf(&self->line, "_%s_ns", kind);
	text_end(self, begin);
}

/* "waiting_ns" and "disk" make "waiting_disk_ns". */
static void kind_titles_put(struct csv_presenter *self, const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_columns); i++)
		kind_title_put(self, key, cause_kind_name(kinds_of_columns[i]));
	kind_title_put(self, key, OTHER_KINDS);
}

static void titles_put(struct csv_presenter *self, const char *key,
                       const char *const *endings)
{
	for (; *endings; endings++) {
		size_t begin = cell_begin(self);

		buffer_puts(&self->line, key);
		buffer_puts(&self->line, *endings);
		text_end(self, begin);
	}
}

static void number_put(struct csv_presenter *self, bool is_known, int64_t number)
{
	(void)cell_begin(self);
	if (is_known)
		buffer_put_i64(&self->line, number);
}

/* Puts a cell with any bytes; NULL: it is empty. */
static void foreign_put(struct csv_presenter *self, const char *text)
{
	size_t begin = cell_begin(self);

	if (text)
		buffer_puts_clean(&self->line, text, strlen(text));
	text_end(self, begin);
}

/* Puts the cell with the name of a task, after that of its machine if there are several. */
static void task_name_put(struct csv_presenter *self, const struct task *task)
{
	size_t begin = cell_begin(self);

	host_prefix_append(&self->line, task->host);
	buffer_puts_clean(&self->line, task->comm, strlen(task->comm));
	text_end(self, begin);
}

/* Puts the three cells of a task; NULL: they are empty. */
static void task_cells_put(struct csv_presenter *self, const struct task *task)
{
	if (task)
		task_name_put(self, task);
	else
		foreign_put(self, NULL);
	number_put(self, task, task ? task->tid : 0);
	number_put(self, task && task->tgid >= 0, task ? task->tgid : 0);
}

static void task_put(struct csv_presenter *self, const struct cell *cell)
{
	task_cells_put(self, cell->type == CELL_TASK ? &cell->task : NULL);
}

static void plain_put(struct csv_presenter *self, const struct cell *cell)
{
	size_t begin = cell_begin(self);

	cell_plain_append(&self->line, cell);
	if (!cell_type_is_figure(cell->type))
		text_end(self, begin);
}

/* Puts the cell with the name of the cause, for a disk its device numbers; NULL: it is empty. */
static void cause_name_put(struct csv_presenter *self, const struct cause *cause)
{
	if (cause && !cause->name && cause->kind == CAUSE_DISK && cause->as.disk.dev)
		foreign_put(self, DEVICE_TEXT(cause->as.disk.dev));
	else
		foreign_put(self, cause ? cause->name : NULL);
}

static void cause_put(struct csv_presenter *self, const struct cell *cell)
{
	const struct cause *cause = cell->type == CELL_CAUSE ? cell->cause : NULL;

	foreign_put(self, cause ? cause_kind_name(cause->kind) : NULL);
	plain_put(self, cell);
	cause_name_put(self, cause);
	task_cells_put(self, cause && cause->has_waker ? &cause->waker : NULL);
}

/* The end is known even where the kind is not. */
static void aim_put(struct csv_presenter *self, const struct cell *cell)
{
	const struct aim *aim = cell->type == CELL_AIM ? cell->aim : NULL;
	bool is_known = aim && aim->kind != AIM_NONE;

	foreign_put(self, is_known ? aim_kind_name(aim->kind) : NULL);
	foreign_put(self, is_known ? aim->name : NULL);
	number_put(self, is_known, is_known ? (int64_t)aim->begin : 0);
	foreign_put(self, aim ? aim_end_name(aim->end) : NULL);
	foreign_put(self, is_known ? aim->peer : NULL);
	task_cells_put(self, is_known && aim->holder_count ? &aim->holder[aim->holder_count - 1]
	                                                   : NULL);
}

static void brief_aim_put(struct csv_presenter *self, const struct cell *cell)
{
	bool is_known = cell->type == CELL_BRIEF_AIM && cell->brief_aim.kind != AIM_NONE;

	foreign_put(self, is_known ? aim_kind_name(cell->brief_aim.kind) : NULL);
	foreign_put(self, is_known ? cell->brief_aim.name : NULL);
}

static void by_kind_put(struct csv_presenter *self, const struct cell *cell)
{
	bool is_known = cell->type == CELL_BY_KIND && cell->by_kind;
	nsec_t others = 0;

	for (size_t kind = 0; is_known && kind < CAUSE_KIND_COUNT; kind++)
		others += cell->by_kind[kind];
	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_columns); i++) {
		nsec_t time = is_known ? cell->by_kind[kinds_of_columns[i]] : 0;

		number_put(self, is_known, (int64_t)time);
		others -= time;
	}
	number_put(self, is_known, (int64_t)others);
}

static void distribution_put(struct csv_presenter *self, const struct cell *cell)
{
	static const struct distribution_sum none;
	bool is_known = cell->type == CELL_DISTRIBUTION;
	const struct distribution_sum *sum = is_known ? cell->distribution : &none;
	const uint64_t figures[] = {sum->count, sum->total, sum->min, sum->p50,
	                            sum->p90,   sum->p99,   sum->max, sum->max_at};

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		number_put(self, is_known, (int64_t)figures[i]);
}

static void real_put(struct csv_presenter *self, bool is_known, double number)
{
	(void)cell_begin(self);
	if (is_known)
		buffer_printf(&self->line, "%.6f", number);
}

static void change_put(struct csv_presenter *self, const struct cell *cell)
{
	static const struct change none;
	bool is_known = cell->type == CELL_CHANGE;
	const struct change *change = is_known ? cell->change : &none;

	real_put(self, is_known, change->old);
	real_put(self, is_known, change->new);
	real_put(self, is_known, change->shift);
	real_put(self, change->has_interval, change->low);
	real_put(self, change->has_interval, change->high);
}

static void csv_members(void *state, const char *const *keys, size_t count)
{
	struct csv_presenter *self = state;

	self->member = keys;
	self->member_count = count;
}

static bool record_has_members(const struct csv_presenter *self, const struct cell_rows *record)
{
	size_t same = 0;

	while (same < record->column_count && same < self->member_count &&
	       strcmp(record->columns[same].key, self->member[same]) == 0)
		same++;
	return same == self->member_count && same == record->column_count;
}

/* Puts a cell for each member; of a record with other members they are empty. */
static void members_put(struct csv_presenter *self, const struct cell *cell)
{
	bool has = cell->type == CELL_RECORD && record_has_members(self, &cell->rows);

	for (size_t i = 0; i < self->member_count; i++)
		if (has)
			plain_put(self, &cell->rows.cells[i]);
		else
			foreign_put(self, NULL);
}

/* "fields" and "prev_comm" make "fields_prev_comm". */
static void member_titles_put(struct csv_presenter *self, const char *key)
{
	for (size_t i = 0; i < self->member_count; i++) {
		size_t begin = cell_begin(self);

		buffer_printf(&self->line, "%s_", key);
		buffer_puts_clean(&self->line, self->member[i], strlen(self->member[i]));
		text_end(self, begin);
	}
}

#define ENDINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* How cells are written whose type takes several columns. */
static const struct csv_form {
	const char *const *endings; /* endings of the columns' keys; NULL: one column for each
	                               kind, or member */
	void (*put)(struct csv_presenter *self, const struct cell *cell);
} forms[] = {
	[CELL_TASK] = {ENDINGS("_comm", "_tid", "_tgid"), task_put},
	[CELL_CAUSE] = {ENDINGS("_kind", "", "_name", "_waker_comm", "_waker_tid", "_waker_tgid"),
	                cause_put},
	[CELL_AIM] = {ENDINGS("_kind", "_name", "_began_ns", "_ended", "_peer", "_holder_comm",
	                      "_holder_tid", "_holder_tgid"), aim_put},
	[CELL_BRIEF_AIM] = {ENDINGS("_kind", "_name"), brief_aim_put},
	[CELL_DISTRIBUTION] = {ENDINGS("_count", "_total_ns", "_min_ns", "_p50_ns", "_p90_ns",
	                               "_p99_ns", "_max_ns", "_max_at_ns"), distribution_put},
	[CELL_CHANGE] = {ENDINGS("_old", "_new", "_shift", "_low", "_high"), change_put},
	[CELL_BY_KIND] = {NULL, by_kind_put},
};

static const struct csv_form plain_form = {ENDINGS(""), plain_put};
static const struct csv_form members_form = {NULL, members_put};

static const struct csv_form *form_of(const struct csv_presenter *self,
                                      const struct column *column)
{
	if (column->type == CELL_RECORD && self->member_count > 0)
		return &members_form;
	return column->type < ARRAY_SIZE(forms) && forms[column->type].put
	               ? &forms[column->type]
	               : &plain_form;
}

static bool column_is_shown(const struct column *column)
{
	return column->key && !(column->flags & COLUMN_TEXT_ONLY);
}

/* Names the table if necessary: "# sched.tasks". */
static void name_put(const struct csv_presenter *self, const char *key)
{
	const char *section = self->section ? self->section : "";

	if (self->views == 1 && self->is_list && !self->had_table)
		return;
	if (self->is_list || !key)
		(void)fprintf(self->out, "# %s\n", section);
	else
		(void)fprintf(self->out, "# %s%s%s\n", section, *section ? "." : "", key);
}

static void csv_table_begin(void *state, const char *key, const char *title,
                            const struct column *columns, size_t column_count, bool is_single)
{
	struct csv_presenter *self = state;

	(void)title;
	(void)is_single;
	self->column_count = 0;
	for (size_t i = 0; i < column_count; i++) {
		if (!column_is_shown(&columns[i]))
			continue;
		ARRAY_ADD(self->columns, self->column_count, self->column_capacity) =
			(struct csv_column){i, form_of(self, &columns[i])->put};
	}
	if (self->column_count == 0)
		return;
	if (self->had_table)
		line_end(self);
	name_put(self, key);
	self->had_table = true;
	for (size_t i = 0; i < self->column_count; i++) {
		const struct column *column = &columns[self->columns[i].index];
		const struct csv_form *form = form_of(self, column);

		if (form->endings)
			titles_put(self, column->key, form->endings);
		else if (form == &members_form)
			member_titles_put(self, column->key);
		else
			kind_titles_put(self, column->key);
	}
	line_end(self);
}

static void csv_row(void *state, const struct cell *cells)
{
	struct csv_presenter *self = state;

	if (self->column_count == 0)
		return;
	for (size_t i = 0; i < self->column_count; i++)
		self->columns[i].put(self, &cells[self->columns[i].index]);
	line_end(self);
}

static void csv_table_end(void *state)
{
	csv_members(state, NULL, 0);
}

static void csv_tree_begin(void *state, const struct tree *tree)
{
	csv_table_begin(state, tree->key, NULL, chain_columns, chain_column_count(tree),
	                /* is_single= */ false);
}

static void csv_chain(void *state, const struct tree_chain *chain)
{
	struct cell cells[CHAIN_COLUMNS];

	chain_cells(chain, cells);
	csv_row(state, cells);
}

static const struct column segment_columns[] = {
	{"cpu", NULL, CELL_TEXT, 0},         {"task", NULL, CELL_TASK, 0},
	{"begin_ns", NULL, CELL_INSTANT, 0}, {"end_ns", NULL, CELL_INSTANT, 0},
	{"state", NULL, CELL_TEXT, 0},       {"kind", NULL, CELL_TEXT, 0},
	{"for_work", NULL, CELL_BOOL, 0},    {"on_path", NULL, CELL_BOOL, 0},
	{"aim", NULL, CELL_BRIEF_AIM, 0},
};

static void csv_timeline_begin(void *state, nsec_t begin, nsec_t end)
{
	(void)begin;
	(void)end;
	csv_table_begin(state, "rows", NULL, segment_columns, ARRAY_SIZE(segment_columns),
	                /* is_single= */ false);
}

static void csv_timeline_row(void *state, const struct picture_row *row)
{
	struct csv_presenter *self = state;

	self->row = *row;
	if (row->task)
		self->task = *row->task;
}

static void csv_segment(void *state, const struct state_segment *segment)
{
	const struct csv_presenter *self = state;
	const struct task *task = self->row.task ? &self->task : segment->task;
	_cleanup_(buffer_release) struct buffer cpu = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct cell cell[] = {
		{.type = self->row.task ? CELL_EMPTY : CELL_TEXT},
		{.type = task ? CELL_TASK : CELL_EMPTY},
		{.type = CELL_INSTANT, .time = segment->begin},
		{.type = CELL_INSTANT, .time = segment->end},
		{.type = CELL_TEXT, .text = segment->state},
		{.type = segment->kind < 0 ? CELL_EMPTY : CELL_TEXT},
		{.type = CELL_BOOL, .boolean = segment->is_for_work},
		{.type = CELL_BOOL, .boolean = segment->is_on_path},
		{.type = CELL_BRIEF_AIM, .brief_aim = segment->aim},
	};

	/* the path's own row repeats segments of the other rows */
	if (self->row.is_path)
		return;
	cpu_append(&cpu, &self->row.cpu);
	cell[0].text = cpu.text;
	if (task)
		cell[1].task = *task;
	if (segment->kind >= 0)
		cell[5].text = cause_kind_name((enum cause_kind)segment->kind);
	csv_row(state, cell);
}

static void csv_end(void *state, const struct health *health)
{
	struct csv_presenter *self = state;

	(void)health;
	buffer_release(&self->line);
	buffer_release(&self->text);
	free(self->columns);
	free(self);
}

const struct presenter csv_presenter = {
	.name = "csv",
	.has_data = true,
	.begin = csv_begin,
	.section_begin = csv_section_begin,
	.members = csv_members,
	.table_begin = csv_table_begin,
	.row = csv_row,
	.table_end = csv_table_end,
	.tree = &(const struct tree_hooks){.begin = csv_tree_begin, .chain = csv_chain},
	.timeline = &(const struct timeline_hooks){
		.begin = csv_timeline_begin, .row = csv_timeline_row, .segment = csv_segment,
	},
	.end = csv_end,
};
