/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_list.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"

static struct wait wait_at(const struct question *question, uint32_t index, size_t at)
{
	const struct line *line = &question->timeline->line[index];
	const struct segment *segment = &line->segment[at];
	struct wait wait = {
		.line = index,
		.segment = (uint32_t)at,
		.begin = segment->begin,
		.end = timeline_segment_end(line, at),
		.run = NSEC_NEVER,
		.letter = segment->detail & (uint8_t)~WAIT_FOR_WORK,
		.is_for_work = segment->kind == SEGMENT_WAIT && (segment->detail & WAIT_FOR_WORK),
		.is_open = segment->cause == CAUSE_NONE,
		.cause = segment->cause == CAUSE_NONE ? NULL
	                                              : &question->timeline->cause[segment->cause],
	};

	if (timeline_place(line, at))
		wait.place = *timeline_place(line, at);
	/* It may be moved between CPUs while it is queued. A run without length is not kept, but
	   what follows it begins where it was. */
	for (at++; at < line->segment_count && line->segment[at].kind == SEGMENT_RUNNABLE; at++)
		;
	if (!wait.is_open && at < line->segment_count)
		wait.run = line->segment[at].begin;
	return wait;
}

static bool wait_is_asked(const struct question *question, const struct wait *wait)
{
	nsec_t begin = wait->begin, end = wait->end;
	unsigned kind = wait->cause ? wait->cause->kind : CAUSE_UNKNOWN;

	return question_clip(question, &begin, &end) && wait->end - wait->begin >= question->min &&
	       (question->kinds & 1u << kind);
}

bool wait_clip(const struct question *question, const struct wait *wait, nsec_t *ret_begin,
               nsec_t *ret_end)
{
	nsec_t begin = wait->begin, end = wait->end;

	if (wait->letter == 'T' || wait->letter == 't' ||
	    !question_clip(question, &begin, &end) || begin == end)
		return false;
	*ret_begin = begin;
	*ret_end = end;
	return true;
}

static bool cpu_is_asked(const struct question *question, const struct line *line, size_t at)
{
	if (question->cpu_count == 0)
		return true;
	for (size_t i = 0; at < line->segment_count && i < question->cpu_count; i++)
		if (line->segment[at].cpu == question->cpus[i])
			return true;
	return false;
}

void wait_list_visit(const struct question *question, uint32_t index,
                     void (*on_wait)(void *state, const struct wait *wait), void *state)
{
	const struct line *line = &question->timeline->line[index];

	for (size_t at = 0; at < line->segment_count; at++) {
		struct wait wait;

		if (line->segment[at].kind != SEGMENT_WAIT &&
		    line->segment[at].kind != SEGMENT_STOPPED)
			continue;
		if (!cpu_is_asked(question, line, at) && !cpu_is_asked(question, line, at + 1))
			continue;
		wait = wait_at(question, index, at);
		if (wait_is_asked(question, &wait))
			on_wait(state, &wait);
	}
}

static void wait_list_add(void *state, const struct wait *wait)
{
	struct wait_list *list = state;

	ARRAY_GROW(list->wait, list->count, list->capacity);
	list->wait[list->count++] = *wait;
}

/* Lines are made in order of first sight, so equal begins keep a stable order by line. */
static int wait_compare(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

void wait_list_fill(struct wait_list *list, const struct question *question)
{
	*list = (struct wait_list){0};
	for (uint32_t line = 0; line < question->timeline->line_count; line++)
		if (question->is_asked[line])
			wait_list_visit(question, line, wait_list_add, list);
	if (list->count)
		qsort(list->wait, list->count, sizeof(*list->wait), wait_compare);
}

bool wait_list_has_asked(const struct question *question, struct buffer *why)
{
	struct wait_list list;
	bool is_there = question->wait == 0;

	if (is_there)
		return true;
	wait_list_fill(&list, question);
	is_there = question->wait <= list.count;
	if (!is_there)
		buffer_printf(why, "no wait %" PRIu64 ": --waits with the same filters lists %zu",
		              question->wait, list.count);
	wait_list_release(&list);
	return is_there;
}

void wait_list_release(struct wait_list *list)
{
	free(list->wait);
	*list = (struct wait_list){0};
}
