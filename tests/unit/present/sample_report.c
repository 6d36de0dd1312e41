/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_report.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "sample_names.h"
#include "words/cause/cause_words.h"

#define BEGIN 5000000000u
#define TO    (&(struct output){presenter, state})

static const struct task mysqld = {.tid = 101, .tgid = 100, .comm = "mysqld"};
static const struct task worker = {.tid = 7, .tgid = -1, .comm = "io;wor ker"};

static const struct cause disk = {
	.kind = CAUSE_DISK,
	.confidence = CONFIDENCE_HIGH,
	.as.disk = {
		.dev = 254u << 20,
		.sector = 123,
		.bytes = 4096,
		.rwbs = SAMPLE_READ,
		.queue_time = 1000,
		.device_time = 80000,
		.wake_time = TIME_UNKNOWN,
	},
	.names = &sample_names,
	.has_originator = true,
	.originator = {.tid = 7, .tgid = -1, .comm = "io;wor ker"},
};
static const struct cause shared_disk = {
	.kind = CAUSE_DISK,
	.as.disk = {
		.dev = 254u << 20,
		.queue_time = TIME_UNKNOWN,
		.device_time = TIME_UNKNOWN,
		.wake_time = TIME_UNKNOWN,
	},
};
static const struct cause by_worker = {
	.kind = CAUSE_TASK,
	.has_waker = true,
	.waker = {.tid = 7, .tgid = -1, .comm = "io;wor ker"},
};
static const struct cause own_timer = {
	.kind = CAUSE_TIMER, .name = "hrtimer_wakeup", .as.timer.is_own = true,
};

static void fields_show(const struct presenter *presenter, void *state)
{
	nsec_t by_kind[CAUSE_KIND_COUNT] = {[CAUSE_DISK] = 3000, [CAUSE_TIMER] = 5000000};
	struct cell cell = {.type = CELL_TEXT, .text = "A line of prose."};

	output_section_begin(TO, "summary", "Where the time went", /* is_list= */ false);
	output_field(TO, NULL, NULL, &cell);
	cell = (struct cell){.type = CELL_DURATION, .time = 12840000};
	output_field(TO, "running_ns", "running", &cell);
	cell = (struct cell){.type = CELL_BY_KIND, .by_kind = by_kind};
	output_field(TO, "waiting_ns", "waiting by kind", &cell);
	cell = (struct cell){.type = CELL_TASK, .task = mysqld};
	output_field(TO, "task", NULL, &cell);
	output_section_end(TO);
}

static const struct column wait_columns[] = {
	{"begin_ns", "begin s", CELL_INSTANT, 0},
	{"task", "task", CELL_TASK, 0},
	{"duration_ns", "duration", CELL_DURATION, COLUMN_TEXT_ONLY},
	{"open", "open", CELL_BOOL, COLUMN_DATA_ONLY},
	{"confidence", "conf", CELL_CONFIDENCE, 0},
	{"depth", NULL, CELL_COUNT, COLUMN_DEPTH},
	{"cause", "cause", CELL_CAUSE, 0},
};

static void wait_show(const struct presenter *presenter, void *state, struct task task,
                      nsec_t duration, uint64_t depth, const struct cause *cause)
{
	struct cell cells[ARRAY_SIZE(wait_columns)] = {
		{.type = CELL_INSTANT, .time = BEGIN + duration},
		{.type = CELL_TASK, .task = task},
		{.type = CELL_DURATION, .time = duration},
		{.type = CELL_BOOL, .boolean = !cause},
		{.type = CELL_CONFIDENCE, .confidence = CONFIDENCE_HIGH},
		{.type = CELL_COUNT, .count = depth},
		{.type = CELL_CAUSE, .cause = cause},
	};

	if (!cause)
		cells[4] = (struct cell){.type = CELL_EMPTY};
	output_row(TO, cells);
}

static void waits_show(const struct presenter *presenter, void *state)
{
	output_section_begin(TO, "waits", "Waits", /* is_list= */ true);
	output_table_begin(TO, NULL, NULL, wait_columns, ARRAY_SIZE(wait_columns), false);
	wait_show(presenter, state, mysqld, 12840000, 0, &by_worker);
	wait_show(presenter, state, worker, 812, 1, &disk);
	wait_show(presenter, state, mysqld, 1500, 0, NULL);
	output_table_end(TO);
	output_section_end(TO);
}

static void chain_show(const struct presenter *presenter, void *state, struct links links,
                       struct figures figures)
{
	struct path_frame frame[8];
	struct buffer end;
	size_t count = 0;

	if (!presenter->paths) {
		presenter->tree->chain(state, &(struct tree_chain){
			.links = links, .figures = figures, .next = "--waits"});
		return;
	}
	buffer_init(&end, 100);
	for (; count < links.count; count++)
		frame[count] = (struct path_frame){links.link[count].comm, SHOWN_TASK};
	if (link_end_append(&end, &links.link[count - 1]))
		frame[count++] = (struct path_frame){end.text, SHOWN_CAUSE};
	presenter->paths->path(state, &(struct path){frame, count, figures});
	buffer_release(&end);
}

static void chain_list_show(const struct presenter *presenter, void *state)
{
	const struct chain_link through_worker[] = {
		{.comm = "mysqld", .state = "waiting", .cause = &by_worker},
		{.comm = "io;wor ker", .state = "waiting", .cause = &shared_disk},
	};
	const struct chain_link worker_runs[] = {
		{.comm = "mysqld", .state = "waiting", .cause = &by_worker},
		{.comm = "io;wor ker", .state = "running"},
	};
	const struct chain_link sleeps[] = {
		{.comm = "\xff sh", .state = "waiting", .cause = &own_timer}};

	chain_show(presenter, state, (struct links){.link = through_worker, .count = 2},
	           (struct figures){12000600, 3, 9100000, BEGIN + 9100000});
	chain_show(presenter, state, (struct links){.link = sleeps, .count = 1},
	           (struct figures){3000700, 1, 3000700, BEGIN + 3000700});
	chain_show(presenter, state, (struct links){.link = worker_runs, .count = 2},
	           (struct figures){839400, 1, 839400, BEGIN + 839400});
}

/* The same, as a tree. */
#define NODE(at_depth, text, of, exact, children, ...)                                             \
	{.depth = (at_depth), .node = {.label = (text), .cause = (of), .figures = {__VA_ARGS__},   \
	                               .is_exact = (exact), .child_count = (children)}}

static const struct {
	unsigned depth;
	struct tree_node node;
} nodes[] = {
	NODE(0, "mysqld", NULL, false, 2, 12840000, 4, 9100000, BEGIN + 9100000),
	NODE(1, "io;wor ker", NULL, true, 1, 12000600, 3, 9100000, BEGIN + 9100000),
	NODE(2, "disk 254,0", &shared_disk, true, 0, 12000600, 3, 9100000, BEGIN + 9100000),
	NODE(1, "io;wor ker running", NULL, true, 0, 839400, 1, 839400, BEGIN + 839400),
	NODE(0, "\\xff sh", NULL, true, 1, 3000700, 1, 3000700, BEGIN + 3000700),
	NODE(1, "its own timer", &own_timer, true, 0, 3000700, 1, 3000700, BEGIN + 3000700),
};

static void node_tree_show(const struct presenter *presenter, void *state)
{
	unsigned wanted = 0; /* depth */

	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++)
		if (nodes[i].depth <= wanted)
			wanted = nodes[i].depth +
			         presenter->tree->node(state, nodes[i].depth, &nodes[i].node);
}

static void chains_show(const struct presenter *presenter, void *state)
{
	const struct tree tree = {
		.title = "WHO WAITED, FOR WHOM, FOR WHAT", .total = 15840700, .root_count = 2,
	};

	output_section_begin(TO, "chains", "Who waited for whom", /* is_list= */ true);
	if (presenter->paths) {
		output_paths_begin(TO, "Who waited for whom");
		chain_list_show(presenter, state);
		output_paths_end(TO);
	}
	if (presenter->tree) {
		presenter->tree->begin(state, &tree);
		if (presenter->tree->node)
			node_tree_show(presenter, state);
		else
			chain_list_show(presenter, state);
		output_tree_end(TO);
	}
	output_section_end(TO);
}

static void segment_show(const struct presenter *presenter, void *state, nsec_t begin,
                         struct state_segment segment)
{
	segment.begin += begin;
	segment.end += begin;
	presenter->timeline->segment(state, &segment);
}

static void timeline_show(const struct presenter *presenter, void *state)
{
	if (!presenter->timeline)
		return;
	output_section_begin(TO, "timeline", "Timeline", /* is_list= */ false);
	presenter->timeline->begin(state, BEGIN, BEGIN + 1000);
	presenter->timeline->row(state, &(struct picture_row){.is_path = true});
	segment_show(presenter, state, BEGIN,
	             (struct state_segment){.end = 300, .state = "running", .is_on_path = true,
	                                    .kind = -1});
	presenter->timeline->row(state, &(struct picture_row){.task = &mysqld});
	segment_show(presenter, state, BEGIN,
	             (struct state_segment){.end = 300, .state = "running", .is_on_path = true,
	                                    .kind = -1});
	segment_show(presenter, state, BEGIN,
	             (struct state_segment){.begin = 300, .end = 1000, .state = "waiting",
	                                    .kind = CAUSE_DISK});
	presenter->timeline->row(state, &(struct picture_row){.task = &worker});
	presenter->timeline->row(state, &(struct picture_row){.cpu.number = 3});
	segment_show(presenter, state, BEGIN,
	             (struct state_segment){.end = 300, .state = "running", .kind = -1,
	                                    .task = &mysqld});
	output_timeline_end(TO);
	output_section_end(TO);
	/* and one without a task */
	output_section_begin(TO, "empty", NULL, /* is_list= */ false);
	presenter->timeline->begin(state, BEGIN, BEGIN);
	output_timeline_end(TO);
	output_section_end(TO);
}

static const struct column edge_columns[] = {
	{"from", "from", CELL_TASK, COLUMN_FROM},
	{"to", "to", CELL_TEXT, COLUMN_TO},
	{"total_ns", "total", CELL_DURATION, COLUMN_WEIGHT},
	{"count", "waits", CELL_COUNT, 0},
};

static void graph_show(const struct presenter *presenter, void *state)
{
	const struct cell edge[ARRAY_SIZE(edge_columns)] = {
		{.type = CELL_TASK, .task = mysqld},
		{.type = CELL_TEXT, .text = "a \"lock\"\n, held"},
		{.type = CELL_DURATION, .time = 1500},
		{.type = CELL_COUNT, .count = 1234},
	};

	output_section_begin(TO, "graph", "Wait-for graph", /* is_list= */ false);
	output_table_begin(TO, "edges", "edges", edge_columns, ARRAY_SIZE(edge_columns),
	                       false);
	output_row(TO, edge);
	output_table_end(TO);
	output_table_begin(TO, "total", NULL, edge_columns + 2, 2, /* is_single= */ true);
	output_row(TO, edge + 2);
	output_table_end(TO);
	output_section_end(TO);
}

char *sample_render(const char *name, const struct presenter_options *options)
{
	const struct presenter *presenter = presenter_find(name);
	const char *const files[] = {"run.dat"};
	const struct trace_summary trace = {
		.files = files, .file_count = 1, .kernel = "6.1.0", .clock = "mono", .cpus = 4,
		.begin = BEGIN, .end = BEGIN + 1000000000, .events = 1234,
		.instants = {.begin = BEGIN},
	};
	const struct health health = {.events = 1234, .task_ns = 5, .explained_ns = 5};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	void *state;

	assert(presenter);
	state = presenter->begin(out, options, &trace);
	fields_show(presenter, state);
	waits_show(presenter, state);
	chains_show(presenter, state);
	graph_show(presenter, state);
	timeline_show(presenter, state);
	presenter->end(state, &health);
	(void)fclose(out);
	return text;
}

char *empty_render(const char *name, const struct health *health)
{
	const struct presenter *presenter = presenter_find(name);
	const struct presenter_options options = {0};
	const struct trace_summary trace = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert(presenter);
	presenter->end(presenter->begin(out, &options, &trace), health);
	(void)fclose(out);
	return text;
}
