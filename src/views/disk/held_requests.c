/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held_requests.h"

#include <stdlib.h>

#include "analysis/prose.h"
#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "disk_request.h"

static void held_take(void *view, const struct interval *interval)
{
	struct held_requests *held = view;
	uint64_t key = (uint64_t)interval->task << 32 | interval->disk.dev;
	uint32_t at = map_get(&held->by_key, key);

	if (at == MAP_NONE) {
		ARRAY_GROW(held->task, held->count, held->capacity);
		at = (uint32_t)held->count++;
		held->task[at] = (struct held_task){interval->task, interval->disk.dev, 0, 0};
		map_put(&held->by_key, key, at);
	}
	held->task[at].waits++;
	held->task[at].total += interval->end - interval->begin;
}

void held_requests_init(struct held_requests *held, const struct question *question)
{
	*held = (struct held_requests){0};
	map_init(&held->by_key);
	interval_gate_init(&held->gate, question, held_take);
}

void held_requests_release(struct held_requests *held)
{
	interval_gate_release(&held->gate);
	map_release(&held->by_key);
	free(held->task);
}

void held_requests_add_wait(struct held_requests *held, const struct span *span)
{
	const struct question *question = held->gate.question;
	struct interval interval = interval_of_span(INTERVAL_DISK, span);

	if (!question_asks_cpu(question, span->cpu) ||
	    span->end - span->begin < question->asked->min)
		return;
	interval.end = nsec_min(span->cause->origin, span->end);
	interval.disk.dev = span->cause->as.disk.dev;
	if (interval.end > interval.begin)
		interval_gate_pass(&held->gate, held, &interval);
}

void held_requests_resolve(struct held_requests *held)
{
	interval_gate_resolve(&held->gate, held);
}

/* Adds up the asked tasks, with the device of the first one; false: there are none. */
static bool held_sum(const struct held_requests *held, struct held_task *ret, bool *ret_has_others)
{
	*ret = (struct held_task){0};
	*ret_has_others = false;
	for (size_t i = 0; i < held->count; i++) {
		const struct held_task *task = &held->task[i];

		if (!disk_is_asked(held->gate.question, task->track))
			continue;
		if (ret->waits == 0)
			ret->dev = task->dev;
		*ret_has_others |= task->dev != ret->dev;
		ret->waits += task->waits;
		ret->total += task->total;
	}
	return ret->waits > 0;
}

void held_requests_print(const struct held_requests *held, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	struct held_task sum;
	bool has_others;

	if (!held_sum(held, &sum, &has_others))
		return;
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&line, "An I/O limit delayed the submission of requests to %s%s",
	              TIMELINE_DEVICE_TEXT(held->gate.question->timeline, sum.dev),
	              has_others ? " and others" : "");
	buffer_printf(&line, ", for %s in %s %s; no time below contains that.",
	              DURATION_TEXT(sum.total), COUNT_TEXT(sum.waits),
	              sum.waits == 1 ? "wait" : "waits");
	prose_put(to, line.text);
}
