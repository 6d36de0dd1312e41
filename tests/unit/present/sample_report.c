/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_report.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "sample_names.h"

#define BEGIN 5000000000u

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

	presenter->section_begin(state, "summary", "Where the time went", /* is_list= */ false);
	presenter->field(state, NULL, NULL, &cell);
	cell = (struct cell){.type = CELL_DURATION, .time = 12840000};
	presenter->field(state, "running_ns", "running", &cell);
	cell = (struct cell){.type = CELL_BY_KIND, .by_kind = by_kind};
	presenter->field(state, "waiting_ns", "waiting by kind", &cell);
	cell = (struct cell){.type = CELL_TASK, .task = mysqld};
	presenter->field(state, "task", NULL, &cell);
	presenter->section_end(state);
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
	presenter->row(state, cells);
}

static void waits_show(const struct presenter *presenter, void *state)
{
	presenter->section_begin(state, "waits", "Waits", /* is_list= */ true);
	presenter->table_begin(state, NULL, NULL, wait_columns, ARRAY_SIZE(wait_columns), false);
	wait_show(presenter, state, mysqld, 12840000, 0, &by_worker);
	wait_show(presenter, state, worker, 812, 1, &disk);
	wait_show(presenter, state, mysqld, 1500, 0, NULL);
	presenter->table_end(state);
	presenter->section_end(state);
}

static const struct column chain_columns[] = {
	{"links", "chain", CELL_LINKS, 0},
	{"count", "count", CELL_COUNT, 0},
	{"total_ns", "total", CELL_DURATION, COLUMN_WEIGHT},
	{"max_ns", "longest", CELL_DURATION, 0},
	{"max_at_ns", "at s", CELL_INSTANT, 0},
};

static void chain_show(const struct presenter *presenter, void *state, struct links links,
                       uint64_t count, nsec_t total, nsec_t longest)
{
	const struct cell cells[ARRAY_SIZE(chain_columns)] = {
		{.type = CELL_LINKS, .links = links},
		{.type = CELL_COUNT, .count = count},
		{.type = CELL_DURATION, .time = total},
		{.type = CELL_DURATION, .time = longest},
		{.type = CELL_INSTANT, .time = BEGIN + longest},
	};

	presenter->row(state, cells);
}

static void chains_show(const struct presenter *presenter, void *state)
{
	const struct chain_link through_worker[] = {
		{"mysqld", "waiting", &by_worker}, {"io;wor ker", "waiting", &shared_disk},
	};
	const struct chain_link worker_runs[] = {
		{"mysqld", "waiting", &by_worker}, {"io;wor ker", "running", NULL},
	};
	const struct chain_link sleeps[] = {{"\xff sh", "waiting", &own_timer}};

	presenter->section_begin(state, "chains", "Who waited for whom", /* is_list= */ true);
	presenter->table_begin(state, NULL, NULL, chain_columns, ARRAY_SIZE(chain_columns), false);
	chain_show(presenter, state, (struct links){through_worker, 2}, 3, 12000600, 9100000);
	chain_show(presenter, state, (struct links){sleeps, 1}, 1, 3000700, 3000700);
	chain_show(presenter, state, (struct links){worker_runs, 2}, 1, 839400, 839400);
	presenter->table_end(state);
	presenter->section_end(state);
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

	presenter->section_begin(state, "graph", "Wait-for graph", /* is_list= */ false);
	presenter->table_begin(state, "edges", "edges", edge_columns, ARRAY_SIZE(edge_columns),
	                       false);
	presenter->row(state, edge);
	presenter->table_end(state);
	presenter->table_begin(state, "total", NULL, edge_columns + 2, 2, /* is_single= */ true);
	presenter->row(state, edge + 2);
	presenter->table_end(state);
	presenter->section_end(state);
}

char *sample_render(const char *name, const struct presenter_options *options)
{
	const struct presenter *presenter = presenter_find(name);
	const char *const files[] = {"run.dat"};
	const struct trace_summary trace = {
		.files = files, .file_count = 1, .kernel = "6.1.0", .clock = "mono", .cpus = 4,
		.begin = BEGIN, .end = BEGIN + 1000000000, .events = 1234,
	};
	const struct health health = {.events = 1234};
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
