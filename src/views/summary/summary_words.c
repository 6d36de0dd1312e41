/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/paths/path_task.h"
#include "analysis/lock_holder.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "words/cause/cause_words.h"
#include "words/cause/purpose.h"
#include "words/task_words.h"
#include "words/cause/unknown_words.h"
#include "deaths.h"
#include "machine_lead.h"
#include "verdict.h"

void times_describe(const struct times *times, unsigned most, struct buffer *to)
{
	nsec_t left[CAUSE_KIND_COUNT + 1]; /* the last element: waits that have not ended, of
	                                      unknown purpose */

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
		              best == CAUSE_KIND_COUNT ? WORDS_STILL_WAITING
		                                       : cause_kind_words((enum cause_kind)best),
		              100.0 * (double)left[best] / (double)times->waiting);
		left[best] = 0;
	}
}

/* ", stopped for its tracer gdb[9]", ", stopped by sh[8], continued by sh[8]". If the stop has not
   ended, its cause is the signal that stopped the task. */
static void longest_describe_stop(const struct question *question,
                                  const struct longest_wait *longest, struct buffer *to)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};
	const struct task *stopper;

	if (longest->has_cause)
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
	stopper = longest->is_open ? &cause.waker : &cause.originator;
	buffer_puts(to, ", stopped");
	if (longest->is_traced && !longest->is_open && cause.kind == CAUSE_TASK &&
	    cause.has_waker) {
		buffer_puts(to, " for its tracer ");
		task_text_append(to, &cause.waker);
		return;
	}
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

/* Appends the cause in words, if anything is known of it. */
static void longest_describe_cause(const struct question *question,
                                   const struct longest_wait *longest, struct buffer *to)
{
	struct cause cause;

	if (longest->has_cause && longest->cause->kind != CAUSE_UNKNOWN) {
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
		/* a frozen task, or a task that a limit holds back, waits for no other task */
		buffer_puts(to, cause.kind == CAUSE_FROZEN || cause_is_held_back(&cause)
		                        ? ", " : ", for ");
		cause_text_append(to, &cause);
		holder_stopped_append(to, question->timeline, longest->cause, longest->begin,
		                     longest->begin + longest->length);
	} else if (longest->has_cause && purpose_words(longest->cause->purpose)) {
		buffer_printf(to, ", for %s", purpose_words(longest->cause->purpose));
	} else if (longest->frames) {
		prose_place_append(to, question->timeline, longest->frames);
	}
	if (longest->is_open)
		buffer_puts(to, ", " WORDS_STILL_WAITING);
}

/* Appends when the wait ended, if the window ends before. */
static void longest_describe_end(const struct question *question,
                                 const struct longest_wait *longest, struct buffer *to)
{
	const struct resolved *resolved = question->resolved;
	struct track *track = &question->timeline->track[longest->track];
	nsec_t end = longest->begin + longest->length;
	size_t at;

	if (longest->is_open || end != resolved->end)
		return;
	at = timeline_find(track, end);
	if (at == SIZE_MAX || timeline_is_open(track, at) || timeline_segment_end(track, at) <= end)
		return;
	end = timeline_segment_end(track, at);
	buffer_printf(to, ", which went on until %s s",
	              INSTANT_TEXT(end - question->timeline->begin));
}

/* The table of tasks has longer waits in its column LONGEST: says which of them do not count
   here. */
static void longest_append_scope(const struct summary *summary, const struct longest_wait *longest,
                                 struct buffer *to)
{
	const struct question *question = summary->question;
	bool is_of_program = !track_is_kernel(question->timeline, longest->track);
	bool has_chosen = false, has_kernel = false;

	for (uint32_t track = 0; track < summary->count; track++) {
		if (!question->resolved->is_asked[track] ||
		    track_is_of_recorder(question, track) ||
		    summary->by_track[track].longest <= longest->length)
			continue;
		if (is_of_program && track_is_kernel(question->timeline, track))
			has_kernel = true;
		else
			has_chosen = true;
	}
	if (has_kernel)
		buffer_puts(to, " of a program");
	if (has_chosen)
		buffer_puts(to, ", without sleeping by choice and idle");
}

/* Appends the wait, with the options that show more of it. */
static void longest_describe(const struct summary *summary, const struct longest_wait *longest,
                             struct buffer *to)
{
	const struct question *question = summary->question;
	struct task task = timeline_task(question->timeline, longest->track, NSEC_NEVER);
	nsec_t begin = longest->begin - question->timeline->begin;

	buffer_puts(to, "Longest wait");
	longest_append_scope(summary, longest, to);
	buffer_puts(to, ": ");
	task_text_append(to, &task);
	buffer_printf(to, ", %s at %s s", DURATION_TEXT(longest->length), INSTANT_TEXT(begin));
	if (longest->slices)
		buffer_printf(to, ", in %" PRIu64 " slice%s", longest->slices,
		              format_plural(longest->slices));
	if (longest->is_stop)
		longest_describe_stop(question, longest, to);
	else
		longest_describe_cause(question, longest, to);
	longest_describe_end(question, longest, to);
	buffer_puts(to, "; its path: ");
	prose_path_options_append(to, question->timeline, longest->track, longest->begin,
	                          longest->begin + longest->length);
}

/* The longest wait of a program; of a kernel thread only if no program waited: it may be idle for
   days. */
static const struct longest_wait *summary_longest(const struct summary *summary,
                                                  const struct times *total)
{
	const struct question *question = summary->question;
	const struct longest_wait *longest = NULL;

	for (uint32_t track = 0; track < summary->count; track++) {
		const struct longest_wait *own = &summary->by_track[track].held_up;

		if (question->resolved->is_asked[track] && own->length &&
		    !track_is_of_recorder(question, track) &&
		    !track_is_kernel(question->timeline, track) &&
		    (!longest || own->length > longest->length))
			longest = own;
	}
	return longest ? longest : &total->held_up;
}

#define ZOMBIES_SHOWN 3

/* Waits shorter than the window divided by this are not reported. */
#define LONGEST_LEAST_PART 1000

/* Memory work below the running time divided by this is not reported. */
#define MEMORY_LEAST_PART 1000

/* Prints how much time reclaim and compaction took without sleeping, and which task did most of it.
   Meanwhile the task runs or is runnable, so waits do not show that time. */
static void summary_memory_print(const struct summary *summary, const struct output *to,
                                 const struct times *total)
{
	const struct question *question = summary->question;
	const struct memory_total *memory = &total->memory;
	const struct times *most = NULL;
	struct buffer line;

	if (memory->total == 0 || memory->total < total->running / MEMORY_LEAST_PART)
		return;
	for (size_t i = 0; i < summary->count; i++)
		if (summary->by_track[i].memory.count && question->resolved->is_asked[i] &&
		    (!most || summary->by_track[i].memory.total > most->memory.total))
			most = &summary->by_track[i];
	assert(most);
	buffer_init(&line, 512);
	buffer_printf(&line, "In memory reclaim or compaction: %s (running %s, asleep %s); most "
	                     "by ", DURATION_TEXT(memory->total),
	              DURATION_TEXT(memory->running),
	              DURATION_TEXT(memory->waiting));
	prose_task_append(&line, question->timeline, most->track);
	buffer_printf(&line, ", %s time%s, %s in all, longest %s.",
	              COUNT_TEXT(most->memory.count), format_plural(most->memory.count),
	              DURATION_TEXT(most->memory.total),
	              DURATION_TEXT(most->memory.max));
	prose_put(to, line.text);
	buffer_release(&line);
}

static void stopped_print(const struct summary *summary, const struct output *to,
                          const struct times *total)
{
	const struct question *question = summary->question;
	const struct times *most = NULL;
	struct buffer line;

	if (!total->stopped)
		return;
	for (size_t i = 0; i < summary->count; i++)
		if (question->resolved->is_asked[i] && summary->by_track[i].stopped &&
		    (!most || summary->by_track[i].stopped > most->stopped))
			most = &summary->by_track[i];
	if (!most)
		return;
	buffer_init(&line, 512);
	buffer_puts(&line, "Stopped longest: ");
	prose_task_append(&line, question->timeline, most->track);
	buffer_printf(&line, ", %s", DURATION_TEXT(most->stopped));
	if (most->held_up.is_stop) {
		if (most->held_up.length < most->stopped)
			buffer_printf(&line, ", longest stop %s",
			              DURATION_TEXT(most->held_up.length));
		longest_describe_stop(question, &most->held_up, &line);
	}
	prose_put(to, line.text);
	buffer_release(&line);
}

/* Replaces the longest wait with a wait in slices, if that is longer. */
static void longest_of_slices(const struct summary *summary, struct longest_wait *longest)
{
	const struct slice_sums *sums = &summary->explanation->slices;

	for (size_t i = 0; i < sums->count; i++) {
		const struct slice_sum *sum = &sums->sum[i];

		if (sum->longest <= longest->length || track_is_kernel(summary->question->timeline,
		                                                       sum->track))
			continue;
		*longest = (struct longest_wait){
			.length = sum->longest,
			.begin = sum->longest_at,
			.track = sum->track,
			.slices = sum->longest_count,
			.has_cause = true,
			/* borrowed */
			.cause = (struct cause_note *)(uintptr_t)&sum->cause,
		};
	}
}

static void longest_print(const struct summary *summary, const struct output *to,
                          const struct longest_wait *longest)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (longest->length == 0 ||
	    longest->length < question_length(summary->question) / LONGEST_LEAST_PART)
		return;
	buffer_init(&line, 1024);
	longest_describe(summary, longest, &line);
	prose_put(to, line.text);
}

/* The task that the answer is about, or else COMMAND; TRACK_NONE: there is none. */
static uint32_t main_track(const struct summary *summary)
{
	uint32_t track = summary->explanation->path_track;

	return track != TRACK_NONE ? track : path_task_command(summary->question);
}

bool summary_lacks_target(const struct summary *summary)
{
	const struct question *question = summary->question;

	return question->resolved->recorded.pid_count > 0 &&
	       !question->resolved->is_targeted && !question_has_filter(question) &&
	       !question->asked->is_all;
}

/* Prints which processes of record -p had ended before; returns whether all had. */
static bool targets_print(const struct summary *summary, const struct output *to)
{
	const struct recorded *recorded = &summary->question->resolved->recorded;
	bool is_short = summary->question->asked->summary.is_short;
	bool lacks = summary_lacks_target(summary);
	size_t zombies = 0;

	for (size_t i = 0; recorded->pids && i < recorded->pid_count; i++) {
		_cleanup_(buffer_release) struct buffer line = {0};

		buffer_init(&line, 512);
		if (question_has_filter(summary->question) ||
		    !recorded_zombie_append(&line, recorded, recorded->pids[i]) ||
		    zombies++ >= ZOMBIES_SHOWN)
			continue;
		buffer_putc(&line, '.');
		prose_put(to, line.text);
	}
	if (lacks && is_short && zombies == 0)
		prose_put(to, "It had ended before the recording began.");
	if (lacks && !is_short)
		prose_put(to, "None of the processes that were to be recorded is seen, as they had "
		              "ended before: this is about every task of the machine.");
	return lacks;
}

void summary_print(const struct summary *summary, const struct hangs *hangs,
                   const struct advices *advices, const struct output *to,
                   const struct times *total, size_t tasks)
{
	struct longest_wait longest = *summary_longest(summary, total);

	longest_of_slices(summary, &longest);
	if (targets_print(summary, to) && summary->question->asked->summary.is_short)
		return;
	if (total->time == 0)
		prose_put(to,
		          question_has_filter(summary->question)
		                  ? "None of the asked tasks is seen here."
		                  : "No task is seen in this trace: see health below.");
	if (summary_shows_nothing(to, total))
		return;
	deaths_print(summary->question, main_track(summary), summary_is_of_machine(summary), to);
	hangs_print(hangs, to);
	hung_tasks_print(&summary->hung, hangs, summary->question, /* is_first= */ true, to);
	if (summary->question->asked->summary.is_short)
		verdict_print(summary, hangs, total, tasks, to);
	else if (!summary_is_of_machine(summary))
		verdict_print_ends(summary, hangs, to);
	if (summary_is_of_machine(summary))
		machine_lead_print(summary, advices, to);
	if (summary_is_of_machine(summary))
		standstill_print(&summary->standstill, to);
	summary_requests_print(summary->requests, /* is_first= */ true, to);
	summary_print_costs(summary, advices, to, tasks);
	summary_requests_print(summary->requests, /* is_first= */ false, to);
	longest_print(summary, to, &longest);
	/* if it is a stop, the sentence on the longest wait has reported it */
	if (!longest.is_stop)
		stopped_print(summary, to, total);
	summary_memory_print(summary, to, total);
	hung_tasks_print(&summary->hung, hangs, summary->question, /* is_first= */ false, to);
	summary_print_polling(summary, /* is_first= */ false, to);
}
