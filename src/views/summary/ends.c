/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "explanation.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "summary.h"
#include "words/cause/purpose.h"

/* Tasks that do the same now. */
struct doing {
	uint32_t text;  /* id in names */
	uint32_t track; /* the first of them */
	size_t count;
	bool is_held; /* the kernel holds the first one in state D: it has something to do */
	bool has_end; /* hangs_names_end() */
};

/* What tasks are held in first, as others may be idle; then what it is known to be that they wait
   for; then what most do. */
ORDER_FUNCTION(doing_compare, struct doing, FALLING(x, y, is_held), FALLING(x, y, has_end),
               FALLING(x, y, count), RISING(x, y, track))

/* "Now: mysqld[812] (and 3 more) waits for epoll events." */
static void tasks_say(const struct question *question, const char *when, uint32_t first,
                      size_t count, const char *what, const struct output *to)
{
	say_fact(to, question->timeline, FACT(FACT_DETAIL, .next = "--waits --sort wait"),
	         "[{text}: ]{task}[ (and {number} more)] {text}.", TEXT(when),
	       TASK(first), WHEN(count > 1, NUMBER(count - 1)), TEXT(what));
}

/* "sleep[17] has ended." if all asked tasks have; else that of a task is no news. */
static void ended_print(const struct question *question, const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	size_t ended = 0;
	uint32_t first = TRACK_NONE;

	ASKED_EACH(question, track) {
		if (timeline->track[track].is_open)
			return;
		if (ended++ == 0)
			first = track;
	}
	if (ended)
		tasks_say(question, "", first, ended, ended > 1 ? "have ended" : "has ended", to);
}

/* What each asked task did when the recording ended, but for those that hang, as that was said.
   `is_all`: also where nothing is known of another end. */
static void now_print(const struct summary *summary, const struct hangs *hangs, bool is_all,
                      const struct output *to)
{
	const struct question *question = summary->question;
	struct timeline *timeline = question->timeline;
	const char *when = is_all ? "Now" : "At the end";
	struct tally doings;

	tally_init(&doings, sizeof(struct doing), sizeof(uint32_t), TALLY_NO_LIMIT);
	ASKED_EACH(question, track) {
		_cleanup_(buffer_release) struct buffer text = {0};
		const struct segment *wait = track_open_wait(&timeline->track[track]);
		struct doing *doing;
		uint32_t name;

		if (!timeline->track[track].is_open || hangs_has(hangs, track) ||
		    !(is_all || hangs_names_end(hangs, track)))
			continue;
		hangs_describe(hangs, track, &text);
		name = intern_add(&timeline->names, text.text, text.length);
		doing = tally_row(&doings, &name);
		if (doing && doing->count++ == 0) {
			doing->track = track;
			doing->is_held = wait && wait->detail == 'D';
			doing->has_end = hangs_names_end(hangs, track);
		}
	}
	array_sort(doings.row, doings.count, sizeof(struct doing), doing_compare);
	for (size_t i = 0; i < doings.count && i < SHOWN_NOW; i++) {
		const struct doing *doing = tally_at(&doings, i);

		tasks_say(question, when, doing->track, doing->count,
		          intern_text(&timeline->names, doing->text), to);
	}
	tally_release(&doings);
}

/* For what a task sleeps that has nothing to do; for what a client that waits for an answer may
   sleep, too; and for what a task that chose to, and not because it had nothing to do. */
static const uint8_t idle_purposes[] = {PURPOSE_SIGSUSPEND, PURPOSE_PAUSE,   PURPOSE_SIGWAIT,
                                        PURPOSE_NANOSLEEP,  PURPOSE_TIMERFD, PURPOSE_TTY_READ,
                                        PURPOSE_NONE};
static const uint8_t event_purposes[] = {PURPOSE_POLL, PURPOSE_SELECT, PURPOSE_EPOLL, PURPOSE_NONE};
static const uint8_t chosen_purposes[] = {PURPOSE_NANOSLEEP, PURPOSE_NONE};

/* Whether the track's unfinished wait is known to be for any of these. */
static bool waits_for(const struct timeline *timeline, uint32_t track, const uint8_t *purposes)
{
	const struct cause_note *note = track_open_note(timeline, track);

	while (note && *purposes != PURPOSE_NONE && *purposes != note->purpose)
		purposes++;
	return note && *purposes != PURPOSE_NONE;
}

static bool any_waits_for(const struct question *question, const uint8_t *purposes)
{
	ASKED_EACH(question, track)
		if (waits_for(question->timeline, track, purposes))
			return true;
	return false;
}

/* A sleep in poll() and the like is idleness in a server, but not in a client. A task that sleeps
   again and again may look for something in between, and one that chose to sleep may do so for
   anything. */
static void idle_print(const struct summary *summary, double part, size_t tasks,
                       const struct output *to)
{
	const char *who = tasks > 1 ? "they" : "it";
	bool may_poll;

	if (summary_has_polling(summary, &may_poll)) /* that is said below the costs */
		return;
	if (may_poll)
		say_to(to, NULL, "Idle, or polling: {share} of the time {text} slept, again and "
		                 "again for about as long; nothing shows what for.",
		       SHARE(part), TEXT(who));
	else if (any_waits_for(summary->question, event_purposes))
		say_to(to, NULL, "Idle, or waiting for an answer: {share} of the time {text} "
		                 "waited for events, or slept by choice; nothing shows which.",
		       SHARE(part), TEXT(who));
	else if (any_waits_for(summary->question, chosen_purposes))
		say_to(to, NULL, "Asleep: {share} of the time {text} slept by choice; nothing "
		                 "shows what for.", SHARE(part), TEXT(who));
	else
		say_to(to, NULL, "Idle: {share} of the time {text} had nothing to do; nothing "
		                 "shows that {many}{it|any} hangs.",
		                 SHARE(part), TEXT(who), MANY(tasks));
}

/* The time in which the asked tasks had nothing to do, or slept because they chose to. */
static nsec_t idle_time(const struct summary *summary)
{
	const struct question *question = summary->question;
	const struct timeline *timeline = question->timeline;
	nsec_t idle = 0;

	ASKED_EACH(question, track) {
		const struct track *of = &timeline->track[track];

		idle += explanation_taken(summary->explanation, track).chosen;
		if (waits_for(timeline, track, idle_purposes))
			idle += timeline_end_of(timeline, of) - track_open_wait(of)->begin;
	}
	return idle;
}

static bool any_hangs(const struct hangs *hangs)
{
	for (size_t i = 0; i < hangs->count; i++)
		if (hangs->hang[i].is_hung && hang_is_asked(hangs, &hangs->hang[i]))
			return true;
	return false;
}

/* Whether the asked tasks are stopped, busy, queued or idle, unless they hang. */
static void manner_print(const struct summary *summary, const struct hangs *hangs,
                         const struct times *total, const struct output *to)
{
	size_t tasks = total->tasks;
	nsec_t idle = idle_time(summary), each = tasks ? total->time / tasks : 0;

	if (total->time == 0 || any_hangs(hangs))
		;
	else if (nsec_ratio(total->stopped, total->time) >= PART_ALWAYS)
		prose_put(to, "Stopped: it can run only once it is continued (SIGCONT).");
	else if (nsec_ratio(total->running, each) >= PART_MOST)
		say_to(to, NULL, "Busy: {decimal} CPU{many}{|s} on average.",
		       DECIMAL(nsec_ratio(total->running, each)), MANY(tasks));
	else if (nsec_ratio(total->runnable, each) >= PART_HOG && tasks == 1)
		say_to(to, NULL, "Queued: {share} of the time it was able to run, and other tasks "
		                 "had the CPU.", SHARE(nsec_ratio(total->runnable, total->time)));
	else if (nsec_ratio(total->runnable, each) >= PART_HOG)
		say_to(to, NULL, "Queued: on average {decimal} of its threads were able to run, "
		                 "and other tasks had the CPU.",
		       DECIMAL(nsec_ratio(total->runnable, each)));
	else if (nsec_ratio(idle, total->time) >= PART_ALWAYS)
		idle_print(summary, nsec_ratio(idle, total->time), tasks, to);
}

void verdict_print(const struct summary *summary, const struct hangs *hangs,
                   const struct times *total, const struct output *to)
{
	bool is_short = summary->question->asked->summary.is_short;

	if (is_short)
		manner_print(summary, hangs, total, to);
	now_print(summary, hangs, /* is_all= */ is_short, to);
	if (is_short)
		ended_print(summary->question, to);
}

/* How a process ended, in the order in which it is reported. */
enum end_kind {
	END_NO_NEWS, /* by itself, or because nobody reads what it writes */
	END_OOM,
	END_FAULT,   /* a program gets such a signal for what it does itself */
	END_ASKED,   /* somebody wanted it to end */
};

/* Processes with the same name that the same has ended. */
struct loss {
	struct loss_key {
		uint32_t kind; /* enum end_kind */
		uint32_t name; /* id in names */
		int32_t number;
	} of;
	uint32_t track; /* the first of them */
	nsec_t end;     /* of the first */
	size_t count;
};

static const char *const faults[] = {
	"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS", "SIGXCPU",
	"SIGXFSZ",
};

static enum end_kind end_of(const struct timeline *timeline, const struct track *track)
{
	const struct track_death *death = track_death_of(track);
	const char *name = death && death->name ? intern_text(&timeline->names, death->name) : "";

	if (!death || death->kind != DEATH_SIGNAL)
		return END_NO_NEWS;
	if (death->is_oom)
		return END_OOM;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (strcmp(name, faults[i]) == 0)
			return END_FAULT;
	return strcmp(name, "SIGPIPE") == 0 ? END_NO_NEWS : END_ASKED;
}

static bool is_in_window(const struct question *question, const struct track *track)
{
	return !question->resolved->is_windowed || question_contains(question, track->end);
}

ORDER_FUNCTION(loss_compare, struct loss, RISING(x, y, of.kind), RISING(x, y, end),
               RISING(x, y, track))

/* Who sent the signal, unless it was the process itself. */
static struct word death_sender(const struct timeline *timeline, uint32_t track)
{
	uint32_t by = timeline->track[track].death.by;

	return WHEN(by != TRACK_NONE && !timeline_is_one_process(timeline, by, track), TASK(by));
}

/* "cc1[17] (and 2 more) died of SIGSEGV at 0.316." The reported sender of the OOM killer's signal
   only allocated memory. */
static void loss_print(const struct question *question, const struct loss *loss,
                       const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	const struct track_death *death = &timeline->track[loss->track].death;
	_cleanup_(buffer_release) struct buffer of = {0};

	death_append(&of, timeline, death);
	say_fact(to, timeline,
	       FACT(death->is_oom ? FACT_ANSWER : FACT_REASON, .next = "--processes"),
	       "{task}[ (and {number} more of that name)][{if} was killed by the kernel's OOM "
	       "killer: memory, or the memory limit of a cgroup, was exhausted[ when {task} asked "
	       "for more]| died of {text}[ from {task}]], at {instant}.",
	       TASK(loss->track), WHEN(loss->count > 1, NUMBER(loss->count - 1)),
	       IF(death->is_oom),
	       WHEN(death->by != TRACK_NONE && death->by != loss->track, TASK(death->by)),
	       TEXT(of.text), death_sender(timeline, loss->track),
	       INSTANT(&question->instants, timeline->track[loss->track].end));
}

/* "Ended by signals: sleep[9] (SIGKILL from bash[7]), 3 more (--processes)." */
static void asked_print(const struct question *question, const struct loss *loss, size_t count,
                        size_t more, const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	_cleanup_(buffer_release) struct buffer ended = {0};

	for (size_t i = 0; i < count; i++) {
		_cleanup_(buffer_release) struct buffer of = {0};

		more += loss[i].count - (i < SHOWN_ENDED);
		if (i >= SHOWN_ENDED)
			continue;
		death_append(&of, timeline, &timeline->track[loss[i].track].death);
		say(&ended, timeline, "{,}{task} ({text}[ from {task}])", TASK(loss[i].track),
		    TEXT(of.text), death_sender(timeline, loss[i].track));
	}
	if (more)
		say(&ended, NULL, "{,}{number} more", NUMBER(more));
	if (ended.length)
		say_fact(to, NULL, FACT(FACT_DETAIL, .next = "--processes"),
		         "Ended by signals: {text} (--processes).", TEXT(ended.text));
}

void deaths_print(const struct question *question, uint32_t leading, bool is_of_machine,
                  const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	struct loss *loss;
	struct tally losses;
	size_t told = 0, more = 0;

	if (leading != TRACK_NONE && track_death_of(&timeline->track[leading]) &&
	    timeline->track[leading].death.kind == DEATH_SIGNAL &&
	    is_in_window(question, &timeline->track[leading]))
		loss_print(question, &(struct loss){.track = leading, .count = 1}, to);
	tally_init(&losses, sizeof(*loss), sizeof(loss->of), TALLY_NO_LIMIT);
	ASKED_EACH(question, i) {
		const struct track *track = &timeline->track[i];
		enum end_kind kind = end_of(timeline, track);

		if (i == leading || kind == END_NO_NEWS || track_is_of_recorder(question, i) ||
		    !is_in_window(question, track))
			continue;
		loss = tally_row(&losses, &(struct loss_key){
			kind, timeline_name_at(track, NSEC_NEVER), track->death.number});
		if (loss && (loss->count++ == 0 || track->end < loss->end)) {
			loss->track = i;
			loss->end = track->end;
		}
	}
	array_sort(losses.row, losses.count, sizeof(*loss), loss_compare);
	loss = (void *)losses.row;
	for (; told < losses.count && loss[told].of.kind != END_ASKED; told++)
		if (told < SHOWN_ENDED)
			loss_print(question, &loss[told], to);
		else
			more += loss[told].count;
	asked_print(question, loss + told, is_of_machine ? 0 : losses.count - told, more, to);
	tally_release(&losses);
}
