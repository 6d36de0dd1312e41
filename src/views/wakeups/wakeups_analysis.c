/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What wakes tasks, and idle CPUs: how often, by task, timer and interrupt. */
#include <stdlib.h>

#include "analysis/recorded.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/machine_time.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "wake_counts.h"
#include "words/cause/unknown_words.h"

static double rate_of(const struct wake_counts *counts, uint32_t machine, uint64_t count)
{
	nsec_t length = machine_time(counts->question, machine);

	return length ? (double)count * 1e9 / (double)length : 0;
}

static const char *source_kind_name(uint32_t kind)
{
	return kind == SOURCE_QUEUED ? "queued" : cause_kind_name((enum cause_kind)kind);
}

/* The name as a text; NULL: there is none. */
static const char *name_text(const struct wake_counts *counts, uint32_t name)
{
	const char *text = intern_text(&counts->question->timeline->names, name);

	return name && text[0] ? text : NULL;
}

/* "timer hrtimer_wakeup, set by logger[812] itself in nanosleep". */
static void timer_append(struct buffer *to, const struct wake_counts *counts,
			 const struct wake_source *source)
{
	say(to, counts->question->timeline,
	    "timer[ {foreign}][, set by {task}][{if}[{if} itself|, set by the task itself]"
	    "[ in {text}]]",
	    FOREIGN(name_text(counts, source->name)), TASK(source->task), IF(source->is_own),
	    IF(source->task != TRACK_NONE),
	    TEXT(sleep_call_name((enum sleep_call)source->call)));
}

static void source_append(struct buffer *to, const struct wake_counts *counts,
			  const struct wake_source *source)
{
	static const char some_interrupt[] = WORDS_SOME_INTERRUPT " (not recorded which)";
	static const char idle_loop[] = "the idle loop, " WORDS_NOT_RECORDED;
	static const char *const words[CAUSE_KIND_COUNT + 1] = {
		[CAUSE_UNKNOWN] = WORDS_NOT_RECORDED,
		[CAUSE_INTERRUPT] = some_interrupt,
		[CAUSE_IDLE] = idle_loop,
		[SOURCE_QUEUED] = "a task that stood in a run queue",
	};

	if (source->kind == CAUSE_TIMER) {
		timer_append(to, counts, source);
		return;
	}
	say(to, counts->question->timeline,
	    "[{text}|{if}task[ {task}]|{text}[ {number}][ {device}][ {foreign}]"
	    "[ [{if}from|by] {task}]]",
	    TEXT(words[source->kind]), IF(source->kind == CAUSE_TASK), TASK(source->task),
	    TEXT(source_kind_name(source->kind)),
	    WHEN(source->kind == CAUSE_IRQ && source->number >= 0,
	         NUMBER((uint32_t)source->number)),
	    WHEN(source->kind == CAUSE_DISK, DEVICE((uint32_t)source->number)),
	    FOREIGN(name_text(counts, source->name)),
	    IF(source->kind == CAUSE_DISK || source->kind == CAUSE_WORK), TASK(source->task));
}

#define AT(type, member) RELATION_AT(struct type, member)

enum {
	SOURCE_BY = 1,
	SOURCE_KIND,
	SOURCE_NUMBER,
	SOURCE_NAME,
	SOURCE_DISK,
	SOURCE_TASK,
	SOURCE_FUNCTION,
	SOURCE_CALL,
	SOURCE_OWN,
	SOURCE_RATE = 11,
	SOURCE_EXIT_RATE = 13,
	SOURCE_CPUS,
};

static const struct field source_fields[] = {
	{MACHINE_COLUMN, AT(source_row, key.machine)},
	[SOURCE_BY] = {NULL, "WOKEN BY", CELL_TEXT, COLUMN_POINT, FILLED},
	[SOURCE_KIND] = {"kind", "KIND", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_NUMBER] = {"number", "NUMBER", CELL_INTEGER, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_NAME] = {"name", "NAME", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_DISK] = {"disk", "DISK", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_TASK] = {"task", "TASK", CELL_TASK, COLUMN_DATA_ONLY, AT(source_row, key.task)},
	[SOURCE_FUNCTION] = {"function", "FUNCTION", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_CALL] = {"call", "CALL", CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SOURCE_OWN] = {"own", "OWN", CELL_BOOL, COLUMN_DATA_ONLY, FILLED},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(3), AT(source_row, tally.count)},
	[SOURCE_RATE] = {"per_second", "A SECOND", CELL_RATE, 0, FILLED},
	{"idle_exits", "FROM IDLE", CELL_COUNT, COLUMN_SPARE(2), AT(source_row, tally.idle_exits)},
	[SOURCE_EXIT_RATE] = {NULL, "FROM IDLE A SECOND", CELL_RATE, 0, FILLED},
	[SOURCE_CPUS] = {"cpus", "CPUS", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
};

static const struct column source_cpu_columns[] = {
	{"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER},
	{"count", "COUNT", CELL_COUNT, 0},
	{"idle_exits", "FROM IDLE", CELL_COUNT, 0},
};

ORDER_FUNCTION(cells_compare_cpu, struct cell, RISING(x, y, count))

/* The CPUs of a source, by number. */
static struct cell_rows source_cpus(const struct wake_counts *counts, size_t source)
{
	const struct hosts *hosts = &counts->question->timeline->hosts;
	struct cell_rows rows = {source_cpu_columns, ARRAY_SIZE(source_cpu_columns), NULL, 0};
	struct cell *cell = NULL;
	size_t capacity = 0;

	TALLY_ROWS(&counts->source_cpus, const struct source_cpu_row, row) {
		if (row->key.source != source)
			continue;
		if (rows.count == capacity) {
			capacity = capacity ? 2 * capacity : 4;
			cell = xreallocarray(cell, capacity * rows.column_count, sizeof(*cell));
		}
		cell[rows.count * 3] = (struct cell){
			.type = CELL_COUNT,
			.count = hosts_own_cpu(hosts, row->key.cpu),
		};
		cell[rows.count * 3 + 1] =
			(struct cell){.type = CELL_COUNT, .count = row->tally.count};
		cell[rows.count++ * 3 + 2] =
			(struct cell){.type = CELL_COUNT, .count = row->tally.idle_exits};
	}
	if (rows.count)
		qsort(cell, rows.count, 3 * sizeof(*cell), cells_compare_cpu);
	rows.cells = cell;
	return rows;
}

static void source_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct wake_counts *counts = view;
	const struct timeline *timeline = counts->question->timeline;
	const struct source_row *row = of;
	const struct wake_source *source = &row->key;
	bool is_timer = source->kind == CAUSE_TIMER;
	bool has_function = is_timer || source->kind == CAUSE_WORK;
	struct cell name = cell_of_name(timeline, CELL_TEXT, source->name);

	source_append(&text[SOURCE_BY], counts, source);
	cell[SOURCE_KIND].text = source_kind_name(source->kind);
	cell[SOURCE_NUMBER].integer = source->number;
	if ((source->kind != CAUSE_IRQ && source->kind != CAUSE_SOFTIRQ) || source->number < 0)
		cell[SOURCE_NUMBER].type = CELL_EMPTY;
	cell[SOURCE_NAME] = has_function ? (struct cell){.type = CELL_EMPTY} : name;
	if (source->kind == CAUSE_DISK) {
		buffer_puts(&text[SOURCE_NAME],
			    TIMELINE_DEVICE_NUMBERS(timeline, (uint32_t)source->number));
		cell[SOURCE_NAME].type = CELL_TEXT;
		cell[SOURCE_NAME].text = text[SOURCE_NAME].text;
	}
	cell[SOURCE_DISK] = cell_of_name(
		timeline, CELL_TEXT,
		source->kind == CAUSE_DISK
			? device_names_find(&timeline->devices, (uint32_t)source->number)
			: 0);
	cell[SOURCE_FUNCTION] = has_function ? name : (struct cell){.type = CELL_EMPTY};
	cell[SOURCE_CALL].text = sleep_call_name((enum sleep_call)source->call);
	if (!cell[SOURCE_CALL].text)
		cell[SOURCE_CALL].type = CELL_EMPTY;
	cell[SOURCE_OWN].boolean = source->is_own;
	if (!is_timer)
		cell[SOURCE_OWN].type = CELL_EMPTY;
	cell[SOURCE_RATE].ratio = rate_of(counts, source->machine, row->tally.count);
	cell[SOURCE_EXIT_RATE].ratio = rate_of(counts, source->machine, row->tally.idle_exits);
	cell[SOURCE_CPUS].rows = source_cpus(counts, tally_number(&counts->sources, row));
}

static const char *const sort_keys[] = {"idle", "count", NULL};
static const struct measure sources_by[] = {
	{AT(source_row, tally.idle_exits)}, {AT(source_row, tally.count)}};
static const struct measure woken_by[] = {
	{AT(woken_row, tally.idle_exits)}, {AT(woken_row, tally.count)}};

static const struct relation_form source_form = {
	"sources",
	"What woke tasks and CPUs",
	FIELDS(source_fields),
	.next = "{kind=queued}--wakeups --waits --sort wait|" /* no cause of a wait */
	        "--wakeups --waits --sort wait --kind {kind}",
	.sort_keys = sort_keys,
	.by_key = sources_by,
	.order = {{AT(source_row, tally.count)}},
	.fill = source_fill,
	.rows_named = "sources of wake-ups",
	.lost_named = "wake-ups",
};

enum { WOKEN_RATE = 2 };

static const struct field woken_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(woken_row, key.track)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(woken_row, tally.count)},
	[WOKEN_RATE] = {"per_second", "A SECOND", CELL_RATE, 0, FILLED},
	{"idle_exits", "FROM IDLE", CELL_COUNT, 0, AT(woken_row, tally.idle_exits)},
};

static void woken_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct wake_counts *counts = view;
	const struct woken_row *row = of;

	(void)text;
	cell[WOKEN_RATE].ratio =
		rate_of(counts, counts->question->timeline->track[row->key.track].host,
			row->tally.count);
}

static const struct relation_form woken_form = {
	"woken",
	"Woken tasks",
	FIELDS(woken_fields),
	.next = "--wakeups --waits --sort wait --tid {task}",
	.sort_keys = sort_keys,
	.by_key = woken_by,
	.order = {{AT(woken_row, tally.count)}},
	.fill = woken_fill,
	.rows_named = "woken tasks",
	.lost_named = "wake-ups",
};

enum { INTERRUPT_KIND = 1, INTERRUPT_NUMBER, INTERRUPT_NAME, INTERRUPT_RATE = 5 };

static const struct field interrupt_fields[] = {
	{MACHINE_COLUMN, AT(interrupt_row, key.machine)},
	[INTERRUPT_KIND] = {"kind", "KIND", CELL_TEXT, 0, FILLED},
	[INTERRUPT_NUMBER] = {"number", "NUMBER", CELL_INTEGER, COLUMN_USEFUL(1), FILLED},
	[INTERRUPT_NAME] = {"name", "NAME", CELL_TEXT, 0, AT(interrupt_row, key.name)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(1), AT(interrupt_row, count)},
	[INTERRUPT_RATE] = {"per_second", "A SECOND", CELL_RATE, 0, FILLED},
	{"while_idle", "WHILE IDLE", CELL_COUNT, 0, AT(interrupt_row, while_idle)},
};

static void interrupt_fill(const void *view, const void *of, struct cell *cell,
			   struct buffer *text)
{
	const struct interrupt_row *row = of;

	(void)text;
	cell[INTERRUPT_KIND].text = cause_kind_name((enum cause_kind)row->key.kind);
	cell[INTERRUPT_NUMBER].integer = row->key.number;
	if (row->key.kind != CAUSE_IRQ && row->key.kind != CAUSE_SOFTIRQ)
		cell[INTERRUPT_NUMBER].type = CELL_EMPTY;
	cell[INTERRUPT_RATE].ratio = rate_of(view, row->key.machine, row->count);
}

static const struct measure interrupts_by[] = {{AT(interrupt_row, while_idle)},
					       {AT(interrupt_row, count)}};

static const struct relation_form interrupt_form = {
	"interrupts",
	"Interrupts and timers, on busy CPUs too",
	FIELDS(interrupt_fields),
	.next = "{kind=irq}--irq|{kind=softirq}--irq|{kind=ipi}--irq",
	.sort_keys = sort_keys,
	.by_key = interrupts_by,
	.order = {{AT(interrupt_row, count)}},
	.fill = interrupt_fill,
	.is_hidden_if_empty = true,
	.rows_named = "interrupts",
};

enum { STATE_MACHINE, STATE_CPU, STATE_NUMBER, STATE_RATE = 4 };

static const struct field state_fields[] = {
	[STATE_MACHINE] = {MACHINE_COLUMN, FILLED},
	[STATE_CPU] = {"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER, FILLED},
	[STATE_NUMBER] = {"state", "STATE", CELL_COUNT, COLUMN_NUMBER, AT(state_row, key.state)},
	{"exits", "EXITS", CELL_COUNT, 0, AT(state_row, stay.count)},
	[STATE_RATE] = {"per_second", "A SECOND", CELL_RATE, 0, FILLED},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(state_row, stay.total)},
	{"stay", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(1), AT(state_row, stay)},
};

static void state_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct wake_counts *counts = view;
	const struct timeline *timeline = counts->question->timeline;
	const struct state_row *row = of;
	uint32_t machine = hosts_of_cpu(&timeline->hosts, row->key.cpu);

	(void)text;
	cell[STATE_MACHINE] = cell_of_machine(timeline, machine);
	cell[STATE_CPU].count = hosts_own_cpu(&timeline->hosts, row->key.cpu);
	cell[STATE_RATE].ratio = rate_of(counts, machine, row->stay.count);
}

const struct relation_form state_form = {
	"states", "Stays in idle states", FIELDS(state_fields),
	.next = LINK_CPU,
	.order = {{AT(state_row, stay.total)}}, .fill = state_fill, .is_hidden_if_empty = true,
};

static bool cpu_is_shown(const struct wake_counts *counts, uint32_t number)
{
	return counts->cpu[number].is_seen && question_asks_cpu(counts->question, number);
}

static void cpus_show(const struct wake_counts *counts, const struct output *to)
{
	static const struct column columns[] = {
		{MACHINE_COLUMN},
		{"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER},
		{"idle_exits", "FROM IDLE", CELL_COUNT, COLUMN_SPARE(1)},
		{"per_second", "A SECOND", CELL_RATE, 0},
		{"idle_ns", "IDLE", CELL_DURATION, 0},
		{NULL, "IDLE", CELL_RATIO, COLUMN_TEXT_ONLY},
		LINK_COLUMN,
	};

	const struct timeline *timeline = counts->question->timeline;
	size_t skip = machine_column_skip(timeline);
	_cleanup_(buffer_release) struct buffer next = {0};

	output_table_begin(to, "cpus", "Idle CPUs that were woken", columns + skip,
			   ARRAY_SIZE(columns) - skip, /* is_single= */ false);
	for (uint32_t number = 0; number < counts->cpu_count; number++) {
		const struct woken_cpu *cpu = &counts->cpu[number];
		uint32_t machine = hosts_of_cpu(&timeline->hosts, number);
		struct cell cell[] = {
			cell_of_machine(timeline, machine),
			{.type = CELL_COUNT, .count = hosts_own_cpu(&timeline->hosts, number)},
			{.type = CELL_COUNT, .count = cpu->idle_exits},
			{.type = CELL_RATE, .ratio = rate_of(counts, machine, cpu->idle_exits)},
			{.type = CELL_DURATION, .time = cpu->idle},
			{.type = CELL_RATIO,
			 .ratio = nsec_ratio(cpu->idle, machine_time(counts->question, machine))},
			{.type = CELL_EMPTY},
		};

		if (!cpu_is_shown(counts, number))
			continue;
		row_link_fill(&next, LINK_CPU, columns, cell, ARRAY_SIZE(cell), counts->question);
		output_row(to, cell + skip);
	}
	output_table_end(to);
}

ORDER_FUNCTION(source_cpu_compare, struct source_cpu_row *const,
               FALLING(*x, *y, tally.idle_exits), (*x > *y) - (*x < *y))

/* ": 120.0 by timer hrtimer_wakeup ..., 3.0 by 12 others": of the CPU's exits. */
static void cpu_sources_append(struct buffer *to, const struct wake_counts *counts, uint32_t cpu)
{
	uint32_t machine = hosts_of_cpu(&counts->question->timeline->hosts, cpu);
	size_t count = 0;
	uint64_t others = 0;
	_cleanup_(buffer_release) struct buffer by = {0};
	const struct source_cpu_row **row =
		xcalloc(counts->source_cpus.count + 1, sizeof(*row)); /* NOLINT: pointers */

	for (size_t i = 0; i < counts->source_cpus.count; i++) {
		row[count] = tally_at(&counts->source_cpus, i);
		count += row[count]->key.cpu == cpu && row[count]->tally.idle_exits > 0;
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort(row, count, sizeof(*row), source_cpu_compare);
	for (size_t i = 0; i < count; i++) {
		const struct source_row *source =
			tally_at(&counts->sources, row[i]->key.source);

		if (i >= SHOWN_SOURCES) {
			others += row[i]->tally.idle_exits;
			continue;
		}
		buffer_clear(&by);
		source_append(&by, counts, &source->key);
		say(to, NULL, "{,}{decimal} by {text}",
		    DECIMAL(rate_of(counts, machine, row[i]->tally.idle_exits)), TEXT(by.text));
	}
	if (others)
		say(to, NULL, "{,}{decimal} by {number} other{|s}",
		    DECIMAL(rate_of(counts, machine, others)), NUMBER(count - SHOWN_SOURCES));
	free(row);
}

/* The asked CPU that was woken most; UINT32_MAX: none was. */
static uint32_t cpu_of_most(const struct wake_counts *counts)
{
	uint32_t most = UINT32_MAX;

	for (uint32_t number = 0; number < counts->cpu_count; number++)
		if (cpu_is_shown(counts, number) && counts->cpu[number].idle_exits &&
		    (most == UINT32_MAX ||
		     counts->cpu[number].idle_exits > counts->cpu[most].idle_exits))
			most = number;
	return most;
}

static void wakeups_answer(const struct wake_counts *counts, const struct output *to)
{
	const struct question *question = counts->question;
	uint32_t cpu = cpu_of_most(counts);
	_cleanup_(buffer_release) struct buffer line = {0}, sources = {0};
	bool is_none = cpu == UINT32_MAX;

	if (!is_none)
		cpu_sources_append(&sources, counts, cpu);
	say_to(to, question->timeline,
	       "[CPU {cpu} was woken from idle {decimal} times a second[: {text}]|No CPU was woken "
	       "from idle].",
	       WHEN(!is_none, CPU(cpu)),
	       WHEN(!is_none,
	            DECIMAL(rate_of(counts, hosts_of_cpu(&question->timeline->hosts, cpu),
	                            counts->cpu[cpu].idle_exits))), TEXT(sources.text));
	if (question->resolved->seen.has[EVENT_CPU_IDLE])
		return;
	buffer_clear(&line);
	if (record_hint_append(&line,
	                       "Interrupts of an idle CPU after which no task ran are not among "
	                       "them (",
	                       &question->resolved->recorded, "idle", /* stacks= */ false,
	                       " shows them)."))
		prose_put(to, line.text);
}

static void wakeups_report(const void *state, const struct output *to)
{
	const struct wake_counts *counts = state;

	output_section_begin(to, "wakeups", "Wake-ups", /* is_list= */ false);
	if (!analysis_print_lack(&wakeups_analysis, counts->question, to))
		wakeups_answer(counts, to);
	cpus_show(counts, to);
	relation_put(&counts->sources, &source_form, counts, counts->question, to);
	relation_put(&counts->woken, &woken_form, counts, counts->question, to);
	relation_put(&counts->interrupts, &interrupt_form, counts, counts->question, to);
	relation_put(&counts->states, &state_form, counts, counts->question, to);
	output_section_end(to);
}

const struct analysis wakeups_analysis = {
	.name = "wakeups",
	.about = "what wakes tasks and idle CPUs, and how often",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS,
	.needs = EVENT_LIST(EVENT_SCHED_SWITCH),
	.groups = "sched",
	.state_bytes = sizeof(struct wake_counts),
	.begin = wake_counts_init,
	.on_span = wake_counts_add_span,
	.on_interval = wake_counts_add_interval,
	.interval_kinds = WAKE_COUNT_INTERVALS,
	.resolve = wake_counts_resolve,
	.report = wakeups_report,
	.end = wake_counts_release,
};
