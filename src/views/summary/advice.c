/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "views/lock/lock_contention.h"
#include "words/cause/cause_kind.h"
#include "words/cause/stall.h"

/* Which task had interrupts off while a timer was due. */
struct late_timers {
	const struct question *question;
	nsec_t total; /* how late timers of asked tasks were in all, as interrupts were off */
	nsec_t longest, at; /* the latest of them, and when it came */
	uint32_t task, runner;
};

static void late_timers_on_interval(void *state, const struct interval *interval)
{
	const struct expiry_interval *expiry = &interval->expiry;
	struct late_timers *late = state;
	nsec_t length = expiry->read - expiry->due;

	if (expiry->masked_by == TRACK_NONE || !question_asks_track(late->question, interval->task))
		return;
	late->total += length;
	if (length <= late->longest)
		return;
	late->longest = length;
	late->at = expiry->read;
	late->task = interval->task;
	late->runner = expiry->masked_by;
}

static double late_timers_advise(const struct advising *of, struct buffer *to)
{
	const struct late_timers *late = of->state;
	const struct question *question = of->summary->question;
	double part = nsec_ratio(late->total, of->reported);

	if (late->longest < LATE_LEAST)
		return 0;
	say(to, question->timeline,
	    "a timer of {task} was {time} late at {instant} s, as {task} ran with interrupts "
	    "off[{if}, or the host did not run that CPU]: --timers has each timer's delays.",
	    TASK(late->task), TIME(late->longest), INSTANT(&question->instants, late->at),
	    TASK(late->runner), IF(question->health->has_steal && question->health->steal_ns));
	return part > PART_WORTH ? part : PART_WORTH; /* a stall of the CPU is worth a word */
}

static const struct gatherer late_timers = {
	.state_bytes = sizeof(struct late_timers),
	.on_interval = late_timers_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXPIRY),
};

/* Advice on retransmitted segments, if tasks waited for the network. */

struct resends {
	const struct question *question;
	struct keyed_sums by_peer;   /* count: retransmits; total: the same, to sort by */
	struct keyed_sums by_reason; /* reasons of drops */
};

static void resends_on_interval(void *state, const struct interval *interval)
{
	struct resends *resends = state;
	const struct connection_interval *connection = &interval->connection;

	if (interval->kind == INTERVAL_DROP && interval->drop.reason)
		keyed_sums_add(&resends->by_reason, &(struct keyed_sum){
			.key = interval->drop.reason, .total = 1, .count = 1});
	else if (interval->kind == INTERVAL_CONNECTION && connection->retransmits &&
	         connection->peer)
		keyed_sums_add(&resends->by_peer, &(struct keyed_sum){
			connection->peer, connection->retransmits, connection->retransmits, 0});
}

static double resends_advise(const struct advising *of, struct buffer *to)
{
	const struct resends *resends = of->state;
	const struct keyed_sum *most = keyed_sums_most(&resends->by_peer);
	const struct keyed_sum *reason = keyed_sums_most(&resends->by_reason);
	double part = cost_list_part(of->list, COST_WAIT, CAUSE_NET);
	uint64_t all = resends->by_peer.total;

	if (all < RETRANSMITS_LEAST || part < PART_WORTH)
		return 0;
	if (reason && reason->count < all / 2)
		reason = NULL;
	say(to, resends->question->timeline,
	    "{count} retransmits, [{if}all|most] of them to {name}[; {count} packets were dropped "
	    "here ({name})]: the path there drops packets, or has too little bandwidth for what is "
	    "sent.", COUNT(all), IF(most->count == all), NAME((uint32_t)most->key),
	    WHEN(reason, COUNT(reason->count)), WHEN(reason, NAME((uint32_t)reason->key)));
	return part;
}

static const struct gatherer resends = {
	.state_bytes = sizeof(struct resends),
	.sum_count = 2,
	.sum_bytes = sizeof(struct keyed_sum),
	.on_interval = resends_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_CONNECTION) | INTERVAL_MASK(INTERVAL_DROP),
};

/* Advice on waits whose length is a constant of a program or the kernel, and that a setting avoids:
   names the most expensive one in the words of the dictionary of stalls. */
static double stall_advise(const struct advising *of, struct buffer *to)
{
	const struct cost_list *list = of->list;
	_cleanup_(keyed_sums_release) struct keyed_sums sums;
	const struct keyed_sum *most;
	const struct stall *stall;
	double part;

	keyed_sums_init(&sums, sizeof(*most), SIZE_MAX);
	for (size_t i = 0; i < list->count; i++) {
		stall = cost_stall(list->timeline, &list->cost[i]);
		if (stall && stall->advice)
			keyed_sums_add_time(&sums, (uintptr_t)stall, list->cost[i].total);
	}
	most = keyed_sums_most(&sums);
	part = most ? nsec_ratio(most->total, of->reported) : 0;
	if (!most || part < PART_WORTH)
		return 0;
	stall = (const struct stall *)(uintptr_t)most->key;
	*of->fact = FACT(FACT_CAUSE, .figure = FIGURE_TIME, .time = most->total);
	say(to, NULL, "{text} took {time} ({share}): {text}", TEXT(stall->words),
	    TIME(most->total), SHARE(part), TEXT(stall->advice));
	return part;
}

/* Advice on making room in memory. Reclaim and compaction need not sleep, so waits do not show
   them. */

/* The time that all asked tasks spent on making room in memory. */
static nsec_t memory_of_all(const struct summary *summary, bool *ret_is_limit)
{
	const struct question *question = summary->question;
	struct memory_total sum = {.count = 0};
	nsec_t limit = 0, reclaim = 0;

	SUMMARY_EACH(summary, times) {
		const struct memory_log *log = question->timeline->track[times->track].memory;

		if (!log)
			continue;
		memory_total_add(&sum, &times->memory);
		limit += log->by_what[MEMORY_MEMCG_RECLAIM].total;
		reclaim += log->by_what[MEMORY_RECLAIM].total;
	}
	*ret_is_limit = limit > reclaim;
	return sum.running + sum.waiting;
}

static double memory_advise(const struct advising *of, struct buffer *to)
{
	const struct summary *summary = of->summary;
	const struct path_memory *memory = &summary->explanation->path_sums.memory;
	const struct timeline *timeline = summary->question->timeline;
	uint32_t self = summary->explanation->path_track;
	bool is_limit = path_memory_is_for_limit(memory);
	nsec_t spent = path_memory_total(memory);
	const struct times *most = SUMMARY_MOST(summary, it, it->memory.count, it->memory.max);
	double part;

	if (self == TRACK_NONE)
		spent = memory_of_all(summary, &is_limit);
	else if (self < summary->count) /* plus what the path's task slept for it */
		spent += summary->by_track[self].memory.waiting;
	part = nsec_ratio(spent, of->reported);
	if (spent == 0 || part < PART_WORTH)
		return 0;
	*of->fact = FACT(FACT_CAUSE, .figure = FIGURE_TIME, .time = spent);
	if (most) {
		of->fact->proof.task =
			timeline_task(timeline, most->track, most->memory.max_at);
		of->fact->proof.begin = most->memory.max_at;
		of->fact->proof.end = most->memory.max_at + most->memory.max;
	}
	say(to, timeline,
	    "making room in memory took {time} ({share})[, at most {time} at once ({task})]: "
	    "[{if}the limit of a cgroup is reached: raise it (memory.max, memory.high), or let the "
	    "tasks in it use less.|free memory is low: run less at a time, or add memory.]",
	    TIME(spent), SHARE(part), WHEN(most, TIME(most->memory.max)),
	    WHEN(most, TASK(most->track)), IF(is_limit));
	return part;
}

/* Advice on recording what ended waits, if that was some interrupt. */
static double record_advise(const struct advising *of, struct buffer *to)
{
	const struct resolved *resolved = of->summary->question->resolved;
	double part = cost_list_part(of->list, COST_WAIT, CAUSE_INTERRUPT);
	bool has_irqs = resolved->seen.has[EVENT_IRQ_ENTRY],
	     has_timers = resolved->seen.has[EVENT_HRTIMER_ENTRY];

	/* a file that does not say what was recorded may show it by its events */
	if (part < PART_WORTH || (has_irqs && has_timers))
		return 0;
	say(to, NULL, "for {share} it was not recorded which timer or device ended the wait",
	    SHARE(part));
	return record_hint_append(to, ": ", &resolved->recorded,
	                          has_irqs     ? "timer"
	                          : has_timers ? "irq"
	                                       : "irq,timer",
	                          /* stacks= */ false, ".") ? part : 0;
}

/* Advice on recording what tasks wait for, where it is not known: only calls and stacks show that
   of a wait which nothing but a signal has ended. */
static double calls_advise(const struct advising *of, struct buffer *to)
{
	const struct resolved *resolved = of->summary->question->resolved;
	double part = cost_list_part(of->list, COST_WAIT, CAUSE_UNKNOWN);
	bool has_calls = resolved->seen.has[EVENT_SYSCALL_ENTER];

	/* without wake-ups no wait's end is known: another line says so */
	if (part < PART_WORTH || (has_calls && resolved->seen.has[EVENT_STACK]) ||
	    !(resolved->seen.has[EVENT_SCHED_WAKING] || resolved->seen.has[EVENT_SCHED_WAKEUP]))
		return 0;
	say(to, NULL, "for {share} the recording does not show what tasks waited for; "
	              "[{if}stacks|system calls] may show it", SHARE(part), IF(has_calls));
	return record_hint_append(to, ": ", &resolved->recorded, "syscalls", /* stacks= */ true,
	                          ".") ? part : 0;
}

/* In the order in which they are printed. */
static const struct advice {
	enum fact_rank rank;
	const char *view; /* with more details; NULL: the view that belongs to the cost */
	adviser *advise;  /* NULL: what is gathered is for other sentences (advices_state()) */
	const struct gatherer *gatherer; /* NULL: it needs only the summary */
} table[] = {
	{FACT_CAUSE, "sched", limit_advise, NULL},
	{FACT_CAUSE, NULL, stall_advise, NULL},
	{FACT_REASON, "sched", queue_advise, NULL},
	{FACT_CAUSE, "sched", spin_advise, NULL},
	{FACT_REASON, "timers", late_timers_advise, &late_timers},
	{FACT_CAUSE, "lock", lock_uses_advise, &lock_uses},
	{FACT_REASON, "disk", disk_uses_advise, &disk_uses},
	{FACT_CAUSE, "net", resends_advise, &resends},
	{FACT_CAUSE, "memory", memory_advise, NULL},
	{FACT_ASIDE, NULL, record_advise, NULL},
	{FACT_ASIDE, NULL, calls_advise, NULL},
	{FACT_ASIDE, NULL, NULL, &network_use},
};

_Static_assert(ARRAY_SIZE(table) == ADVICE_COUNT, "a place for the state of each");

static void advices_take(void *state, const struct interval *interval)
{
	struct advices *advices = state;

	for (size_t i = 0; i < ADVICE_COUNT; i++)
		if (table[i].gatherer &&
		    table[i].gatherer->interval_kinds & INTERVAL_MASK(interval->kind))
			table[i].gatherer->on_interval(advices->state[i], interval);
}

void advices_init(struct advices *advices, const struct question *question)
{
	advices->gate = (struct interval_gate){
		.question = question, .wide_kinds = lock_uses.interval_kinds, .take = advices_take};
	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		const struct gatherer *gatherer = table[i].gatherer;
		struct gathered *state;

		if (!gatherer)
			continue;
		advices->state[i] = state = xcalloc(1, gatherer->state_bytes);
		state->question = question;
		for (unsigned sum = 0; sum < gatherer->sum_count; sum++)
			keyed_sums_init(&state->sums[sum], gatherer->sum_bytes, KEYED_SUMS_HEAVY);
	}
}

void advices_release(struct advices *advices)
{
	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		const struct gatherer *gatherer = table[i].gatherer;
		struct gathered *state = advices->state[i];

		if (gatherer && gatherer->end)
			gatherer->end(state);
		for (unsigned sum = 0; gatherer && sum < gatherer->sum_count; sum++)
			keyed_sums_release(&state->sums[sum]);
		free(state);
	}
	interval_gate_release(&advices->gate);
}

void advices_add_interval(struct advices *advices, const struct interval *interval)
{
	if (ADVICE_INTERVALS & INTERVAL_MASK(interval->kind))
		interval_gate_pass(advices, interval);
}

void advices_add_wait(struct advices *advices, const struct span *span)
{
	struct interval interval[LOCK_SPAN_INTERVALS];
	size_t count = lock_intervals_of_span(span, interval);

	for (size_t i = 0; i < count; i++)
		advices_add_interval(advices, &interval[i]);
}

const void *advices_state(const struct advices *advices, const struct gatherer *gatherer)
{
	size_t at = 0;

	while (table[at].gatherer != gatherer)
		at++;
	return advices->state[at];
}

struct ranked_advice {
	size_t at; /* in the table */
	double part;
	struct fact fact;
	struct buffer sentence;
};

static void advice_put(struct ranked_advice *advice, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer next = {0};

	say(&next, NULL, "[--{text}]", TEXT(table[advice->at].view));
	advice->fact.next = next.length ? next.text : NULL;
	if (advice->fact.figure == FIGURE_NONE) {
		advice->fact.figure = FIGURE_NUMBER;
		advice->fact.number = advice->part;
	}
	prose_put_fact(to, advice->sentence.text, &advice->fact);
}

ORDER_FUNCTION(ranked_compare, struct ranked_advice, FALLING(x, y, part), RISING(x, y, at))

/* Prints the sentences of advice, the largest part first. Stores the views with more details in
   ret_views, which has room for SHOWN_ADVICE, and returns their number. */
static size_t sentences_print(const struct summary *summary, const struct cost_list *list,
                              const struct output *to, const char **ret_views)
{
	struct ranked_advice ranked[ADVICE_COUNT];
	struct advising of = {NULL, summary, list, list->total - list->apart, NULL};
	size_t count = 0;

	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		struct ranked_advice *next = &ranked[i];

		*next = (struct ranked_advice){.at = i, .fact = {.rank = table[i].rank}};
		buffer_init(&next->sentence, 2048);
		buffer_puts(&next->sentence, "Advice: ");
		of.state = summary->advices->state[i];
		of.fact = &next->fact;
		if (table[i].advise)
			next->part = table[i].advise(&of, &next->sentence);
		if (summary->explanation->path_track != TRACK_NONE &&
		    next->part * nsec_ratio(of.reported, list->total) < PART_OF_LIFE)
			next->part = 0;
	}
	array_sort(ranked, ADVICE_COUNT, sizeof(*ranked), ranked_compare);
	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		if (ranked[i].part > 0 && count < SHOWN_ADVICE) {
			advice_put(&ranked[i], to);
			ret_views[count++] = table[ranked[i].at].view;
		}
		buffer_release(&ranked[i].sentence);
	}
	return count;
}

const char *cost_view(const struct cost_list *list, const struct cost *cost)
{
	const struct stall *stall = cost_stall(list->timeline, cost);

	if (stall && stall->view)
		return stall->view;
	if (cost->kind == COST_QUEUE || cost->kind == COST_OTHERS_QUEUE ||
	    (cost->kind >= COST_LIMIT && cost->kind <= COST_REAL_TIME))
		return "sched";
	if (cost->kind != COST_WAIT)
		return NULL;
	return cause_kinds[cost->cause.note->kind].view;
}

/* The part of all reported time of which the view has more details. */
static double view_part(const struct cost_list *list, const char *view)
{
	nsec_t total = 0;

	EACH_OF(list->cost, list->count, const struct cost, cost) {
		const char *of_cost = cost_view(list, cost);

		total += of_cost && strcmp(of_cost, view) == 0 ? cost->total : 0;
	}
	return nsec_ratio(total, list->total - list->apart);
}

bool view_can_show(const struct question *question, const char *view)
{
	const struct analysis *analysis = analysis_find(view);

	return analysis && (!analysis->needs ||
	                    event_kinds_have_any(&question->resolved->seen, analysis->needs));
}

/* "Look closer: --disk, --sched; of who waited for whom: --chains." The views that belong to the
   advice come first; those that would show nothing are left out. */
static void views_print(const struct cost_list *list, const char *const *advised, size_t count,
                        const struct output *to)
{
	const char *shown[SHOWN_VIEWS + SHOWN_ADVICE], *view;
	_cleanup_(buffer_release) struct buffer views = {0}, next = buffer_of(100);
	size_t shown_count = 0;

	for (size_t i = 0; i < count + list->count && shown_count < SHOWN_VIEWS; i++) {
		bool is_shown = false;

		view = i < count ? advised[i] : cost_view(list, &list->cost[i - count]);
		if (!view || !view_can_show(list->question, view) ||
		    (i >= count && nsec_ratio(list->cost[i - count].total,
		                              list->total - list->apart) < PART_NAMED))
			continue;
		for (size_t at = 0; at < shown_count; at++)
			is_shown |= strcmp(shown[at], view) == 0;
		if (is_shown)
			continue;
		shown[shown_count++] = view;
		say(&views, NULL, "{,}--{text}", TEXT(view));
	}
	buffer_printf(&next, "--%s", shown_count ? shown[0] : "chains");
	if (list->total)
		say_fact(to, NULL,
		         FACT(FACT_ASIDE, .next = next.text, .figure = FIGURE_NUMBER,
		              .number = shown_count ? view_part(list, shown[0]) : 0),
		         "Look closer: --chains[, {text}]", TEXT(views.text));
}

void advices_print(const struct summary *summary, const struct cost_list *list,
                   const struct output *to)
{
	const char *views[SHOWN_ADVICE];
	size_t count;

	inversions_print(&summary->explanation->inversions, to);
	count = sentences_print(summary, list, to, views);
	views_print(list, views, count, to);
}
