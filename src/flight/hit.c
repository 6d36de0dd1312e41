/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/aims/awaited.h"
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

void fired_waits_init(struct fired_waits *fired)
{
	*fired = (struct fired_waits){0};
	map_init(&fired->by_key);
}

void fired_waits_release(struct fired_waits *fired)
{
	map_release(&fired->by_key);
	free(fired->wait);
}

static uint64_t fired_key(size_t condition, int32_t tid)
{
	return (uint64_t)condition << 32 | (uint32_t)tid;
}

bool fired_waits_has(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at)
{
	uint32_t index = map_get(&fired->by_key, fired_key(condition, tid));

	if (index == MAP_NONE || fired->wait[index].since != since)
		return false;
	fired->wait[index].at = nsec_max(fired->wait[index].at, at);
	return true;
}

void fired_waits_add(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at)
{
	uint64_t key = fired_key(condition, tid);
	uint32_t index = map_get(&fired->by_key, key);

	if (index == MAP_NONE) {
		index = (uint32_t)fired->count;
		ARRAY_GROW(fired->wait, fired->count, fired->capacity);
		fired->count++;
		map_put(&fired->by_key, key, index);
	}
	fired->wait[index] = (struct fired_wait){.key = key, .since = since, .at = at};
}

void fired_waits_forget(struct fired_waits *fired, nsec_t reached)
{
	size_t kept = 0;

	if (fired->count == 0)
		return;
	map_clear(&fired->by_key);
	for (size_t i = 0; i < fired->count; i++) {
		if (fired->wait[i].at < reached)
			continue;
		fired->wait[kept] = fired->wait[i];
		map_put(&fired->by_key, fired->wait[kept].key, (uint32_t)kept);
		kept++;
	}
	fired->count = kept;
}

#define MARK_COLUMNS 80

static void length_append(struct buffer *to, const struct seen_wait *wait)
{
	if (wait->is_older)
		buffer_puts(to, "more than ");
	buffer_puts(to, DURATION_TEXT(wait->until - wait->since));
}

static void doubt_append(struct buffer *to, const struct seen_wait *wait)
{
	if (wait->is_doubtful)
		buffer_puts(to, "; events were lost, so it may have been shorter");
}

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
	bool is_aside = is_that_task || is_no_object(cause);

	if (is_that_task && !cause_has_remark(cause))
		return;
	buffer_puts(to, is_aside ? " (" : " for ");
	if (is_no_object(cause) && cause->kind != CAUSE_UNKNOWN)
		cause_text_append(to, cause);
	else
		cause_awaited_append_beside(to, cause, behind);
	if (is_aside)
		buffer_putc(to, ')');
}

static void cause_append(struct buffer *to, const struct seen_wait *wait)
{
	const struct cause_note *note = wait->cause;
	uint32_t track = note ? cause_note_behind(note, wait->track) : TRACK_NONE;
	struct cause cause;
	struct task behind;

	if (!note) {
		buffer_puts(to, " (" WORDS_NOT_RECORDED ")");
		return;
	}
	cause = timeline_cause(wait->timeline, note, NSEC_NEVER);
	if (track == TRACK_NONE || cause.kind == CAUSE_FROZEN) {
		awaited_append(to, &cause, NULL);
		return;
	}
	behind = timeline_task(wait->timeline, track, NSEC_NEVER);
	awaited_append(to, &cause, &behind);
	buffer_puts(to, ", behind ");
	task_text_append(to, &behind);
}

static void aim_append(struct buffer *to, const struct seen_wait *wait)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};

	if (wait->cause)
		cause = timeline_cause(wait->timeline, wait->cause, NSEC_NEVER);
	aim_behind_append(to, &wait->aim, &cause);
}

static void sleeper_append(struct buffer *to, const struct seen_wait *wait)
{
	struct task task = timeline_task(wait->timeline, wait->track, NSEC_NEVER);

	task_text_append(to, &task);
}

void wait_hit_append(struct buffer *to, const struct seen_wait *wait)
{
	sleeper_append(to, wait);
	buffer_puts(to, wait->is_open ? " has waited " : " waited ");
	length_append(to, wait);
	cause_append(to, wait);
	aim_append(to, wait);
	doubt_append(to, wait);
}

void delay_hit_append(struct buffer *to, const struct seen_wait *delay)
{
	sleeper_append(to, delay);
	buffer_puts(to, delay->is_open ? " has been queued for " : " was queued ");
	length_append(to, delay);
	if (delay->cause) {
		struct cause cause = timeline_cause(delay->timeline, delay->cause, NSEC_NEVER);

		buffer_puts(to, ": ");
		cause_text_append(to, &cause);
	}
	doubt_append(to, delay);
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

void retransmit_hit_append(struct buffer *to, uint64_t count, nsec_t time)
{
	buffer_printf(to, "%" PRIu64 " TCP retransmission%s in %s", count, format_plural(count),
	              DURATION_TEXT(time));
}

void exit_hit_append(struct buffer *to, const struct task *task)
{
	task_text_append(to, task);
	buffer_puts(to, " exited");
}

void event_hit_append(struct buffer *to, const char *event, const struct task *task, uint32_t cpu)
{
	buffer_puts(to, "event ");
	buffer_puts(to, event);
	if (task) {
		buffer_puts(to, " by ");
		task_text_append(to, task);
	} else {
		buffer_printf(to, " in an interrupt on CPU %" PRIu32, cpu);
	}
}
