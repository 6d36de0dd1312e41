/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary.h"

#include <assert.h>
#include <string.h>

#include "analysis/paths/path_task.h"
#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "graph/aims/aim.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/aim_kind.h"
#include "words/cause/unknown_words.h"

/* ", stopped for its tracer gdb[9]", ", stopped by sh[8], continued by sh[8]". If the stop has not
   ended, its cause is the signal that stopped the task. */
static void longest_describe_stop(const struct question *question,
                                  const struct longest_wait *longest, struct buffer *to)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};
	bool is_killed, is_by_tracer, is_open = longest->is_open;

	if (longest->has_cause)
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
	is_killed = cause.kind == CAUSE_SIGNAL && cause.name && strcmp(cause.name, "SIGKILL") == 0;
	is_by_tracer = longest->is_traced && !is_open && cause.kind == CAUSE_TASK &&
	               cause.has_waker;
	say(to, NULL,
	    ", stopped[ for its tracer {task}|[ by {task}|{if} for its tracer][{if}, not "
	    "continued|, [{if}killed|continued] by {task}]]",
	    WHEN(is_by_tracer, TASK_OF(&cause.waker)),
	    WHEN(is_open ? cause.has_waker : cause_has_stopper(&cause),
	         TASK_OF(is_open ? &cause.waker : &cause.originator)),
	    IF(longest->is_traced), IF(is_open), IF(is_killed),
	    WHEN(cause.has_waker, TASK_OF(&cause.waker)));
}

/* ", for lock: /run/x", where the words for the wait's cause do not say that. */
static void longest_aim_append(struct timeline *timeline, const struct longest_wait *longest,
                               const struct cause *cause, struct buffer *to)
{
	size_t at = timeline_find(&timeline->track[longest->track], longest->begin + 1);
	struct brief_aim aim;

	if (at == SIZE_MAX)
		return;
	aim = brief_aim_of_segment(timeline, longest->track, at);
	aim_behind_append(to, &aim, cause);
}

/* Appends the cause in words, if anything is known of it, and the aim. */
static void longest_describe_cause(const struct question *question,
                                   const struct longest_wait *longest, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer aim = {0};
	struct cause cause = {.kind = CAUSE_UNKNOWN};

	if (longest->has_cause)
		cause = timeline_cause(question->timeline, longest->cause, NSEC_NEVER);
	longest_aim_append(question->timeline, longest, &cause, &aim);
	if (cause.kind != CAUSE_UNKNOWN) {
		/* a frozen task, or a task that a limit holds back, waits for no other task */
		say(to, NULL, "{text}, [{if}|until ][{if}|for ]{cause}", TEXT(aim.text),
		    IF(aim.length == 0),
		    IF(aim.length || cause.kind == CAUSE_FROZEN || cause_is_held_back(&cause)),
		    CAUSE(&cause));
		holder_stopped_append(to, question->timeline, longest->cause, longest->begin,
		                     longest->begin + longest->length);
	} else if (cause.purpose) {
		say(to, NULL, ", for {text}", TEXT(cause.purpose));
	} else if (aim.length) {
		buffer_puts(to, aim.text);
	} else if (longest->frames) {
		prose_place_append(to, question->timeline, longest->frames);
	}
	if (longest->is_open)
		say(to, NULL, ", {text}", TEXT(WORDS_STILL_WAITING));
}

/* When the wait ended, if the window ends before. */
static struct word longest_end(const struct question *question, const struct longest_wait *longest)
{
	struct track *track = &question->timeline->track[longest->track];
	nsec_t end = longest->begin + longest->length;
	size_t at;

	if (longest->is_open || end != question->resolved->end)
		return ABSENT;
	at = timeline_find(track, end);
	return WHEN(at != SIZE_MAX && !timeline_is_open(track, at) &&
	                    timeline_segment_end(track, at) > end,
	            SECONDS(timeline_segment_end(track, at)));
}

/* Prints how much time reclaim and compaction took without sleeping, and which task did most of it.
   Meanwhile the task runs or is runnable, so waits do not show that time. */
static void summary_memory_print(const struct summary *summary, const struct output *to,
                                 const struct times *total)
{
	const struct question *question = summary->question;
	const struct memory_total *memory = &total->memory;
	const struct times *most;

	if (memory->total == 0 || memory->total < total->running / DIVISOR_MEMORY)
		return;
	most = SUMMARY_MOST(summary, it, true, it->memory.total);
	assert(most);
	say_fact(to, question->timeline, FACT(FACT_DETAIL, .next = "--memory"),
	       "In memory reclaim or compaction: {time} (running {time}, asleep {time}); most by "
	       "{task}, {count} time{|s}, {time} in all, longest {time}.",
	       TIME(memory->total), TIME(memory->running), TIME(memory->waiting),
	       TASK(most->track), COUNT(most->memory.count), TIME(most->memory.total),
	       TIME(most->memory.max));
}

static void stopped_print(const struct summary *summary, const struct output *to,
                          const struct times *total)
{
	const struct question *question = summary->question;
	const struct times *most = SUMMARY_MOST(summary, it, true, it->stopped);
	_cleanup_(buffer_release) struct buffer how = {0};

	if (!total->stopped || !most)
		return;
	if (most->held_up.is_stop)
		longest_describe_stop(question, &most->held_up, &how);
	say_to(to, question->timeline,
	       "Stopped longest: {task}, {time}[, longest stop {time}][{text}]", TASK(most->track),
	       TIME(most->stopped),
	       WHEN(most->held_up.is_stop && most->held_up.length < most->stopped,
	            TIME(most->held_up.length)), TEXT(how.text));
}

/* The longest wait of a program, also one in slices; of a kernel thread only if no program waited:
   it may be idle for days. */
static struct longest_wait summary_longest(const struct summary *summary,
                                           const struct times *total)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct keyed_sums *sums = &summary->explanation->slices;
	const struct times *most = SUMMARY_MOST(
		summary, it, !track_is_of_recorder(summary->question, it->track) &&
				     !track_is_kernel(timeline, it->track), it->held_up.length);
	struct longest_wait longest = most ? most->held_up : total->held_up;

	TALLY_ROWS(&sums->tally, const struct slice_sum, sum) {
		uint32_t track = (uint32_t)sum->of.key;

		if (sum->longest <= longest.length || track_is_kernel(timeline, track))
			continue;
		longest = (struct longest_wait){
			.length = sum->longest,
			.begin = sum->longest_at,
			.track = track,
			.slices = sum->longest_count,
			.has_cause = true,
			/* borrowed */
			.cause = (struct cause_note *)(uintptr_t)&sum->cause,
		};
	}
	return longest;
}

static void longest_print(const struct summary *summary, const struct output *to,
                          const struct longest_wait *longest)
{
	const struct question *question = summary->question;
	_cleanup_(buffer_release) struct buffer why = {0};
	bool has_kernel = false, has_chosen = false, is_of_program;

	if (longest->length == 0 || longest->length < question_length(question) / DIVISOR_LONGEST)
		return;
	/* the table of tasks may have longer waits in its column LONGEST, which do not count here:
	   of kernel threads, or chosen ones */
	is_of_program = !track_is_kernel(question->timeline, longest->track);
	SUMMARY_EACH(summary, times) {
		if (track_is_of_recorder(question, times->track) ||
		    times->longest <= longest->length)
			continue;
		if (is_of_program && track_is_kernel(question->timeline, times->track))
			has_kernel = true;
		else
			has_chosen = true;
	}
	if (longest->is_stop)
		longest_describe_stop(question, longest, &why);
	else
		longest_describe_cause(question, longest, &why);
	say_to(to, question->timeline,
	       "Longest wait[{if} of a program][{if}, without sleeping by choice and idle]: "
	       "{task}, {time} at {seconds} s[, in {number} slice{|s}][{text}][, which went on "
	       "until {seconds} s]; its path: {path}",
	       IF(has_kernel), IF(has_chosen), TASK(longest->track), TIME(longest->length),
	       SECONDS(longest->begin), WHEN(longest->slices, NUMBER(longest->slices)),
	       TEXT(why.text), longest_end(question, longest),
	       PATH(longest->track, longest->begin, longest->begin + longest->length));
}

bool summary_lacks_target(const struct summary *summary)
{
	const struct question *question = summary->question;

	return question->resolved->recorded.notes.pids.count > 0 &&
	       !question->resolved->is_targeted && !question_has_filter(question) &&
	       !question->asked->is_all;
}

/* Prints which processes of record -p had ended before; returns whether all had. */
static bool targets_print(const struct summary *summary, const struct output *to)
{
	const struct recorded *recorded = &summary->question->resolved->recorded;
	const struct tid_list *pids = &recorded->notes.pids;
	bool is_short = summary->question->asked->summary.is_short;
	bool lacks = summary_lacks_target(summary);
	size_t zombies = 0;

	for (size_t i = 0; pids->item && i < pids->count; i++) {
		_cleanup_(buffer_release) struct buffer line = {0};

		if (!question_has_filter(summary->question) &&
		    recorded_zombie_append(&line, recorded, pids->item[i]) &&
		    zombies++ < SHOWN_ENDED)
			prose_end(to, &line);
	}
	if (lacks && is_short && zombies == 0)
		prose_put(to, "It had ended before the recording began.");
	if (lacks && !is_short)
		prose_put(to, "None of the processes that were to be recorded is seen, as they had "
		              "ended before: this is about every task of the machine.");
	return lacks;
}

static void lacks_print(const struct summary *summary, const struct times *total,
                        const struct output *to)
{
	if (total->unknown > 0 && total->running + total->runnable + total->waiting == 0 &&
	    !event_kinds_have_any(&summary->question->resolved->seen,
	                          EVENT_LIST(EVENT_SCHED_SWITCH)))
		prose_put(to, "No switches were recorded: which tasks waited is not known (record "
		              "-e sched:sched_switch).");
	if (summary_lacks_wakeups(summary))
		prose_put(to, "No wake-ups were recorded: time in run queues cannot be told from "
		              "sleep (record -e sched:sched_waking).");
}

void summary_print(const struct summary *summary, const struct hangs *hangs,
                   const struct output *to, const struct times *total)
{
	const struct longest_wait longest = summary_longest(summary, total);
	bool is_of_machine = summary_is_of_machine(summary);
	uint32_t leading = summary->explanation->path_track;

	if (targets_print(summary, to) && summary->question->asked->summary.is_short)
		return;
	if (total->time == 0)
		prose_put(to,
		          question_has_filter(summary->question)
		                  ? "None of the asked tasks is seen here."
		                  : "No task is seen in this trace: see health below.");
	if (summary_shows_nothing(to, total))
		return;
	if (leading == TRACK_NONE)
		leading = path_task_command(summary->question);
	deaths_print(summary->question, leading, is_of_machine, to);
	hangs_print(hangs, to);
	if (summary->question->asked->summary.is_short || !is_of_machine)
		verdict_print(summary, hangs, total, to);
	if (is_of_machine) {
		machine_lead_print(summary, to);
		lacks_print(summary, total, to);
		standstill_print(&summary->standstill, to);
	}
	summary_requests_print(summary->requests, /* is_first= */ true, to);
	summary_print_costs(summary, to, total->tasks);
	if (!is_of_machine)
		lacks_print(summary, total, to);
	summary_requests_print(summary->requests, /* is_first= */ false, to);
	longest_print(summary, to, &longest);
	/* if it is a stop, the sentence on the longest wait has reported it */
	if (!longest.is_stop)
		stopped_print(summary, to, total);
	summary_memory_print(summary, to, total);
	hangs_print_rest(hangs, to);
	summary_print_polling(summary, /* is_first= */ false, to);
}
