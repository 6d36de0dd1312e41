/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wait-for graph of the asked tasks: its edges lead from each task to the tasks that it waits
 * for, with their cost; its knots are tasks that wait for each other. wait_graph.h says what
 * time is charged to which edge. Waits of length 0 are not counted, and stops are no waits. A knot
 * is not a deadlock: a client and its server form one, and so do the stages of a pipeline.
 * Deadlocks show in the waits that have not ended.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/hangs/hangs.h"
#include "analysis/paths/chain_words.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "analysis/wait_list.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "graph/walk/wait_graph.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"


struct graph_view {
	const struct question *question;
	struct wait_graph graph;
	struct link_names names;
	struct name_folds folds;
	struct relation_rows nodes; /* those with edges, most waited for first */
	uint32_t *rank; /* by node: its index in `nodes`, plus 1 */
};

/* If the window ends inside the wait, the wait has no end, as in the walk. */
static void graph_on_wait(void *state, const struct wait *wait)
{
	struct graph_view *view = state;
	nsec_t begin, end;

	if (!wait_clip(view->question, wait, &begin, &end))
		return;
	wait_graph_add(&view->graph, wait->track, begin, end,
	               wait->cause);
}

/* Walks all waits; --kind selects by the cause of the edges, or, if it names only aims that are no
   causes, whole waits by these. */
static void graph_fill(struct graph_view *view)
{
	struct asked asked = *view->question->asked;
	struct question all_kinds = *view->question;

	if (asked.kinds)
		asked.kinds = KIND_MASK_ALL;
	all_kinds.asked = &asked;
	ASKED_EACH(&all_kinds, track)
		wait_list_visit(&all_kinds, track, graph_on_wait, view);
	wait_graph_add_rest(&view->graph);
	if (asked.kinds && view->question->asked->kinds != KIND_MASK_ALL)
		wait_graph_keep_kinds(&view->graph, view->question->asked->kinds);
	wait_graph_close(&view->graph);
}

static const char *const sort_keys[] = {"path", "raw", "count", "max", NULL};

static uint32_t node_number(const struct graph_view *view, const struct wait_node *node)
{
	return (uint32_t)(node - view->graph.node);
}

/* Names in data stay what they are, whatever people read. */
static void unknown_append(struct buffer *to, const struct graph_view *view,
                           const struct wait_node_key *key, const struct cause *cause,
                           bool is_data)
{
	if (key->is_open) {
		buffer_puts(to, is_data ? "not ended" : view->question->resolved->open_words);
		return;
	}
	buffer_puts(to, is_data ? cause_kind_name(CAUSE_UNKNOWN) : unknown_words(cause));
	name_append(to, cause->name);
}

/* "mysqld" for a task, "[disk 254,0]" for an object. */
static void node_label_append(struct buffer *to, const struct graph_view *view, uint32_t node,
                              bool is_data)
{
	const struct wait_node_key *key = &view->graph.node[node].key;
	const char *name = intern_text(&view->question->timeline->names, key->identity.name);
	struct cause cause = {
		.kind = (enum cause_kind)key->kind,
		.name = key->identity.name ? name : NULL,
		.what = memory_what_name(key->memory),
		.as = key->identity.as,
		.origin = NSEC_NEVER,
	};
	bool is_own = cause.kind == CAUSE_TIMER && cause.as.timer.is_own;
	_cleanup_(buffer_release) struct buffer words = {0};

	if (key->is_task) {
		buffer_puts(to, name);
		return;
	}
	timeline_name_members(view->question->timeline, &cause);
	if (cause.kind == CAUSE_UNKNOWN)
		unknown_append(&words, view, key, &cause, is_data);
	else
		cause_name_append(&words, &cause);
	buffer_printf(to, "[%s%s]", words.text, is_own ? ", own" : "");
}

/* The label of an end of an edge: "git[12]" if other tasks have that name, too. */
static void end_label_append(struct buffer *to, const struct graph_view *view, uint32_t node,
                             const struct voter *voter, bool is_own)
{
	const struct wait_node_key *key = &view->graph.node[node].key;

	if (key->is_task)
		(void)link_names_append(&view->names, key->identity.name, voter, is_own, to);
	else
		node_label_append(to, view, node, /* is_data= */ false);
}

#define NODE_AT(member) RELATION_AT(struct wait_node, member)

/* The name of a task, for links. */
#define NODE_COMM_COLUMN(key) key, NULL, CELL_TEXT, COLUMN_FOR_LINKS, FILLED

static struct cell node_comm(const struct graph_view *view, uint32_t node)
{
	const struct wait_node_key *key = &view->graph.node[node].key;

	return cell_of_name(view->question->timeline, CELL_TEXT,
	                    key->is_task ? key->identity.name : 0);
}

enum {NODE_NUMBER, NODE_NAME, NODE_WORDS, NODE_KIND, NODE_KNOT, NODE_COMM = 7};

static const struct field node_fields[] = {
	[NODE_NUMBER] = {"node", "NODE", CELL_COUNT, COLUMN_DATA_ONLY, FILLED},
	[NODE_NAME] = {"name", NULL, CELL_TEXT, 0, FILLED},
	[NODE_WORDS] = {NULL, "NAME", CELL_TEXT, COLUMN_TAILED, FILLED},
	[NODE_KIND] = {"kind", "KIND", CELL_TEXT, COLUMN_SPARE(4), FILLED},
	[NODE_KNOT] = {"knot", "KNOT", CELL_COUNT, COLUMN_SPARE(5), NODE_AT(knot)},
	{"waiting_ns", "WAITING", CELL_DURATION, COLUMN_USEFUL(1), NODE_AT(waiting)},
	{"waited_for_ns", "WAITED FOR", CELL_DURATION, 0, NODE_AT(waited_for)},
	[NODE_COMM] = {NODE_COMM_COLUMN("comm")},
};

static void node_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct graph_view *view = of_view;
	const struct wait_node *node = of;
	uint32_t index = node_number(view, node);

	cell[NODE_NUMBER].count = view->rank[index];
	node_label_append(&text[NODE_NAME], view, index, /* is_data= */ true);
	node_label_append(&text[NODE_WORDS], view, index, /* is_data= */ false);
	cell[NODE_KIND].text = cause_kind_name((enum cause_kind)node->key.kind);
	if (node->knot == 0)
		cell[NODE_KNOT].type = CELL_EMPTY;
	cell[NODE_COMM] = node_comm(view, index);
}

static const struct relation_form node_form = {
	"nodes", "Nodes, by the time that others waited for them", FIELDS(node_fields),
	.next = "--summary --comm {glob:comm}|--graph --waits --sort wait --kind {kind}",
	.unless_zero = {NODE_AT(has_edge)}, .order = {{NODE_AT(waited_for)}, {NODE_AT(waiting)}},
	.fill = node_fill,
};

#define EDGE_AT(member) RELATION_AT(struct wait_edge, member)

enum {
	EDGE_FROM,
	EDGE_TO,
	EDGE_FROM_WORDS,
	EDGE_TO_WORDS,
	EDGE_FROM_NODE,
	EDGE_TO_NODE,
	EDGE_KIND,
	EDGE_KNOT = 12,
	EDGE_COMM,
};

static const struct field edge_fields[] = {
	[EDGE_FROM] = {"from", "FROM", CELL_TEXT, COLUMN_FROM | COLUMN_DATA_ONLY, FILLED},
	[EDGE_TO] = {"to", "TO", CELL_TEXT, COLUMN_TO | COLUMN_DATA_ONLY, FILLED},
	[EDGE_FROM_WORDS] = {NULL, "FROM", CELL_TEXT, COLUMN_TAILED, FILLED},
	[EDGE_TO_WORDS] = {NULL, "TO", CELL_TEXT, COLUMN_TAILED, FILLED},
	[EDGE_FROM_NODE] = {"from_node", "FROM", CELL_COUNT, COLUMN_DATA_ONLY, FILLED},
	[EDGE_TO_NODE] = {"to_node", "TO", CELL_COUNT, COLUMN_DATA_ONLY, FILLED},
	[EDGE_KIND] = {"kind", "KIND", CELL_TEXT, COLUMN_SPARE(4), FILLED},
	{"path_ns", "IN THE END", CELL_DURATION, COLUMN_WEIGHT, EDGE_AT(sum.path)},
	{"raw_ns", "DIRECT", CELL_DURATION, COLUMN_USEFUL(1), EDGE_AT(raw)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(3), EDGE_AT(sum.count)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(2), EDGE_AT(sum.max)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(1), EDGE_AT(sum.max_at)},
	[EDGE_KNOT] = {"knot", "KNOT", CELL_COUNT, COLUMN_MARK | COLUMN_USEFUL(2), EDGE_AT(knot)},
	[EDGE_COMM] = {NODE_COMM_COLUMN("from_comm")},
};

static void edge_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct graph_view *view = of_view;
	const struct wait_edge *edge = of;

	node_label_append(&text[EDGE_FROM], view, edge->from, /* is_data= */ true);
	node_label_append(&text[EDGE_TO], view, edge->to, /* is_data= */ true);
	end_label_append(&text[EDGE_FROM_WORDS], view, edge->from, &edge->sum.waiter,
	                 /* is_own= */ false);
	end_label_append(&text[EDGE_TO_WORDS], view, edge->to, &edge->sum.waited,
	                 /* is_own= */ edge->from == edge->to);
	cell[EDGE_FROM_NODE].count = view->rank[edge->from];
	cell[EDGE_TO_NODE].count = view->rank[edge->to];
	cell[EDGE_KIND].text = cause_kind_name((enum cause_kind)edge->kind);
	if (edge->knot == 0)
		cell[EDGE_KNOT].type = CELL_EMPTY;
	cell[EDGE_COMM] = node_comm(view, edge->from);
}

static const struct measure edges_by[] = {
	{EDGE_AT(sum.path)}, {EDGE_AT(raw)}, {EDGE_AT(sum.count)}, {EDGE_AT(sum.max)}};
_Static_assert(ARRAY_SIZE(edges_by) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct relation_form edge_form = {
	"edges", "Edges, from the waiter to what it waits for", FIELDS(edge_fields),
	.next = "--summary --waits --sort wait --comm {glob:from_comm}",
	.sort_keys = sort_keys, .by_key = edges_by, .order = {{EDGE_AT(sum.path)}, {EDGE_AT(raw)}},
	.fill = edge_fill,
};

#define AT(member) RELATION_AT(struct wait_knot, member)

enum {KNOT_NUMBER, KNOT_NAME = 4, KNOT_COMM};

static const struct field knot_fields[] = {
	[KNOT_NUMBER] = {"knot", "KNOT", CELL_COUNT, 0, FILLED},
	{"nodes", "NODES", CELL_COUNT, 0, AT(node_count)},
	{"path_ns", "IN THE END", CELL_DURATION, 0, AT(path)},
	{"raw_ns", "DIRECT", CELL_DURATION, COLUMN_USEFUL(1), AT(raw)},
	[KNOT_NAME] = {"most_waited_for", "MOST WAITED FOR", CELL_TEXT, 0, FILLED},
	[KNOT_COMM] = {NODE_COMM_COLUMN("comm")},
};
#undef AT

static void knot_fill(const void *of_view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct graph_view *view = of_view;
	const struct wait_knot *knot = of;

	cell[KNOT_NUMBER].count = (uint64_t)(knot - view->graph.knot) + 1;
	node_label_append(&text[KNOT_NAME], view, knot->node, /* is_data= */ false);
	cell[KNOT_COMM] = node_comm(view, knot->node);
}

static const struct relation_form knot_form = {
	"knots", "Knots", FIELDS(knot_fields),
	.next = "--summary --comm {glob:comm}",
	.fill = knot_fill,
};

static void graph_sort(struct graph_view *view)
{
	const struct wait_graph *graph = &view->graph;
	struct tally nodes = relation_of(graph->node, sizeof(*graph->node), graph->node_count);

	view->nodes = relation_choose(&nodes, &node_form, view, view->question);
	view->rank = xcalloc(graph->node_count, sizeof(*view->rank));
	for (uint32_t i = 0; i < view->nodes.count; i++)
		view->rank[node_number(view, view->nodes.row[i])] = i + 1;
}

static void graph_show_tables(const struct graph_view *view, const struct output *to)
{
	const struct wait_graph *graph = &view->graph;
	struct tally edges = relation_of(graph->edge, sizeof(*graph->edge), graph->edge_count);
	struct tally knots = relation_of(graph->knot, sizeof(*graph->knot), graph->knot_count);

	relation_put(&edges, &edge_form, view, view->question, to);
	relation_show(&node_form, &view->nodes, view, view->question, to);
	relation_put(&knots, &knot_form, view, view->question, to);
}

/* The sum over the edges that are shown. */
static nsec_t graph_path(const struct graph_view *view)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < view->graph.edge_count; i++)
		sum += view->graph.edge[i].sum.path;
	return sum;
}

static void graph_print_size(const struct graph_view *view, const struct output *to)
{
	const struct wait_graph *graph = &view->graph;

	say_to(to, NULL,
	       "[{time} (PATH) for the asked kinds, of ]{time} of waiting in {count} "
	       "wait{|s}{text}: {number} node{|s}, {number} edge{|s}, {number} knot{|s}.",
	       WHEN(view->question->asked->kinds != KIND_MASK_ALL, TIME(graph_path(view))),
	       TIME(graph->total), COUNT(graph->waits), TEXT(question_scope(view->question)),
	       NUMBER(view->nodes.count), NUMBER(graph->edge_count), NUMBER(graph->knot_count));
}

/* Whether the circle may exist only between names: where several tasks have a name, a client may
   wait for a helper that waits for another client. */
static bool knot_is_of_names(const struct graph_view *view)
{
	for (size_t i = 0; i < view->nodes.count; i++) {
		const struct wait_node *node = view->nodes.row[i];

		if (node->knot == 1 && node->key.is_task &&
		    link_name_is_of_many(&view->names, node->key.identity.name))
			return true;
	}
	return false;
}

/* The heaviest knot in words. */
static void graph_print_knot(const struct graph_view *view, const struct output *to)
{
	const struct wait_knot *knot = &view->graph.knot[0];
	_cleanup_(buffer_release) struct buffer name = {0}, names = {0};
	size_t shown = 0;
	uint32_t most;

	/* knots contain tasks only: this is the task of the knot that was waited for most */
	most = view->graph.node[knot->node].key.identity.name;
	for (size_t i = 0; i < view->nodes.count && shown < SHOWN_NAMES; i++) {
		const struct wait_node *node = view->nodes.row[i];

		if (node->knot != 1)
			continue;
		buffer_clear(&name);
		node_label_append(&name, view, node_number(view, node), /* is_data= */ false);
		say(&names, NULL, "{,}{foreign}", FOREIGN(name.text));
		shown++;
	}
	say_to(to, NULL,
	       "[{if}Tasks of one name waited for others of that name|{if}Tasks of these names "
	       "waited for others of these names|These take turns waiting for each other]: "
	       "{text}[ and {number} more] (knot 1, {time} on its edges).",
	       IF(knot->node_count == 1 && !name_is_folded(view->names.folds, most)),
	       IF(knot_is_of_names(view)), TEXT(names.text),
	       WHEN(knot->node_count > shown, NUMBER(knot->node_count - shown)),
	       TIME(knot->path));
}

/* Prints a possible deadlock in the words of the summary, and one that the recorder saw rather than
   one that events suggest. Returns false if there is none, or if the window ends before the trace
   does. */
static bool graph_print_deadlock(const struct graph_view *view, const struct output *to)
{
	const struct question *question = view->question;
	struct hangs hangs;
	bool is_printed;

	hangs_find(&hangs, question, /* partners= */ NULL);
	is_printed = hangs_print_circles(&hangs, to);
	hangs_release(&hangs);
	return is_printed;
}

static void graph_print(const struct graph_view *view, const struct output *to)
{
	if (view->graph.waits == 0) {
		prose_put(to, "Nothing waited.");
		return;
	}
	graph_print_size(view, to);
	if (!graph_print_deadlock(view, to) && view->graph.knot_count)
		graph_print_knot(view, to);
	prose_put(to, "DIRECT: waits by what ended them. IN THE END: the same time by what it was "
	              "spent on.");
}

static void graph_note(const struct graph_view *view)
{
	const struct wait_graph *graph = &view->graph;
	struct health *health = view->question->health;

	health->inconsistencies += graph->result.cycles;
	health->depth_truncations += graph->result.truncations;
	for (size_t i = 0; i < ARRAY_SIZE(health->parts_by_confidence); i++)
		health->parts_by_confidence[i] += graph->parts_by_confidence[i];
	walk_sample_note(&graph->sample, health);
	if (graph->overflows)
		health_doubt(health,
		             "more than %zu nodes or %zu edges: the graph lacks %s DIRECT and %s "
		             "IN THE END",
		             graph->nodes.most, graph->edges.most,
		             DURATION_TEXT(graph->overflow_raw),
		             DURATION_TEXT(graph->overflow_path));
}

static void graph_release(struct graph_view *view)
{
	wait_graph_release(&view->graph);
	link_names_release(&view->names);
	name_folds_release(&view->folds);
	relation_rows_release(&view->nodes);
	free(view->rank);
}

static void graph_report(const void *state, const struct output *to)
{
	struct graph_view view = {.question = state};

	wait_graph_init(&view.graph, view.question->timeline);
	walk_sample_share(&view.graph.sample, view.question->walking_views);
	link_names_init(&view.names, view.question->timeline);
	view.graph.folds = view.names.folds =
		name_folds_of_tasks(&view.folds, to->presenter, view.question);
	graph_fill(&view);
	graph_sort(&view);
	graph_note(&view);
	output_section_begin(to, "graph", "Wait-for graph", /* is_list= */ false);
	graph_print(&view, to);
	output_field(to, "waits", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = view.graph.waits});
	output_field(to, "waiting_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = view.graph.total});
	output_field(to, "shown_path_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = graph_path(&view)});
	graph_show_tables(&view, to);
	output_section_end(to);
	graph_release(&view);
}

const struct analysis graph_analysis = {
	.name = "graph",
	.about = "the wait-for graph",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_AIMS | HEEDS_CPUS | HEEDS_MIN | HEEDS_WALKS |
	         HEEDS_FOLD,
	.needs_history = true,
	.walks_waits = true,
	.report = graph_report,
};
