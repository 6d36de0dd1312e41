/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "sched_view.h"

/* A CPU idle for less could not have run another task. */
#define BUSY_IDLE_MAX  0.05
/* A CPU idle for more, while tasks queue elsewhere, is worth a sentence. */
#define SPARE_IDLE_MIN 0.3

void cpu_user_append(struct buffer *to, const struct timeline *timeline, uint32_t user)
{
	if (user == CPU_USER_IRQ)
		buffer_puts(to, "interrupts");
	else if (user == CPU_USER_IDLE)
		buffer_puts(to, "idle");
	else if (user == CPU_USER_UNKNOWN)
		buffer_puts(to, "others");
	else
		prose_task_append(to, timeline, user);
}

/* The asked task with the longest single delay. */
static const struct sched_task *task_of_longest(const struct sched_report *report)
{
	const struct sched_task *longest = &report->task[0];

	for (size_t i = 1; i < report->task_count; i++)
		if (report->task[i].row->latency.max > longest->row->latency.max)
			longest = &report->task[i];
	return longest;
}

/* "; lost to hog[12] 93.0 %, interrupts 2.0 %" */
static void lost_append(struct buffer *to, const struct sched_report *report)
{
	const struct timeline *timeline = report->queue->question->timeline;
	nsec_t all = report->latency.total;
	const char *between = "; lost to ";

	if (nsec_ratio(report->throttled, all) >= 0.01) {
		buffer_printf(to, "%slimits on CPU time %s", between,
		              RATIO_TEXT(nsec_ratio(report->throttled, all)));
		between = ", ";
	}
	for (size_t i = 0; i < report->by_user_count && i < 3; i++) {
		if (i && nsec_ratio(report->by_user[i].total, all) < 0.01)
			break;
		buffer_puts(to, between);
		cpu_user_append(to, timeline, report->by_user[i].user);
		buffer_printf(to, " %s",
		              RATIO_TEXT(nsec_ratio(report->by_user[i].total, all)));
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
	prose_task_append(&line, question->timeline, longest->row->line);
	buffer_printf(&line, " at %s)",
	              INSTANT_TEXT(longest->row->latency.max_at - question->timeline->begin));
	lost_append(&line, report);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

/* Tasks whose delay has not ended are in no table: how long it will be is not known. */
static void open_print(const struct sched_report *report, const struct output *to)
{
	const struct run_queue *queue = report->queue;
	const struct question *question = queue->question;
	_cleanup_(buffer_release) struct buffer line = {0};
	size_t longest = 0, count = 0;

	for (size_t i = 0; i < queue->line_count; i++) {
		if (!question->resolved->is_asked[i] || queue->line[i].open == 0 ||
		    queue->line[i].open < question->asked->min ||
		    !question_asks_cpu(question, queue->line[i].cpu))
			continue;
		if (count++ == 0 || queue->line[i].open > queue->line[longest].open)
			longest = i;
	}
	if (count == 0)
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "At the end %zu task%s still stood there, not counted: ", count,
	              format_plural(count));
	prose_task_append(&line, question->timeline, (uint32_t)longest);
	buffer_printf(&line, " for %s.", DURATION_TEXT(queue->line[longest].open));
	prose_put(to, line.text);
}

/* A limit on CPU time caused most of it. */
static bool advise_limit(const struct sched_report *report, struct buffer *line)
{
	const struct sched_task *most = report->task;

	if (nsec_ratio(report->throttled, report->latency.total) < 0.5)
		return false;
	for (size_t i = 1; i < report->task_count; i++)
		if (report->task[i].row->throttled > most->row->throttled)
			most = &report->task[i];
	prose_task_append(line, report->queue->question->timeline, most->row->line);
	buffer_printf(line, " was held back by a limit on CPU time for %s, %s of its time in run "
	              "queues: the limit is less than it wants.",
	              DURATION_TEXT(most->row->throttled),
	              RATIO_TEXT(nsec_ratio(most->row->throttled, most->row->latency.total)));
	return true;
}

/* The task with most of the CPU had its priority only as the owner of a lock: that is intended. */
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
	buffer_printf(line, " took %s of it; it had that priority for %s: let it have the lock for "
	              "less.",
	              RATIO_TEXT(nsec_ratio(most->total, report->latency.total)),
	              DURATION_TEXT(loan->total));
	return true;
}

/* A task that no other task may preempt had most of it. */
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
	priority = timeline->line[most->user].priority;
	if (priority == PRIORITY_UNKNOWN || priority >= PRIORITY_FAIR_MIN)
		return false;
	prose_priority_append(line, timeline, most->user);
	buffer_printf(line, " took %s of it: while such a task can run, those below do not.",
	              RATIO_TEXT(nsec_ratio(most->total, report->latency.total)));
	return true;
}

/* More tasks than CPUs, and no CPU was idle. */
static bool advise_machine(const struct sched_report *report, struct buffer *line)
{
	const struct run_queue *queue = report->queue;
	nsec_t all = question_length(queue->question), wanted = 0, idle = 0;
	unsigned cpus = 0;
	double average;

	for (uint32_t number = 0; number < queue->log.cpu_count; number++) {
		if (!sched_has_cpu(queue, number))
			continue;
		idle += sched_cpu_of(queue, number).idle;
		cpus++;
	}
	for (size_t i = 0; i < queue->line_count; i++)
		wanted += queue->line[i].wanted;
	average = nsec_ratio(wanted, all);
	if (queue->question->asked->cpu_count || cpus == 0 || average < cpus + 0.5 ||
	    nsec_ratio(idle, all * cpus) > BUSY_IDLE_MAX)
		return false;
	buffer_printf(line, "%.0f tasks want %u CPU%s: %.2f on average ran or could have, and the "
	              "CPU%s idled for %s.", average, cpus, format_plural(cpus), average,
	              format_plural(cpus), RATIO_TEXT(nsec_ratio(idle, all * cpus)));
	return true;
}

/* A CPU with a queue while others idle. */
static bool advise_cpu(const struct sched_report *report, struct buffer *line)
{
	const struct run_queue *queue = report->queue;
	nsec_t all = question_length(queue->question), spare = 0;
	uint32_t longest = UINT32_MAX, spare_cpu = 0;
	double average;

	for (uint32_t number = 0; number < queue->log.cpu_count; number++) {
		struct sched_cpu cpu = sched_cpu_of(queue, number);

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
	buffer_printf(line, "%.0f tasks want CPU %" PRIu32 " (%.2f on average), while CPU %" PRIu32
	              " idles for %s: they may be bound to it.", average, longest, average,
	              spare_cpu, RATIO_TEXT(nsec_ratio(spare, all)));
	return true;
}

void sched_print(const struct sched_report *report, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	answer_print(report, to);
	open_print(report, to);
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	if (advise_limit(report, &line) || advise_priority(report, &line) ||
	    advise_machine(report, &line) || advise_cpu(report, &line))
		prose_put(to, line.text);
}
