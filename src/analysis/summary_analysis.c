/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the time of each task went. Gathered from the spans as they end, so it needs no history
 * but for a window; the times of a task sum to its time in the trace, which is asserted.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cause_words.h"
#include "base/format.h"
#include "heaviest_chains.h"
#include "hung_tasks.h"
#include "polling.h"
#include "prose.h"

/* A wait or a stop. */
struct longest_wait {
	nsec_t length, begin; /* of the part in the window */
	uint32_t line;
	bool is_set, is_open, is_stop, is_traced, has_cause;
	uint32_t frames; /* id in names: where it was slept; 0: not known */
	struct cause_note *cause; /* where has_cause; NULL until there was one */
};

struct times {
	nsec_t time, running, runnable, preempted, throttled, waiting, stopped, unknown;
	nsec_t by_kind[CAUSE_KIND_COUNT];
	nsec_t for_work; /* of waiting: nothing blocked it, there was nothing to do */
	nsec_t open; /* of waiting: in waits that had not ended */
	nsec_t open_unknown; /* of that, and of by_kind[CAUSE_UNKNOWN] */
	uint64_t switches, waits;
	struct longest_wait longest;
	struct memory_total memory; /* in reclaim and compaction, asleep or not */
	struct polling *polling; /* NULL: it never slept on a timer of its own */
	uint32_t line;
};

struct summary {
	const struct question *question;
	bool is_streaming;
	struct times *by_line;
	size_t count, capacity; /* what lies beyond `count` was never touched */
	struct hung_tasks hung;
};

static void *summary_begin(const struct question *question)
{
	struct summary *summary = xcalloc(1, sizeof(*summary));

	summary->question = question;
	hung_tasks_init(&summary->hung);
	summary->is_streaming = question->from == NSEC_NEVER && question->to == NSEC_NEVER;
	return summary;
}

static struct times *summary_times(struct summary *summary, uint32_t line)
{
	while (line >= summary->count) {
		ARRAY_GROW(summary->by_line, summary->count, summary->capacity);
		summary->by_line[summary->count] = (struct times){.line = (uint32_t)summary->count};
		summary->count++;
	}
	return &summary->by_line[line];
}

static void longest_set(struct longest_wait *longest, const struct span *span, nsec_t begin,
                        nsec_t length)
{
	longest->length = length;
	longest->begin = begin;
	longest->line = span->line;
	longest->is_set = true;
	longest->is_open = span->is_open;
	longest->is_stop = span->kind == SEGMENT_STOPPED;
	longest->is_traced = longest->is_stop && span->detail == 't';
	longest->frames = span->place.frames;
	longest->has_cause = span->cause != NULL;
	if (!span->cause)
		return;
	if (!longest->cause)
		longest->cause = xmalloc(sizeof(*longest->cause));
	*longest->cause = *span->cause;
}

static void times_add_wait(struct times *times, const struct span *span, nsec_t begin,
                           nsec_t length)
{
	enum cause_kind kind = span->cause ? (enum cause_kind)span->cause->kind : CAUSE_UNKNOWN;

	times->waiting += length;
	times->by_kind[kind] += length;
	times->waits++;
	/* one without length is the longest where there is no other */
	if (!times->longest.is_set || length > times->longest.length)
		longest_set(&times->longest, span, begin, length);
	if (span->detail & WAIT_FOR_WORK)
		times->for_work += length;
	if (span->is_open)
		times->open += length;
	if (span->is_open && kind == CAUSE_UNKNOWN)
		times->open_unknown += length;
}

/* Counts what of the span lies in [begin, end). */
static void times_add(struct times *times, const struct span *span, nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;

	times->time += length;
	switch (span->kind) {
	case SEGMENT_RUN:
		times->running += length;
		times->switches++;
		break;
	case SEGMENT_RUNNABLE:
		times->runnable += length;
		if (span->cause)
			times->throttled += length;
		else if (span->detail == RUNNABLE_PREEMPTED || span->detail == RUNNABLE_YIELDED)
			times->preempted += length;
		break;
	case SEGMENT_WAIT:
		times_add_wait(times, span, begin, length);
		break;
	case SEGMENT_STOPPED:
		times->stopped += length;
		if (length > times->longest.length)
			longest_set(&times->longest, span, begin, length);
		break;
	case SEGMENT_UNKNOWN:
		times->unknown += length;
		break;
	case SEGMENT_NEW:
	case SEGMENT_DEAD:
		break;
	}
}

static void summary_on_span(void *state, const struct span *span)
{
	struct summary *summary = state;
	struct times *times;

	if (!summary->is_streaming)
		return;
	times = summary_times(summary, span->line);
	times_add(times, span, span->begin, span->end);
	polling_add(&times->polling, summary->question->timeline, span);
	hung_tasks_add(&summary->hung, span);
}

/* For a window, from the history. */
static void summary_add_line(struct summary *summary, uint32_t index)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	const struct line *line = &timeline->line[index];
	struct times *times = summary_times(summary, index);

	for (size_t at = 0; at < line->segment_count; at++) {
		const struct segment *segment = &line->segment[at];
		nsec_t begin = segment->begin, end = timeline_segment_end(line, at);
		const struct sleep_place *place =
			segment->kind == SEGMENT_WAIT ? timeline_place(line, at) : NULL;
		struct span span = {
			.line = index,
			.begin = begin,
			.end = end,
			.kind = (enum segment_kind)segment->kind,
			.detail = segment->detail,
			.is_open = timeline_is_open(line, at),
			.is_quiet = segment->is_quiet,
			.cause = segment->cause == CAUSE_NONE ? NULL
		                                              : &timeline->cause[segment->cause],
		};

		if (place)
			span.place = *place;
		if (question->is_asked[index] && question_clip(question, &begin, &end)) {
			times_add(times, &span, begin, end);
			polling_add(&times->polling, timeline, &span);
		}
	}
}

/* Reclaim and compaction of the task, as far as they lie in the window. */
static void times_set_memory(struct times *times, const struct question *question)
{
	const struct line *line = &question->timeline->line[times->line];

	if (question->is_windowed)
		line_memory_within(line, question->begin, question->end, &times->memory);
	else if (line->memory)
		times->memory = line->memory->outer;
}

static void times_sum(struct times *total, const struct times *times)
{
	if (times->longest.is_set &&
	    (!total->longest.is_set || times->longest.length > total->longest.length))
		total->longest = times->longest;
	total->time += times->time;
	total->running += times->running;
	total->runnable += times->runnable;
	total->preempted += times->preempted;
	total->throttled += times->throttled;
	total->waiting += times->waiting;
	total->stopped += times->stopped;
	total->unknown += times->unknown;
	total->switches += times->switches;
	total->waits += times->waits;
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		total->by_kind[kind] += times->by_kind[kind];
	total->open += times->open;
	total->open_unknown += times->open_unknown;
	total->for_work += times->for_work;
	memory_total_add(&total->memory, &times->memory);
}

/* "disk 62 %, task 20 %": what most of the waiting was for. */
static void times_describe(const struct times *times, unsigned most, struct buffer *to)
{
	nsec_t left[CAUSE_KIND_COUNT + 1]; /* the last one: not ended, nor known what for */

	memcpy(left, times->by_kind, sizeof(times->by_kind));
	left[CAUSE_UNKNOWN] -= times->open_unknown;
	left[CAUSE_KIND_COUNT] = times->open_unknown;
	for (unsigned n = 0; n < most; n++) {
		size_t best = 0;

		for (size_t kind = 1; kind < ARRAY_SIZE(left); kind++)
			if (left[kind] > left[best])
				best = kind;
		if (left[best] == 0)
			break;
		buffer_printf(to, "%s%s %.0f %%", to->length ? ", " : "",
		              best == CAUSE_KIND_COUNT ? "not ended"
		                                       : cause_kind_name((enum cause_kind)best),
		              100.0 * (double)left[best] / (double)times->waiting);
		left[best] = 0;
	}
}

/* Places of the columns; all together have the same but the first. */
enum summary_column {
	COLUMN_TASK,
	COLUMN_TIME,
	COLUMN_RUNNING,
	COLUMN_RUNNABLE,
	COLUMN_PREEMPTED,
	COLUMN_THROTTLED,
	COLUMN_WAITING,
	COLUMN_BY_KIND,
	COLUMN_FOR_WORK,
	COLUMN_NOT_ENDED,
	COLUMN_STOPPED,
	COLUMN_UNKNOWN,
	COLUMN_SWITCHES,
	COLUMN_WAITS,
	COLUMN_LONGEST,
	COLUMN_LONGEST_AT,
	COLUMN_RECLAIMS,
	COLUMN_RECLAIM_RUNNING,
	COLUMN_RECLAIM_WAITING,
	COLUMN_WAITING_FOR,
	COLUMN_COUNT,
};

static const struct column columns[] = {
	[COLUMN_TASK] = {"task", "TASK", CELL_TASK, 0},
	[COLUMN_TIME] = {"time_ns", "TIME", CELL_DURATION, 0},
	[COLUMN_RUNNING] = {"running_ns", "RUNNING", CELL_DURATION, 0},
	[COLUMN_RUNNABLE] = {"runnable_ns", "RUNNABLE", CELL_DURATION, 0},
	[COLUMN_PREEMPTED] = {"preempted_ns", "PREEMPTED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_THROTTLED] = {"throttled_ns", "THROTTLED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_WAITING] = {"waiting_total_ns", "WAITING", CELL_DURATION, 0},
	[COLUMN_BY_KIND] = {"waiting_ns", "WAITING", CELL_BY_KIND, COLUMN_DATA_ONLY},
	[COLUMN_FOR_WORK] = {"for_work_ns", "FOR WORK", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_NOT_ENDED] = {"open_ns", "NOT ENDED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_STOPPED] = {"stopped_ns", "STOPPED", CELL_DURATION, COLUMN_DATA_ONLY},
	[COLUMN_UNKNOWN] = {"unknown_ns", "UNKNOWN", CELL_DURATION, 0},
	[COLUMN_SWITCHES] = {"switches", "SWITCHES", CELL_COUNT, COLUMN_DATA_ONLY},
	[COLUMN_WAITS] = {"waits", "WAITS", CELL_COUNT, 0},
	[COLUMN_LONGEST] = {"longest_ns", "LONGEST", CELL_DURATION, 0},
	[COLUMN_LONGEST_AT] = {"longest_at_ns", "AT", CELL_INSTANT, 0},
	[COLUMN_RECLAIMS] = {"reclaims", "RECLAIMS", CELL_COUNT, COLUMN_DATA_ONLY},
	[COLUMN_RECLAIM_RUNNING] = {"reclaim_running_ns", "RECLAIM", CELL_DURATION,
	                            COLUMN_DATA_ONLY},
	[COLUMN_RECLAIM_WAITING] = {"reclaim_waiting_ns", "RECLAIM", CELL_DURATION,
	                            COLUMN_DATA_ONLY},
	[COLUMN_WAITING_FOR] = {NULL, "WAITING FOR", CELL_TEXT, COLUMN_TEXT_ONLY},
};

/* The columns of one task, or of all together where `is_total`: then without the task. */
static void summary_row(const struct summary *summary, const struct presenter *presenter,
                        void *to, const struct times *times, bool is_total)
{
	struct buffer why;
	struct cell cell[COLUMN_COUNT];

	buffer_init(&why, 256);
	times_describe(times, 3, &why);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		cell[i].type = columns[i].type;
	assert(times->running + times->runnable + times->waiting + times->stopped +
	               times->unknown == times->time);
	if (!is_total)
		cell[COLUMN_TASK].task =
			timeline_task(summary->question->timeline, times->line, NSEC_NEVER);
	cell[COLUMN_TIME].time = times->time;
	cell[COLUMN_RUNNING].time = times->running;
	cell[COLUMN_RUNNABLE].time = times->runnable;
	cell[COLUMN_PREEMPTED].time = times->preempted;
	cell[COLUMN_THROTTLED].time = times->throttled;
	cell[COLUMN_WAITING].time = times->waiting;
	cell[COLUMN_BY_KIND].by_kind = times->by_kind;
	cell[COLUMN_FOR_WORK].time = times->for_work;
	cell[COLUMN_NOT_ENDED].time = times->open;
	cell[COLUMN_STOPPED].time = times->stopped;
	cell[COLUMN_UNKNOWN].time = times->unknown;
	cell[COLUMN_SWITCHES].count = times->switches;
	cell[COLUMN_WAITS].count = times->waits;
	cell[COLUMN_LONGEST].time = times->longest.length;
	cell[COLUMN_LONGEST_AT].time = times->longest.begin;
	cell[COLUMN_RECLAIMS].count = times->memory.count;
	cell[COLUMN_RECLAIM_RUNNING].time = times->memory.running;
	cell[COLUMN_RECLAIM_WAITING].time = times->memory.waiting;
	cell[COLUMN_WAITING_FOR].text = why.text;
	if (!times->longest.is_set)
		cell[COLUMN_LONGEST_AT].type = CELL_EMPTY;
	presenter->row(to, is_total ? cell + COLUMN_TIME : cell);
	buffer_release(&why);
}

static const char *const sort_keys[] = {
	"waiting", "running", "runnable", "preempted", "throttled", "stopped", "unknown", "time",
	"longest",
	"waits",   NULL,
};

/* What tasks are sorted by, in the order of sort_keys. */
static uint64_t times_key(const struct times *times, size_t key)
{
	const uint64_t by_key[] = {
		times->waiting,   times->running, times->runnable, times->preempted,
		times->throttled, times->stopped, times->unknown,  times->time,
		times->longest.length,
		times->waits,
	};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");
	return by_key[key];
}

/* Index of the asked key; the first one where another analysis' key is asked for. */
static size_t sort_key_find(const struct question *question)
{
	for (size_t key = 0; question->sort && sort_keys[key]; key++)
		if (strcmp(sort_keys[key], question->sort) == 0)
			return key;
	return 0;
}

static int times_compare(const void *a, const void *b, void *state)
{
	const struct times *x = *(const struct times *const *)a;
	const struct times *y = *(const struct times *const *)b;
	size_t key = *(const size_t *)state;

	if (times_key(x, key) != times_key(y, key))
		return times_key(x, key) > times_key(y, key) ? -1 : 1;
	if (x->waiting != y->waiting)
		return x->waiting > y->waiting ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* ", stopped by gdb[9], continued by gdb[9]": of a stop that has not ended the cause is the signal
   that stopped it. */
static void longest_describe_stop(const struct question *question,
                                  const struct longest_wait *longest, struct buffer *to)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};
	const struct task *stopper;

	if (longest->has_cause)
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
	stopper = longest->is_open ? &cause.waker : &cause.originator;
	buffer_puts(to, ", stopped");
	if (longest->is_open ? cause.has_waker : cause_has_stopper(&cause)) {
		buffer_puts(to, " by ");
		task_text_append(to, stopper);
	} else if (longest->is_traced) {
		buffer_puts(to, " for its tracer");
	}
	if (longest->is_open) {
		buffer_puts(to, ", not continued");
	} else if (cause.has_waker) {
		bool is_killed = cause.kind == CAUSE_SIGNAL && cause.name &&
		                 strcmp(cause.name, "SIGKILL") == 0;

		buffer_puts(to, is_killed ? ", killed by " : ", continued by ");
		task_text_append(to, &cause.waker);
	}
}

/* What for, in words, where anything is known. */
static void longest_describe_cause(const struct question *question,
                                   const struct longest_wait *longest, struct buffer *to)
{
	struct cause cause;
	const char *frames;

	if (longest->has_cause && longest->cause->kind != CAUSE_UNKNOWN) {
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
		buffer_puts(to, ", for ");
		cause_text_append(to, &cause);
	} else if (longest->frames) {
		frames = intern_text(&question->timeline->names, longest->frames);
		buffer_puts(to, ", asleep in ");
		buffer_puts_clean(to, frames, strcspn(frames, ";"));
	}
	if (longest->is_open)
		buffer_puts(to, ", not ended");
}

/* And how to see more of it: the same stretch of that task, in microseconds that hold it all. */
static void longest_describe(const struct question *question, const struct longest_wait *longest,
                             struct buffer *to)
{
	struct task task = timeline_task(question->timeline, longest->line, NSEC_NEVER);
	nsec_t begin = longest->begin - question->timeline->begin;
	char length[FORMAT_BYTES], from[FORMAT_BYTES], until[FORMAT_BYTES];

	(void)format_instant(begin, from);
	(void)format_instant(begin + longest->length + 999, until);
	buffer_puts(to, "Longest wait: ");
	task_text_append(to, &task);
	buffer_printf(to, ", %s at %s s", format_duration(longest->length, length), from);
	if (longest->is_stop)
		longest_describe_stop(question, longest, to);
	else
		longest_describe_cause(question, longest, to);
	buffer_printf(to, "; its path: --critical-path=%d --from %s --to %s", task.tid, from,
	              until);
}

/* What of running is not worth a sentence: one in so many. */
#define MEMORY_LEAST_PART 1000

/*
 * Reclaim and compaction are running time as far as they do not sleep, so no wait tells of them:
 * how much of both, and who did most of it.
 */
static void memory_tell(const struct summary *summary, const struct presenter *presenter,
                        void *to, const struct times *total)
{
	const struct question *question = summary->question;
	const struct memory_total *memory = &total->memory;
	const struct times *most = NULL;
	char running[FORMAT_BYTES], waiting[FORMAT_BYTES], longest[FORMAT_BYTES];
	struct task task;
	struct buffer line;

	if (memory->total == 0 || memory->total < total->running / MEMORY_LEAST_PART)
		return;
	for (size_t i = 0; i < summary->count; i++)
		if (summary->by_line[i].memory.count && question->is_asked[i] &&
		    (!most || summary->by_line[i].memory.total > most->memory.total))
			most = &summary->by_line[i];
	assert(most);
	task = timeline_task(question->timeline, most->line, NSEC_NEVER);
	buffer_init(&line, 512);
	buffer_printf(&line, "In memory reclaim or compaction: %s of running, %s of waiting; most "
	                     "by ", format_duration(memory->running, running),
	              format_duration(memory->waiting, waiting));
	task_text_append(&line, &task);
	buffer_printf(&line, ", %" PRIu64 " time%s, %s of running, %s at the longest.",
	              most->memory.count, most->memory.count == 1 ? "" : "s",
	              format_duration(most->memory.running, running),
	              format_duration(most->memory.max, longest));
	prose_put(presenter, to, line.text);
	buffer_release(&line);
}

/* The answer in three lines, before any table. */
static void summary_tell(const struct summary *summary, const struct presenter *presenter,
                         void *to, const struct times *total, size_t tasks)
{
	const struct question *question = summary->question;
	char figure[FORMAT_BYTES], throttled[64] = "";
	struct buffer line;

	if (total->time == 0) {
		prose_put(presenter, to, "No task is seen in this trace: see health below.");
		return;
	}
	if (total->throttled)
		(void)snprintf(throttled, sizeof(throttled),
		               " (of it %.0f %% held back by a CPU limit)",
		               100.0 * (double)total->throttled / (double)total->runnable);
	buffer_init(&line, 1024);
	buffer_printf(&line, "%zu task%s%s: running %.1f %%, runnable %.1f %%%s, waiting %.1f %%",
	              tasks, tasks == 1 ? "" : "s",
	              !question->is_targeted ? ""
	              : question->is_of_command
	                      ? " of the recorded command (--all for every task)"
	                      : " of the recorded processes (--all for every task)",
	              100.0 * (double)total->running / (double)total->time,
	              100.0 * (double)total->runnable / (double)total->time, throttled,
	              100.0 * (double)total->waiting / (double)total->time);
	if (total->stopped)
		buffer_printf(&line, ", stopped %.1f %%",
		              100.0 * (double)total->stopped / (double)total->time);
	if (total->unknown)
		buffer_printf(&line, ", unknown %.1f %%",
		              100.0 * (double)total->unknown / (double)total->time);
	buffer_printf(&line, " of %s.", format_duration(total->time, figure));
	prose_put(presenter, to, line.text);
	if (total->waits && total->waiting) {
		struct buffer why;

		buffer_init(&why, 512);
		times_describe(total, CAUSE_KIND_COUNT, &why);
		buffer_clear(&line);
		buffer_printf(&line, "Waiting for: %s.", why.text);
		if (total->for_work)
			buffer_printf(&line, " %.0f %% of it was waiting for work to do.",
			              100.0 * (double)total->for_work / (double)total->waiting);
		prose_put(presenter, to, line.text);
		buffer_release(&why);
	}
	if (total->longest.is_set && (total->waiting || total->longest.is_stop)) {
		buffer_clear(&line);
		longest_describe(question, &total->longest, &line);
		prose_put(presenter, to, line.text);
	}
	buffer_release(&line);
}

/* Of programs: threads of the kernel that look after something from time to time are no news. */
static void summary_tell_polling(const struct summary *summary, const struct presenter *presenter,
                                 void *to)
{
	const struct question *question = summary->question;
	struct poll heaviest = {0}, poll;

	for (uint32_t line = 0; line < summary->count; line++)
		if (polling_close(summary->by_line[line].polling, &poll) &&
		    poll.waiting > heaviest.waiting && question->is_asked[line] &&
		    !line_is_kernel(question->timeline, line))
			heaviest = poll;
	if (heaviest.count)
		polling_tell(question, &heaviest, presenter, to);
}

/* Few tasks are ever stopped, but where one was its row must sum to its time. */
static void summary_choose_columns(const struct times *total, struct column *ret)
{
	memcpy(ret, columns, sizeof(columns));
	if (total->stopped)
		ret[COLUMN_STOPPED].flags = 0;
}

/* All that was gathered, in the order of the section. */
static void summary_show(const struct summary *summary, const struct presenter *presenter,
                         void *to)
{
	const struct question *question = summary->question;
	struct times total = {.line = 0};
	/* NOLINTNEXTLINE: pointers are meant */
	const struct times **sorted = xcalloc(summary->count, sizeof(*sorted));
	size_t count = 0, key = sort_key_find(question);
	struct column shown[COLUMN_COUNT];

	for (size_t line = 0; line < summary->count; line++) {
		if (!question->is_asked[line])
			continue;
		times_set_memory(&summary->by_line[line], question);
		sorted[count] = &summary->by_line[line];
		if (sorted[count]->time || sorted[count]->waits)
			times_sum(&total, sorted[count++]);
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort_r(sorted, count, sizeof(*sorted), times_compare, &key);
	summary_choose_columns(&total, shown);
	presenter->section_begin(to, "summary", "Summary", /* is_list= */ false);
	summary_tell(summary, presenter, to, &total, count);
	memory_tell(summary, presenter, to, &total);
	hung_tasks_tell(&summary->hung, question, presenter, to);
	summary_tell_polling(summary, presenter, to);
	heaviest_chains_tell(question, total.waiting, presenter, to);
	presenter->table_begin(to, "total", "Together", shown + COLUMN_TIME,
	                       COLUMN_COUNT - COLUMN_TIME, /* is_single= */ true);
	summary_row(summary, presenter, to, &total, /* is_total= */ true);
	presenter->table_end(to);
	presenter->table_begin(to, "tasks", "Tasks", shown, COLUMN_COUNT, false);
	for (size_t i = 0; i < count; i++)
		summary_row(summary, presenter, to, sorted[i], /* is_total= */ false);
	presenter->table_end(to);
	presenter->section_end(to);
	free(sorted);
}

static void summary_release(struct summary *summary)
{
	for (size_t i = 0; i < summary->count; i++) {
		free(summary->by_line[i].longest.cause);
		free(summary->by_line[i].polling);
	}
	free(summary->by_line);
	hung_tasks_release(&summary->hung);
}

static void summary_report(const void *state, const struct presenter *presenter, void *to)
{
	const struct summary *gathered = state;
	struct summary windowed = {.question = gathered->question};

	if (gathered->is_streaming) {
		summary_show(gathered, presenter, to);
		return;
	}
	for (uint32_t line = 0; line < windowed.question->timeline->line_count; line++)
		summary_add_line(&windowed, line);
	if (windowed.question->end >= windowed.question->timeline->end)
		hung_tasks_add_history(&windowed.hung, windowed.question->timeline);
	summary_show(&windowed, presenter, to);
	summary_release(&windowed);
}

static void summary_end(void *state)
{
	summary_release(state);
	free(state);
}

const struct analysis summary_analysis = {
	.name = "summary",
	.title = "Summary",
	.sort_keys = sort_keys,
	.begin = summary_begin,
	.on_span = summary_on_span,
	.report = summary_report,
	.end = summary_end,
};
