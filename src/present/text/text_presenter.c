/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "present/presenter.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "present/cell_text.h"
#include "text_page.h"
#include "text_timeline.h"
#include "text_tree.h"
#include "trace_line.h"

#define INDENT_PER_DEPTH 2
#define INDENT_DEPTH_MAX 40
#define INDENT_SHARE     8  /* an indent takes at most the width divided by this */
#define STAND_IN_BYTES   32 /* of its title */
/* The rank of distributions that have a stand-in: if they are left out, only their maximum is
   shown, which saves much room for little loss. */
#define DISTRIBUTION_RANK (TEXT_RANK_SPARE + 4)

/* Columns for the cells beside a strip; the strip gets the rest. */
#define STRIP_BESIDE 58
#define STRIP_LEAST  10

struct text_presenter {
	struct text_page page;
	struct instant_form instants;
	nsec_t trigger; /* when it fired; NSEC_NEVER: none did */
	struct text_table table; /* the open table: rows, or fields with their titles and values */
	bool is_in_fields;
	bool is_lacking;          /* the section has reported that it has nothing to show */
	const char *caption;      /* caption of the table, until it is printed; NULL: none */
	struct text_tree *tree; /* NULL: no tree is open */
	struct text_timeline *timeline; /* the same */
	const struct column *columns;
	size_t column_count;
	size_t last_shown;  /* index of the rightmost column that is shown */
	size_t depth_column; /* SIZE_MAX: none */
	uint64_t rows;
	struct buffer cell;
	char stand_in_title[TEXT_TABLE_COLUMNS][STAND_IN_BYTES];
};

static void trace_lines_put(const struct text_page *page, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < TRACE_LINES; i++) {
		buffer_clear(&line);
		trace_lines[i].append(&line, trace);
		if (i == 0 || line.length > 0)
			text_page_line(page, trace_lines[i].is_faint   ? page->style.faint
			                     : trace_lines[i].is_title ? page->style.title
			                                               : "", line.text);
	}
}

static void *text_begin(FILE *out, const struct presenter_options *options,
                        const struct trace_summary *trace)
{
	struct text_presenter *self = xcalloc(1, sizeof(*self));

	text_page_init(&self->page, out, options);
	self->instants = trace->instants;
	self->trigger = trace->trigger ? trace->trigger->at : NSEC_NEVER;
	buffer_init(&self->cell, BUFFER_LIMIT_DEFAULT);
	trace_lines_put(&self->page, trace);
	return self;
}

static void fields_end(struct text_presenter *self)
{
	if (self->is_in_fields)
		(void)text_page_table_end(&self->page, &self->table);
	self->is_in_fields = false;
}

static void text_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct text_presenter *self = state;

	(void)key;
	(void)is_list;
	self->is_lacking = false;
	(void)fputc('\n', self->page.out);
	if (title)
		text_page_line(&self->page, self->page.style.title, title);
}

static const char *cell_text(struct text_presenter *self, const struct cell *cell)
{
	buffer_clear(&self->cell);
	cell_text_append(&self->cell, cell, &self->instants);
	return self->cell.text;
}

/* The evidence of a sentence that is an answer, or names what it rests on, in lines below it. */
static void fact_below(struct text_presenter *self, const struct fact *fact)
{
	const struct presenter_options *options = &self->page.options;
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct evidence_found found;

	if (!options->prove || !fact ||
	    (fact->rank != FACT_ANSWER && fact->proof.begin == fact->proof.end))
		return;
	found = options->prove(options->prover, fact);
	for (size_t row = 0; row < found.rows.count; row++) {
		buffer_clear(&line);
		buffer_put_blanks(&line, TEXT_BELOW_INDENT);
		cell_rows_line_append(&line, &found.rows, row, &self->instants);
		text_page_line(&self->page, "", line.text);
	}
}

static void text_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct text_presenter *self = state;

	if (!title) {
		if (key)
			return;
		fields_end(self);
		if (cell->type == CELL_TEXT && cell->fact && cell->fact->next)
			text_page_link(&self->page, cell->fact->next);
		text_page_line(&self->page, "", cell_text(self, cell));
		fact_below(self, cell->type == CELL_TEXT ? cell->fact : NULL);
		return;
	}
	if (!self->is_in_fields) {
		text_page_table_begin(&self->page, &self->table, /* has_header= */ false);
		self->table.folds_last = true;
		(void)text_table_column(&self->table, "", TEXT_FIXED);
		(void)text_table_column(&self->table, "", TEXT_FIXED);
		self->is_in_fields = true;
	}
	text_table_cell(&self->table, title);
	text_table_cell(&self->table, cell_text(self, cell));
	text_table_row_end(&self->table);
}

static void text_lack(void *state, const char *text)
{
	struct text_presenter *self = state;

	self->is_lacking = true;
	text_page_line(&self->page, "", text);
}

static bool column_is_shown(const struct column *column)
{
	return column->title && !(column->flags & (COLUMN_DATA_ONLY | COLUMN_BELOW));
}

/* How texts of a column are shortened. The last column is the most important. */
static enum text_form column_form(const struct column *column, bool is_last)
{
	if (cell_type_is_figure(column->type))
		return TEXT_FIGURE;
	if (column->flags & COLUMN_BAR)
		return TEXT_BAR;
	if (column->type == CELL_TASK || (column->flags & COLUMN_TAILED))
		return TEXT_NAME;
	if (column->type == CELL_BOOL || column->type == CELL_CONFIDENCE ||
	    column->type == CELL_DISTRIBUTION || (column->flags & COLUMN_NUMBER))
		return TEXT_FIXED;
	if (column->type == CELL_CAUSE || (column->flags & COLUMN_POINT) || is_last)
		return TEXT_CAUSE;
	return TEXT_WORDS;
}

/* Begins the column that takes the place of a distribution for which there is no room: its
   maximum. */
static void stand_in_begin(struct text_presenter *self, struct text_column *distribution)
{
	size_t at = self->table.column_count - 1;
	const char *percentiles = strstr(distribution->title, "P50 / P99 / MAX");
	char *title = self->stand_in_title[at];
	unsigned rank = distribution->rank;
	struct text_column *stand_in;

	(void)snprintf(title, STAND_IN_BYTES, "%.*sMAX",
	               percentiles ? (int)(percentiles - distribution->title) : 0,
	               distribution->title);
	distribution->rank = DISTRIBUTION_RANK;
	stand_in = text_table_column(&self->table, title, TEXT_FIGURE);
	stand_in->rank = rank;
	stand_in->is_stand_in = true;
}

/* Only distributions have stand-ins. Without a limit on the width no column is left out, so none
   needs a stand-in. */
static bool column_has_stand_in(const struct text_presenter *self, const struct column *column)
{
	return column->type == CELL_DISTRIBUTION && self->page.options.width > 0;
}

static void columns_begin(struct text_presenter *self)
{
	text_page_table_begin(&self->page, &self->table, /* has_header= */ true);
	self->depth_column = SIZE_MAX;
	self->last_shown = 0;
	for (size_t i = 0; i < self->column_count; i++) {
		if (self->columns[i].flags & COLUMN_DEPTH)
			self->depth_column = i;
		if (column_is_shown(&self->columns[i]))
			self->last_shown = i;
	}
	for (size_t i = 0; i < self->column_count; i++) {
		const struct column *column = &self->columns[i];
		struct text_column *begun;

		if (!column_is_shown(column))
			continue;
		begun = text_table_column(&self->table, column->title,
		                          column_form(column, i == self->last_shown));
		begun->rank = COLUMN_RANK(column->flags);
		if (column_has_stand_in(self, column))
			stand_in_begin(self, begun);
	}
}

static void text_rows_begin(void *state, const char *key, const char *title,
                            const struct column *columns, size_t column_count, bool is_single)
{
	struct text_presenter *self = state;

	(void)key;
	(void)is_single;
	fields_end(self);
	self->columns = columns;
	self->column_count = column_count;
	self->rows = 0;
	columns_begin(self);
	self->caption = self->table.column_count ? title : NULL;
}

static void caption_put(struct text_presenter *self)
{
	if (self->caption)
		text_page_line(&self->page, "", self->caption);
	self->caption = NULL;
}

/* The number of blanks before the last cell of a row. */
static unsigned row_indent(const struct text_presenter *self, const struct cell *cells)
{
	unsigned width = self->page.options.width, most = INDENT_DEPTH_MAX * INDENT_PER_DEPTH;
	uint64_t depth;

	if (self->depth_column == SIZE_MAX || cells[self->depth_column].type != CELL_COUNT)
		return 0;
	if (width && width / INDENT_SHARE < most)
		most = width / INDENT_SHARE;
	depth = cells[self->depth_column].count;
	return depth < most / INDENT_PER_DEPTH ? (unsigned)depth * INDENT_PER_DEPTH : most;
}

static size_t strip_columns(unsigned width)
{
	size_t left = width > STRIP_BESIDE ? width - STRIP_BESIDE : 0;

	if (width == 0 || left > STRIP_COLUMNS)
		return STRIP_COLUMNS;
	return left < STRIP_LEAST ? STRIP_LEAST : left;
}

static void column_text_append(struct text_presenter *self, const struct column *column,
                               const struct cell *cell)
{
	size_t strip = strip_columns(self->page.options.width);

	if ((column->flags & COLUMN_NUMBER) && cell->type == CELL_COUNT)
		cell_plain_append(&self->cell, cell);
	else if (cell->type == CELL_SERIES)
		series_strip_append(&self->cell, &cell->series, strip, self->page.options.utf8);
	else
		cell_text_append(&self->cell, cell, &self->instants);
}

static void table_cell(struct text_presenter *self, const struct column *column,
                       const struct cell *cell, const char *text)
{
	/* a number that is a name may be zero */
	text_table_cell_of(&self->table, text,
	                   cell_is_blank(cell) && !(column->flags & COLUMN_NUMBER));
}

static void stand_in_cell(struct text_presenter *self, const struct column *column,
                          const struct cell *cell)
{
	struct cell longest = *cell;

	if (cell->type == CELL_DISTRIBUTION) {
		longest.type = CELL_DURATION;
		longest.time = cell->distribution->max;
	}
	table_cell(self, column, cell, cell_text(self, &longest));
}

/* What is shown below the row that is complete. */
static void column_below(struct text_presenter *self, const struct column *column,
                         const struct cell *cell)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (cell->type == CELL_ROWS)
		text_page_rows_below(&self->table, &cell->rows, &self->instants);
	if (cell->type != CELL_BOOL || !cell->boolean)
		return;
	buffer_put_blanks(&line, TEXT_BELOW_INDENT);
	buffer_puts(&line, column->title);
	text_table_below(&self->table, line.text);
}

static void table_row(struct text_presenter *self, const struct cell *cells)
{
	caption_put(self);
	for (size_t i = 0; i < self->column_count; i++) {
		if (!column_is_shown(&self->columns[i]))
			continue;
		buffer_clear(&self->cell);
		if (i == self->last_shown)
			buffer_put_blanks(&self->cell, row_indent(self, cells));
		column_text_append(self, &self->columns[i], &cells[i]);
		table_cell(self, &self->columns[i], &cells[i], self->cell.text);
		if (column_has_stand_in(self, &self->columns[i]))
			stand_in_cell(self, &self->columns[i], &cells[i]);
	}
	for (size_t i = 0; i < self->column_count; i++)
		if (self->columns[i].flags & COLUMN_BELOW)
			column_below(self, &self->columns[i], &cells[i]);
	for (size_t i = 0; self->page.options.has_links && i < self->column_count; i++)
		if ((self->columns[i].flags & COLUMN_LINK) && cells[i].type == CELL_TEXT)
			text_table_link(&self->table, cells[i].text);
	text_table_row_end(&self->table);
}

static void text_row(void *state, const struct cell *cells)
{
	struct text_presenter *self = state;

	self->rows++;
	if (self->table.column_count > 0 &&
	    (self->page.options.top == 0 || self->rows <= self->page.options.top))
		table_row(self, cells);
}

static void more_put(const struct text_presenter *self, uint64_t count)
{
	_cleanup_(freep) char *line = xasprintf("... %s more (--top 0 shows all)",
	                                        COUNT_TEXT(count));

	text_page_line(&self->page, "", line);
}

static void text_rows_end(void *state)
{
	struct text_presenter *self = state;
	bool is_shown = self->table.column_count > 0;
	unsigned top = self->page.options.top;

	if (!text_page_table_end(&self->page, &self->table) && is_shown && !self->is_lacking) {
		caption_put(self);
		text_page_line(&self->page, "", "(none)");
	}
	if (is_shown && top && self->rows > top)
		more_put(self, self->rows - top);
}

static unsigned text_row_limit(const void *state)
{
	const struct text_presenter *self = state;

	return self->page.options.top;
}

static void text_rows_left(void *state, size_t count)
{
	struct text_presenter *self = state;

	self->rows += count;
}

static void text_picture_begin(void *state, nsec_t begin, nsec_t end)
{
	struct text_presenter *self = state;

	fields_end(self);
	self->rows = 0;
	self->timeline = text_timeline_begin(&self->page, begin, end);
}

static void text_picture_row(void *state, const struct picture_row *row)
{
	struct text_presenter *self = state;

	text_timeline_row(self->timeline, row);
}

static void text_picture_segment(void *state, const struct state_segment *segment)
{
	struct text_presenter *self = state;

	text_timeline_segment(self->timeline, segment);
}

static void text_picture_end(void *state)
{
	struct text_presenter *self = state;

	text_timeline_trigger(self->timeline, self->trigger);
	text_timeline_end(TAKE_PTR(self->timeline), &self->instants);
	if (self->rows)
		more_put(self, self->rows);
}

static void text_tree_begins(void *state, const struct tree *tree)
{
	struct text_presenter *self = state;

	fields_end(self);
	self->tree = text_tree_begin(&self->page, tree, &self->instants);
}

static bool text_tree_node_put(void *state, unsigned depth, const struct tree_node *node)
{
	struct text_presenter *self = state;

	return text_tree_node(self->tree, depth, node);
}

static void text_tree_ends(void *state)
{
	struct text_presenter *self = state;

	text_tree_end(self->tree);
	self->tree = NULL;
}

static void text_section_end(void *state)
{
	fields_end(state);
}

/* As one line, however long: it is there to be copied. */
static void browse_line(const struct text_page *page)
{
	(void)fprintf(page->out, "%sbrowse: %s%s\n", page->style.faint, page->options.browse,
	              page->style.plain);
}

static void text_end(void *state, const struct health *health)
{
	struct text_presenter *self = state;

	text_page_print_left_out(&self->page);
	(void)fputc('\n', self->page.out);
	text_page_health(&self->page, health, &self->instants);
	if (self->page.options.browse && *self->page.options.browse)
		browse_line(&self->page);
	text_page_release(&self->page);
	buffer_release(&self->cell);
	free(self);
}

const struct presenter text_presenter = {
	.name = "text",
	.has_health = true,
	.has_instants = true,
	.folds_names = true,
	.begin = text_begin,
	.section_begin = text_section_begin,
	.field = text_field,
	.lack = text_lack,
	.table_begin = text_rows_begin,
	.row = text_row,
	.table_end = text_rows_end,
	.row_limit = text_row_limit,
	.rows_left = text_rows_left,
	.tree = &(const struct tree_hooks){
		.begin = text_tree_begins, .node = text_tree_node_put, .end = text_tree_ends,
	},
	.timeline = &(const struct timeline_hooks){
		.begin = text_picture_begin, .row = text_picture_row,
		.segment = text_picture_segment, .end = text_picture_end,
	},
	.section_end = text_section_end,
	.end = text_end,
};
