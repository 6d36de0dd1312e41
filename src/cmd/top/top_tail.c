/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_tail.h"

#include "graph/timeline/interval.h"
#include "views/tail/tail_words.h"

void top_tail_init(struct top_tail *tail, const struct top_wanted *wanted,
                   const struct source *source)
{
	*tail = (struct top_tail){.asked = ASKED_EVERYTHING};
	tail->asked.comms = wanted->comms;
	tail->asked.comm_count = wanted->comm_count;
	tail->asked.cgroups = wanted->cgroups;
	tail->asked.cgroup_count = wanted->cgroup_count;
	tail->asked.is_all = !wanted->is_targets;
	tail->question = (struct question){
		.asked = &tail->asked,
		.health = &tail->health,
		.recording = {.arch = source->arch, .has_targets = wanted->is_targets},
		.from = NSEC_NEVER,
		.to = NSEC_NEVER,
		.is_absolute = true,
	};
}

void top_tail_begin(struct top_tail *tail, struct timeline *timeline)
{
	tail_release(&tail->tail);
	tail->question.timeline = timeline;
	tail_begin(&tail->tail, &tail->question, "request", /* part= */ 0);
}

void top_tail_take(struct top_tail *tail, const struct interval *interval)
{
	if (!tail->tail.source)
		return;
	if (interval->kind == INTERVAL_EXCHANGE) {
		if (tail->taken >= TOP_TAIL_WALKED)
			return;
		tail->taken++;
	}
	tail_add_interval(&tail->tail, interval);
}

static void requests_fill(struct top_tail *tail, struct top_requests *ret)
{
	const struct tail *of = &tail->tail;
	const struct tail_answer *answer = &of->answer;
	const struct tail_reason *first = answer->reason;

	if (answer->count == 0)
		return;
	*ret = (struct top_requests){
		.comm = intern_text(&of->question->timeline->names, of->program),
		.is_server = tail_is_of_server(of),
		.count = answer->count,
		.far = answer->far,
		.median = answer->median,
		.p99 = answer->p99,
	};
	if (answer->reason_count == 0 || !first->is_named)
		return;
	buffer_clear(&tail->reason);
	tail_reason_append(&tail->reason, &of->units, first);
	ret->reason = tail->reason.text;
	ret->votes = first->votes;
}

/* Of the last minute, which ends at `end`. */
static void minute_find(struct top_tail *tail, nsec_t end)
{
	tail->taken = 0;
	tail_fold(&tail->tail);
	question_resolve(&tail->question, &tail->resolved);
	/* the end of the timeline is not known yet */
	tail->resolved.begin = end > TOP_TAIL_WINDOW ? end - TOP_TAIL_WINDOW : 0;
	tail->resolved.end = end;
	tail->question.resolved = &tail->resolved;
	tail_find(&tail->tail, /* tasks= */ NULL);
	tail->question.resolved = NULL;
	resolved_release(&tail->resolved);
}

void top_tail_look(struct top_tail *tail, nsec_t end, struct top_requests *ret)
{
	*ret = (struct top_requests){0};
	if (!tail->tail.source)
		return;
	if (tail->taken > 0 || tail->tail.answer.count > 0) {
		minute_find(tail, end);
		requests_fill(tail, ret);
	}
	/* where there are no requests, and few switches, interrupts still come */
	if (end > TOP_TAIL_WINDOW)
		tail_forget(&tail->tail, end - TOP_TAIL_WINDOW);
	/* names and words of *ret are not in what this releases */
	if (tail->tail.walked.count >= TOP_TAIL_KEPT)
		top_tail_begin(tail, tail->question.timeline);
}

void top_tail_release(struct top_tail *tail)
{
	tail_release(&tail->tail);
	health_release(&tail->health);
	buffer_release(&tail->reason);
}
