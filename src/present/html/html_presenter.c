/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One self-contained page: the output of the views as plain tables that can be read, searched and
 * printed, and the data of two pictures that its scripts draw (src/html/). The page of a comparison
 * has one picture, among its tables. The page loads nothing, and its policy allows no other
 * scripts, so names in the trace can only be text.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/shell_quote.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "ftwait/report.h"
#include "html_assets.h"
#include "html_flow.h"
#include "present/cell_text.h"
#include "present/health_lines.h"
#include "present/picture/svg_text.h"
#include "present/presenter.h"
#include "present/text/trace_line.h"

/*
 * The data of a page's icicles: the paths of each view that has them, as JSON in a block:
 *
 *	{"titles": ["Chains: ..."],
 *	 "paths": [[index of its title, total ns, count, longest ns, longest at or null,
 *	            [frame, root first ...]], ...],
 *	 "frames": [["text", "task|cause|kernel|user|mark|side"], ...]}
 *
 * Instants are ns since the trace's begin. Paths that begin with sides have a picture of their own
 * (src/html/sides.js), in the section of their view.
 *
 * The data of a page that compares two sets of runs, for src/html/changes.js: what both sides spent
 * along each path, as JSON in a block:
 *
 *	{"about": [compared task or null, old runs, new runs, whether anything can be
 *	           sure, verdict of the whole time],
 *	 "paths": [[old ns, old count, new ns, new count, verdict, [text, outermost first ...]],
 *	           ...],
 *	 "texts": ["text", ...]}
 *
 * ns and counts are sums over all runs of a side. A path's texts are indices in "texts". A verdict
 * is [p or null if it was not tested, whether it is sure, what changed in a word].
 */

#define HTML_ROWS   200 /* rows of a table, unless more are asked for */
#define INDENT_MAX  16  /* number of levels of a tree that are indented; deeper ones are not
                           indented further */
#define TREE_LEAST  500 /* a branch that is less than the whole divided by this has no row */

enum path_list {
	LIST_HEAD,   /* titles, or what is compared */
	LIST_PATHS,
	LIST_FRAMES, /* that paths refer to, each once */
	PATH_LISTS,
};

struct html_presenter {
	struct html_flow flow; /* the first member, as a pointer to it is the state of the flow's
	                          hooks */
	FILE *out;
	struct trace_summary trace;
	struct html_list paths[PATH_LISTS]; /* of an icicle, or of a comparison */
	struct intern texts; /* of frames */
	struct map frames;   /* of an icicle: text and kind -> number */
	size_t graphs;
	bool has_place; /* the last one has a picture of its own */
	struct buffer cell; /* its text */
	struct buffer row;  /* what is not yet in `out` */
	char section[64];   /* key; "": none */
	/* The open table or tree: */
	const struct column *columns;
	size_t column_count;
	bool is_shown; /* false: none of its columns is */
	size_t rows, rows_left; /* rows_left: further ones */
	nsec_t tree_total;
	bool tree_has_evidence;
	unsigned row_limit; /* 0: none */
	struct presenter_options options;
	bool has_fields; /* a list of fields is open */
};

static void policy_put(FILE *out)
{
	(void)fprintf(out,
	              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	              "style-src 'sha256-%s'; script-src 'sha256-%s'\">\n",
	              html_style_hash, html_script_hash);
}

static bool trace_is_comparison(const struct trace_summary *trace)
{
	return trace->old_count > 0;
}

static void paths_init(struct html_presenter *self)
{
	intern_init(&self->texts);
	map_init(&self->frames);
	html_list_init(&self->paths[LIST_HEAD],
	               trace_is_comparison(&self->trace) ? JSON_INLINE : JSON_LINES);
	html_list_init(&self->paths[LIST_PATHS], JSON_LINES);
	html_list_init(&self->paths[LIST_FRAMES], JSON_LINES);
}

static void paths_release(struct html_presenter *self)
{
	for (size_t i = 0; i < PATH_LISTS; i++)
		html_list_release(&self->paths[i]);
	intern_release(&self->texts);
	map_release(&self->frames);
}

/* Writes the block. */
static void paths_put(struct html_presenter *self)
{
	static const char *const icicle[PATH_LISTS] = {"titles", "paths", "frames"};
	static const char *const changes[PATH_LISTS] = {"about", "paths", "texts"};
	bool is_comparison = trace_is_comparison(&self->trace);
	struct html_block block;

	for (uint32_t i = 0; is_comparison && i < self->texts.count; i++)
		json_put_string(&self->paths[LIST_FRAMES].json, intern_text(&self->texts, i));
	html_block_init(&block);
	for (size_t i = 0; i < PATH_LISTS; i++) {
		html_block_byte(&block, i ? ',' : '{');
		html_list_put(&self->paths[i], (is_comparison ? changes : icicle)[i], &block);
	}
	html_block_byte(&block, '}');
	html_block_put(&block, is_comparison ? "changes" : "icicle", self->out);
	html_block_release(&block);
}

/* The number of a frame of an icicle; the first time it is written to the list. */
static uint32_t frame_number(struct html_presenter *self, const struct path_frame *frame)
{
	static const char *const kinds[] = {
		[SHOWN_TASK] = "task", [SHOWN_CAUSE] = "cause", [SHOWN_KERNEL] = "kernel",
		[SHOWN_USER] = "user", [SHOWN_MARK] = "mark", [SHOWN_SIDE] = "side",
	};
	struct json_writer *json = &self->paths[LIST_FRAMES].json;
	uint32_t text = intern_adds(&self->texts, frame->text);
	uint64_t key = (uint64_t)text << 8 | frame->kind;
	uint32_t number = map_get(&self->frames, key);

	if (number != MAP_NONE)
		return number;
	number = (uint32_t)self->frames.count;
	map_put(&self->frames, key, number);
	json_array_begin(json, JSON_INLINE);
	json_put_string(json, intern_text(&self->texts, text));
	json_put_string(json, kinds[frame->kind]);
	json_array_end(json);
	return number;
}

/* Writes the names of the files, or what is compared. */
static void heading_put(FILE *out, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (trace_is_comparison(trace))
		trace_line_append(&line, trace);
	else
		trace_files_append(&line, trace->files, trace->file_count);
	svg_text_put(out, line.text);
}

static void head_put(FILE *out, const struct trace_summary *trace)
{
	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	            "<meta charset=\"utf-8\">\n", out);
	policy_put(out);
	(void)fputs("<meta name=\"viewport\" content=\"width=device-width\">\n", out);
	(void)fprintf(out, "<meta name=\"generator\" content=\"ftwait %s\">\n<title>",
	              ftwait_version);
	heading_put(out, trace);
	(void)fprintf(out, " - ftwait</title>\n<style>%s</style>\n</head>\n", html_style);
}

/* Writes the lines about the trace, of the first one without its begin, the names of the files:
   these are the heading. */
static void trace_put(FILE *out, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct trace_summary unnamed = *trace;

	unnamed.file_count = 0;
	for (size_t i = 0; i < TRACE_LINES; i++) {
		buffer_clear(&line);
		trace_lines[i].append(&line, &unnamed);
		if (i > 0 && line.length == 0)
			continue;
		(void)fputs(i ? "</p>\n<p class=\"trace\">" : "\n<p class=\"trace\">", out);
		svg_text_put(out, line.text + (i ? 0 : strspn(line.text, ": ")));
	}
	(void)fputs("</p>", out);
}

static void header_put(FILE *out, const struct trace_summary *trace)
{
	(void)fputs("<body>\n<header>\n<h1>", out);
	heading_put(out, trace);
	(void)fputs("</h1>", out);
	if (!trace_is_comparison(trace))
		trace_put(out, trace);
	(void)fputs("\n</header>\n<noscript><p class=\"note\">The pictures need scripts; the "
	            "tables below do not.</p></noscript>\n", out);
}

/* Names the command that data-next completes. */
static void main_open(FILE *out, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer command = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (trace_is_comparison(trace)) {
		(void)fputs("<main>\n", out);
		return;
	}
	buffer_puts(&command, "ftwait report");
	for (size_t i = 0; i < trace->file_count; i++) {
		buffer_putc(&command, ' ');
		shell_quote_append(&command, trace->files[i]);
	}
	/* tasks are named by these */
	for (size_t i = 0; i < trace->machine_count; i++) {
		buffer_puts(&command, i ? "," : " --name ");
		shell_quote_append(&command, trace->machines[i].name);
	}
	(void)fputs("<main data-report=\"", out);
	svg_text_put(out, command.text);
	(void)fputs("\">\n", out);
}

/* A hidden section is shown by the scripts, if there is something in it. */
static void icicle_section_put(FILE *out)
{
	(void)fprintf(out, "<section id=\"icicle\" hidden>\n%s</section>\n", html_icicle_shell);
}

static void *html_begin(FILE *out, const struct presenter_options *options,
                        const struct trace_summary *trace)
{
	struct html_presenter *self = xcalloc(1, sizeof(*self));

	self->out = out;
	self->trace = *trace;
	/* a page has more room than a terminal */
	self->row_limit = options->top && options->top < HTML_ROWS ? HTML_ROWS : options->top;
	self->options = *options;
	html_flow_init(&self->flow);
	paths_init(self);
	buffer_init(&self->cell, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->row, SIZE_MAX / 2);
	head_put(out, trace);
	header_put(out, trace);
	main_open(out, trace);
	if (!trace_is_comparison(trace)) {
		(void)fprintf(out, "<section id=\"flow\">\n%s</section>\n", html_flow_shell);
		icicle_section_put(out);
	}
	return self;
}

static void fields_end(struct html_presenter *self)
{
	if (self->has_fields)
		(void)fputs("</dl>\n", self->out);
	self->has_fields = false;
}

/* Tables of a page. The page's scripts sort by attributes and follow them: data-value, a number;
   data-at, an instant in ns since the trace's begin; data-tid; data-next, the options of report
   that show what is behind a row or a sentence. */

static void number_attribute(struct buffer *to, const char *name, uint64_t number)
{
	buffer_putc(to, ' ');
	buffer_puts(to, name);
	buffer_puts(to, "=\"");
	buffer_put_u64(to, number);
	buffer_putc(to, '"');
}

static void next_attribute(struct html_presenter *self, const char *next)
{
	if (!next || !*next)
		return;
	buffer_puts(&self->row, " data-next=\"");
	svg_text_append(&self->row, next);
	buffer_putc(&self->row, '"');
}

static void instant_put(struct html_presenter *self, nsec_t at)
{
	if (at == NSEC_NEVER)
		return;
	at = at > self->trace.instants.begin ? at - self->trace.instants.begin : 0;
	number_attribute(&self->row, "data-at", at);
	number_attribute(&self->row, "data-value", at);
}

static void value_put(struct html_presenter *self, const struct cell *cell)
{
	struct buffer *to = &self->row;

	if (cell->type == CELL_DURATION && cell->time != NSEC_NEVER)
		number_attribute(to, "data-value", cell->time);
	else if (cell->type == CELL_COUNT)
		number_attribute(to, "data-value", cell->count);
	else if (cell->type == CELL_INTEGER || cell->type == CELL_PRIORITY)
		buffer_printf(to, " data-value=\"%" PRId64 "\"", cell->integer);
	else if (cell->type == CELL_RATIO || cell->type == CELL_RATE)
		buffer_printf(to, " data-value=\"%.6f\"", cell->ratio);
	else if (cell->type == CELL_DISTRIBUTION)
		number_attribute(to, "data-value", cell->distribution->max);
	else if (cell->type == CELL_INSTANT)
		instant_put(self, cell->time);
	else if (cell->type == CELL_TASK)
		buffer_printf(to, " data-tid=\"%d\"", cell->task.tid);
	if (cell->type == CELL_TASK && cell->task.host)
		number_attribute(to, "data-machine", cell->task.machine);
}

/* An empty cell is aligned like its column. */
static void cell_append(struct html_presenter *self, const char *element, enum cell_type type,
                        const struct cell *cell)
{
	struct buffer *to = &self->row;

	buffer_putc(to, '<');
	buffer_puts(to, element);
	if (cell_type_is_figure(type))
		buffer_puts(to, " class=\"figure\"");
	else if (type == CELL_SERIES)
		buffer_puts(to, " class=\"strip\"");
	value_put(self, cell);
	buffer_putc(to, '>');
	buffer_clear(&self->cell);
	if (cell->type == CELL_SERIES)
		series_strip_append(&self->cell, &cell->series, STRIP_COLUMNS, /* utf8= */ true);
	else
		cell_text_append(&self->cell, cell, &self->trace.instants);
	svg_text_append(to, self->cell.text);
	buffer_puts(to, "</");
	buffer_puts(to, element);
	buffer_putc(to, '>');
}

static void row_flush(struct html_presenter *self)
{
	(void)fwrite(self->row.text, 1, self->row.length, self->out);
	buffer_clear(&self->row);
}

static void html_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct html_presenter *self = state;

	(void)is_list;
	(void)fputs("<section class=\"view\"", self->out);
	if (key)
		(void)fprintf(self->out, " id=\"%s\"", key);
	(void)fputs("><h2>", self->out);
	svg_text_put(self->out, title);
	(void)fputs("</h2>\n", self->out);
	(void)snprintf(self->section, sizeof(self->section), "%s", key ? key : "");
}

static void line_put(struct html_presenter *self, const char *attributes, const char *text)
{
	fields_end(self);
	(void)fprintf(self->out, "<p%s>", attributes);
	svg_text_put(self->out, text + strspn(text, " "));
	(void)fputs("</p>\n", self->out);
}

static void sentence_put(struct html_presenter *self, const struct cell *cell)
{
	_cleanup_(buffer_release) struct buffer next = {0};

	if (cell->fact && cell->fact->next && *cell->fact->next) {
		next_append(&next, cell->fact->next, &self->options);
		next_attribute(self, next.text);
	}
	line_put(self, self->row.text, cell->text);
	buffer_clear(&self->row);
}

static void html_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct html_presenter *self = state;

	if (!key && !title && cell->type == CELL_TEXT) {
		sentence_put(self, cell);
		return;
	}
	if (!title)
		return;
	if (!self->has_fields)
		(void)fputs("<dl>\n", self->out);
	self->has_fields = true;
	(void)fputs("<dt>", self->out);
	svg_text_put(self->out, title);
	(void)fputs("</dt>", self->out);
	cell_append(self, "dd", cell->type, cell);
	row_flush(self);
	(void)fputc('\n', self->out);
}

static void html_lack(void *state, const char *text)
{
	line_put(state, " class=\"note\"", text);
}

/* The title, with its units and marks, is for people; the key is for scripts and tests. */
static void column_head_put(const struct html_presenter *self, const struct column *column)
{
	(void)fputs("<th scope=\"col\"", self->out);
	if (column->key)
		(void)fprintf(self->out, " data-key=\"%s\"", column->key);
	if (cell_type_is_figure(column->type))
		(void)fputs(" class=\"figure\"", self->out);
	(void)fputc('>', self->out);
	svg_text_put(self->out, column->title);
	(void)fputs("</th>", self->out);
}

/* What text shows below a row stands in its last cell, but for a boolean. */
static bool column_is_shown(const struct column *column)
{
	return column->title && !(column->flags & COLUMN_DATA_ONLY) &&
	       !(column->flags & COLUMN_BELOW && column->type == CELL_BOOL);
}

/* A table in a cell: a line for each of its rows. */
static void lines_append(struct html_presenter *self, const struct cell_rows *rows)
{
	buffer_puts(&self->row, "<td class=\"lines\">");
	for (size_t row = 0; row < rows->count; row++) {
		const char *between = row ? "<br>" : "";

		for (size_t i = 0; i < rows->column_count; i++) {
			if (!column_is_shown(&rows->columns[i]))
				continue;
			buffer_puts(&self->row, between);
			between = " &#160;";
			buffer_clear(&self->cell);
			cell_text_append(&self->cell, &rows->cells[row * rows->column_count + i],
			                 &self->trace.instants);
			svg_text_append(&self->row, self->cell.text);
		}
	}
	buffer_puts(&self->row, "</td>");
}

static bool any_column_is_shown(const struct html_presenter *self)
{
	for (size_t i = 0; i < self->column_count; i++)
		if (column_is_shown(&self->columns[i]))
			return true;
	return false;
}

static void table_open(struct html_presenter *self, const char *key, const char *title,
                       const char *class)
{
	self->rows = 0;
	self->rows_left = 0;
	(void)fprintf(self->out, "<div class=\"table\"><table%s", class);
	if (key)
		(void)fprintf(self->out, " data-key=\"%s\"", key);
	if (key && *self->section)
		(void)fprintf(self->out, " id=\"%s-%s\"", self->section, key);
	(void)fputc('>', self->out);
	if (title) {
		(void)fputs("<caption>", self->out);
		svg_text_put(self->out, title);
		(void)fputs("</caption>", self->out);
	}
	(void)fputs("\n<thead><tr>", self->out);
}

static void html_table_begin(void *state, const char *key, const char *title,
                             const struct column *columns, size_t column_count, bool is_single)
{
	struct html_presenter *self = state;

	(void)is_single;
	fields_end(self);
	self->columns = columns;
	self->column_count = column_count;
	self->is_shown = any_column_is_shown(self);
	if (!self->is_shown)
		return;
	table_open(self, key, title, "");
	for (size_t i = 0; i < column_count; i++)
		if (column_is_shown(&columns[i]))
			column_head_put(self, &columns[i]);
	(void)fputs("</tr></thead>\n<tbody>\n", self->out);
}

/* Whether a column says so of the row. */
static bool row_is_marked(const struct html_presenter *self, const struct cell *cells)
{
	for (size_t i = 0; i < self->column_count; i++)
		if (self->columns[i].flags & COLUMN_MARK && cells[i].type == CELL_BOOL &&
		    cells[i].boolean)
			return true;
	return false;
}

/* What its column of links has. */
static const char *row_next(const struct html_presenter *self, const struct cell *cells)
{
	for (size_t i = 0; i < self->column_count; i++)
		if (self->columns[i].flags & COLUMN_LINK && cells[i].type == CELL_TEXT)
			return cells[i].text;
	return NULL;
}

static void html_row(void *state, const struct cell *cells)
{
	struct html_presenter *self = state;

	if (!self->is_shown)
		return;
	if (self->row_limit && self->rows == self->row_limit) {
		self->rows_left++;
		return;
	}
	self->rows++;
	buffer_puts(&self->row, row_is_marked(self, cells) ? "<tr class=\"marked\"" : "<tr");
	next_attribute(self, row_next(self, cells));
	buffer_putc(&self->row, '>');
	for (size_t i = 0; i < self->column_count; i++)
		if (!column_is_shown(&self->columns[i]))
			continue;
		else if (self->columns[i].flags & COLUMN_BELOW && cells[i].type == CELL_ROWS)
			lines_append(self, &cells[i].rows);
		else
			cell_append(self, "td", self->columns[i].type, &cells[i]);
	buffer_puts(&self->row, "</tr>\n");
	row_flush(self);
}

static void html_table_end(void *state)
{
	const struct html_presenter *self = state;

	if (!self->is_shown)
		return;
	(void)fputs("</tbody></table></div>\n", self->out);
	if (self->rows_left)
		(void)fprintf(self->out, "<p class=\"left\">%zu row%s more</p>\n",
		              self->rows_left, format_plural(self->rows_left));
}

static const struct column tree_columns[TREE_FIGURES] = {
	{"total_ns", "TOTAL", CELL_DURATION, 0},
	{"share", "SHARE", CELL_RATIO, 0},
	{"count", "COUNT", CELL_COUNT, 0},
	{"max_ns", "MAX", CELL_DURATION, 0},
	{"max_at_ns", "AT", CELL_INSTANT, 0},
};

static void html_tree_begin(void *state, const struct tree *tree)
{
	struct html_presenter *self = state;

	fields_end(self);
	self->is_shown = true;
	self->tree_total = tree->total;
	self->tree_has_evidence = tree->has_evidence;
	table_open(self, tree->key, NULL, " class=\"tree\"");
	(void)fputs("<th scope=\"col\">", self->out);
	svg_text_put(self->out, tree->title);
	(void)fputs("</th>", self->out);
	for (size_t i = 0; i < TREE_FIGURES; i++)
		column_head_put(self, &tree_columns[i]);
	if (tree->has_evidence)
		(void)fputs("<th scope=\"col\">EVIDENCE</th>", self->out);
	(void)fputs("</tr></thead>\n<tbody>\n", self->out);
}

static bool html_tree_node(void *state, unsigned depth, const struct tree_node *node)
{
	struct html_presenter *self = state;
	const struct figures *figures = &node->figures;
	nsec_t whole = self->tree_total;
	struct cell cells[TREE_FIGURES];

	if (figures->total < whole / TREE_LEAST ||
	    (self->row_limit && self->rows == self->row_limit)) {
		self->rows_left++;
		return false;
	}
	self->rows++;
	buffer_puts(&self->row, "<tr");
	next_attribute(self, node->next);
	buffer_puts(&self->row, "><td class=\"depth-");
	buffer_put_u64(&self->row, depth < INDENT_MAX ? depth : INDENT_MAX);
	buffer_puts(&self->row, "\">");
	svg_text_append(&self->row, node->label);
	buffer_puts(&self->row, "</td>");
	tree_cells(figures, node->is_exact, whole, cells);
	for (size_t i = 0; i < TREE_FIGURES; i++)
		cell_append(self, "td", tree_columns[i].type, &cells[i]);
	if (self->tree_has_evidence)
		lines_append(self, &node->evidence.rows);
	buffer_puts(&self->row, "</tr>\n");
	row_flush(self);
	return true;
}

static unsigned html_row_limit(const void *state)
{
	const struct html_presenter *self = state;

	return self->row_limit;
}

static void html_rows_left(void *state, size_t count)
{
	struct html_presenter *self = state;

	self->rows_left += count;
}

static void html_paths_begin(void *state, const char *title)
{
	struct html_presenter *self = state;

	json_put_string(&self->paths[LIST_HEAD].json, title);
	self->graphs++;
	self->has_place = false;
}

static void sides_put(struct html_presenter *self)
{
	fields_end(self);
	(void)fprintf(self->out,
	              "<section class=\"sides\" data-graph=\"%zu\" hidden>\n%s</section>\n",
	              self->graphs - 1, html_icicle_shell);
	self->has_place = true;
}

static void html_path(void *state, const struct path *path)
{
	struct html_presenter *self = state;
	struct json_writer *json = &self->paths[LIST_PATHS].json;
	nsec_t at = path->figures.longest_at;

	if (path->figures.total == 0)
		return;
	if (path->frame[0].kind == SHOWN_SIDE && !self->has_place)
		sides_put(self);
	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, self->graphs - 1);
	json_put_u64(json, path->figures.total);
	json_put_u64(json, path->figures.count);
	json_put_u64(json, path->figures.longest);
	json_put_known(json, at != NSEC_NEVER && at >= self->trace.begin, at - self->trace.begin);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, frame_number(self, &path->frame[i]));
	json_array_end(json);
	json_array_end(json);
}

static void verdict_write(struct json_writer *json, const struct significance *verdict)
{
	json_array_begin(json, JSON_INLINE);
	if (verdict->is_tested)
		json_put_real(json, verdict->p);
	else
		json_put_null(json);
	json_put_bool(json, verdict->is_sure);
	json_put_string(json, verdict->change);
	json_array_end(json);
}

/* The picture is a section of its own, between the sentences and the table. */
static void html_comparison_begin(void *state, const struct compared_sides *comparison)
{
	struct html_presenter *self = state;
	struct json_writer *json = &self->paths[LIST_HEAD].json;

	json_put_string(json, comparison->root);
	json_put_u64(json, comparison->old_runs);
	json_put_u64(json, comparison->new_runs);
	json_put_bool(json, comparison->can_be_sure);
	verdict_write(json, &comparison->whole);
	fields_end(self);
	(void)fputs("</section>\n", self->out);
	icicle_section_put(self->out);
	(void)fputs("<section class=\"view\" id=\"changes\"><h2>Changes</h2>\n", self->out);
}

static void html_compared_path(void *state, const struct compared_path *path)
{
	struct html_presenter *self = state;
	struct json_writer *json = &self->paths[LIST_PATHS].json;

	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, path->old.total);
	json_put_u64(json, path->old.count);
	json_put_u64(json, path->new.total);
	json_put_u64(json, path->new.count);
	verdict_write(json, &path->verdict);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, intern_adds(&self->texts, path->frame[i].text));
	json_array_end(json);
	json_array_end(json);
}

static void html_section_end(void *state)
{
	struct html_presenter *self = state;

	fields_end(self);
	(void)fputs("</section>\n", self->out);
}

static void health_put(struct html_presenter *self, const struct health *health)
{
	_cleanup_(health_lines_release) struct health_lines lines = {0};
	_cleanup_(buffer_release) struct buffer verdict = buffer_of(BUFFER_LIMIT_DEFAULT);

	health_verdict_append(&verdict, health);
	health_lines_make(health, &self->trace.instants, self->options.is_verbose, &lines);
	html_section_begin(self, "health", "Health", /* is_list= */ false);
	line_put(self, health_is_impaired(health) ? " class=\"warning\"" : "", verdict.text);
	for (size_t i = 0; i < lines.count; i++)
		line_put(self, "", lines.line[i]);
	html_section_end(self);
}

static void html_end(void *state, const struct health *health)
{
	struct html_presenter *self = state;

	health_put(self, health);
	(void)fputs("</main>\n", self->out);
	if (!trace_is_comparison(&self->trace))
		html_flow_put(&self->flow, &self->trace, health, self->out);
	paths_put(self);
	(void)fprintf(self->out, "<script>%s</script>\n</body>\n</html>\n", html_script);
	buffer_release(&self->cell);
	buffer_release(&self->row);
	paths_release(self);
	html_flow_release(&self->flow);
	free(self);
}

static const char *const views[] = {
	"summary", "chains", "critical-path", "disk", "lock", NULL,
};

const struct presenter html_presenter = {
	.name = "html",
	.has_health = true,
	.has_instants = true,
	.has_stacks = true,
	.has_links = true,
	.is_document = true,
	.views = views,
	.flow = &html_flow_hooks,
	.folds_names = true,
	.begin = html_begin,
	.section_begin = html_section_begin,
	.field = html_field,
	.lack = html_lack,
	.table_begin = html_table_begin,
	.row = html_row,
	.table_end = html_table_end,
	.row_limit = html_row_limit,
	.rows_left = html_rows_left,
	.tree = &(const struct tree_hooks){
		.begin = html_tree_begin, .node = html_tree_node, .end = html_table_end,
	},
	.paths = &(const struct paths_hooks){.begin = html_paths_begin, .path = html_path},
	.comparison = &(const struct comparison_hooks){
		.begin = html_comparison_begin, .path = html_compared_path,
	},
	.section_end = html_section_end,
	.end = html_end,
};
