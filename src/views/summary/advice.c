/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "advice.h"

#include <string.h>

#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "views/lock/lock_contention.h"
#include "words/cause/stall.h"

#define STALLS_MAX   32 /* number of different stalls that were waited for; further ones are
                           ignored */
#define ADVICE_SHOWN 2
#define VIEWS_SHOWN  3
#define VIEW_LEAST   0.05 /* least part of all reported time for which another view is named */

/* Advice on waits whose length is a constant of a program or the kernel, and that a setting avoids:
   names the most expensive one in the words of the dictionary of stalls. */
struct stall_sum {
	const struct stall *stall;
	nsec_t total;
};

static void stall_sums_add(struct stall_sum *sums, const struct stall *stall, nsec_t total)
{
	size_t at = 0;

	while (at < STALLS_MAX && sums[at].stall && sums[at].stall != stall)
		at++;
	if (at == STALLS_MAX)
		return;
	sums[at].stall = stall;
	sums[at].total += total;
}

static double stall_advise(const void *state, const struct summary *summary,
                           const struct cost_list *list, struct buffer *to)
{
	struct stall_sum sums[STALLS_MAX] = {{0}}, most = {0};
	double part;

	(void)state;
	(void)summary;
	for (size_t i = 0; i < list->count; i++) {
		const struct stall *stall = cost_stall(list->timeline, &list->cost[i]);

		if (stall && stall->advice)
			stall_sums_add(sums, stall, list->cost[i].total);
	}
	for (size_t i = 0; i < STALLS_MAX && sums[i].stall; i++)
		if (sums[i].total > most.total)
			most = sums[i];
	part = nsec_ratio(most.total, list->total - list->apart);
	if (!most.stall || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "%s took %s (%.0f %%): %s", most.stall->words,
	              DURATION_TEXT(most.total), 100 * part, most.stall->advice);
	return part;
}

static const struct advice stall_advice = {
	.advise = stall_advise,
};

/* Advice on making room in memory. Reclaim and compaction need not sleep, so waits do not show
   them. */

/* The time that all asked tasks spent on making room in memory. */
static nsec_t memory_of_all(const struct summary *summary, bool *ret_is_limit)
{
	const struct question *question = summary->question;
	struct memory_total sum = {.count = 0};
	nsec_t limit = 0, reclaim = 0;

	for (uint32_t track = 0; track < summary->count; track++) {
		const struct memory_log *log = question->timeline->track[track].memory;

		if (!log || !question->resolved->is_asked[track])
			continue;
		memory_total_add(&sum, &summary->by_track[track].memory);
		limit += log->by_what[MEMORY_MEMCG_RECLAIM].total;
		reclaim += log->by_what[MEMORY_RECLAIM].total;
	}
	*ret_is_limit = limit > reclaim;
	return sum.running + sum.waiting;
}

/* The time that the one path spent on making room in memory, plus the time that the path's task
   slept for it. */
static nsec_t memory_of_path(const struct summary *summary, bool *ret_is_limit)
{
	const struct explanation *explanation = summary->explanation;
	const struct path_memory *memory = &explanation->path_sums.memory;

	*ret_is_limit = path_memory_is_for_limit(memory);
	return path_memory_total(memory) +
	       (explanation->path_track < summary->count
	                        ? summary->by_track[explanation->path_track].memory.waiting
	                        : 0);
}

static double memory_advise(const void *state, const struct summary *summary,
                                   const struct cost_list *list, struct buffer *to)
{
	bool is_path = summary->explanation->path_track != TRACK_NONE, is_limit;
	nsec_t spent = is_path ? memory_of_path(summary, &is_limit)
	                       : memory_of_all(summary, &is_limit);
	double part = nsec_ratio(spent, list->total - list->apart);

	(void)state;
	if (spent == 0 || part < ADVICE_LEAST)
		return 0;
	buffer_printf(to, "making room in memory took %s (%.0f %%)", DURATION_TEXT(spent),
	              100 * part);
	buffer_puts(to, is_limit ? ": the limit of a cgroup is reached: raise it (memory.max, "
	                           "memory.high), or let the tasks in it use less."
	                         : ": free memory is low: run less at a time, or add memory.");
	return part;
}

static const struct advice memory_advice = {
	.view = "memory",
	.advise = memory_advise,
};

/* Advice on recording what ended waits, if that was some interrupt. */
static double record_advise(const void *state, const struct summary *summary,
                            const struct cost_list *list, struct buffer *to)
{
	const struct event_kinds *seen = &summary->question->resolved->seen;
	double part = cost_list_part(list, COST_WAIT, CAUSE_INTERRUPT);

	(void)state;
	/* a file that does not say what was recorded may show it by its events */
	if (part < ADVICE_LEAST || (seen->has[EVENT_IRQ_ENTRY] && seen->has[EVENT_HRTIMER_ENTRY]))
		return 0;
	buffer_printf(to, "for %.0f %% it was not recorded which timer or device ended the wait",
	              100 * part);
	return record_hint_append(to, ": ", &summary->question->resolved->recorded, "irq,timer",
	                          /* stacks= */ false, ".")
	               ? part
	               : 0;
}

static const struct advice record_advice = {
	.advise = record_advise,
};

/* In the order in which they are printed. */
static const struct advice *const table[] = {
	&limit_advice,
	&stall_advice,
	&cpu_advice,
	&spin_advice,
	&timer_advice,
	&lock_advice,
	&disk_advice,
	&net_advice,
	&memory_advice,
	&record_advice,
};

_Static_assert(ARRAY_SIZE(table) == ADVICE_COUNT, "a place for the state of each");

static void advices_take(void *state, const struct interval *interval)
{
	struct advices *advices = state;

	for (size_t i = 0; i < ADVICE_COUNT; i++)
		if (table[i]->interval_kinds & INTERVAL_MASK(interval->kind))
			table[i]->on_interval(advices->state[i], interval);
}

void advices_init(struct advices *advices, const struct question *question)
{
	interval_gate_init(&advices->gate, question, advices_take);
	advices->gate.wide_kinds = lock_advice.interval_kinds;
	for (size_t i = 0; i < ADVICE_COUNT; i++)
		advices->state[i] = table[i]->begin ? table[i]->begin(question) : NULL;
}

void advices_release(struct advices *advices)
{
	for (size_t i = 0; i < ADVICE_COUNT; i++)
		if (table[i]->end)
			table[i]->end(advices->state[i]);
	interval_gate_release(&advices->gate);
}

void advices_add_interval(struct advices *advices, const struct interval *interval)
{
	if (ADVICE_INTERVALS & INTERVAL_MASK(interval->kind))
		interval_gate_pass(&advices->gate, advices, interval);
}

void advices_add_wait(struct advices *advices, const struct span *span)
{
	struct interval interval[LOCK_SPAN_INTERVALS];
	size_t count = lock_intervals_of_span(span, interval);

	for (size_t i = 0; i < count; i++)
		advices_add_interval(advices, &interval[i]);
}

void advices_resolve(struct advices *advices)
{
	interval_gate_resolve(&advices->gate, advices);
}

double advices_busiest_disk(const struct advices *advices, uint32_t machine, struct buffer *to)
{
	for (size_t i = 0; i < ADVICE_COUNT; i++)
		if (table[i] == &disk_advice)
			return disk_uses_busiest(advices->state[i], machine, to);
	return 0;
}

struct ranked_advice {
	const struct advice *advice;
	double part;
	struct buffer sentence;
};

/* Moves the element to its place among those before it. Stable: equal elements keep the order of
   the table. */
static void ranked_put_first(struct ranked_advice *ranked, size_t at)
{
	struct ranked_advice moved = ranked[at];

	for (; at > 0 && ranked[at - 1].part < moved.part; at--)
		ranked[at] = ranked[at - 1];
	ranked[at] = moved;
}

/* Prints the sentences of advice, the largest part first. Stores the views with more details in
   ret_views, which has room for ADVICE_SHOWN, and returns their number. */
static size_t sentences_print(const struct advices *advices, const struct summary *summary,
                              const struct cost_list *list, const struct output *to,
                              const char **ret_views)
{
	struct ranked_advice ranked[ADVICE_COUNT];
	double reported_part = nsec_ratio(list->total - list->apart, list->total);
	size_t count = 0;

	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		struct ranked_advice *next = &ranked[i];

		next->advice = table[i];
		buffer_init(&next->sentence, 2048);
		buffer_puts(&next->sentence, "Advice: ");
		next->part = table[i]->advise(advices->state[i], summary, list, &next->sentence);
		if (summary->explanation->path_track != TRACK_NONE &&
		    next->part * reported_part < ADVICE_TIME)
			next->part = 0;
		ranked_put_first(ranked, i);
	}
	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		if (ranked[i].part > 0 && count < ADVICE_SHOWN) {
			prose_put(to, ranked[i].sentence.text);
			ret_views[count++] = ranked[i].advice->view;
		}
		buffer_release(&ranked[i].sentence);
	}
	return count;
}

/* Whether the view would show anything. */
static bool view_has_events(const char *view, const struct question *question)
{
	const struct analysis *analysis = analysis_find(view);

	return analysis && (!analysis->needs ||
	                    event_kinds_have_any(&question->resolved->seen, analysis->needs));
}

/* The view with more details of the cost; NULL: none. */
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

/* "Look closer: --disk, --sched; of who waited for whom: --chains." The views that belong to the
   advice come first. */
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
		if (!view || !view_has_events(view, list->question) ||
		    (i >= count && nsec_ratio(list->cost[i - count].total,
		                              list->total - list->apart) < VIEW_LEAST))
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

void advices_print(const struct advices *advices, const struct summary *summary,
                   const struct cost_list *list, const struct output *to)
{
	const char *views[ADVICE_SHOWN];
	size_t count;

	inversions_print(&summary->explanation->inversions, to);
	count = sentences_print(advices, summary, list, to, views);
	views_print(list, views, count, to);
}
