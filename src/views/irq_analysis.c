/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, soft interrupts and work items: how long each handler ran, and how long what was
 * raised or queued had to wait for it. What the trace cuts at its end is left out, and what began
 * before it. In a window are those that were entered in it, as a whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/distribution.h"
#include "analysis/histogram.h"
#include "analysis/interrupt_time.h"
#include "analysis/interval_gate.h"
#include "analysis/prose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "base/map.h"

/* More than any machine has: with them the view takes some hundred MB. */
#define HANDLERS_MAX (1u << 16)

enum handler_kind {
	HANDLER_IRQ,
	HANDLER_SOFTIRQ,
	HANDLER_WORK,
};

/* kind, and what --kind calls it. */
static const struct {
	const char *name;
	enum cause_kind kind;
} handler_kinds[] = {
	[HANDLER_IRQ] = {"irq", CAUSE_IRQ},
	[HANDLER_SOFTIRQ] = {"softirq", CAUSE_SOFTIRQ},
	[HANDLER_WORK] = {"work", CAUSE_WORK},
};

struct handler {
	uint8_t kind;    /* enum handler_kind */
	int32_t number;  /* irq, vector */
	uint32_t name;   /* id; 0: none */
	uint64_t function; /* work without a name: its address */
	struct distribution duration, delay;
	nsec_t busy; /* of interrupts: not inside another one */
	nsec_t taken; /* of that: from a task that ran */
};

struct irq_view {
	const struct question *question;
	struct handler *handler;
	size_t count, capacity;
	struct map by_hash;
	uint64_t left_out; /* of handlers beyond the limit */
	struct interval_gate gate;
};

static void view_add(void *state, const struct interval *interval);

static void *view_begin(const struct question *question)
{
	struct irq_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	interval_gate_init(&view->gate, question, view_add);
	map_init(&view->by_hash);
	return view;
}

static void view_end(void *state)
{
	struct irq_view *view = state;

	for (size_t i = 0; i < view->count; i++) {
		distribution_release(&view->handler[i].duration);
		distribution_release(&view->handler[i].delay);
	}
	free(view->handler);
	interval_gate_release(&view->gate);
	map_release(&view->by_hash);
	free(view);
}

static struct handler handler_of(const struct interval *interval)
{
	if (interval->kind == INTERVAL_WORK)
		return (struct handler){
			.kind = HANDLER_WORK,
			.name = interval->work.name,
			.function = interval->work.name ? 0 : interval->work.function,
		};
	return (struct handler){
		.kind = interval->kind == INTERVAL_IRQ ? HANDLER_IRQ : HANDLER_SOFTIRQ,
		.number = interval->irq.number,
		.name = interval->irq.name,
	};
}

/* Its index; MAP_NONE beyond the limit. */
static uint32_t view_find(struct irq_view *view, const struct handler *wanted)
{
	uint64_t hash = hash_mix(hash_mix((uint64_t)(uint32_t)wanted->number << 8 | wanted->kind,
	                                  wanted->name),
	                         wanted->function);
	uint32_t index;

	for (; (index = map_get(&view->by_hash, hash)) != MAP_NONE; hash++) {
		const struct handler *known = &view->handler[index];

		if (known->kind == wanted->kind && known->number == wanted->number &&
		    known->name == wanted->name && known->function == wanted->function)
			return index;
	}
	if (view->count == HANDLERS_MAX)
		return MAP_NONE;
	ARRAY_GROW(view->handler, view->count, view->capacity);
	view->handler[view->count] = *wanted;
	map_put(&view->by_hash, hash, (uint32_t)view->count);
	return (uint32_t)view->count++;
}

/* Whether a task ran there that had work of its own to do. */
static bool interval_is_taken(const struct timeline *timeline, const struct interval *interval)
{
	return interval->kind != INTERVAL_WORK && !interval->irq.is_nested &&
	       interval->task != LINE_NONE && !timeline->line[interval->task].is_idle &&
	       interval_is_interrupt(interval);
}

static void view_add(void *state, const struct interval *interval)
{
	struct irq_view *view = state;
	struct handler wanted = handler_of(interval);
	nsec_t queued = interval->phase[PHASE_QUEUED], begin = interval_started(interval);
	uint32_t index = view_find(view, &wanted);
	struct handler *handler;

	if (index == MAP_NONE) {
		view->left_out++;
		return;
	}
	handler = &view->handler[index];
	distribution_add(&handler->duration, interval->end - begin, begin);
	if (queued != NSEC_NEVER)
		distribution_add(&handler->delay, begin - queued, queued);
	if (interval->kind == INTERVAL_WORK || !interval->irq.is_nested)
		handler->busy += interval->end - begin;
	if (interval_is_taken(view->question->timeline, interval))
		handler->taken += interval->end - begin;
}

static void view_on_interval(void *state, const struct interval *interval)
{
	struct irq_view *view = state;
	const struct question *question = view->question;
	struct handler handler = handler_of(interval);

	if (!interval->is_open &&
	    interval->end - interval_started(interval) >= question->min &&
	    question_asks_cpu(question, interval->cpu) &&
	    question->kinds & 1u << handler_kinds[handler.kind].kind)
		interval_gate_pass(&view->gate, view, interval);
}

static void view_resolve(void *state)
{
	struct irq_view *view = state;

	interval_gate_resolve(&view->gate, view);
}

static int handler_compare(const void *a, const void *b)
{
	const struct handler *x = *(const struct handler *const *)a;
	const struct handler *y = *(const struct handler *const *)b;

	if (x->duration.total != y->duration.total)
		return x->duration.total > y->duration.total ? -1 : 1;
	if (x->duration.count != y->duration.count)
		return x->duration.count > y->duration.count ? -1 : 1;
	/* in the order in which they were seen */
	return x < y ? -1 : x > y;
}

/* "virtio0-req.0", "NET_RX"; of work items without a name the address. */
static void handler_name_append(struct buffer *to, const struct irq_view *view,
                                const struct handler *handler)
{
	const char *name = intern_text(&view->question->timeline->names, handler->name);

	if (handler->name && name[0])
		buffer_puts_clean(to, name, strlen(name));
	else if (handler->kind == HANDLER_WORK)
		buffer_printf(to, "0x%" PRIx64, handler->function);
	else
		buffer_printf(to, "%" PRId32, handler->number);
}

/* "irq 25 virtio0-req.0", "softirq NET_RX", "work flush_to_ldisc". */
static void handler_append(struct buffer *to, const struct irq_view *view,
                           const struct handler *handler)
{
	buffer_puts(to, handler_kinds[handler->kind].name);
	if (handler->kind == HANDLER_IRQ)
		buffer_printf(to, " %" PRId32, handler->number);
	buffer_putc(to, ' ');
	handler_name_append(to, view, handler);
}

enum irq_column {
	COLUMN_KIND,
	COLUMN_IRQ,
	COLUMN_NAME,
	COLUMN_COUNT,
	COLUMN_TOTAL,
	COLUMN_DURATION_OF,
	COLUMN_DELAY_OF,
	COLUMN_TAKEN,
	COLUMN_MAX_AT,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_KIND] = {"kind", "KIND", CELL_TEXT, 0},
	[COLUMN_IRQ] = {"number", "NUMBER", CELL_INTEGER, COLUMN_USEFUL(1)},
	[COLUMN_NAME] = {"name", "NAME", CELL_TEXT, 0},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
	[COLUMN_TOTAL] = {"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY},
	[COLUMN_DURATION_OF] = {"duration", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0},
	[COLUMN_DELAY_OF] = {"delay", "DELAY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2)},
	[COLUMN_TAKEN] = {"from_tasks_ns", "FROM TASKS", CELL_DURATION, COLUMN_USEFUL(3)},
	[COLUMN_MAX_AT] = {"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
};

static void handler_row(const struct irq_view *view, const struct handler *handler,
                        const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer name;
	struct distribution_sum duration, delay;
	struct cell cell[COLUMNS];

	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	handler_name_append(&name, view, handler);
	distribution_sum(&handler->duration, &duration);
	distribution_sum(&handler->delay, &delay);
	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_KIND].text = handler_kinds[handler->kind].name;
	cell[COLUMN_IRQ].integer = handler->number;
	if (handler->kind == HANDLER_WORK)
		cell[COLUMN_IRQ].type = CELL_EMPTY;
	cell[COLUMN_NAME].text = name.text;
	cell[COLUMN_COUNT].count = duration.count;
	cell[COLUMN_TOTAL].time = duration.total;
	cell[COLUMN_DURATION_OF].distribution = &duration;
	cell[COLUMN_DELAY_OF].distribution = &delay;
	if (delay.count == 0)
		cell[COLUMN_DELAY_OF].type = CELL_EMPTY;
	cell[COLUMN_TAKEN].time = handler->taken;
	if (handler->kind == HANDLER_WORK)
		cell[COLUMN_TAKEN].type = CELL_EMPTY;
	cell[COLUMN_MAX_AT].time = duration.max_at;
	presenter->row(to, cell);
}

/* The bars of the handler that took most time. */
static void view_show_histogram(const struct irq_view *view, const struct handler *handler,
                                const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer title;

	buffer_init(&title, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&title, "Durations of ");
	handler_append(&title, view, handler);
	histogram_show_of(&handler->duration, title.text, presenter, to);
}

static nsec_t view_cpu_time(const struct question *question)
{
	uint64_t cpus = question->cpu_count ? question->cpu_count : question->trace_cpus;

	return cpus * (question->end - question->begin);
}

/* `sorted`: most time first; only those with any are counted. */
static void view_tell(const struct irq_view *view, const struct handler *const *sorted,
                      size_t count, const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer line;
	nsec_t interrupts = 0, taken = 0, work = 0, all = view_cpu_time(view->question);
	const struct handler *most = NULL;
	char share[FORMAT_BYTES], figure[FORMAT_BYTES];

	for (size_t i = 0; i < count; i++) {
		bool is_work = sorted[i]->kind == HANDLER_WORK;

		*(is_work ? &work : &interrupts) += sorted[i]->busy;
		taken += sorted[i]->taken;
		if (!most && !is_work)
			most = sorted[i];
	}
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (most) {
		buffer_printf(&line, "Interrupts took %s of all CPU time (%s",
		              format_ratio(nsec_ratio(interrupts, all), share),
		              format_duration(interrupts, figure));
		buffer_printf(&line, ", %s of it from running tasks)",
		              format_duration(taken, figure));
		buffer_puts(&line, ", most in ");
		handler_append(&line, view, most);
		buffer_printf(&line, " (%s)", format_duration(most->duration.total, figure));
	} else {
		buffer_puts(&line, "No interrupt was seen");
	}
	if (work)
		buffer_printf(&line, "; work items, which may sleep, lasted %s",
		              format_duration(work, figure));
	buffer_putc(&line, '.');
	prose_put(presenter, to, line.text);
}

extern const struct analysis irq_analysis;

static void view_report(const void *state, const struct presenter *presenter, void *to)
{
	const struct irq_view *view = state;
	/* NOLINTNEXTLINE: pointers are meant */
	const struct handler **sorted = xcalloc(view->count, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < view->count; i++)
		if (view->handler[i].duration.count)
			sorted[count++] = &view->handler[i];
	qsort(sorted, count, sizeof(struct handler *), handler_compare);
	if (view->left_out)
		health_note(view->question->health,
		            "more than %u handlers: %" PRIu64 " executions of others are left out",
		            HANDLERS_MAX, view->left_out);
	presenter->section_begin(to, "irq", "Interrupts and work items", /* is_list= */ false);
	if (!analysis_tell_lack(&irq_analysis, view->question, presenter, to))
		view_tell(view, sorted, count, presenter, to);
	presenter->table_begin(to, "handlers", "Handlers, by their time", columns, COLUMNS,
	                       /* is_single= */ false);
	for (size_t i = 0; i < count; i++)
		handler_row(view, sorted[i], presenter, to);
	presenter->table_end(to);
	if (count)
		view_show_histogram(view, sorted[0], presenter, to);
	presenter->section_end(to);
	free(sorted);
}

const struct analysis irq_analysis = {
	.name = "irq",
	.about = "interrupts and work items: time, longest, delay",
	.heeds = HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_IRQ_EXIT, EVENT_SOFTIRQ_EXIT, EVENT_WORK_END),
	.groups = "irq,workqueue",
	.begin = view_begin,
	.on_interval = view_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |
	                  INTERVAL_MASK(INTERVAL_WORK),
	.resolve = view_resolve,
	.report = view_report,
	.end = view_end,
};
