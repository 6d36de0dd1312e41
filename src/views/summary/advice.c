/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "advice.h"

#include "analysis/prose.h"
#include "base/array.h"
#include "views/lock/lock_contention.h"

/* In the order in which they are printed. */
static const struct advice *const table[] = {
	&limit_advice,
	&stall_advice,
	&cpu_advice,
	&lock_advice,
	&disk_advice,
	&net_advice,
	&memory_advice,
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

struct ranked_advice {
	const struct advice *advice;
	double part;
	struct buffer sentence;
};

/* Stable: equal ones keep the order of the table. */
static void ranked_put_first(struct ranked_advice *ranked, size_t at)
{
	struct ranked_advice moved = ranked[at];

	for (; at > 0 && ranked[at - 1].part < moved.part; at--)
		ranked[at] = ranked[at - 1];
	ranked[at] = moved;
}

size_t advices_print(const struct advices *advices, const struct summary *summary,
                     const struct cost_list *list, const struct output *to, const char **ret_views)
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
		if (summary->explanation->path_line != LINE_NONE &&
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
