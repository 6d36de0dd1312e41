/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One self-contained page: the output of the views as plain tables that can be read, searched and
 * printed, and the data of two pictures that its scripts draw (src/html/). The page of a comparison
 * has one picture, among its tables. The page loads nothing, and its policy allows no other
 * scripts, so names in the trace can only be text.
 */
#include "presenter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "health_lines.h"
#include "present/html/html_assets.h"
#include "html_changes.h"
#include "present/html/html_flow.h"
#include "html_icicle.h"
#include "present/html/html_table.h"
#include "present/text/trace_line.h"

struct html_presenter {
	struct html_flow flow; /* the first member, as a pointer to it is the state of the flow's
	                          hooks */
	FILE *out;
	struct trace_summary trace;
	struct html_icicle icicle;
	struct html_changes changes;
	struct html_table table;
	unsigned row_limit;
	bool is_verbose;
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

/* Writes the names of the files, or what is compared. */
static void heading_put(FILE *out, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (trace_is_comparison(trace))
		trace_line_append(&line, trace);
	else
		trace_files_append(&line, trace->files, trace->file_count);
	html_text_put(out, line.text);
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

/* Writes the line about the trace without its begin, the names of the files: these are the
   heading. */
static void trace_put(FILE *out, const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	struct trace_summary unnamed = *trace;

	unnamed.file_count = 0;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	trace_line_append(&line, &unnamed);
	(void)fputs("\n<p class=\"trace\">", out);
	html_text_put(out, line.text + strspn(line.text, ": "));
	buffer_clear(&line);
	machines_line_append(&line, trace);
	if (line.length > 0)
		(void)fputs("</p>\n<p class=\"trace\">", out);
	html_text_put(out, line.text);
	buffer_clear(&line);
	origin_line_append(&line, trace);
	if (line.length > 0)
		(void)fputs("</p>\n<p class=\"trace\">", out);
	html_text_put(out, line.text);
	buffer_clear(&line);
	damage_line_append(&line, trace);
	if (line.length > 0)
		(void)fputs("</p>\n<p class=\"trace\">", out);
	html_text_put(out, line.text);
	buffer_clear(&line);
	trigger_line_append(&line, trace);
	if (line.length > 0)
		(void)fputs("</p>\n<p class=\"trace\">", out);
	html_text_put(out, line.text);
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
	            "tables below do not.</p></noscript>\n<main>\n", out);
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
	self->is_verbose = options->is_verbose;
	html_flow_init(&self->flow);
	html_icicle_init(&self->icicle, trace->begin);
	html_changes_init(&self->changes);
	html_table_init(&self->table, out, &trace->instants, self->row_limit);
	head_put(out, trace);
	header_put(out, trace);
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

static void html_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct html_presenter *self = state;

	(void)is_list;
	(void)fputs("<section class=\"view\"", self->out);
	if (key)
		(void)fprintf(self->out, " id=\"%s\"", key);
	(void)fputs("><h2>", self->out);
	html_text_put(self->out, title);
	(void)fputs("</h2>\n", self->out);
	html_table_section(&self->table, key);
}

static void line_put(struct html_presenter *self, const char *class, const char *text)
{
	fields_end(self);
	(void)fprintf(self->out, "<p%s>", class);
	html_text_put(self->out, text + strspn(text, " "));
	(void)fputs("</p>\n", self->out);
}

static void html_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct html_presenter *self = state;

	if (!key && !title && cell->type == CELL_TEXT) {
		line_put(self, "", cell->text);
		return;
	}
	if (!title)
		return;
	if (!self->has_fields)
		(void)fputs("<dl>\n", self->out);
	self->has_fields = true;
	(void)fputs("<dt>", self->out);
	html_text_put(self->out, title);
	(void)fputs("</dt>", self->out);
	html_cell_put(&self->table, "dd", cell);
	(void)fputc('\n', self->out);
}

static void html_lack(void *state, const char *text)
{
	line_put(state, " class=\"note\"", text);
}

static void html_table_begins(void *state, const char *key, const char *title,
                              const struct column *columns, size_t column_count, bool is_single)
{
	struct html_presenter *self = state;

	(void)is_single;
	fields_end(self);
	html_table_begin(&self->table, key, title, columns, column_count);
}

static void html_row(void *state, const struct cell *cells)
{
	struct html_presenter *self = state;

	html_table_row(&self->table, cells);
}

static void html_table_ends(void *state)
{
	struct html_presenter *self = state;

	html_table_end(&self->table);
}

static unsigned html_row_limit(const void *state)
{
	const struct html_presenter *self = state;

	return self->row_limit;
}

static void html_rows_left(void *state, size_t count)
{
	struct html_presenter *self = state;

	self->table.rows_left += count;
}

static void html_tree_begins(void *state, const struct tree *tree)
{
	struct html_presenter *self = state;

	fields_end(self);
	html_tree_begin(&self->table, tree);
}

static bool html_tree_node_put(void *state, unsigned depth, const struct tree_node *node)
{
	struct html_presenter *self = state;

	return html_tree_node(&self->table, depth, node);
}

static void html_paths_begin(void *state, const char *title)
{
	struct html_presenter *self = state;

	html_icicle_begin(&self->icicle, title);
}

static void html_path(void *state, const struct path *path)
{
	struct html_presenter *self = state;

	html_icicle_add(&self->icicle, path);
}

/* The picture is a section of its own, between the sentences and the table. */
static void html_comparison_begin(void *state, const struct compared_sides *comparison)
{
	struct html_presenter *self = state;

	html_changes_begin(&self->changes, comparison);
	fields_end(self);
	(void)fputs("</section>\n", self->out);
	icicle_section_put(self->out);
	(void)fputs("<section class=\"view\" id=\"changes\"><h2>Changes</h2>\n", self->out);
}

static void html_compared_path(void *state, const struct compared_path *path)
{
	struct html_presenter *self = state;

	html_changes_add(&self->changes, path);
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
	_cleanup_(buffer_release) struct buffer verdict = {0};

	buffer_init(&verdict, BUFFER_LIMIT_DEFAULT);
	health_verdict_append(&verdict, health);
	health_lines_make(health, &self->trace.instants, self->is_verbose, &lines);
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
	if (trace_is_comparison(&self->trace)) {
		html_changes_put(&self->changes, self->out);
	} else {
		html_flow_put(&self->flow, &self->trace, health, self->out);
		html_icicle_put(&self->icicle, self->out);
	}
	(void)fprintf(self->out, "<script>%s</script>\n</body>\n</html>\n", html_script);
	html_table_release(&self->table);
	html_changes_release(&self->changes);
	html_icicle_release(&self->icicle);
	html_flow_release(&self->flow);
	free(self);
}

static const char *const views[] = {
	"summary", "chains", "critical-path", "disk", "lock", NULL,
};

static const struct tree_hooks html_tree_hooks = {
	.begin = html_tree_begins,
	.node = html_tree_node_put,
	.end = html_table_ends,
};

static const struct paths_hooks html_paths_hooks = {
	.begin = html_paths_begin,
	.path = html_path,
	.end = presenter_ignore_end,
};

static const struct comparison_hooks html_comparison_hooks = {
	.begin = html_comparison_begin,
	.path = html_compared_path,
	.end = presenter_ignore_end,
};

const struct presenter html_presenter = {
	.name = "html",
	.has_health = true,
	.has_instants = true,
	.has_stacks = true,
	.is_document = true,
	.views = views,
	.flow = &html_flow_hooks,
	.folds_names = true,
	.begin = html_begin,
	.section_begin = html_section_begin,
	.field = html_field,
	.lack = html_lack,
	.table_begin = html_table_begins,
	.row = html_row,
	.table_end = html_table_ends,
	.row_limit = html_row_limit,
	.rows_left = html_rows_left,
	.tree = &html_tree_hooks,
	.paths = &html_paths_hooks,
	.comparison = &html_comparison_hooks,
	.section_end = html_section_end,
	.end = html_end,
};
