/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long tasks were in run queues, what had the CPU meanwhile, and what each CPU did. All times
   are cut to the window, if there is one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/histogram.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "losses.h"
#include "run_queue.h"
#include "sched_groups.h"
#include "words/instant_words.h"

/* A user of the CPU, and for how long. */
struct sched_share {
	uint32_t user; /* as in struct queue_loss */
	nsec_t total;
};

/* A task that is asked for. */
struct sched_task {
	const struct queue_row *row;
	const struct queue_track *track;
	const struct queue_loss *loss; /* loss_count elements, most first */
	size_t loss_count;
};

struct sched_report {
	const struct run_queue *queue;
	struct sched_task *task; /* in the order that is asked for */
	size_t task_count;
	struct distribution latency;
	nsec_t throttled;        /* the part of the delays in which a limit held the tasks back */
	struct sched_share *by_user; /* without the throttled time, most first */
	size_t by_user_count;
};

/* The times of a CPU: they sum to the window. */
struct sched_cpu {
	nsec_t running, irq, softirq, idle, unknown;
};

static void *sched_begin(const struct question *question)
{
	struct run_queue *queue = xcalloc(1, sizeof(*queue));

	run_queue_init(queue, question);
	return queue;
}

static void sched_end(void *state)
{
	run_queue_release(state);
	free(state);
}

static void sched_on_span(void *state, const struct span *span)
{
	run_queue_add_span(state, span);
}

static void sched_on_interval(void *state, const struct interval *interval)
{
	run_queue_add_interval(state, interval);
}

static void sched_resolve(void *state)
{
	run_queue_resolve(state);
}

static int sched_share_compare(const void *a, const void *b)
{
	const struct sched_share *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->user < y->user ? -1 : x->user > y->user;
}

static const char *const sort_keys[] = {"total", "count", "max", "throttled", "migrations", NULL};

static uint64_t task_key(const struct sched_task *task, size_t key)
{
	const uint64_t by_key[] = {
		task->row->latency.total, task->row->latency.count, task->row->latency.max,
		task->row->throttled,     task->track->migrations,
	};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");
	return by_key[key];
}

static int task_compare(const void *a, const void *b, void *state)
{
	const struct sched_task *x = a, *y = b;
	size_t key = *(const size_t *)state;

	if (task_key(x, key) != task_key(y, key))
		return task_key(x, key) > task_key(y, key) ? -1 : 1;
	if (x->row->latency.total != y->row->latency.total)
		return x->row->latency.total > y->row->latency.total ? -1 : 1;
	return x->row->track < y->row->track ? -1 : x->row->track > y->row->track;
}

/* Sums the losses of all tasks, by the user of the CPU. */
static void report_sum_losses(struct sched_report *report)
{
	const struct run_queue *queue = report->queue;
	size_t tracks = queue->track_count, others = CPU_USER_UNKNOWN - CPU_USER_IRQ + 1u;
	size_t capacity = 0;
	nsec_t *lost = xcalloc(tracks + others, sizeof(*lost));

	for (size_t i = 0; i < report->task_count; i++)
		for (size_t k = 0; k < report->task[i].loss_count; k++) {
			const struct queue_loss *loss = &report->task[i].loss[k];

			lost[loss->user < CPU_USER_IRQ ? loss->user
			                               : tracks + (loss->user - CPU_USER_IRQ)] +=
				loss->total;
		}
	for (size_t i = 0; i < tracks + others; i++) {
		uint32_t user = i < tracks ? (uint32_t)i : CPU_USER_IRQ + (uint32_t)(i - tracks);

		if (lost[i] == 0)
			continue;
		ARRAY_GROW(report->by_user, report->by_user_count, capacity);
		report->by_user[report->by_user_count++] = (struct sched_share){user, lost[i]};
	}
	free(lost);
	array_sort(report->by_user, report->by_user_count, sizeof(*report->by_user),
	           sched_share_compare);
}

static void report_init(struct sched_report *report, const struct run_queue *queue)
{
	const struct question *question = queue->question;
	size_t key = question_sort_key(question, sort_keys);

	*report = (struct sched_report){
		.queue = queue,
		.task = xcalloc(queue->row_count, sizeof(*report->task)),
	};
	for (size_t i = 0; i < queue->row_count; i++) {
		const struct queue_row *row = &queue->row[i];
		struct sched_task *task = &report->task[report->task_count];

		if (!question->resolved->is_asked[row->track])
			continue;
		*task = (struct sched_task){.row = row, .track = &queue->track[row->track]};
		task->loss = loss_list_find(&queue->losses, row->track, &task->loss_count);
		distribution_merge(&report->latency, &row->latency);
		report->throttled += row->throttled;
		report->task_count++;
	}
	if (report->task_count)
		qsort_r(report->task, report->task_count, sizeof(*report->task), task_compare,
		        &key);
	report_sum_losses(report);
}

enum sched_column {
	COLUMN_TASK,
	COLUMN_PRIORITY,
	COLUMN_COUNT,
	COLUMN_TOTAL,
	COLUMN_LATENCY,
	COLUMN_MAX_AT,
	COLUMN_THROTTLED,
	COLUMN_MIGRATIONS,
	COLUMN_OPEN,
	COLUMN_LOST_TO,
	COLUMN_LOST_TEXT,
	COLUMNS,
};

static const struct column columns[COLUMNS] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_PRIORITY] = {"priority", "PRIO", CELL_PRIORITY, COLUMN_USEFUL(1)},
	[COLUMN_COUNT] = {"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
	[COLUMN_TOTAL] = {"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY},
	[COLUMN_LATENCY] = {"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(3)},
	[COLUMN_MAX_AT] = {"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(2)},
	[COLUMN_THROTTLED] = {"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_USEFUL(4)},
	[COLUMN_MIGRATIONS] = {"migrations", "MIGRATIONS", CELL_COUNT, COLUMN_SPARE(1)},
	[COLUMN_OPEN] = {"open_ns", "NOT ENDED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_LOST_TO] = {"lost_to", "CPUS RAN", CELL_ROWS, COLUMN_DATA_ONLY},
	[COLUMN_LOST_TEXT] = {NULL, "CPUS RAN", CELL_TEXT, COLUMN_TEXT_ONLY},
};

static void task_row(const struct sched_report *report, const struct sched_task *task,
                     const struct output *to)
{
	const struct timeline *timeline = report->queue->question->timeline;
	int16_t priority = timeline->track[task->row->track].priority;
	_cleanup_(buffer_release) struct buffer losses = {0};
	struct distribution_sum latency;
	struct cell cell[COLUMNS];
	struct losses lost = {task->loss, task->loss_count, task->row->throttled};
	struct cell_rows rows = losses_rows(&lost, timeline);

	buffer_init(&losses, BUFFER_LIMIT_DEFAULT);
	losses_append(&losses, &lost, task->row->latency.total, timeline);
	distribution_sum(&task->row->latency, &latency);
	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[i].type;
	cell[COLUMN_TASK].task = timeline_task(timeline, task->row->track, NSEC_NEVER);
	cell[COLUMN_PRIORITY].integer = priority;
	if (priority == PRIORITY_UNKNOWN)
		cell[COLUMN_PRIORITY].type = CELL_EMPTY;
	cell[COLUMN_COUNT].count = latency.count;
	cell[COLUMN_TOTAL].time = latency.total;
	cell[COLUMN_LATENCY].distribution = &latency;
	cell[COLUMN_MAX_AT].time = latency.max_at;
	cell[COLUMN_THROTTLED].time = task->row->throttled;
	cell[COLUMN_MIGRATIONS].count = task->track->migrations;
	cell[COLUMN_OPEN].time = task->track->open;
	cell[COLUMN_LOST_TO].rows = rows;
	cell[COLUMN_LOST_TEXT].text = losses.text;
	output_row(to, cell);
	free((void *)(uintptr_t)rows.cells);
}

/* Shows the column for limits only if a limit held a task back, as that is rare. */
static void tasks_show(const struct sched_report *report, const struct output *to)
{
	unsigned limit = output_row_limit(to);
	const struct cell left_out[COLUMNS] = {0};
	struct column shown[COLUMNS];

	_Static_assert(CELL_EMPTY == 0, "a row of nothing");
	question_choose_columns(report->queue->question, columns, COLUMNS, shown);
	if (report->throttled == 0)
		shown[COLUMN_THROTTLED].flags |= COLUMN_DATA_ONLY;
	output_table_begin(to, "tasks", "Tasks, by their time in run queues", shown, COLUMNS,
	                   /* is_single= */ false);
	for (size_t i = 0; i < report->task_count; i++) {
		if (limit && i >= limit) /* the row is only counted */
			output_row(to, left_out);
		else
			task_row(report, &report->task[i], to);
	}
	output_table_end(to);
}

/* Whether the CPU is asked for and the trace shows anything of it. */
static bool sched_has_cpu(const struct run_queue *queue, uint32_t number)
{
	const struct logged_cpu *cpu = &queue->log.cpu[number];

	return (cpu->covered || cpu->interrupt_count) &&
	       question_asks_cpu(queue->question, number);
}

static struct sched_cpu sched_cpu_of(const struct run_queue *queue, uint32_t number)
{
	const struct logged_cpu *cpu = &queue->log.cpu[number];
	nsec_t all = cpu_time(queue->question, number), known;
	struct sched_cpu ret = {
		.running = cpu->running,
		.irq = cpu->irq,
		.softirq = cpu->softirq,
		.idle = cpu->idle,
	};

	known = ret.running + ret.irq + ret.softirq + ret.idle;
	if (known <= all) {
		ret.unknown = all - known;
		return ret;
	}
	/* for interrupts long ago the interrupted task is not known exactly, so the running time
	   may be too long */
	known -= all;
	ret.running -= nsec_min(ret.running, known);
	return ret;
}

/* Whether the loan is from or to an asked task, or to a task that had the CPU while an asked task
   was runnable. */
static bool loan_is_shown(const void *state, const struct loan *loan)
{
	const struct sched_report *report = state;
	const bool *is_asked = report->queue->question->resolved->is_asked;

	if (is_asked[loan->key.task] ||
	    (loan->key.lender != TRACK_NONE && is_asked[loan->key.lender]))
		return true;
	for (size_t i = 0; i < report->by_user_count; i++)
		if (report->by_user[i].user == loan->key.task)
			return true;
	return false;
}

static void sched_show_cpus(const struct run_queue *queue, const struct output *to)
{
	static const struct column cpu_columns[] = {
		{MACHINE_COLUMN},
		{"cpu", "CPU", CELL_COUNT, COLUMN_NUMBER},
		{"running_ns", "RUNNING", CELL_DURATION, 0},
		{"irq_ns", "IRQ", CELL_DURATION, COLUMN_SPARE(3)},
		{"softirq_ns", "SOFTIRQ", CELL_DURATION, COLUMN_SPARE(2)},
		{"idle_ns", "IDLE", CELL_DURATION, 0},
		{"unknown_ns", "NOT RECORDED", CELL_DURATION, COLUMN_SPARE(1)},
		{NULL, "IDLE", CELL_RATIO, COLUMN_TEXT_ONLY},
	};
	const struct timeline *timeline = queue->question->timeline;
	size_t skip = machine_column_skip(timeline);

	output_table_begin(to, "cpus", "CPUs", cpu_columns + skip, ARRAY_SIZE(cpu_columns) - skip,
	                   /* is_single= */ false);
	for (uint32_t number = 0; number < queue->log.cpu_count; number++) {
		struct sched_cpu cpu = sched_cpu_of(queue, number);
		struct cell cell[] = {
			cell_of_machine(timeline, hosts_of_cpu(&timeline->hosts, number)),
			{.type = CELL_COUNT, .count = hosts_own_cpu(&timeline->hosts, number)},
			{.type = CELL_DURATION, .time = cpu.running},
			{.type = CELL_DURATION, .time = cpu.irq},
			{.type = CELL_DURATION, .time = cpu.softirq},
			{.type = CELL_DURATION, .time = cpu.idle},
			{.type = CELL_DURATION, .time = cpu.unknown},
			{.type = CELL_RATIO,
			 .ratio = nsec_ratio(cpu.idle, cpu_time(queue->question, number))},
		};

		if (sched_has_cpu(queue, number))
			output_row(to, cell + skip);
	}
	output_table_end(to);
}

/* The sentences above the tables. */

/* A CPU idle for less could not have run another task. */
#define BUSY_IDLE_MAX  0.05
/* A CPU idle for more, while tasks queue elsewhere, is worth a sentence. */
#define SPARE_IDLE_MIN 0.3

/* The asked task with the longest single delay. */
static const struct sched_task *task_of_longest(const struct sched_report *report)
{
	const struct sched_task *longest = &report->task[0];

	for (size_t i = 1; i < report->task_count; i++)
		if (report->task[i].row->latency.max > longest->row->latency.max)
			longest = &report->task[i];
	return longest;
}

/* " (on CPU 0 mostly irq 30 nic)": the interrupt that took most of the CPU that lost most to
   interrupts while tasks stood in its queue. */
static void interrupt_append(struct buffer *to, const struct run_queue *queue)
{
	size_t most = 0, before = to->length;

	for (size_t cpu = 1; cpu < queue->cpu_count; cpu++)
		if (queue->cpu[cpu].interrupted > queue->cpu[most].interrupted)
			most = cpu;
	buffer_puts(to, " (on CPU ");
	prose_cpu_append(to, queue->question->timeline, (uint32_t)most);
	buffer_puts(to, " mostly ");
	if (interrupt_sums_append_most(&queue->interrupts, (uint32_t)most,
	                               queue->question->timeline, to))
		buffer_putc(to, ')');
	else
		buffer_truncate(to, before);
}

/* "; held back by limits on CPU time 3.0 %; meanwhile the CPUs ran hog[12] 93.0 %, interrupts
   2.0 %" */
static void lost_append(struct buffer *to, const struct sched_report *report)
{
	const struct timeline *timeline = report->queue->question->timeline;
	nsec_t all = report->latency.total;
	const char *between = "; meanwhile the CPUs ran ";

	if (nsec_ratio(report->throttled, all) >= 0.01)
		buffer_printf(to, "; held back by limits on CPU time %s",
		              RATIO_TEXT(nsec_ratio(report->throttled, all)));
	for (size_t i = 0; i < report->by_user_count && i < 3; i++) {
		if (i && nsec_ratio(report->by_user[i].total, all) < 0.01)
			break;
		buffer_puts(to, between);
		cpu_user_append(to, timeline, report->by_user[i].user);
		buffer_printf(to, " %s",
		              RATIO_TEXT(nsec_ratio(report->by_user[i].total, all)));
		if (report->by_user[i].user == CPU_USER_IRQ)
			interrupt_append(to, report->queue);
		between = ", ";
	}
}

static void answer_print(const struct sched_report *report, const struct output *to)
{
	const struct question *question = report->queue->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	const struct sched_task *longest;
	struct distribution_sum sum;

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	distribution_sum(&report->latency, &sum);
	if (sum.count == 0) {
		buffer_printf(&line, "No task%s stood in a run queue.", question_scope(question));
		prose_put(to, line.text);
		return;
	}
	longest = task_of_longest(report);
	buffer_printf(&line, "%zu task%s%s stood in run queues for %s in all, %s time%s: p99 %s, "
	              "longest %s (", report->task_count, format_plural(report->task_count),
	              question_scope(question), DURATION_TEXT(sum.total),
	              COUNT_TEXT(sum.count), format_plural(sum.count),
	              DURATION_TEXT(sum.p99), DURATION_TEXT(sum.max));
	prose_task_append(&line, question->timeline, longest->row->track);
	buffer_printf(&line, " at %s)",
	              INSTANT_OF(&question->instants, longest->row->latency.max_at));
	lost_append(&line, report);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

/* Prints the delays that have not ended. They are in no table, as their lengths are not known. */
static void open_print(const struct sched_report *report, const struct output *to)
{
	const struct run_queue *queue = report->queue;
	const struct question *question = queue->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	size_t longest = 0, count = 0;

	for (size_t i = 0; i < queue->track_count; i++) {
		if (!question->resolved->is_asked[i] || queue->track[i].open == 0 ||
		    queue->track[i].open < question->asked->min ||
		    !question_asks_cpu(question, queue->track[i].cpu))
			continue;
		if (count++ == 0 || queue->track[i].open > queue->track[longest].open)
			longest = i;
	}
	if (count == 0)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "At the end %zu task%s still stood there, not counted: ", count,
	              format_plural(count));
	prose_task_append(&line, question->timeline, (uint32_t)longest);
	buffer_printf(&line, " for %s.", DURATION_TEXT(queue->track[longest].open));
	prose_put(to, line.text);
}

/* Advice if a limit on CPU time caused most of the delays. */
static bool advise_limit(const struct sched_report *report, struct buffer *line)
{
	const struct sched_task *most = report->task;

	if (nsec_ratio(report->throttled, report->latency.total) < 0.5)
		return false;
	for (size_t i = 1; i < report->task_count; i++)
		if (report->task[i].row->throttled > most->row->throttled)
			most = &report->task[i];
	prose_task_append(line, report->queue->question->timeline, most->row->track);
	buffer_printf(line, " was held back by a limit on CPU time for %s, %s of its time in run "
	              "queues: the limit is less than it needs.",
	              DURATION_TEXT(most->row->throttled),
	              RATIO_TEXT(nsec_ratio(most->row->throttled, most->row->latency.total)));
	return true;
}

/* Advice if the task that had most of the CPU got its priority only as the owner of a lock: that is
   intended. */
static bool advise_loan(const struct sched_report *report, const struct sched_share *most,
                        struct buffer *line)
{
	const struct timeline *timeline = report->queue->question->timeline;
	const struct loan *loan = loan_list_find(&report->queue->loans, most->user);

	if (!loan || loan->total < most->total / 2 || loan->key.priority >= PRIORITY_FAIR_MIN)
		return false;
	prose_lent_append(line, timeline, most->user,
	                  &(struct rank){.lender = loan->key.lender,
	                                 .priority = loan->key.priority,
	                                 .own = loan->key.own});
	buffer_printf(line, " took %s of it; it had that priority for %s: let it hold the lock for "
	              "less time.",
	              RATIO_TEXT(nsec_ratio(most->total, report->latency.total)),
	              DURATION_TEXT(loan->total));
	return true;
}

/* Advice if a task that the others cannot preempt had most of the time. */
static bool advise_priority(const struct sched_report *report, struct buffer *line)
{
	const struct timeline *timeline = report->queue->question->timeline;
	const struct sched_share *most = report->by_user_count ? &report->by_user[0] : NULL;
	int16_t priority;

	if (!most || most->user >= CPU_USER_IRQ ||
	    nsec_ratio(most->total, report->latency.total) < 0.5)
		return false;
	if (advise_loan(report, most, line))
		return true;
	priority = timeline->track[most->user].priority;
	if (priority == PRIORITY_UNKNOWN || priority >= PRIORITY_FAIR_MIN)
		return false;
	prose_priority_append(line, timeline, most->user);
	buffer_printf(line, " took %s of it: while such a task is runnable, tasks of lower "
	                    "priority do not run.",
	              RATIO_TEXT(nsec_ratio(most->total, report->latency.total)));
	return true;
}

/* Advice if there were more tasks than CPUs on that machine, and no CPU was idle. */
static bool advise_crowd(const struct sched_report *report, uint32_t machine, struct buffer *line)
{
	const struct run_queue *queue = report->queue;
	const struct timeline *timeline = queue->question->timeline;
	nsec_t all = machine_time(queue->question, machine), wanted = 0, idle = 0;
	unsigned cpus = 0;
	double average;

	for (uint32_t number = 0; number < queue->log.cpu_count; number++) {
		if (!sched_has_cpu(queue, number) ||
		    hosts_of_cpu(&timeline->hosts, number) != machine)
			continue;
		idle += sched_cpu_of(queue, number).idle;
		cpus++;
	}
	for (size_t i = 0; i < queue->track_count; i++)
		if (timeline->track[i].host == machine)
			wanted += queue->track[i].wanted;
	average = nsec_ratio(wanted, all);
	if (queue->question->asked->cpu_count || cpus == 0 || average < cpus + 0.5 ||
	    nsec_ratio(idle, all * cpus) > BUSY_IDLE_MAX)
		return false;
	buffer_printf(line, "%.0f tasks want %u CPU%s", average, cpus, format_plural(cpus));
	if (timeline->hosts.count)
		buffer_printf(line, " of %s", timeline->hosts.host[machine].name);
	buffer_printf(line, ": %.2f on average were running or runnable, and the CPU%s idled for "
	              "%s.", average, format_plural(cpus),
	              RATIO_TEXT(nsec_ratio(idle, all * cpus)));
	return true;
}

static bool advise_machine(const struct sched_report *report, struct buffer *line)
{
	uint32_t machines = report->queue->question->timeline->hosts.count;

	for (uint32_t machine = 0; machine < (machines ? machines : 1); machine++)
		if (advise_crowd(report, machine, line))
			return true;
	return false;
}

/* Advice if a CPU of that machine had a queue while others of it were idle. */
static bool advise_spread(const struct sched_report *report, uint32_t machine,
                          struct buffer *line)
{
	const struct run_queue *queue = report->queue;
	const struct timeline *timeline = queue->question->timeline;
	nsec_t all = machine_time(queue->question, machine), spare = 0;
	uint32_t longest = UINT32_MAX, spare_cpu = 0;
	double average;

	for (uint32_t number = 0; number < queue->log.cpu_count; number++) {
		struct sched_cpu cpu = sched_cpu_of(queue, number);

		if (hosts_of_cpu(&timeline->hosts, number) != machine)
			continue;
		if (sched_has_cpu(queue, number) && number < queue->cpu_count &&
		    (longest == UINT32_MAX ||
		     queue->cpu[number].queued > queue->cpu[longest].queued))
			longest = number;
		if (sched_has_cpu(queue, number) && cpu.idle > spare) {
			spare = cpu.idle;
			spare_cpu = number;
		}
	}
	if (longest == UINT32_MAX || nsec_ratio(spare, all) < SPARE_IDLE_MIN ||
	    nsec_ratio(sched_cpu_of(queue, longest).idle, all) > BUSY_IDLE_MAX)
		return false;
	average = 1 + nsec_ratio(queue->cpu[longest].queued, all);
	if (average < 1.5)
		return false;
	buffer_printf(line, "%.0f tasks want CPU ", average);
	prose_cpu_append(line, timeline, longest);
	buffer_printf(line, " (%.2f on average), while CPU ", average);
	prose_cpu_append(line, timeline, spare_cpu);
	buffer_printf(line, " idles for %s: they may be bound to it.",
	              RATIO_TEXT(nsec_ratio(spare, all)));
	return true;
}

static bool advise_cpu(const struct sched_report *report, struct buffer *line)
{
	uint32_t machines = report->queue->question->timeline->hosts.count;

	for (uint32_t machine = 0; machine < (machines ? machines : 1); machine++)
		if (advise_spread(report, machine, line))
			return true;
	return false;
}

/* Prints the line with the answer, and one of advice if figures prove it. */
static void sched_print(const struct sched_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	answer_print(report, to);
	open_print(report, to);
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (advise_limit(report, &line) || advise_priority(report, &line) ||
	    advise_machine(report, &line) || advise_cpu(report, &line))
		prose_put(to, line.text);
}

static void note_health(const struct run_queue *queue)
{
	struct health *health = queue->question->health;
	nsec_t unnamed = queue->unnamed + queue->losses.unnamed;

	if (queue->left_out)
		health_doubt(health,
		             "too many tasks stood in run queues: %" PRIu64 " delays are left out",
		             queue->left_out);
	if (unnamed)
		health_doubt(health, "too many tasks ran while others were queued to list each: "
		             "those of %s are shown as one",
		             DURATION_TEXT(unnamed));
	if (queue->log.forgotten)
		health_doubt(health, "what had the CPU for %s of long delays is too long ago to be "
		             "known",
		             DURATION_TEXT(queue->log.forgotten));
}

extern const struct analysis sched_analysis;

static void sched_report_show(const void *state, const struct output *to)
{
	const struct run_queue *queue = state;
	struct distribution_sum latency;
	struct sched_report report;

	report_init(&report, queue);
	distribution_sum(&report.latency, &latency);
	note_health(queue);
	output_section_begin(to, "sched", "Run queues", /* is_list= */ false);
	if (!analysis_print_lack(&sched_analysis, queue->question, to))
		sched_print(&report, to);
	output_field(to, "latency", NULL,
	             &(struct cell){.type = CELL_DISTRIBUTION, .distribution = &latency});
	if (queue->question->asked->by_group)
		sched_groups_put(queue, to);
	tasks_show(&report, to);
	delay_list_show(&queue->delays, queue->question, to);
	loan_list_report(&queue->loans, loan_is_shown, &report, to);
	sched_show_cpus(queue, to);
	histogram_show(&latency, "Times in run queues", to);
	output_section_end(to);
	distribution_release(&report.latency);
	free(report.task);
	free(report.by_user);
}

const struct analysis sched_analysis = {
	.name = "sched",
	.about = "how long tasks stood in run queues, and what had the CPU",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_SCHED_SWITCH),
	.groups = "sched",
	.begin = sched_begin,
	.on_span = sched_on_span,
	.on_interval = sched_on_interval,
	.interval_kinds = RUN_QUEUE_INTERVALS,
	.resolve = sched_resolve,
	.report = sched_report_show,
	.end = sched_end,
};
