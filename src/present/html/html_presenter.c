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
#include "base/data/array.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "ftwait/report.h"
#include "html_assets.h"
#include "html_flow.h"
#include "html_table.h"
#include "present/health_lines.h"
#include "present/presenter.h"
#include "present/text/trace_line.h"

/* The frames of flame graphs, numbered from 0, each once, for formats in which paths refer to
   frames by number. */

/* A frame: a text and a kind. */
struct shown_frame {
	uint32_t name; /* in names */
	enum path_frame_kind kind;
};

struct frame_table {
	struct intern names;
	struct map by_name; /* name and kind -> number */
	struct shown_frame *frame;
	size_t count, capacity;
};

static inline const char *frame_table_text(const struct frame_table *table, size_t number)
{
	return intern_text(&table->names, table->frame[number].name);
}

static void frame_table_init(struct frame_table *table)
{
	*table = (struct frame_table){0};
	intern_init(&table->names);
	map_init(&table->by_name);
}

static void frame_table_release(struct frame_table *table)
{
	intern_release(&table->names);
	map_release(&table->by_name);
	free(table->frame);
}

/* Returns its number. */
static uint32_t frame_table_add(struct frame_table *table, const struct path_frame *frame)
{
	uint32_t name = intern_adds(&table->names, frame->text);
	uint64_t key = (uint64_t)name << 8 | frame->kind;
	uint32_t number = map_get(&table->by_name, key);

	if (number != MAP_NONE)
		return number;
	ARRAY_GROW(table->frame, table->count, table->capacity);
	number = (uint32_t)table->count++;
	table->frame[number] = (struct shown_frame){name, frame->kind};
	map_put(&table->by_name, key, number);
	return number;
}

/*
 * The data of a page's icicles: the paths of each view that has them, as JSON in a block:
 *
 *	{"titles": ["Chains: ..."],
 *	 "paths": [[index of its title, total ns, count, longest ns, longest at or null,
 *	            [frame, root first ...]], ...],
 *	 "frames": [["text", "task|cause|kernel|user|mark"], ...]}
 *
 * Instants are ns since the trace's begin.
 */

struct html_icicle {
	struct frame_table frames;
	struct html_list titles, paths;
	size_t graphs;
	nsec_t trace_begin;
};

static void html_icicle_init(struct html_icicle *icicle, nsec_t trace_begin)
{
	*icicle = (struct html_icicle){.trace_begin = trace_begin};
	frame_table_init(&icicle->frames);
	html_list_init(&icicle->titles, JSON_LINES);
	html_list_init(&icicle->paths, JSON_LINES);
}

static void html_icicle_release(struct html_icicle *icicle)
{
	html_list_release(&icicle->titles);
	html_list_release(&icicle->paths);
	frame_table_release(&icicle->frames);
}

/* Call before the paths of a view. */
static void html_icicle_begin(struct html_icicle *icicle, const char *title)
{
	json_put_string(&icicle->titles.json, title);
	icicle->graphs++;
}

/* Adds a path; one of length 0 is ignored. */
static void html_icicle_add(struct html_icicle *icicle, const struct path *path)
{
	struct json_writer *json = &icicle->paths.json;
	nsec_t at = path->figures.longest_at;

	if (path->figures.total == 0)
		return;
	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, icicle->graphs - 1);
	json_put_u64(json, path->figures.total);
	json_put_u64(json, path->figures.count);
	json_put_u64(json, path->figures.longest);
	json_put_known(json, at != NSEC_NEVER && at >= icicle->trace_begin,
	               at - icicle->trace_begin);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, frame_table_add(&icicle->frames, &path->frame[i]));
	json_array_end(json);
	json_array_end(json);
}

static void frames_write(const struct html_icicle *icicle, struct json_writer *json)
{
	static const char *const kinds[] = {
		[SHOWN_TASK] = "task", [SHOWN_CAUSE] = "cause", [SHOWN_KERNEL] = "kernel",
		[SHOWN_USER] = "user", [SHOWN_MARK] = "mark",
	};

	for (size_t i = 0; i < icicle->frames.count; i++) {
		json_array_begin(json, JSON_INLINE);
		json_put_string(json, frame_table_text(&icicle->frames, i));
		json_put_string(json, kinds[icicle->frames.frame[i].kind]);
		json_array_end(json);
	}
}

/* Writes the block. */
static void html_icicle_put(struct html_icicle *icicle, FILE *out)
{
	struct html_list frames;
	struct html_block block;

	html_list_init(&frames, JSON_LINES);
	frames_write(icicle, &frames.json);
	html_block_init(&block);
	html_block_byte(&block, '{');
	html_list_put(&icicle->titles, "titles", &block);
	html_block_byte(&block, ',');
	html_list_put(&icicle->paths, "paths", &block);
	html_block_byte(&block, ',');
	html_list_put(&frames, "frames", &block);
	html_block_byte(&block, '}');
	html_block_put(&block, "icicle", out);
	html_block_release(&block);
	html_list_release(&frames);
}

/*
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

struct html_changes {
	struct intern texts;
	struct html_list about, paths;
};

static void html_changes_init(struct html_changes *changes)
{
	intern_init(&changes->texts);
	html_list_init(&changes->about, JSON_INLINE);
	html_list_init(&changes->paths, JSON_LINES);
}

static void html_changes_release(struct html_changes *changes)
{
	html_list_release(&changes->about);
	html_list_release(&changes->paths);
	intern_release(&changes->texts);
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

/* Call once, before the paths. */
static void html_changes_begin(struct html_changes *changes,
		const struct compared_sides *comparison)
{
	struct json_writer *json = &changes->about.json;

	json_put_string(json, comparison->root);
	json_put_u64(json, comparison->old_runs);
	json_put_u64(json, comparison->new_runs);
	json_put_bool(json, comparison->can_be_sure);
	verdict_write(json, &comparison->whole);
}

static void html_changes_add(struct html_changes *changes, const struct compared_path *path)
{
	struct json_writer *json = &changes->paths.json;

	json_array_begin(json, JSON_INLINE);
	json_put_u64(json, path->old.total);
	json_put_u64(json, path->old.count);
	json_put_u64(json, path->new.total);
	json_put_u64(json, path->new.count);
	verdict_write(json, &path->verdict);
	json_array_begin(json, JSON_INLINE);
	for (size_t i = 0; i < path->count; i++)
		json_put_u64(json, intern_adds(&changes->texts, path->frame[i].text));
	json_array_end(json);
	json_array_end(json);
}

/* Writes the block. */
static void html_changes_put(struct html_changes *changes, FILE *out)
{
	struct html_list texts;
	struct html_block block;

	html_list_init(&texts, JSON_LINES);
	for (uint32_t i = 0; i < changes->texts.count; i++)
		json_put_string(&texts.json, intern_text(&changes->texts, i));
	html_block_init(&block);
	html_block_byte(&block, '{');
	html_list_put(&changes->about, "about", &block);
	html_block_byte(&block, ',');
	html_list_put(&changes->paths, "paths", &block);
	html_block_byte(&block, ',');
	html_list_put(&texts, "texts", &block);
	html_block_byte(&block, '}');
	html_block_put(&block, "changes", out);
	html_block_release(&block);
	html_list_release(&texts);
}

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
