/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long tasks were in run queues, what had the CPU meanwhile, and what each CPU did. All times
   are cut to the window, if there is one. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/machine_time.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/format.h"
#include "loss_list.h"
#include "run_queue.h"
#include "sched_groups.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* A user of the CPU, and for how long. */
struct sched_share {
	uint32_t user; /* as in struct queue_loss */
	nsec_t total;
};

/* A task that is asked for. */
struct sched_task {
	uint32_t track;
	struct distribution latency; /* borrowed */
	nsec_t throttled, open;
	uint64_t migrations;
	const struct queue_loss *loss; /* loss_count elements, most first */
	size_t loss_count;
};

struct sched_report {
	const struct run_queue *queue;
	struct tally tasks;     /* of struct sched_task, by track */
	struct relation_rows task; /* in the order that is asked for */
	struct distribution latency;
	nsec_t throttled;        /* the part of the delays in which a limit held the tasks back */
	struct sched_share *by_user; /* without the throttled time, most first */
	size_t by_user_count;
};

/* The times of a CPU: they sum to the window. */
struct sched_cpu {
	nsec_t running, irq, softirq, idle, unknown;
};

ORDER_FUNCTION(sched_share_compare, struct sched_share, FALLING(x, y, total), RISING(x, y, user))

/* Sums the losses of all tasks, by the user of the CPU. */
static void report_sum_losses(struct sched_report *report)
{
	const struct run_queue *queue = report->queue;
	size_t tracks = queue->track_count, others = CPU_USER_UNKNOWN - CPU_USER_IRQ + 1u;
	size_t capacity = 0;
	nsec_t *lost = xcalloc(tracks + others, sizeof(*lost));

	TALLY_ROWS(&report->tasks, const struct sched_task, task) {
		for (size_t k = 0; k < task->loss_count; k++) {
			const struct queue_loss *loss = &task->loss[k];

			lost[loss->user < CPU_USER_IRQ ? loss->user
			                               : tracks + (loss->user - CPU_USER_IRQ)] +=
				loss->total;
		}
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

#define AT(member) RELATION_AT(struct sched_task, member)

enum {COLUMN_PRIORITY = 1, COLUMN_THROTTLED = 6, COLUMN_LOST_TO = 9, COLUMN_LOST_TEXT};

static const struct field task_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	[COLUMN_PRIORITY] = {"priority", "PRIO", CELL_PRIORITY, COLUMN_USEFUL(1), FILLED},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4), AT(latency.count)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(latency.total)},
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(3), AT(latency)},
	{"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(2),
	 AT(latency.max_at)},
	[COLUMN_THROTTLED] = {"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_USEFUL(4),
	                      AT(throttled)},
	{"migrations", "MIGRATIONS", CELL_COUNT, COLUMN_SPARE(1), AT(migrations)},
	{"open_ns", "NOT ENDED", CELL_DURATION, COLUMN_DATA_ONLY, AT(open)},
	[COLUMN_LOST_TO] = {"lost_to", "CPUS RAN", CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[COLUMN_LOST_TEXT] = {NULL, "CPUS RAN", CELL_TEXT, 0, FILLED},
};

static void task_fill(const void *of_report, const void *of, struct cell *cell, struct buffer *text)
{
	const struct sched_report *report = of_report;
	const struct timeline *timeline = report->queue->question->timeline;
	const struct sched_task *task = of;
	struct losses lost = {task->loss, task->loss_count, task->throttled};

	cell[COLUMN_PRIORITY].integer = timeline->track[task->track].priority;
	if (cell[COLUMN_PRIORITY].integer == PRIORITY_UNKNOWN)
		cell[COLUMN_PRIORITY].type = CELL_EMPTY;
	cell[COLUMN_LOST_TO].rows = losses_rows(&lost, timeline);
	losses_append(&text[COLUMN_LOST_TEXT], &lost, task->latency.total, timeline);
}

/* Shows the column for limits only if a limit held a task back, as that is rare. */
static void tasks_adapt(const void *of_report, const struct relation_rows *rows,
                        struct column *shown)
{
	(void)rows;
	if (((const struct sched_report *)of_report)->throttled == 0)
		shown[COLUMN_THROTTLED].flags |= COLUMN_DATA_ONLY;
}

static const char *const sort_keys[] = {"total", "count", "max", "throttled", "migrations", NULL};
static const struct measure by_key[] = {
	{AT(latency.total)}, {AT(latency.count)}, {AT(latency.max)},
	{AT(throttled)},     {AT(migrations)},
};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct relation_form task_form = {
	"tasks", "Tasks, by their time in run queues", FIELDS(task_fields),
	.next = "--sched --tid {task}",
	.sort_keys = sort_keys, .by_key = by_key, .order = {{AT(latency.total)}},
	.fill = task_fill, .adapt = tasks_adapt,
};

static void report_init(struct sched_report *report, const struct run_queue *queue)
{
	const struct question *question = queue->question;

	*report = (struct sched_report){.queue = queue};
	tally_init(&report->tasks, sizeof(struct sched_task), 0, TALLY_NO_LIMIT);
	for (uint32_t track = 0; track < queue->track_count; track++) {
		const struct queue_track *of = &queue->track[track];
		const struct queue_row *row;
		struct sched_task *task;

		if (of->row == 0 || !question->resolved->is_asked[track])
			continue;
		row = &queue->row[of->row - 1];
		task = tally_add(&report->tasks);
		*task = (struct sched_task){
			.track = track,
			.latency = row->latency,
			.throttled = row->throttled,
			.open = of->open,
			.migrations = of->migrations,
		};
		task->loss = loss_list_find(&queue->losses, track, &task->loss_count);
		report->throttled += row->throttled;
	}
	for (size_t i = 0; i < queue->row_count; i++)
		if (question->resolved->is_asked[queue->row[i].track])
			distribution_merge(&report->latency, &queue->row[i].latency);
	report->task = relation_choose(&report->tasks, &task_form, report, question);
	report_sum_losses(report);
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
static bool loan_is_shown(const void *state, const void *of)
{
	const struct sched_report *report = state;
	const struct loan *loan = of;
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
		LINK_COLUMN,
	};
	const struct timeline *timeline = queue->question->timeline;
	size_t skip = machine_column_skip(timeline);
	_cleanup_(buffer_release) struct buffer next = {0};

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
			{.type = CELL_EMPTY},
		};

		if (!sched_has_cpu(queue, number))
			continue;
		row_link_fill(&next, LINK_CPU, cpu_columns, cell, ARRAY_SIZE(cell),
		              queue->question);
		output_row(to, cell + skip);
	}
	output_table_end(to);
}

/* The sentences above the tables. */

/* The asked task with the longest single delay. */
static const struct sched_task *task_of_longest(const struct sched_report *report)
{
	const struct sched_task *longest = report->task.row[0];

	for (size_t i = 1; i < report->task.count; i++) {
		const struct sched_task *task = report->task.row[i];

		if (task->latency.max > longest->latency.max)
			longest = task;
	}
	return longest;
}

/* The CPU that lost most to interrupts while tasks stood in its queue. */
static uint32_t interrupted_cpu(const struct run_queue *queue)
{
	uint32_t most = 0;

	for (uint32_t cpu = 1; cpu < queue->cpu_count; cpu++)
		if (queue->cpu[cpu].interrupted > queue->cpu[most].interrupted)
			most = cpu;
	return most;
}

/* "; held back by limits on CPU time 3.0 %; meanwhile the CPUs ran hog[12] 93.0 %, interrupts
   2.0 %" */
static void lost_append(struct buffer *to, const struct sched_report *report)
{
	const struct timeline *timeline = report->queue->question->timeline;
	double throttled = nsec_ratio(report->throttled, report->latency.total);
	uint32_t cpu = interrupted_cpu(report->queue);
	_cleanup_(buffer_release) struct buffer users = {0}, irq = {0};

	interrupt_sums_append_most(&report->queue->interrupts, cpu, timeline, &irq);
	for (size_t i = 0; i < report->by_user_count && i < SHOWN_USERS; i++) {
		uint32_t user = report->by_user[i].user;
		double part = nsec_ratio(report->by_user[i].total, report->latency.total);

		if (i && part < PART_OF_QUEUES)
			break;
		say(&users, timeline,
		    "{,}[{text}|{task}] {ratio}[{if} (on CPU {cpu} mostly {text})]",
		    TEXT(cpu_user_words(user)), TASK(user), RATIO(part),
		    IF(user == CPU_USER_IRQ), CPU(cpu), TEXT(irq.text));
	}
	say(to, NULL,
	    "[; held back by limits on CPU time {ratio}][; meanwhile the CPUs ran {text}]",
	    WHEN(throttled >= PART_OF_QUEUES, RATIO(throttled)), TEXT(users.text));
}

static void answer_print(const struct sched_report *report, const struct output *to)
{
	const struct question *question = report->queue->question;
	_cleanup_(buffer_release) struct buffer lost = {0};
	const struct sched_task *longest;
	struct distribution_sum sum;

	distribution_sum(&report->latency, &sum);
	if (sum.count == 0) {
		say_to(to, NULL, "No task{text} stood in a run queue.",
		       TEXT(question_scope(question)));
		return;
	}
	longest = task_of_longest(report);
	lost_append(&lost, report);
	say_to(to, question->timeline,
	       "{number} task{|s}{text} stood in run queues for {time} in all, {count} time{|s}: "
	       "p99 {time}, longest {time} ({task} at {instant}){text}.",
	       NUMBER(report->task.count), TEXT(question_scope(question)), TIME(sum.total),
	       COUNT(sum.count), TIME(sum.p99), TIME(sum.max), TASK(longest->track),
	       INSTANT(&question->instants, longest->latency.max_at), TEXT(lost.text));
}

/* Prints the delays that have not ended. They are in no table, as their lengths are not known. */
static void open_print(const struct sched_report *report, const struct output *to)
{
	const struct run_queue *queue = report->queue;
	const struct question *question = queue->question;
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
	say_to(to, question->timeline,
	       "At the end {number} task{|s} still stood there, not counted: {task} for {time}.",
	       NUMBER(count), TASK((uint32_t)longest), TIME(queue->track[longest].open));
}

/* Advice if a limit on CPU time caused most of the delays. */
static bool advise_limit(const struct sched_report *report, struct buffer *line)
{
	const struct sched_task *most;

	if (nsec_ratio(report->throttled, report->latency.total) < PART_MOST)
		return false;
	most = report->task.row[0];
	for (size_t i = 1; i < report->task.count; i++) {
		const struct sched_task *task = report->task.row[i];

		if (task->throttled > most->throttled)
			most = task;
	}
	say(line, report->queue->question->timeline,
	    "{task} was held back by a limit on CPU time for {time}, {ratio} of its time in run "
	    "queues: the limit is less than it needs.",
	    TASK(most->track), TIME(most->throttled),
	    RATIO(nsec_ratio(most->throttled, most->latency.total)));
	return true;
}

/* Advice if the task that had most of the CPU got its priority only as the owner of a lock: that is
   intended. */
static bool advise_loan(const struct sched_report *report, const struct sched_share *most,
                        struct buffer *line)
{
	const struct timeline *timeline = report->queue->question->timeline;
	const struct loan *loan = loan_list_find(&report->queue->loans, most->user);

	if (!loan || loan->total < most->total / DIVISOR_MAJOR ||
	    loan->key.priority >= PRIORITY_FAIR_MIN)
		return false;
	say(line, timeline,
	    "{lent} took {ratio} of it; it had that priority for {time}: let it hold the lock for "
	    "less time.",
	    LENT(most->user, (&(struct rank){.lender = loan->key.lender,
	                                     .priority = loan->key.priority,
	                                     .own = loan->key.own})),
	    RATIO(nsec_ratio(most->total, report->latency.total)), TIME(loan->total));
	return true;
}

/* Advice if a task that the others cannot preempt had most of the time. */
static bool advise_priority(const struct sched_report *report, struct buffer *line)
{
	const struct timeline *timeline = report->queue->question->timeline;
	const struct sched_share *most = report->by_user_count ? &report->by_user[0] : NULL;
	int16_t priority;

	if (!most || most->user >= CPU_USER_IRQ ||
	    nsec_ratio(most->total, report->latency.total) < PART_MOST)
		return false;
	if (advise_loan(report, most, line))
		return true;
	priority = timeline->track[most->user].priority;
	if (!priority_is_real_time(priority))
		return false;
	say(line, timeline,
	    "{ranked} took {ratio} of it: while such a task is runnable, tasks of lower priority "
	    "do not run.", RANKED(most->user),
	    RATIO(nsec_ratio(most->total, report->latency.total)));
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
	if (queue->question->asked->cpus.count || cpus == 0 || average < cpus + BEYOND_LEAST ||
	    nsec_ratio(idle, all * cpus) > PART_NO_ROOM)
		return false;
	say(line, timeline,
	    "{number} tasks want {number} CPU{|s}[ of {foreign}]: {hundredths} on average were "
	    "running or runnable, and the CPU{|s} idled for {ratio}.",
	    NUMBER((uint64_t)nearbyint(average)), NUMBER(cpus),
	    FOREIGN(hosts_name(&timeline->hosts, machine)), HUNDREDTHS(average),
	    RATIO(nsec_ratio(idle, all * cpus)));
	return true;
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
	if (longest == UINT32_MAX || nsec_ratio(spare, all) < PART_SPARE ||
	    nsec_ratio(sched_cpu_of(queue, longest).idle, all) > PART_NO_ROOM)
		return false;
	average = 1 + nsec_ratio(queue->cpu[longest].queued, all);
	if (average < 1 + BEYOND_LEAST)
		return false;
	say(line, timeline,
	    "{number} tasks want CPU {cpu} ({hundredths} on average), while CPU {cpu} idles for "
	    "{ratio}: they may be bound to it.",
	    NUMBER((uint64_t)nearbyint(average)), CPU(longest), HUNDREDTHS(average),
	    CPU(spare_cpu), RATIO(nsec_ratio(spare, all)));
	return true;
}

static bool advise_machine(const struct sched_report *report, struct buffer *line,
                           bool (*advise)(const struct sched_report *report, uint32_t machine,
                                          struct buffer *line))
{
	uint32_t machines = report->queue->question->timeline->hosts.count, machine = 0;

	do {
		if (advise(report, machine, line))
			return true;
	} while (++machine < machines);
	return false;
}

/* Prints the line with the answer, and one of advice if figures prove it. */
static void sched_print(const struct sched_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	answer_print(report, to);
	open_print(report, to);
	if (advise_limit(report, &line) || advise_priority(report, &line) ||
	    advise_machine(report, &line, advise_crowd) ||
	    advise_machine(report, &line, advise_spread))
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
	relation_show(&task_form, &report.task, &report, queue->question, to);
	delay_list_show(&queue->delays, queue->question, to);
	loan_list_report(&queue->loans, loan_is_shown, &report, to);
	sched_show_cpus(queue, to);
	histogram_show_of(&report.latency, "Times in run queues", to);
	output_section_end(to);
	distribution_release(&report.latency);
	relation_rows_release(&report.task);
	tally_release(&report.tasks);
	free(report.by_user);
}

const struct analysis sched_analysis = {
	.name = "sched",
	.about = "how long tasks stood in run queues, and what had the CPU",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN | HEEDS_BY_GROUP,
	.needs = EVENT_LIST(EVENT_SCHED_SWITCH),
	.groups = "sched",
	.state_bytes = sizeof(struct run_queue),
	.begin = run_queue_init,
	.on_span = run_queue_add_span,
	.on_interval = run_queue_add_interval,
	.interval_kinds = RUN_QUEUE_INTERVALS,
	.resolve = run_queue_resolve,
	.report = sched_report_show,
	.end = run_queue_release,
};
