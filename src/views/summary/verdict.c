/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "explanation.h"
#include "graph/timeline_hosts.h"
#include "words/cause/purpose.h"

#define NOW_SHOWN  4    /* lines about what tasks do now */
#define MOSTLY     0.9  /* the part of the time that makes a task idle, or stopped */
#define BUSY       0.5
#define QUEUED     0.25

/* Tasks that do the same now. */
struct doing {
	char *text;
	uint32_t track; /* the first of them */
	size_t count;
	bool is_held; /* the kernel holds the first one in state D: it has something to do */
};

struct doings {
	struct doing *doing;
	size_t count, capacity;
};

/* Whether the track is in state D when the trace ends. */
static bool track_is_held(const struct track *track)
{
	const struct segment *last;

	if (track->segment_count == 0)
		return false;
	last = &track->segment[track->segment_count - 1];
	return last->kind == SEGMENT_WAIT && last->detail == 'D';
}

static void doings_add(struct doings *doings, uint32_t track, const char *text, bool is_held)
{
	for (size_t i = 0; i < doings->count; i++)
		if (strcmp(doings->doing[i].text, text) == 0) {
			doings->doing[i].count++;
			return;
		}
	ARRAY_GROW(doings->doing, doings->count, doings->capacity);
	doings->doing[doings->count++] = (struct doing){xstrdup(text), track, 1, is_held};
}

static void doings_release(struct doings *doings)
{
	for (size_t i = 0; i < doings->count; i++)
		free(doings->doing[i].text);
	free(doings->doing);
}

/* What tasks are held in first, as others may be idle; then what most do. */
static int doing_compare(const void *a, const void *b)
{
	const struct doing *x = a, *y = b;

	if (x->is_held != y->is_held)
		return x->is_held ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->track < y->track ? -1 : x->track > y->track;
}

/* "Now: mysqld[812] and 3 more wait for epoll events." */
static void doing_print(const struct summary *summary, const struct doing *doing,
                        const char *when, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 4096);
	buffer_puts(&line, when);
	prose_task_append(&line, summary->question->timeline, doing->track);
	if (doing->count > 1)
		buffer_printf(&line, " (and %zu more)", doing->count - 1);
	buffer_printf(&line, " %s.", doing->text);
	prose_put(to, line.text);
}

/* "sleep[17] has ended." if all asked tasks have; else that of a task is no news. */
static void ended_print(const struct question *question, const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer line = {0};
	size_t ended = 0;
	uint32_t first = TRACK_NONE;

	for (uint32_t track = 0; track < timeline->track_count; track++) {
		if (!question->resolved->is_asked[track])
			continue;
		if (timeline->track[track].is_open)
			return;
		if (ended++ == 0)
			first = track;
	}
	if (ended == 0)
		return;
	buffer_init(&line, 256);
	prose_task_append(&line, timeline, first);
	if (ended > 1)
		buffer_printf(&line, " (and %zu more) have ended.", ended - 1);
	else
		buffer_puts(&line, " has ended.");
	prose_put(to, line.text);
}

/* What each asked task did when the recording ended, but for those that hang, as that was said.
   `is_all`: also where nothing is known of another end. */
static void now_print(const struct summary *summary, const struct hangs *hangs, bool is_all,
                      const struct output *to)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	struct doings doings = {0};

	for (uint32_t track = 0; track < timeline->track_count; track++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		if (!question->resolved->is_asked[track] || !timeline->track[track].is_open ||
		    hangs_has(hangs, track) || !(is_all || hangs_names_end(hangs, track)))
			continue;
		buffer_init(&text, 4096);
		hangs_describe(hangs, track, &text);
		doings_add(&doings, track, text.text, track_is_held(&timeline->track[track]));
	}
	if (doings.count)
		qsort(doings.doing, doings.count, sizeof(*doings.doing), doing_compare);
	for (size_t i = 0; i < doings.count && i < NOW_SHOWN; i++)
		doing_print(summary, &doings.doing[i], is_all ? "Now: " : "At the end: ", to);
	doings_release(&doings);
}

/* Whether a task that sleeps for this has nothing to do. */
static bool purpose_is_idle(uint8_t purpose)
{
	return purpose == PURPOSE_SIGSUSPEND || purpose == PURPOSE_PAUSE ||
	       purpose == PURPOSE_SIGWAIT || purpose == PURPOSE_NANOSLEEP ||
	       purpose == PURPOSE_TIMERFD || purpose == PURPOSE_TTY_READ;
}

/* Whether a client that waits for an answer may sleep for this, too. */
static bool purpose_is_events(uint8_t purpose)
{
	return purpose == PURPOSE_POLL || purpose == PURPOSE_SELECT || purpose == PURPOSE_EPOLL;
}

/* What the track's unfinished wait is for, and when that began; PURPOSE_NONE: there is no such
   wait, or it is not known. */
static uint8_t open_purpose(const struct timeline *timeline, const struct track *track,
                            nsec_t *ret_begin)
{
	const struct segment *last;

	if (track->segment_count == 0 || !track->is_open)
		return PURPOSE_NONE;
	last = &track->segment[track->segment_count - 1];
	*ret_begin = last->begin;
	return last->kind == SEGMENT_WAIT && last->cause != CAUSE_NONE
	               ? timeline_cause_at(timeline, last->cause)->purpose
	               : PURPOSE_NONE;
}

/* The length of the track's unfinished wait, if it is for a signal or the like. */
static nsec_t open_idle_time(const struct timeline *timeline, const struct track *track)
{
	nsec_t begin;

	return purpose_is_idle(open_purpose(timeline, track, &begin))
	               ? timeline_end_of(timeline, track) - begin
	               : 0;
}

static bool any_waits_for_events(const struct question *question)
{
	const struct timeline *timeline = question->timeline;
	nsec_t begin;

	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (question->resolved->is_asked[track] &&
		    purpose_is_events(open_purpose(timeline, &timeline->track[track], &begin)))
			return true;
	return false;
}

/* A sleep in poll() and the like is idleness in a server, but not in a client. */
static void idle_append(const struct question *question, double part, size_t tasks,
                        struct buffer *line)
{
	const char *who = tasks > 1 ? "they" : "it";

	if (any_waits_for_events(question))
		buffer_printf(line, "Idle, or waiting for an answer: %.0f %% of the time %s waited "
		              "for events, or slept by choice; nothing shows which.",
		              100 * part, who);
	else
		buffer_printf(line, "Idle: %.0f %% of the time %s had nothing to do; nothing "
		              "shows that %s.", 100 * part, who,
		              tasks > 1 ? "any hangs" : "it hangs");
}

/* The time in which the asked tasks had nothing to do, or slept because they chose to. */
static nsec_t idle_time(const struct summary *summary)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	nsec_t idle = 0;

	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (question->resolved->is_asked[track])
			idle += explanation_chosen(summary->explanation, track) +
			        open_idle_time(timeline, &timeline->track[track]);
	return idle;
}

static bool any_hangs(const struct hangs *hangs)
{
	for (size_t i = 0; i < hangs->count; i++)
		if (hangs->hang[i].is_hung &&
		    hangs->question->resolved->is_asked[hangs->hang[i].track])
			return true;
	return false;
}

void verdict_print(const struct summary *summary, const struct hangs *hangs,
                   const struct times *total, size_t tasks, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};
	nsec_t idle = idle_time(summary), each = tasks ? total->time / tasks : 0;

	buffer_init(&line, 512);
	if (total->time == 0 || any_hangs(hangs))
		;
	else if (nsec_ratio(total->stopped, total->time) >= MOSTLY)
		buffer_puts(&line, "Stopped: it can run only once it is continued (SIGCONT).");
	else if (nsec_ratio(total->running, each) >= BUSY)
		buffer_printf(&line, "Busy: %.1f CPU%s on average.",
		              nsec_ratio(total->running, each), tasks > 1 ? "s" : "");
	else if (nsec_ratio(total->runnable, each) >= QUEUED && tasks == 1)
		buffer_printf(&line, "Queued: %.0f %% of the time it was able to run, and other "
		              "tasks had the CPU.", 100 * nsec_ratio(total->runnable, total->time));
	else if (nsec_ratio(total->runnable, each) >= QUEUED)
		buffer_printf(&line, "Queued: on average %.1f of its threads were able to run, and "
		              "other tasks had the CPU.", nsec_ratio(total->runnable, each));
	else if (nsec_ratio(idle, total->time) >= MOSTLY)
		idle_append(summary->question, nsec_ratio(idle, total->time), tasks, &line);
	if (line.length)
		prose_put(to, line.text);
	now_print(summary, hangs, /* is_all= */ true, to);
	ended_print(summary->question, to);
}

void verdict_print_ends(const struct summary *summary, const struct hangs *hangs,
                        const struct output *to)
{
	now_print(summary, hangs, /* is_all= */ false, to);
}
