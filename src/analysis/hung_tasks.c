/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hung_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cause_words.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "prose.h"

/* Every busy trace ends with tasks that are about to be served: long is what either of these is. */
#define HUNG_LEAST      1000000000u /* ns */
#define HUNG_LEAST_PART 10         /* of the trace, one in so many */

#define CIRCLE_SHOWN 4 /* tasks of a circle that are named */

#define TASK_NONE SIZE_MAX

static bool is_for_lock(const struct hung_task *task)
{
	return task->has_cause && task->cause.kind == CAUSE_LOCK;
}

void hung_tasks_add(struct hung_tasks *hung, const struct span *span)
{
	struct hung_task task = {
		.line = span->line,
		.letter = span->detail & (uint8_t)~WAIT_FOR_WORK,
		.has_cause = span->cause != NULL,
		.frames = span->place.frames,
		.begin = span->begin,
		.end = span->end,
	};

	if (!span->is_open || span->kind != SEGMENT_WAIT || (span->detail & WAIT_FOR_WORK))
		return;
	if (span->cause)
		task.cause = *span->cause;
	if (task.letter != 'D' && !is_for_lock(&task))
		return;
	ARRAY_GROW(hung->task, hung->count, hung->capacity);
	hung->task[hung->count++] = task;
}

void hung_tasks_release(struct hung_tasks *hung)
{
	free(hung->task);
	*hung = (struct hung_tasks){0};
}

static bool task_is_told(const struct hung_task *task, const struct question *question)
{
	nsec_t length = task->end - task->begin;
	nsec_t trace = question->timeline->end - question->timeline->begin;

	return question->is_asked[task->line] &&
	       (length >= HUNG_LEAST || length >= trace / HUNG_LEAST_PART);
}

static void task_append(const struct question *question, uint32_t line, struct buffer *to)
{
	struct task task = timeline_task(question->timeline, line, NSEC_NEVER);

	task_text_append(to, &task);
}

/* What those that are told of have in common. */
struct hung_sum {
	size_t count, in_d, for_lock;
	const struct hung_task *longest;
};

static const char *sum_state(const struct hung_sum *sum)
{
	if (sum->in_d == sum->count)
		return "in D";
	return sum->for_lock == sum->count ? "for a lock" : "in D or for a lock";
}

/* "Still waiting at the end: 2 tasks in D, longest cp[17] for 90.000 s (lock 0x.. held by ..)." */
static void sum_tell(const struct hung_sum *sum, const struct question *question,
                     const struct presenter *presenter, void *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	char length[FORMAT_BYTES];
	struct cause cause;

	buffer_init(&line, 1024);
	buffer_puts(&line, "Still waiting at the end: ");
	if (sum->count > 1)
		buffer_printf(&line, "%zu tasks %s, longest ", sum->count, sum_state(sum));
	task_append(question, sum->longest->line, &line);
	if (sum->count == 1)
		buffer_printf(&line, " %s", sum_state(sum));
	buffer_printf(&line, " for %s",
	              format_duration(sum->longest->end - sum->longest->begin, length));
	if (sum->longest->has_cause) {
		cause = timeline_cause(question->timeline, &sum->longest->cause, NSEC_NEVER);
		buffer_puts(&line, " (");
		cause_text_append(&line, &cause);
		buffer_putc(&line, ')');
	}
	if (sum->longest->frames) {
		const char *frames = intern_text(&question->timeline->names, sum->longest->frames);

		buffer_puts(&line, ", asleep in ");
		buffer_puts_clean(&line, frames, strcspn(frames, ";"));
	}
	buffer_putc(&line, '.');
	prose_put(presenter, to, line.text);
}

/* Index of the hung task that has the lock that this one waits for. */
static size_t hung_owner(const struct hung_tasks *hung, const uint32_t *task_of_line, size_t at)
{
	const struct hung_task *task = &hung->task[at];

	if (!is_for_lock(task) || task->cause.originator == LINE_NONE ||
	    task_of_line[task->cause.originator] == 0)
		return TASK_NONE;
	return task_of_line[task->cause.originator] - 1;
}

/* "Likely deadlock: A[101] behind B[102] behind A[101]." */
static void circle_append(const struct question *question, const struct hung_tasks *hung,
                          const size_t *owner, size_t first, struct buffer *to)
{
	size_t at = first, shown = 0;

	buffer_puts(to, "Likely deadlock: ");
	do {
		task_append(question, hung->task[at].line, to);
		buffer_puts(to, " behind ");
		at = owner[at];
	} while (++shown < CIRCLE_SHOWN && at != first);
	if (at != first)
		buffer_puts(to, "... behind ");
	task_append(question, hung->task[first].line, to);
}

static bool circle_is_asked(const struct question *question, const struct hung_tasks *hung,
                            const size_t *owner, size_t first)
{
	size_t at = first;

	do {
		if (question->is_asked[hung->task[at].line])
			return true;
		at = owner[at];
	} while (at != first);
	return false;
}

/*
 * Each task waits for one lock at most and so has one owner to wait for: following the owners ends
 * outside, or where another search has been, or in a circle that this one is in.
 */
static size_t circle_find(const size_t *owner, size_t *search_of, size_t from)
{
	size_t at = from;

	while (at != TASK_NONE && search_of[at] == 0) {
		search_of[at] = from + 1;
		at = owner[at];
	}
	return at != TASK_NONE && search_of[at] == from + 1 ? at : TASK_NONE;
}

static void circles_tell(const struct hung_tasks *hung, const struct question *question,
                         const struct presenter *presenter, void *to)
{
	_cleanup_(freep) uint32_t *task_of_line =
		xcalloc(question->timeline->line_count, sizeof(*task_of_line));
	_cleanup_(freep) size_t *owner = xcalloc(hung->count, sizeof(*owner));
	_cleanup_(freep) size_t *search_of = xcalloc(hung->count, sizeof(*search_of));
	_cleanup_(buffer_release) struct buffer line = {0};
	size_t circles = 0;

	buffer_init(&line, 1024);
	for (size_t i = 0; i < hung->count; i++)
		task_of_line[hung->task[i].line] = (uint32_t)i + 1;
	for (size_t i = 0; i < hung->count; i++)
		owner[i] = hung_owner(hung, task_of_line, i);
	for (size_t i = 0; i < hung->count; i++) {
		size_t first = circle_find(owner, search_of, i);

		if (first != TASK_NONE && circle_is_asked(question, hung, owner, first) &&
		    circles++ == 0)
			circle_append(question, hung, owner, first, &line);
	}
	if (circles == 0)
		return;
	if (circles > 1)
		buffer_printf(&line, ", and %zu more", circles - 1);
	buffer_putc(&line, '.');
	prose_put(presenter, to, line.text);
}

void hung_tasks_tell(const struct hung_tasks *hung, const struct question *question,
                     const struct presenter *presenter, void *to)
{
	struct hung_sum sum = {0};

	for (size_t i = 0; i < hung->count; i++) {
		const struct hung_task *task = &hung->task[i];

		if (!task_is_told(task, question))
			continue;
		sum.count++;
		sum.in_d += task->letter == 'D';
		sum.for_lock += is_for_lock(task);
		if (!sum.longest || task->begin < sum.longest->begin)
			sum.longest = task;
	}
	if (sum.count)
		sum_tell(&sum, question, presenter, to);
	if (hung->count > 1)
		circles_tell(hung, question, presenter, to);
}
