/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tasks had the CPUs while others stood in run queues, what to do, and which views to look
   at. */
#include <stdlib.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/format.h"
#include "cost_list.h"
#include "summary.h"
#include "words/stall.h"

#define RUNNERS_SHOWN  4
#define VIEWS_SHOWN    3
#define WHO_LEAST      0.005 /* least part of all that ran, for what is not a task */
/* Parts of all reported time that are worth a line, and worth naming another view. */
#define QUEUE_LEAST    0.1
#define VIEW_LEAST     0.05

/* The running time of all tasks of a name. */
struct runner {
	uint32_t comm;
	nsec_t total;
};

static int runner_compare(const void *a, const void *b)
{
	const struct runner *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

struct runners {
	struct runner *runner;
	size_t count, capacity;
	struct map by_comm;
	nsec_t total; /* sum over all, tasks or not */
};

static void runners_add(struct runners *runners, uint32_t comm, nsec_t time)
{
	uint32_t index;

	if (time == 0)
		return;
	runners->total += time;
	index = map_get(&runners->by_comm, comm);
	if (index == MAP_NONE) {
		index = (uint32_t)runners->count;
		map_put(&runners->by_comm, comm, index);
		ARRAY_GROW(runners->runner, runners->count, runners->capacity);
		runners->runner[runners->count++] = (struct runner){comm, 0};
	}
	runners->runner[index].total += time;
}

static void runners_append(const struct runners *runners, const struct timeline *timeline,
                           struct buffer *to)
{
	size_t shown = runners->count <= RUNNERS_SHOWN ? runners->count : RUNNERS_SHOWN;

	array_sort(runners->runner, runners->count, sizeof(*runners->runner), runner_compare);
	for (size_t i = 0; i < shown; i++) {
		if (i && nsec_ratio(runners->runner[i].total, runners->total) < WHO_LEAST)
			break;
		const char *comm = intern_text(&timeline->names, runners->runner[i].comm);

		buffer_puts(to, i ? ", " : "");
		buffer_puts_clean(to, comm, strlen(comm));
		buffer_printf(to, " %.0f %%",
		              100.0 * nsec_ratio(runners->runner[i].total, runners->total));
	}
}

static void append_rest(struct buffer *to, const char *who, nsec_t time, nsec_t total)
{
	bool is_first = to->length > 0 && to->text[to->length - 1] == ' ';

	if (nsec_ratio(time, total) >= WHO_LEAST)
		buffer_printf(to, "%s%s %.0f %%", is_first ? "" : ", ", who,
		              100.0 * nsec_ratio(time, total));
}

/* The users of the CPU while the one task, or a task it waited for, stood in a run queue. */
static void runners_of_path(const struct explanation *explanation, struct buffer *to)
{
	const struct timeline *timeline = explanation->question->timeline;
	const struct had_cpu *had = &explanation->path_sums.had_cpu;
	struct runners runners = {.total = had->interrupts + had->idle};

	map_init(&runners.by_comm);
	for (uint32_t line = 0; line < had->line_count; line++)
		runners_add(&runners, line_last_name(&timeline->line[line]), had->by_line[line]);
	buffer_puts(to, "; meanwhile the CPU ran ");
	runners_append(&runners, timeline, to);
	append_rest(to, "interrupts", had->interrupts, runners.total);
	append_rest(to, "idle", had->idle, runners.total);
	free(runners.runner);
	map_release(&runners.by_comm);
}

/* For several tasks: what the CPUs ran all the time. */
static void runners_of_trace(const struct summary *summary, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	struct runners runners = {0};

	map_init(&runners.by_comm);
	for (uint32_t line = 0; line < summary->count; line++)
		runners_add(&runners, line_last_name(&timeline->line[line]),
		            summary->by_line[line].running);
	buffer_puts(to, "; what they ran: ");
	runners_append(&runners, timeline, to);
	free(runners.runner);
	map_release(&runners.by_comm);
}

/* "2 CPUs, 7.1 tasks wanted one on average; meanwhile the CPU ran qemu 31 %, cc1 22 %". */
void summary_print_queue(const struct summary *summary, const struct cost_list *list,
                         const struct output *to)
{
	const struct question *question = summary->question;
	struct buffer line;

	if (cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) < QUEUE_LEAST)
		return;
	buffer_init(&line, 512);
	buffer_printf(&line, "Run queue: %u CPU%s", question->recording.cpu_count,
	              format_plural(question->recording.cpu_count));
	/* in a window the times of other tasks are not known */
	if (summary->is_streaming)
		buffer_printf(&line, ", %.1f tasks wanted one on average",
		              summary_tasks_wanting(summary));
	if (summary->explanation->path_line != LINE_NONE)
		runners_of_path(summary->explanation, &line);
	else if (summary->is_streaming)
		runners_of_trace(summary, &line);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
	buffer_release(&line);
}

static double cost_part(const struct cost_list *list, const struct cost *cost)
{
	return nsec_ratio(cost->total, list->total - list->apart);
}

/* The view that shows more of it. */
static const char *cost_view(const struct cost_list *list, const struct cost *cost)
{
	static const char *const views[CAUSE_KIND_COUNT] = {
		[CAUSE_DISK] = "disk",   [CAUSE_NET] = "net",
		[CAUSE_LOCK] = "lock",   [CAUSE_MEMORY] = "memory",
		[CAUSE_IRQ] = "irq",     [CAUSE_SOFTIRQ] = "irq",
		[CAUSE_WORK] = "irq",    [CAUSE_WORK_PENDING] = "irq",
	};

	const struct stall *stall = cost_stall(list->timeline, cost);

	if (stall && stall->view)
		return stall->view;
	if (cost->kind == COST_QUEUE || cost->kind == COST_OTHERS_QUEUE ||
	    (cost->kind >= COST_LIMIT && cost->kind <= COST_REAL_TIME))
		return "sched";
	if (cost->kind != COST_WAIT)
		return NULL;
	return views[cost->cause.note->kind];
}

/* "Look closer: --disk, --sched; of who waited for whom: --chains." The views of advice come
   first. */
static void views_print(const struct cost_list *list, const char *const *advised, size_t count,
                        const struct output *to)
{
	const char *shown[VIEWS_SHOWN + ADVICE_SHOWN], *view;
	struct buffer line;
	size_t shown_count = 0;

	buffer_init(&line, 256);
	buffer_puts(&line, "Look closer: --chains");
	for (size_t i = 0; i < count + list->count && shown_count < VIEWS_SHOWN; i++) {
		bool is_shown = false;

		view = i < count ? advised[i] : cost_view(list, &list->cost[i - count]);
		if (!view ||
		    (i >= count && cost_part(list, &list->cost[i - count]) < VIEW_LEAST))
			continue;
		for (size_t at = 0; at < shown_count; at++)
			is_shown |= strcmp(shown[at], view) == 0;
		if (is_shown)
			continue;
		shown[shown_count++] = view;
		buffer_printf(&line, ", --%s", view);
	}
	if (list->total)
		prose_put(to, line.text);
	buffer_release(&line);
}

void summary_print_advice(const struct summary *summary, const struct advices *advices,
                          const struct cost_list *list, const struct output *to)
{
	const char *views[ADVICE_SHOWN];
	size_t count;

	inversions_print(&summary->explanation->inversions, to);
	count = advices_print(advices, summary, list, to, views);
	views_print(list, views, count, to);
}
