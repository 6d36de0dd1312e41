/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flame graphs as one self-contained picture: each view that has paths gets a graph with its own
 * scale; the graphs are one below the other. The height of the picture comes first in the file, so
 * everything is written at the end; until then the shown frames of each graph are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/version.h"
#include "present/health_lines.h"
#include "present/presenter.h"
#include "present/text/trace_line.h"
#include "svg_graph.h"
#include "svg_text.h"

#define LINE_HEIGHT  16
#define TITLE_HEIGHT 30
#define LINE_COLUMNS (SVG_ROOM * 100 / SVG_COLUMN)
#define HEAD_COLUMNS (LINE_COLUMNS - 15) /* beside the buttons */
#define GAP          8 /* between lines of text and frames */

struct svg_graph {
	struct buffer title, notes; /* notes: lines, each ended by a line feed */
	struct flame_tree tree; /* its nodes are kept only until `layout` is made */
	struct flame_layout layout;
};

struct svg_presenter {
	FILE *out;
	struct buffer file, head, prose; /* prose: sentences of the section so far, in lines */
	struct svg_graph *graph;
	size_t graph_count, graph_capacity;
	unsigned y; /* bottom of the last line or element */
};

static void *svg_begin(FILE *out, const struct presenter_options *options,
                       const struct trace_summary *trace)
{
	struct svg_presenter *self = xcalloc(1, sizeof(*self));
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	(void)options;
	self->out = out;
	buffer_init(&self->file, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->head, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->prose, BUFFER_LIMIT_DEFAULT);
	trace_files_append(&self->file, trace->files, trace->file_count);
	trace_line_append(&line, trace);
	svg_text_wrap(&self->head, line.text, HEAD_COLUMNS);
	return self;
}

static void svg_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct svg_presenter *self = state;

	(void)key;
	(void)title;
	(void)is_list;
	buffer_clear(&self->prose);
}

/* Adds a line of prose: a view's answer, or that it has none. */
static void prose_add(struct svg_presenter *self, const char *text)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_puts_clean(&clean, text, strlen(text));
	svg_text_wrap(&self->prose, clean.text, LINE_COLUMNS);
}

static void svg_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	if (!key && !title && cell->type == CELL_TEXT)
		prose_add(state, cell->text);
}

static void svg_lack(void *state, const char *text)
{
	prose_add(state, text);
}

static void svg_paths_begin(void *state, const char *title)
{
	struct svg_presenter *self = state;
	struct svg_graph *graph = &ARRAY_ADD(self->graph, self->graph_count, self->graph_capacity);

	*graph = (struct svg_graph){0};
	buffer_init(&graph->title, BUFFER_LIMIT_DEFAULT);
	buffer_init(&graph->notes, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&graph->title, title);
	buffer_append(&graph->notes, self->prose.text, self->prose.length);
	flame_tree_init(&graph->tree, FLAME_NODES_MAX);
}

static void svg_path(void *state, const struct path *path)
{
	struct svg_presenter *self = state;

	flame_tree_add(&self->graph[self->graph_count - 1].tree, path);
}

static void folded_note(struct buffer *notes, const struct flame_layout *layout)
{
	if (layout->total == 0) {
		buffer_puts(notes, "There is nothing to show.\n");
		return;
	}
	buffer_printf(notes, "100 %% is %s.", DURATION_TEXT(layout->total));
	if (layout->folded) {
		buffer_printf(notes, " %s frame%s below 0.1 %% %s folded",
		              COUNT_TEXT(layout->folded),
		              format_plural(layout->folded), layout->folded == 1 ? "is" : "are");
		buffer_printf(notes, ", %s together.",
		              DURATION_TEXT(layout->folded_total));
	}
	buffer_putc(notes, '\n');
}

static void cut_note(struct buffer *notes, uint64_t count, const char *why, unsigned limit)
{
	if (count)
		buffer_printf(notes, "%s path%s cut: %s %s.\n", COUNT_TEXT(count),
		              count == 1 ? " is" : "s are", why, COUNT_TEXT(limit));
}

static void svg_paths_end(void *state)
{
	struct svg_presenter *self = state;
	struct svg_graph *graph = &self->graph[self->graph_count - 1];

	flame_layout_make(&graph->layout, &graph->tree);
	folded_note(&graph->notes, &graph->layout);
	cut_note(&graph->notes, graph->tree.cut_deep, "a path has at most this many frames:",
	         FLAME_DEPTH_MAX);
	cut_note(&graph->notes, graph->tree.cut_full, "there are more different frames than",
	         FLAME_NODES_MAX);
	flame_tree_drop_nodes(&graph->tree);
}

static unsigned lines_count(const struct buffer *lines)
{
	unsigned count = 0;

	for (size_t i = 0; i < lines->length; i++)
		count += lines->text[i] == '\n';
	return count;
}

static unsigned graph_height(const struct svg_graph *graph)
{
	return TITLE_HEIGHT + lines_count(&graph->notes) * LINE_HEIGHT + GAP +
	       svg_graph_height(&graph->layout) + LINE_HEIGHT;
}

/* Writes a line of text below the last one; `attributes` begins with a blank. */
static void line_put(struct svg_presenter *self, const char *attributes, const char *text)
{
	self->y += LINE_HEIGHT;
	(void)fprintf(self->out, "<text x=\"%d\" y=\"%u\"%s>", SVG_MARGIN, self->y, attributes);
	svg_text_put(self->out, text);
	(void)fputs("</text>\n", self->out);
}

static void lines_put(struct svg_presenter *self, struct buffer *lines)
{
	char *rest = lines->text, *line;

	while ((line = strsep(&rest, "\n")) && rest)
		line_put(self, "", line);
}

static void health_put(struct svg_presenter *self, const struct health *health)
{
	_cleanup_(health_lines_release) struct health_lines more = {0};
	_cleanup_(buffer_release) struct buffer line = buffer_of(512);

	buffer_puts(&line, "health: ");
	health_verdict_append(&line, health);
	health_lines_make(health, &(struct instant_form){0}, /* is_verbose= */ false, &more);
	if (more.count)
		buffer_puts(&line, "; --format text shows more");
	line_put(self, health_is_impaired(health) ? " fill=\"#c00000\"" : "", line.text);
}

static unsigned kinds_of(const struct svg_presenter *self)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < self->graph_count; i++)
		kinds |= self->graph[i].layout.kinds;
	return kinds;
}

/* Writes the meaning of the colours that occur. */
static void legend_put(struct svg_presenter *self)
{
	static const struct {
		enum path_frame_kind kind;
		const char *text;
	} entries[] = {
		{SHOWN_TASK, "task"}, {SHOWN_CAUSE, "what it waited for"},
		{SHOWN_USER, "function of a program"}, {SHOWN_KERNEL, "function of the kernel"},
		{SHOWN_MARK, "mark, or frames folded"},
	};
	unsigned kinds = kinds_of(self), x = SVG_MARGIN;

	self->y += LINE_HEIGHT + GAP / 2;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		if (!(kinds & 1u << entries[i].kind))
			continue;
		(void)fprintf(self->out, "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" "
		              "fill=\"#%06x\"/><text x=\"%u\" y=\"%u\">%s</text>\n", x,
		              self->y - 10, (unsigned)flame_color_of_kind(entries[i].kind), x + 18,
		              self->y, entries[i].text);
		x += 18 + (unsigned)(strlen(entries[i].text) + 3) * SVG_COLUMN / 100;
	}
}

static void picture_begin(struct svg_presenter *self, unsigned height)
{
	(void)fprintf(self->out,
	              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ftwait\" width=\"%d\" "
	              "height=\"%u\" viewBox=\"0 0 %d %u\" style=\"max-width:100%%;height:auto\" "
	              "font-family=\"monospace\" font-size=\"12\">\n<title>",
	              SVG_WIDTH, height, SVG_WIDTH, height);
	svg_text_put(self->out, self->file.text);
	(void)fprintf(self->out,
	              "</title>\n<desc>by ftwait %s</desc>\n<style>\n"
	              ".ftwait text { white-space: pre }\n"
	              ".ftwait .frame rect { stroke: #fff; stroke-width: 0.5 }\n"
	              ".ftwait .frame, .ftwait .button { cursor: pointer }\n"
	              ".ftwait .frame:hover rect { stroke: #000 }\n"
	              ".ftwait .below { opacity: 0.5 }\n"
	              ".ftwait .found rect { fill: #f06cf0 }\n"
	              ".ftwait .button { display: none; text-decoration: underline }\n"
	              "</style>\n<rect width=\"%d\" height=\"%u\" fill=\"#fff\"/>\n",
	              ftwait_version, SVG_WIDTH, height);
}

static void buttons_put(struct svg_presenter *self)
{
	int right = SVG_WIDTH - SVG_MARGIN;

	(void)fprintf(self->out,
	              "<text class=\"button\" x=\"%d\" y=\"%d\" text-anchor=\"end\">Search</text>\n"
	              "<text class=\"button\" x=\"%d\" y=\"%d\" text-anchor=\"end\">Reset</text>\n",
	              right - 50, LINE_HEIGHT, right, LINE_HEIGHT);
}

static void graph_put(struct svg_presenter *self, struct svg_graph *graph)
{
	const struct flame_layout *layout = &graph->layout;

	(void)fprintf(self->out, "<g%s>\n", layout->count ? " class=\"graph\"" : "");
	self->y += TITLE_HEIGHT - LINE_HEIGHT;
	line_put(self, " font-size=\"16\" font-weight=\"bold\"", graph->title.text);
	lines_put(self, &graph->notes);
	self->y += GAP;
	svg_graph_put(self->out, layout, &graph->tree.names, self->y);
	self->y += svg_graph_height(layout);
	line_put(self, " class=\"details\"", "");
	(void)fprintf(self->out, "<text class=\"matched\" x=\"%d\" y=\"%u\" text-anchor=\"end\">"
	              "</text>\n</g>\n", SVG_WIDTH - SVG_MARGIN, self->y);
}

static void svg_release(struct svg_presenter *self)
{
	for (size_t i = 0; i < self->graph_count; i++) {
		buffer_release(&self->graph[i].title);
		buffer_release(&self->graph[i].notes);
		flame_tree_release(&self->graph[i].tree);
		flame_layout_release(&self->graph[i].layout);
	}
	free(self->graph);
	buffer_release(&self->file);
	buffer_release(&self->head);
	buffer_release(&self->prose);
	free(self);
}

/* Total height, with a line for each of head, health and legend. */
static unsigned picture_height(const struct svg_presenter *self)
{
	unsigned height = (lines_count(&self->head) + 2) * LINE_HEIGHT + 2 * GAP;

	for (size_t i = 0; i < self->graph_count; i++)
		height += graph_height(&self->graph[i]);
	return height + (self->graph_count == 0 ? LINE_HEIGHT : 0);
}

static void svg_end(void *state, const struct health *health)
{
	struct svg_presenter *self = state;

	picture_begin(self, picture_height(self));
	if (kinds_of(self)) /* buttons are only for frames */
		buttons_put(self);
	lines_put(self, &self->head);
	health_put(self, health);
	legend_put(self);
	if (self->graph_count == 0)
		line_put(self, "", "There is nothing to show.");
	for (size_t i = 0; i < self->graph_count; i++)
		graph_put(self, &self->graph[i]);
	svg_script_put(self->out);
	(void)fputs("</svg>\n", self->out);
	svg_release(self);
}

const struct presenter svg_presenter = {
	.name = "svg",
	.has_stacks = true,
	.has_health = true,
	.begin = svg_begin,
	.section_begin = svg_section_begin,
	.field = svg_field,
	.lack = svg_lack,
	.is_of_paths = true,
	.paths = &(const struct paths_hooks){
		.begin = svg_paths_begin, .path = svg_path, .end = svg_paths_end,
	},
	.end = svg_end,
};
