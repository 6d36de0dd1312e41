/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hit.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "graph/aims/awaited.h"
#include "sentences/say.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/unknown_words.h"
#include "words/task_words.h"

bool hit_queue_add(struct hit_queue *queue, const struct hit *hit)
{
	size_t at = queue->count;

	if (queue->count == HITS_MAX) {
		queue->lost++;
		return false;
	}
	while (at > 0 && queue->hit[at - 1].at > hit->at)
		at--;
	memmove(&queue->hit[at + 1], &queue->hit[at], (queue->count - at) * sizeof(*hit));
	queue->hit[at] = *hit;
	queue->count++;
	return true;
}

bool hit_queue_take(struct hit_queue *queue, struct hit *ret)
{
	if (queue->count == 0)
		return false;
	*ret = queue->hit[0];
	queue->count--;
	memmove(&queue->hit[0], &queue->hit[1], queue->count * sizeof(*ret));
	return true;
}

bool fired_waits_add(struct tally *fired, size_t condition, int32_t tid, nsec_t since, nsec_t at)
{
	struct fired_wait *wait = tally_of(fired, (uint64_t)condition << 32 | (uint32_t)tid);
	bool has_fired = wait->since == since && wait->at > 0;

	wait->at = has_fired ? nsec_max(wait->at, at) : at;
	wait->since = since;
	return !has_fired;
}

static bool is_still_open(void *wait, void *reached)
{
	return ((const struct fired_wait *)wait)->at >= *(const nsec_t *)reached;
}

void fired_waits_forget(struct tally *fired, nsec_t reached)
{
	tally_keep(fired, is_still_open, &reached);
}

#define MARK_COLUMNS 80

/* Causes that are nothing that a task waits for. */
static bool is_no_object(const struct cause *cause)
{
	return cause->kind == CAUSE_UNKNOWN || cause->kind == CAUSE_IDLE ||
	       cause->kind == CAUSE_FROZEN;
}

/* `behind`: the task that is named next; NULL: none is. */
static void awaited_append(struct buffer *to, const struct cause *cause, const struct task *behind)
{
	bool is_that_task = behind && cause_is_task(cause, behind);
	_cleanup_(buffer_release) struct buffer words = {0};

	if (is_that_task && !cause_has_remark(cause))
		return;
	if (is_no_object(cause) && cause->kind != CAUSE_UNKNOWN)
		cause_text_append(&words, cause);
	else
		cause_awaited_append_beside(&words, cause, behind);
	say(to, NULL, "[{if} ({text})| for {text}]", IF(is_that_task || is_no_object(cause)),
	    TEXT(words.text), TEXT(words.text));
}

#define EVENTS_WERE_LOST "; events were lost, so it may have been shorter"

void wait_hit_append(struct buffer *to, const struct seen_wait *wait)
{
	_cleanup_(buffer_release) struct buffer awaited = {0}, aim = {0};
	struct cause cause = timeline_cause(wait->timeline, wait->cause, NSEC_NEVER);
	uint32_t track = TRACK_NONE;
	struct task behind;

	if (wait->cause) {
		if (cause.kind != CAUSE_FROZEN)
			track = cause_note_behind(wait->cause, wait->track);
		if (track != TRACK_NONE)
			behind = timeline_task(wait->timeline, track, NSEC_NEVER);
		awaited_append(&awaited, &cause, track != TRACK_NONE ? &behind : NULL);
	}
	aim_behind_append(&aim, &wait->aim, &cause);
	say(to, wait->timeline, "{task} [{if}has waited|waited] [{if}more than ]{time}[{if}[{text}]"
	                        "| (" WORDS_NOT_RECORDED ")][, behind {task}]{text}"
	                        "[{if}" EVENTS_WERE_LOST "]",
	    TASK(wait->track), IF(wait->is_open), IF(wait->is_older),
	    TIME(wait->until - wait->since), IF(wait->cause), TEXT(awaited.text),
	    WHEN(track != TRACK_NONE, TASK(track)), TEXT(aim.text), IF(wait->is_doubtful));
}

void delay_hit_append(struct buffer *to, const struct seen_wait *delay)
{
	struct cause cause = timeline_cause(delay->timeline, delay->cause, NSEC_NEVER);

	say(to, delay->timeline, "{task} [{if}has been queued for|was queued] [{if}more than ]"
	                         "{time}[: {cause}][{if}" EVENTS_WERE_LOST "]",
	    TASK(delay->track), IF(delay->is_open), IF(delay->is_older),
	    TIME(delay->until - delay->since), WHEN(delay->cause, CAUSE(&cause)),
	    IF(delay->is_doubtful));
}

static size_t line_length(struct text text)
{
	size_t length = strnlen(text.at, text.length);
	const char *end = length ? memchr(text.at, '\n', length) : NULL;

	return end ? (size_t)(end - text.at) : length;
}

void mark_hit_append(struct buffer *to, struct text mark, const struct task *task)
{
	buffer_puts(to, "mark \"");
	buffer_puts_clean(to, mark.at, line_length(mark));
	buffer_cut_columns(to, MARK_COLUMNS, "...");
	buffer_puts(to, "\" by ");
	task_text_append(to, task);
}
