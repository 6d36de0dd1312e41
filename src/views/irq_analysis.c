/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts, also between CPUs, softirqs and work items: how long each handler ran, and how long
 * it was delayed after being raised or queued. Handlers that began before the trace, or that the
 * end of the trace cuts, are left out. A window contains the handlers that were entered in it, as a
 * whole.
 */
#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/machine_time.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "sentences/say.h"

/* More than any machine has: with this many the view takes some hundred MB. */
#define HANDLERS_MAX (1u << 16)

enum handler_kind {
	HANDLER_IRQ,
	HANDLER_SOFTIRQ,
	HANDLER_IPI,
	HANDLER_WORK,
};

/* The name of each kind of handler, and the kind of cause by which --kind selects it. */
static const struct {
	const char *name;
	enum cause_kind kind;
} handler_kinds[] = {
	[HANDLER_IRQ] = {"irq", CAUSE_IRQ},
	[HANDLER_SOFTIRQ] = {"softirq", CAUSE_SOFTIRQ},
	[HANDLER_IPI] = {"ipi", CAUSE_IPI},
	[HANDLER_WORK] = {"work", CAUSE_WORK},
};

struct handler {
	struct handler_key {
		uint32_t kind;     /* enum handler_kind */
		uint32_t machine;
		uint64_t function; /* for work without a name: its address */
		int32_t number;    /* irq, vector */
		uint32_t name;     /* id; 0: none */
	} key;
	struct distribution duration, delay;
	nsec_t busy;  /* for interrupts: without runs inside another interrupt */
	nsec_t taken; /* the part of it taken from a running task */
};

struct irq_view {
	GATED_VIEW;
	struct tally handlers;
};

static struct handler_key handler_of(const struct irq_view *view, const struct interval *interval)
{
	uint32_t machine = hosts_of_cpu(&view->question->timeline->hosts, interval->cpu);

	if (interval->kind == INTERVAL_WORK)
		return (struct handler_key){
			.kind = HANDLER_WORK,
			.machine = machine,
			.name = interval->work.name,
			.function = interval->work.name ? 0 : interval->work.function,
		};
	return (struct handler_key){
		.kind = interval->kind == INTERVAL_IRQ   ? HANDLER_IRQ
		        : interval->kind == INTERVAL_IPI ? HANDLER_IPI
		                                         : HANDLER_SOFTIRQ,
		.machine = machine,
		.number = interval->irq.number,
		.name = interval->irq.name,
	};
}

/* Whether the handler interrupted a task that had work of its own to do. */
static bool interval_is_taken(const struct timeline *timeline, const struct interval *interval)
{
	return interval->kind != INTERVAL_WORK && !interval->irq.is_nested &&
	       interval->task != TRACK_NONE && !timeline->track[interval->task].is_idle &&
	       interval_is_interrupt(interval);
}

static void irq_add(void *state, const struct interval *interval)
{
	struct irq_view *view = state;
	struct handler_key key = handler_of(view, interval);
	nsec_t queued = interval->phase[PHASE_QUEUED], begin = interval_started(interval);
	struct handler *handler = tally_row(&view->handlers, &key);

	if (!handler)
		return;
	distribution_add(&handler->duration, interval->end - begin, begin);
	if (queued != NSEC_NEVER)
		distribution_add(&handler->delay, begin - queued, queued);
	if (interval->kind == INTERVAL_WORK || !interval->irq.is_nested)
		handler->busy += interval->end - begin;
	if (interval_is_taken(view->question->timeline, interval))
		handler->taken += interval->end - begin;
}

static void irq_on_interval(void *state, const struct interval *interval)
{
	struct irq_view *view = state;
	const struct question *question = view->question;
	struct handler_key key = handler_of(view, interval);

	if (!interval->is_open && !(interval->kind == INTERVAL_IPI && interval->irq.is_call) &&
	    interval->end - interval_started(interval) >= question->asked->min &&
	    question_asks_cpu(question, interval->cpu) &&
	    question->asked->kinds & 1u << handler_kinds[key.kind].kind)
		interval_gate_pass(view, interval);
}

/* "virtio0-req.0", "NET_RX", "Rescheduling interrupts"; of work items without a name the
   address. */
static void handler_name_append(struct buffer *to, const struct irq_view *view,
				const struct handler *handler)
{
	const char *name = intern_text(&view->question->timeline->names, handler->key.name);

	if (handler->key.name && name[0])
		buffer_puts_clean(to, name, strlen(name));
	else if (handler->key.kind == HANDLER_WORK)
		buffer_printf(to, "0x%" PRIx64, handler->key.function);
	else if (handler->key.kind == HANDLER_IPI)
		buffer_puts(to, "for an unknown reason");
	else
		buffer_printf(to, "%" PRId32, handler->key.number);
}

/* "irq 25 virtio0-req.0", "softirq NET_RX", "work flush_to_ldisc"; of several machines "softirq
   db:NET_RX". */
static void handler_append(struct buffer *to, const struct irq_view *view,
			   const struct handler *handler)
{
	buffer_puts(to, handler_kinds[handler->key.kind].name);
	if (handler->key.kind == HANDLER_IRQ)
		buffer_printf(to, " %" PRId32, handler->key.number);
	buffer_putc(to, ' ');
	prose_machine_append(to, view->question->timeline, handler->key.machine);
	handler_name_append(to, view, handler);
}

#define AT(member) RELATION_AT(struct handler, member)

enum {
	COLUMN_KIND = 1,
	COLUMN_IRQ,
	COLUMN_NAME,
	COLUMN_TAKEN = 8,
};

static const struct field fields[] = {
	{MACHINE_COLUMN, AT(key.machine)},
	[COLUMN_KIND] = {"kind", "KIND", CELL_TEXT, 0, FILLED},
	[COLUMN_IRQ] = {"number", "NUMBER", CELL_INTEGER, COLUMN_USEFUL(1), FILLED},
	[COLUMN_NAME] = {"name", "NAME", CELL_TEXT, 0, FILLED},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4), AT(duration.count)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(duration.total)},
	{"duration", "P50 / P99 / MAX", CELL_DISTRIBUTION, 0, AT(duration)},
	{"delay", "DELAY P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(2), AT(delay)},
	[COLUMN_TAKEN] = {"from_tasks_ns", "FROM TASKS", CELL_DURATION, COLUMN_USEFUL(3),
	                  AT(taken)},
	{"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1),
	 AT(duration.max_at)},
};

static void handler_fill(const void *view, const void *row, struct cell *cell, struct buffer *text)
{
	const struct handler *handler = row;

	cell[COLUMN_KIND].text = handler_kinds[handler->key.kind].name;
	cell[COLUMN_IRQ].integer = handler->key.number;
	handler_name_append(&text[COLUMN_NAME], view, handler);
	if (handler->key.kind == HANDLER_WORK || handler->key.kind == HANDLER_IPI)
		cell[COLUMN_IRQ].type = CELL_EMPTY;
	if (handler->key.kind == HANDLER_WORK)
		cell[COLUMN_TAKEN].type = CELL_EMPTY;
}

static const struct relation_form form = {
	"handlers", "Handlers, by their time", FIELDS(fields),
	.next = "--irq --events --from {from:duration} --to {to:duration+duration}",
	.order = {{AT(duration.total)}, {AT(duration.count)}}, .fill = handler_fill,
	.rows_named = "handlers", .lost_named = "executions",
};

/* The bars of the handler with the longest total. */
static void irq_show_histogram(const struct irq_view *view, const struct handler *handler,
                               const struct output *to)
{
	_cleanup_(buffer_release) struct buffer title = {0}, name = {0};

	handler_append(&name, view, handler);
	say(&title, NULL, "Durations of {text}", TEXT(name.text));
	histogram_show_of(&handler->duration, title.text, to);
}

static void irq_answer(const struct irq_view *view, const struct relation_rows *rows,
                       const struct output *to)
{
	_cleanup_(buffer_release) struct buffer name = {0};
	nsec_t interrupts = 0, taken = 0, work = 0, all = cpus_time(view->question);
	const struct handler *most = NULL;

	for (size_t i = 0; i < rows->count; i++) {
		const struct handler *handler = rows->row[i];
		bool is_work = handler->key.kind == HANDLER_WORK;

		*(is_work ? &work : &interrupts) += handler->busy;
		taken += handler->taken;
		if (!most && !is_work)
			most = handler;
	}
	if (most)
		handler_append(&name, view, most);
	say_to(to, NULL,
	       "[Interrupts took {ratio} of all CPU time ({time}, {time} of it from running "
	       "tasks), most in {text} ({time})|No interrupt was seen][; work items, which may "
	       "sleep, lasted {time}].",
	       WHEN(most, RATIO(nsec_ratio(interrupts, all))), TIME(interrupts), TIME(taken),
	       TEXT(name.text), WHEN(most, TIME(most->duration.total)), WHEN(work, TIME(work)));
}

static void irq_report(const void *state, const struct output *to)
{
	const struct irq_view *view = state;
	const struct question *question = view->question;
	struct relation_rows rows = relation_choose(&view->handlers, &form, view, question);

	output_section_begin(to, "irq", "Interrupts and work items", /* is_list= */ false);
	if (!analysis_print_lack(&irq_analysis, question, to))
		irq_answer(view, &rows, to);
	relation_show(&form, &rows, view, question, to);
	if (rows.count)
		irq_show_histogram(view, rows.row[0], to);
	output_section_end(to);
	relation_rows_release(&rows);
}

static void irq_begin(void *state)
{
	struct irq_view *view = state;

	view->gate.take = irq_add;
	tally_init(&view->handlers, sizeof(struct handler), sizeof(struct handler_key),
	           HANDLERS_MAX);
}

static void irq_end(void *state)
{
	struct irq_view *view = state;

	relation_release(&view->handlers, &form);
	interval_gate_release(&view->gate);
}

const struct analysis irq_analysis = {
	.name = "irq",
	.about = "interrupts and work items: time, longest, delay",
	.heeds = HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_IRQ_EXIT, EVENT_SOFTIRQ_EXIT, EVENT_IPI_EXIT, EVENT_WORK_END),
	.groups = "irq,workqueue",
	.state_bytes = sizeof(struct irq_view),
	.begin = irq_begin,
	.on_interval = irq_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |
			  INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_WORK),
	.resolve = interval_gate_resolve,
	.report = irq_report,
	.end = irq_end,
};
