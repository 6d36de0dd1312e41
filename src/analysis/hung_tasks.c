/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hung_tasks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "lock_holder.h"
#include "prose.h"
#include "wait_circle.h"
#include "words/cause/cause_words.h"

#define CIRCLE_SHOWN 4 /* tasks of a circle that are named */

/* A circle of this many tasks in pipes is likely to be a deadlock. A circle of two may be a program
   and its idle helper: the program waits for input that did not come in this trace. */
#define RING_LIKELY 3
/* A circle of any size is likely if each partner in a pipe woke its task at least this many
   times. */
#define PARTNER_TIMES 3

static bool is_for_lock(const struct hung_task *task)
{
	return task->has_cause && task->cause.kind == CAUSE_LOCK;
}

void hung_tasks_init(struct hung_tasks *hung)
{
	*hung = (struct hung_tasks){0};
	map_init(&hung->partner_of_track);
}

/* A sleep in a pipe has ended. */
static void partner_note(struct hung_tasks *hung, const struct span *span)
{
	uint32_t index = map_get(&hung->partner_of_track, span->track), waker = TRACK_NONE;

	/* a signal is not what it slept for */
	if (span->cause && span->cause->kind == CAUSE_SIGNAL)
		return;
	/* where events were lost, another waker may be missing */
	if (span->cause && span->cause->kind == CAUSE_TASK &&
	    span->cause->confidence != CONFIDENCE_LOW && span->cause->waker != span->track)
		waker = span->cause->waker;
	if (index == MAP_NONE) {
		ARRAY_GROW(hung->partner, hung->partner_count, hung->partner_capacity);
		index = (uint32_t)hung->partner_count++;
		hung->partner[index] = (struct pipe_partner){waker, 0};
		map_put(&hung->partner_of_track, span->track, index);
	}
	if (hung->partner[index].track != waker)
		hung->partner[index].track = TRACK_NONE;
	hung->partner[index].times++;
}

void hung_tasks_add_wait(struct hung_tasks *hung, const struct span *span)
{
	bool is_in_pipe = span->place && span->place->kind == PLACE_PIPE;
	struct hung_task task = {
		.track = span->track,
		.letter = span->detail,
		.has_cause = span->cause != NULL,
		.frames = span_frames(span),
		.is_in_pipe = is_in_pipe,
		.begin = span->begin,
		.end = span->end,
	};

	if (!span->is_open) {
		if (is_in_pipe)
			partner_note(hung, span);
		return;
	}
	if (span->cause)
		task.cause = *span->cause;
	if (task.letter != 'D' && !is_for_lock(&task) && !task.is_in_pipe)
		return;
	ARRAY_GROW(hung->task, hung->count, hung->capacity);
	hung->task[hung->count++] = task;
}

static void history_add_span(struct hung_tasks *hung, const struct timeline *timeline,
                             uint32_t track, size_t segment)
{
	struct span span = timeline_span(timeline, track, segment);

	hung_tasks_add(hung, &span);
}

void hung_tasks_add_history(struct hung_tasks *hung, const struct timeline *timeline)
{
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		if (!track->is_open || track->segment_count == 0)
			continue;
		for (uint32_t i = 0; i < track->place_count; i++)
			if (track->place[i].segment + 1 < track->segment_count)
				history_add_span(hung, timeline, index, track->place[i].segment);
		history_add_span(hung, timeline, index, track->segment_count - 1);
	}
}

void hung_tasks_release(struct hung_tasks *hung)
{
	free(hung->task);
	free(hung->partner);
	map_release(&hung->partner_of_track);
	*hung = (struct hung_tasks){0};
}

static bool task_is_long(const struct hung_task *task, const struct question *question)
{
	return wait_is_long(task->end - task->begin, question->timeline);
}

static bool task_is_shown(const struct hung_task *task, const struct question *question)
{
	return question->resolved->is_asked[task->track] &&
	       (task->letter == 'D' || is_for_lock(task)) && task_is_long(task, question);
}

/* What the reported tasks have in common. */
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

/* " for 19.990 s (lock 0x7f00), asleep in do_wait" */
static void wait_append(const struct hung_task *task, const struct question *question,
                        struct buffer *to)
{
	struct cause cause;

	buffer_printf(to, " for %s", DURATION_TEXT(task->end - task->begin));
	if (task->has_cause) {
		cause = timeline_cause(question->timeline, &task->cause, NSEC_NEVER);
		buffer_puts(to, " (");
		cause_text_append(to, &cause);
		holder_stopped_append(to, question->timeline, &task->cause, task->begin, task->end);
		buffer_putc(to, ')');
	}
	if (task->frames)
		prose_place_append(to, question->timeline, task->frames);
}

void hung_task_describe(const struct hung_task *task, const struct question *question,
                        struct buffer *to)
{
	const struct hung_sum sum = {
		.count = 1, .in_d = task->letter == 'D', .for_lock = is_for_lock(task),
	};

	buffer_puts(to, sum_state(&sum));
	wait_append(task, question, to);
}

/* "Still waiting at the end: 2 tasks in D, longest cp[17] for 90.000 s (lock 0x.. held by ..)." */
static void sum_print(const struct hung_sum *sum, const struct question *question,
                      const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	buffer_puts(&line, "Still waiting at the end: ");
	if (sum->count > 1)
		buffer_printf(&line, "%zu tasks %s, longest ", sum->count, sum_state(sum));
	prose_task_append(&line, question->timeline, sum->longest->track);
	if (sum->count == 1)
		buffer_printf(&line, " %s", sum_state(sum));
	wait_append(sum->longest, question, &line);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
}

/* The task that ended all of the task's earlier sleeps in pipes; NULL: not known. */
static const struct pipe_partner *hung_partner(const struct hung_tasks *hung,
                                               const struct hung_task *task)
{
	uint32_t index = map_get(&hung->partner_of_track, task->track);

	return index == MAP_NONE || hung->partner[index].track == TRACK_NONE
	               ? NULL
	               : &hung->partner[index];
}

/* For each hung task, the edge to the task that it waits for; edges may form circles. */
struct circles {
	const struct hung_tasks *hung;
	const struct question *question;
	size_t *next;      /* by task: index of the task that it waits for, or WAITS_FOR_NONE */
	size_t *search_of; /* by task: number of the search that visited it, from 1 */
};

/* Index of the hung task that `task` waits for: the owner of its lock, or its partner in the
   pipe. */
static size_t circles_find_next(const struct circles *circles, const uint32_t *task_of_track,
                                const struct hung_task *task)
{
	const struct pipe_partner *partner;
	uint32_t track = TRACK_NONE;

	if (is_for_lock(task)) {
		track = task->cause.originator;
	} else if (task->is_in_pipe && task_is_long(task, circles->question)) {
		partner = hung_partner(circles->hung, task);
		track = partner ? partner->track : TRACK_NONE;
	}
	return track == TRACK_NONE || task_of_track[track] == 0
	               ? WAITS_FOR_NONE
	               : task_of_track[track] - 1;
}

/* One circle. */
struct circle {
	size_t first, count;
	bool is_asked;
	size_t in_pipe;       /* tasks of the circle that wait in a pipe */
	uint32_t least_times; /* over all tasks in pipes: least number of wake-ups by the partner */
};

static struct circle circle_of(const struct circles *circles, size_t first)
{
	struct circle circle = {.first = first, .least_times = UINT32_MAX};
	size_t at = first;

	do {
		const struct hung_task *task = &circles->hung->task[at];

		circle.count++;
		circle.is_asked |= circles->question->resolved->is_asked[task->track];
		if (!is_for_lock(task)) {
			uint32_t times = hung_partner(circles->hung, task)->times;

			circle.in_pipe++;
			if (times < circle.least_times)
				circle.least_times = times;
		}
		at = circles->next[at];
	} while (at != first);
	return circle;
}

/* "A[101] behind B[102] behind A[101]" */
static void circle_append(const struct circles *circles, size_t first, struct buffer *to)
{
	size_t at = first, shown = 0;

	do {
		prose_task_append(to, circles->question->timeline, circles->hung->task[at].track);
		buffer_puts(to, " behind ");
		at = circles->next[at];
	} while (++shown < CIRCLE_SHOWN && at != first);
	if (at != first)
		buffer_puts(to, "... behind ");
	prose_task_append(to, circles->question->timeline, circles->hung->task[first].track);
}

/*
 * "Likely deadlock: A[101] behind B[102] behind A[101]." A pipe does not show which task holds its
 * other end: the evidence for the circle is printed.
 */
static void circle_describe(const struct circles *circles, const struct circle *circle,
                            struct buffer *to)
{
	bool is_guess = circle->in_pipe && (circle->count < RING_LIKELY ||
	                                    circle->least_times < PARTNER_TIMES);

	buffer_puts(to, is_guess ? "Perhaps a deadlock" : "Likely deadlock");
	buffer_puts(to, ": ");
	circle_append(circles, circle->first, to);
	if (circle->in_pipe == 0)
		return;
	buffer_puts(to, circle->in_pipe == circle->count
	                        ? "; all sleep in a pipe"
	                        : "; those that do not wait for a lock sleep in a pipe");
	buffer_printf(to, ", and earlier sleeps of each in pipes were all ended by the one that it "
	                  "is behind (at least %" PRIu32 " time%s)",
	              circle->least_times, format_plural(circle->least_times));
}

static void circles_find(struct circles *circles, const struct hung_tasks *hung,
                         const struct question *question)
{
	_cleanup_(freep) uint32_t *task_of_track =
		xcalloc(question->timeline->track_count, sizeof(*task_of_track));

	*circles = (struct circles){
		.hung = hung,
		.question = question,
		.next = xcalloc(hung->count, sizeof(*circles->next)),
		.search_of = xcalloc(hung->count, sizeof(*circles->search_of)),
	};
	for (size_t i = 0; i < hung->count; i++)
		task_of_track[hung->task[i].track] = (uint32_t)i + 1;
	for (size_t i = 0; i < hung->count; i++)
		circles->next[i] = circles_find_next(circles, task_of_track, &hung->task[i]);
}

static void circles_release(struct circles *circles)
{
	free(circles->next);
	free(circles->search_of);
}

/* Finds the next likely circle from the task *at on, and sets *at behind it. */
static bool circles_next(const struct circles *circles, size_t *at, struct circle *ret)
{
	while (*at < circles->hung->count) {
		size_t first = wait_circle_find(circles->next, circles->search_of, (*at)++);

		if (first == WAITS_FOR_NONE)
			continue;
		*ret = circle_of(circles, first);
		if (ret->is_asked &&
		    (ret->count >= RING_LIKELY || ret->least_times >= PARTNER_TIMES))
			return true;
	}
	return false;
}

/* Sets *ret to the most certain circle, of equally certain ones to the first. Returns the number of
   likely circles. */
static size_t circles_choose(const struct circles *circles, struct circle *ret)
{
	struct circle circle;
	size_t count = 0;

	for (size_t at = 0; circles_next(circles, &at, &circle);)
		if (count++ == 0 || circle.least_times > ret->least_times)
			*ret = circle;
	return count;
}

size_t hung_tasks_describe_circle(const struct hung_tasks *hung, const struct question *question,
                                  struct buffer *to)
{
	struct circles circles;
	struct circle circle = {0};
	size_t count;

	if (hung->count < 2)
		return 0;
	circles_find(&circles, hung, question);
	count = circles_choose(&circles, &circle);
	if (count > 0)
		circle_describe(&circles, &circle, to);
	if (count > 1)
		buffer_printf(to, ", and %zu more", count - 1);
	circles_release(&circles);
	return circle.count;
}

void hung_tasks_visit_circles(const struct hung_tasks *hung, const struct question *question,
                              void (*take)(void *state, uint32_t track), void *state)
{
	struct circles circles;
	struct circle circle;

	if (hung->count < 2)
		return;
	circles_find(&circles, hung, question);
	for (size_t at = 0; circles_next(&circles, &at, &circle);) {
		size_t task = circle.first;

		do {
			take(state, hung->task[task].track);
			task = circles.next[task];
		} while (task != circle.first);
	}
	circles_release(&circles);
}

bool hung_tasks_print_circles(const struct hung_tasks *hung, const struct question *question,
                              const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	if (hung_tasks_describe_circle(hung, question, &line) == 0)
		return false;
	buffer_putc(&line, '.');
	prose_put(to, line.text);
	return true;
}

/* Whether that is the first thing to know. A part of a short trace may be no time at all, and
   threads of the kernel may sleep in D at rest. */
static bool task_is_first(const struct hung_task *task, const struct question *question)
{
	return task->end - task->begin >= LONG_WAIT_NS &&
	       !track_is_kernel(question->timeline, task->track);
}

/* Whether the task is printed, with the first things to know or with the others. */
static bool task_is_listed(const struct hung_task *task, const struct hangs *hangs,
                           const struct question *question, bool is_first)
{
	return task_is_shown(task, question) && !hangs_has(hangs, task->track) &&
	       task_is_first(task, question) == is_first;
}

static void hung_tasks_sum(const struct hung_tasks *hung, const struct hangs *hangs,
                           const struct question *question, bool is_first,
                           struct hung_sum *ret)
{
	*ret = (struct hung_sum){0};
	for (size_t i = 0; i < hung->count; i++) {
		const struct hung_task *task = &hung->task[i];

		if (!task_is_listed(task, hangs, question, is_first))
			continue;
		ret->count++;
		ret->in_d += task->letter == 'D';
		ret->for_lock += is_for_lock(task);
		if (!ret->longest || task->begin < ret->longest->begin)
			ret->longest = task;
	}
}

void hung_tasks_visit(const struct hung_tasks *hung, const struct hangs *hangs,
                      const struct question *question,
                      void (*take)(void *state, const struct hung_task *task), void *state)
{
	for (size_t i = 0; i < hung->count; i++)
		if (task_is_listed(&hung->task[i], hangs, question, /* is_first= */ true))
			take(state, &hung->task[i]);
}

void hung_tasks_print(const struct hung_tasks *hung, const struct hangs *hangs,
                      const struct question *question, bool is_first, const struct output *to)
{
	struct hung_sum sum;

	if (is_first && hangs->circle_count == 0)
		(void)hung_tasks_print_circles(hung, question, to);
	hung_tasks_sum(hung, hangs, question, is_first, &sum);
	if (sum.count)
		sum_print(&sum, question, to);
}
