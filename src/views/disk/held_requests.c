/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held_requests.h"

#include "analysis/prose.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "disk_request.h"
#include "graph/timeline_hosts.h"

struct held_task {
	struct held_key { uint32_t track, dev; } key;
	uint64_t waits;
	nsec_t total;
};

static void held_take(void *view, const struct interval *interval)
{
	struct held_requests *held = view;
	const struct held_key key = {interval->task, interval->disk.dev};
	struct held_task *task = relation_row(&held->tasks, &key);

	task->waits++;
	task->total += interval->end - interval->begin;
}

void held_requests_init(struct held_requests *held, const struct question *question)
{
	relation_init(&held->tasks, sizeof(struct held_task), sizeof(struct held_key), UINT32_MAX);
	interval_gate_init(&held->gate, question, held_take);
}

void held_requests_release(struct held_requests *held)
{
	interval_gate_release(&held->gate);
	relation_release(&held->tasks, NULL);
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
	for (size_t i = 0; i < held->tasks.count; i++) {
		const struct held_task *task = relation_at(&held->tasks, i);

		if (!disk_is_asked(held->gate.question, task->key.track))
			continue;
		if (ret->waits == 0)
			ret->key.dev = task->key.dev;
		*ret_has_others |= task->key.dev != ret->key.dev;
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
	              TIMELINE_DEVICE_TEXT(held->gate.question->timeline, sum.key.dev),
	              has_others ? " and others" : "");
	buffer_printf(&line, ", for %s in %s %s; no time below contains that.",
	              DURATION_TEXT(sum.total), COUNT_TEXT(sum.waits),
	              sum.waits == 1 ? "wait" : "waits");
	prose_put(to, line.text);
}
