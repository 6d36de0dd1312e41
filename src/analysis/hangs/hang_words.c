/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of tasks that hang: sentences, and the table for data. */
#include "hangs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/tables/row_link.h"
#include "analysis/evidence/evidence.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "graph/aims/aim.h"
#include "graph/timeline/open_wait.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "words/cause/purpose.h"

#define LINKS_MAX       6 /* tasks that a sentence names, one behind the other */
#define SENTENCES_MAX   3
#define CIRCLE_SHOWN    4 /* tasks of a circle that are named */

/* What the place of an unfinished sleep says that it is for; NULL: nothing. */
static const char *track_purpose(const struct timeline *timeline, uint32_t track)
{
	const struct cause_note *note = track_open_note(timeline, track);

	return note ? purpose_words(note->purpose) : NULL;
}

/* "cache_lock (0x5601)", "0x5601": where in memory it waits. */
static void variable_append(const struct timeline *timeline, const struct hang *hang,
                            struct buffer *to)
{
	uint32_t name = timeline_variable(timeline, hang->track, hang->wait->address);

	if (name)
		prose_name_append(to, timeline, name);
	buffer_printf(to, name ? " (0x%" PRIx64 ")" : "0x%" PRIx64, hang->wait->address);
}

/* "the lock cache_lock (0x5601)", "a flock on /var/lib/x/lock": what the hung task waits for. */
static void lock_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	static const char *const on_file[] = {
		[OPEN_WAIT_FLOCK] = "a flock",
		[OPEN_WAIT_POSIX] = "a lock (fcntl)",
		[OPEN_WAIT_LEASE] = "the end of a lease",
	};
	unsigned kind = hang->wait->kind;

	if (kind < ARRAY_SIZE(on_file) && on_file[kind]) {
		say(to, NULL, "{text} on [{foreign}|a file]", TEXT(on_file[kind]),
		    FOREIGN(hang->wait->path));
	} else {
		buffer_puts(to, "the lock ");
		variable_append(hangs->question->timeline, hang, to);
	}
}

/* "the FUSE file system mounted at /mnt/x" */
static void mount_append(const struct open_wait *wait, struct buffer *to)
{
	static const struct {
		const char *begin, *word;
	} words[] = {{"fuse", "FUSE"}, {"nfs", "NFS"}, {"cifs", "SMB"}, {"smb", "SMB"}};
	const char *word = wait->type ? wait->type : "remote";

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strncmp(word, words[i].begin, strlen(words[i].begin)) == 0)
			word = words[i].word;
	say(to, NULL, "waits for the {foreign} file system[ mounted at {foreign}]", FOREIGN(word),
	    FOREIGN(wait->path));
}

/* A wait for nothing that another task has: by its place in the kernel, or by its call. */
static void plain_wait_append(const struct hangs *hangs, const struct hang *hang,
                              struct buffer *to)
{
	static const struct {
		const char *name, *until;
	} objects[] = {
		[OPEN_WAIT_OTHER] = {NULL, NULL},
		[OPEN_WAIT_CONDITION] = {"the condition variable", "signalled"},
		[OPEN_WAIT_SEMAPHORE] = {"the semaphore", "posted"},
		[OPEN_WAIT_BARRIER] = {"other threads at the barrier", NULL},
	}, *object = &objects[OPEN_WAIT_OTHER];
	const struct timeline *timeline = hangs->question->timeline;
	const char *purpose = purpose_words(open_wait_purpose(hang->wait));
	_cleanup_(buffer_release) struct buffer variable = {0};

	if (!purpose)
		purpose = track_purpose(timeline, hang->track);
	if (wait_is_at_object(hang->wait)) {
		object = &objects[hang->wait->kind];
		variable_append(timeline, hang, &variable);
	}
	if (hang->wait->kind == OPEN_WAIT_MOUNT)
		mount_append(hang->wait, to);
	else
		say(to, NULL,
		    "[waits for {text} {text}[ to be {text}]|{if}sleeps on a timer|waits for "
		    "{text}|waits in {text}()|sleeps]",
		    TEXT(object->name), TEXT(variable.text), TEXT(object->until),
		    IF(hang->wait->call && strstr(hang->wait->call, "nanosleep")), TEXT(purpose),
		    TEXT(hang->wait->call));
	open_wait_append_object(hang->wait, to);
	if (hang->wait->state == 'D')
		buffer_puts(to, " (in state D)");
}

/* All that have what is waited for, behind `before`, as far as their tasks are known; a lock they
   have together. Returns how many they are. */
static size_t holders_append(const struct hangs *hangs, const struct hang *hang, const char *before,
			     struct buffer *to)
{
	bool is_lock = wait_is_for_lock(hang->wait);
	size_t count = 0;

	for (size_t i = 0; i < hang->wait->holder_count; i++) {
		if (hang->holder[i] == TRACK_NONE)
			continue;
		buffer_puts(to, count++ == 0 ? before : is_lock ? " and " : " or ");
		prose_task_append(to, hangs->question->timeline, hang->holder[i]);
	}
	return count;
}

#define ID_WORD "id "

/* "an eventfd of id 3", "the message queue /x" in `to`, where the ends of what the task waits at
   are no pipe's; `*ret_has`: what the others have done with it. */
static void queue_append(const struct open_wait *wait, const char **ret_has, struct buffer *to)
{
	static const struct {
		const char *call, *words, *has;
	} rows[] = {
		{"mq_", "the message queue ", "has it open"},
		{"sem", "a SysV semaphore of ", "used it last"},
		{"msg", "a SysV message queue of ", "used it last"},
		{"ipc", "a SysV semaphore or message queue of ", "used it last"},
		{"", "an eventfd of ", "has it open"},
	};
	bool has_id = wait->path && strncmp(wait->path, ID_WORD, strlen(ID_WORD)) == 0;
	const char *call = wait->call ? wait->call : "";

	if (!wait->path)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strncmp(call, rows[i].call, strlen(rows[i].call)) != 0 ||
		    (i > 0 && !has_id))
			continue;
		buffer_puts(to, rows[i].words);
		buffer_puts_clean(to, wait->path, strlen(wait->path));
		*ret_has = rows[i].has;
		return;
	}
}

/* "waits at a pipe for cat[7], which has its other end open"; false: nobody is known to have. */
static bool pipe_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer queue = {0}, holders = {0};
	size_t count = holders_append(hangs, hang, "", &holders);
	bool is_own = hang->owner == hang->track;
	const char *has = NULL;

	queue_append(hang->wait, &has, &queue);
	if (is_own || count)
		say(to, NULL,
		    "waits at [{text}|the fifo {foreign}|a pipe][{if}, which no other process has "
		    "open| for {text}, which [{text}|{many}{has|have} its other end open]]",
		    TEXT(queue.text), FOREIGN(hang->wait->path), IF(is_own), TEXT(holders.text),
		    TEXT(has), MANY(count));
	return is_own || count;
}

/* "waits for its child ld[7]": what the task waits for, without what that does in turn. */
static void wait_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	const struct open_wait *wait = hang->wait;
	bool owner = hang->owner != TRACK_NONE;
	/* of several children it waits for any, as a shell does */
	bool is_child = wait->kind == OPEN_WAIT_CHILD && !open_wait_is_poll(wait);
	const char *for_child = is_child ? "waits for its child " : "waits for ";

	if (wait_is_for_lock(wait)) {
		buffer_puts(to, "waits for ");
		lock_append(hangs, hang, to);
		if (wait->kind == OPEN_WAIT_LEFT)
			open_wait_append_object(wait, to);
		else
			(void)holders_append(hangs, hang, ", held by ", to);
	} else if (owner && (wait->kind == OPEN_WAIT_THREAD || wait->kind == OPEN_WAIT_CHILD)) {
		/* a pidfd may be that of any process */
		say(to, timeline, "{text}{task}[{if}| to end]", TEXT(for_child), TASK(hang->owner),
		    IF(is_child));
	} else if (!(wait->kind == OPEN_WAIT_CHILD &&
	             holders_append(hangs, hang, for_child, to)) &&
	           !(wait->kind == OPEN_WAIT_PIPE && pipe_append(hangs, hang, to))) {
		plain_wait_append(hangs, hang, to);
		if (wait->kind == OPEN_WAIT_SOCKET || wait->kind == OPEN_WAIT_TERMINAL)
			(void)holders_append(hangs, hang, ", ", to);
		else if (wait->kind == OPEN_WAIT_OTHER && owner)
			say(to, timeline, ": {task}", TASK(hang->owner));
	}
}

/* What a task does that was not seen waiting; false if that is not known. */
static bool state_append(const struct timeline *timeline, uint32_t index, struct buffer *to)
{
	static const char *const states[] = {
		[SEGMENT_RUN] = "runs",
		[SEGMENT_RUNNABLE] = "stands in a run queue",
		[SEGMENT_STOPPED] = "is stopped",
		[SEGMENT_WAIT] = "sleeps",
	};
	const struct track *track = &timeline->track[index];
	const char *purpose = track_purpose(timeline, index);
	const struct segment *last;

	if (!timeline->keep_segments || track->segment_count == 0 || !track->is_open)
		return false;
	last = &track->segment[track->segment_count - 1];
	if (last->kind >= ARRAY_SIZE(states) || !states[last->kind])
		return false;
	say(to, NULL, "[waits for {text}|{text}][{if} (in state D)]",
	    WHEN(last->kind == SEGMENT_WAIT, TEXT(purpose)), TEXT(states[last->kind]),
	    IF(last->kind == SEGMENT_WAIT && last->detail == 'D'));
	return true;
}

static const struct hang *hangs_of(const struct hangs *hangs, uint32_t track)
{
	uint32_t at = map_get(&hangs->by_track, track);

	return at == MAP_NONE ? NULL : &hangs->hang[at];
}

/* Appends the wait, and ", which ..." for each task in the chain that it waits for. */
static void chain_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	const struct hang *first = hang;

	for (size_t links = 0;; links++) {
		size_t before;

		wait_append(hangs, hang, to);
		if (hang->owner == TRACK_NONE || links == LINKS_MAX)
			return;
		before = to->length;
		buffer_puts(to, ", which ");
		if (hang->next == WAITS_FOR_NONE) {
			if (!state_append(hangs->question->timeline, hang->owner, to))
				buffer_truncate(to, before);
			return;
		}
		hang = &hangs->hang[hang->next];
		if (hang == first || (hang->circle && first->circle == 0)) {
			if (hang->circle && first->circle == 0)
				buffer_puts(to, "is in a deadlock");
			else
				buffer_truncate(to, before);
			return;
		}
	}
}

void hangs_describe(const struct hangs *hangs, uint32_t track, struct buffer *to)
{
	const struct hang *hang = hangs_of(hangs, track);

	if (hang && hang->is_open)
		chain_append(hangs, hang, to);
	else if (!state_append(hangs->question->timeline, track, to))
		buffer_puts(to, "is not seen when the recording ends");
}

bool hangs_has(const struct hangs *hangs, uint32_t track)
{
	const struct hang *hang = hangs_of(hangs, track);

	return hang && hang->is_hung;
}

bool hangs_names_end(const struct hangs *hangs, uint32_t track)
{
	const struct hang *hang = hangs_of(hangs, track);

	if (!hang || !hang_is_long(hangs, hang))
		return false;
	switch (hang->wait->kind) {
	case OPEN_WAIT_PIPE:
	case OPEN_WAIT_SOCKET:
	case OPEN_WAIT_TERMINAL:
	case OPEN_WAIT_CHILD:
		return hang->wait->holder_count > 0 || hang->wait->has_no_holder ||
		       hang->wait->path;
	case OPEN_WAIT_CONDITION:
	case OPEN_WAIT_SEMAPHORE:
	case OPEN_WAIT_BARRIER: /* other threads than the first are workers without work */
		return hangs->question->timeline->track[track].tgid ==
		       hangs->question->timeline->track[track].tid;
	default:
		return false;
	}
}

/* "first[7] has 0x60 and waits for 0xa0" */
static void member_append(const struct hangs *hangs, const struct hang *hang,
                          const struct hang *before, struct buffer *to)
{
	prose_task_append(to, hangs->question->timeline, hang->track);
	if (wait_is_for_lock(before->wait)) {
		buffer_puts(to, " has ");
		lock_append(hangs, before, to);
		buffer_puts(to, " and");
	}
	buffer_putc(to, ' ');
	if (wait_is_for_lock(hang->wait)) {
		buffer_puts(to, "waits for ");
		lock_append(hangs, hang, to);
	} else if (hang->wait->kind == OPEN_WAIT_PIPE) {
		say(to, hangs->question->timeline, "waits at a pipe for {task}",
		    TASK(hang->owner));
	} else {
		wait_append(hangs, hang, to);
	}
}

static void circle_describe(const struct hangs *hangs, size_t first, struct buffer *to)
{
	const struct hang *hang = &hangs->hang[first];
	size_t shown = 0, before = first;
	nsec_t begin = 0, end = NSEC_NEVER;
	bool is_open = true, is_pipe = circle_has(hangs, first, OPEN_WAIT_PIPE);
	_cleanup_(buffer_release) struct buffer own = {0}, members = {0};

	while (hangs->hang[before].next != first)
		before = hangs->hang[before].next;
	if (hang->next == first)
		lock_append(hangs, hang, &own);
	CIRCLE_EACH(hangs, first, at) {
		hang = &hangs->hang[at];
		begin = nsec_max(begin, hang->begin);
		end = nsec_min(end, hang->end);
		is_open &= hang->is_open;
		if (hang->next != at && shown < CIRCLE_SHOWN) {
			buffer_puts(&members, shown ? ", " : "");
			member_append(hangs, hang, &hangs->hang[before], &members);
		}
		shown++;
		before = at;
	}
	say(to, hangs->question->timeline,
	    "[{if}Likely deadlock|Deadlock]: [{task} waits for {text}, which it has "
	    "itself|{text}][, and {number} more][{if}; each pipe's other end is open there][; "
	    "[{if}for|it lasted] {time}]",
	    IF(is_pipe), TASK(hangs->hang[first].track), TEXT(own.text), TEXT(members.text),
	    WHEN(shown > CIRCLE_SHOWN, NUMBER(shown - CIRCLE_SHOWN)), IF(is_pipe), IF(is_open),
	    WHEN(end > begin, TIME(end - begin)));
}

static void circle_end(const struct hangs *hangs, size_t first, enum fact_doubt doubt,
                       struct buffer *line, const struct output *to)
{
	const struct hang *hang = &hangs->hang[first];
	const struct fact fact = FACT(
		FACT_ANSWER, .doubt = doubt, .next = "--waits --sort wait", .figure = FIGURE_TIME,
		.time = hang->end - hang->begin, .has_task = true,
		.task = timeline_task(hangs->question->timeline, hang->track, NSEC_NEVER));

	prose_end_fact(to, line, &fact);
}

static bool seen_circles_print(const struct hangs *hangs, const struct output *to)
{
	size_t printed = 0;

	for (size_t number = 1; number <= hangs->circle_count; number++) {
		_cleanup_(buffer_release) struct buffer line = {0};
		size_t first = WAITS_FOR_NONE;
		bool is_asked = false;

		for (size_t i = 0; i < hangs->count; i++) {
			if (hangs->hang[i].circle != number)
				continue;
			is_asked |= hang_is_asked(hangs, &hangs->hang[i]);
			if (first == WAITS_FOR_NONE ||
			    hangs->hang[i].track < hangs->hang[first].track)
				first = i;
		}
		if (!is_asked || first == WAITS_FOR_NONE)
			continue;
		if (printed++ == SENTENCES_MAX) {
			prose_put(to, "There are more deadlocks.");
			break;
		}
		circle_describe(hangs, first, &line);
		circle_end(hangs, first,
		           circle_has(hangs, first, OPEN_WAIT_PIPE) ? FACT_INFERRED : FACT_SEEN,
		           &line, to);
	}
	return printed > 0;
}

static bool likely_is_guess(const struct likely_circle *circle)
{
	return circle->in_pipe &&
	       (circle->count < RING_LIKELY || circle->least_times < PARTNER_TIMES);
}

/* "Likely deadlock: A[101] behind B[102] behind A[101]": the most certain circle that only events
   show. A pipe does not show which task holds its other end: the evidence is printed. */
static void likely_describe(const struct hangs *hangs, struct buffer *to)
{
	const struct likely_circle *circle = &hangs->likely;
	bool is_guess = likely_is_guess(circle);
	const struct timeline *timeline = hangs->question->timeline;
	size_t at = circle->first, shown = 0;
	_cleanup_(buffer_release) struct buffer tasks = {0};

	do {
		say(&tasks, timeline, "{task} behind ", TASK(hangs->hang[at].track));
		at = hangs->hang[at].next;
	} while (++shown < CIRCLE_SHOWN && at != circle->first);
	say(to, timeline,
	    "[{if}Perhaps a|Likely] deadlock: {text}[{if}... behind ]{task}[; [{if}all|those that "
	    "do not wait for a lock] sleep in a pipe, and earlier sleeps of each in pipes were all "
	    "ended by the one that it is behind (at least {number} time{|s})][, and {number} more]",
	    IF(is_guess), TEXT(tasks.text), IF(at != circle->first),
	    TASK(hangs->hang[circle->first].track), IF(circle->in_pipe == circle->count),
	    WHEN(circle->in_pipe, NUMBER(circle->least_times)),
	    WHEN(hangs->likely_count > 1, NUMBER(hangs->likely_count - 1)));
}

static bool likely_print(const struct hangs *hangs, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	if (hangs->likely_count == 0 || hangs->circle_count)
		return false;
	likely_describe(hangs, &line);
	circle_end(hangs, hangs->likely.first,
	           likely_is_guess(&hangs->likely) ? FACT_GUESSED : FACT_INFERRED, &line, to);
	return true;
}

bool hangs_print_circles(const struct hangs *hangs, const struct output *to)
{
	return seen_circles_print(hangs, to) || likely_print(hangs, to);
}

/* Whether a wait that only events show is printed, with the first things to know or with the
   others. A part of a short trace may be no time at all, and threads of the kernel may sleep in D
   at rest. */
static bool hang_is_listed(const struct hangs *hangs, const struct hang *hang, bool is_first)
{
	bool is_news = hang->end - hang->begin >= LONG_WAIT_NS &&
	               !track_is_kernel(hangs->question->timeline, hang->track);

	return hang_is_asked(hangs, hang) && (hang->is_in_d || hang_is_for_lock(hang)) &&
	       hang_is_long(hangs, hang) && !hangs_has(hangs, hang->track) && is_news == is_first;
}

/* What tasks have in common that all are in D, or all wait for locks. */
static const char *open_state(bool is_in_d, bool is_for_lock)
{
	return is_in_d ? "in D" : is_for_lock ? "for a lock" : "in D or for a lock";
}

void holder_stopped_append(struct buffer *to, const struct timeline *timeline,
                           const struct cause_note *cause, nsec_t begin, nsec_t end)
{
	struct track *of;
	nsec_t stopped;

	if (cause->kind != CAUSE_LOCK || cause->originator == TRACK_NONE)
		return;
	of = &timeline->track[cause->originator];
	stopped = track_time_in(of, 1u << SEGMENT_STOPPED, begin, end);
	say(to, NULL, "[{if}, which is stopped|, which was stopped for {time} of that]",
	    IF(of->segment_count && of->segment[of->segment_count - 1].kind == SEGMENT_STOPPED &&
	       of->is_open && end >= of->end),
	    WHEN(stopped && stopped >= (end - begin) / 2, TIME(stopped)));
}

/* " for 19.990 s (lock 0x7f00), asleep in do_wait" */
static void open_append(const struct hangs *hangs, const struct hang *hang, struct buffer *to)
{
	struct timeline *timeline = hangs->question->timeline;
	_cleanup_(buffer_release) struct buffer stopped = {0};
	struct cause cause;

	if (hang->cause) {
		cause = timeline_cause(timeline, hang->cause, NSEC_NEVER);
		holder_stopped_append(&stopped, timeline, hang->cause, hang->begin, hang->end);
	}
	say(to, NULL, " for {time}[ ({cause}[{text}])]", TIME(hang->end - hang->begin),
	    WHEN(hang->cause, CAUSE(&cause)), TEXT(stopped.text));
	if (hang->frames)
		prose_place_append(to, timeline, hang->frames);
}

/* "Still waiting at the end: 2 tasks in D, longest cp[17] for 90.000 s (lock 0x.. held by ..)." */
static void open_print(const struct hangs *hangs, bool is_first, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer length = {0};
	const struct hang *longest = NULL;
	size_t count = 0, in_d = 0, for_lock = 0;
	const char *state;

	EACH_OF(hangs->hang + hangs->count, hangs->all - hangs->count, const struct hang, hang) {
		if (!hang_is_listed(hangs, hang, is_first))
			continue;
		count++;
		in_d += hang->is_in_d;
		for_lock += hang_is_for_lock(hang);
		if (!longest || hang->begin < longest->begin)
			longest = hang;
	}
	if (!longest)
		return;
	state = open_state(in_d == count, for_lock == count);
	open_append(hangs, longest, &length);
	say_fact(to, hangs->question->timeline,
	       FACT(is_first ? FACT_ANSWER : FACT_DETAIL, .next = "--waits --sort wait",
	            .figure = FIGURE_TIME, .time = longest->end - longest->begin),
	       "Still waiting at the end: [{number} tasks {text}, longest {task}|{task} "
	       "{text}]{text}.",
	       WHEN(count > 1, NUMBER(count)), TEXT(state), TASK(longest->track),
	       TASK(longest->track), TEXT(state), TEXT(length.text));
}

ORDER_FUNCTION(hang_compare, struct hang *const, RISING(*x, *y, begin), RISING(*x, *y, track))

/* Whether its begin was recorded. */
static bool hang_has_begun(const struct timeline *timeline, const struct hang *hang)
{
	return hang->begin > timeline_begin_of(timeline, &timeline->track[hang->track]);
}

void hangs_print(const struct hangs *hangs, const struct output *to)
{
	const struct timeline *timeline = hangs->question->timeline;
	/* NOLINTNEXTLINE: pointers are meant */
	_cleanup_(freep) const struct hang **shown = xcalloc(hangs->count + 1, sizeof(*shown));
	size_t count = 0;

	(void)seen_circles_print(hangs, to);
	EACH_OF(hangs->hang, hangs->count, const struct hang, hang) {
		if (hang->is_hung && hang->circle == 0 && !hang->is_behind &&
		    hang_is_asked(hangs, hang))
			shown[count++] = hang;
	}
	/* NOLINTNEXTLINE: pointers are meant */
	qsort(shown, count, sizeof(*shown), hang_compare);
	for (size_t i = 0; i < count && i < SENTENCES_MAX; i++) {
		_cleanup_(buffer_release) struct buffer chain = {0};

		chain_append(hangs, shown[i], &chain);
		say_fact(to, timeline, FACT(FACT_ANSWER, .next = "--waits --sort wait"),
		       "{task} [has hung for {time}|hangs since before the recording]: {text}.",
		       TASK(shown[i]->track),
		       WHEN(hang_has_begun(timeline, shown[i]),
		            TIME(shown[i]->end - shown[i]->begin)), TEXT(chain.text));
	}
	if (count > SENTENCES_MAX)
		say_to(to, NULL, "{number} more tasks hang.", NUMBER(count - SENTENCES_MAX));
	(void)likely_print(hangs, to);
	open_print(hangs, /* is_first= */ true, to);
}

void hangs_print_rest(const struct hangs *hangs, const struct output *to)
{
	open_print(hangs, /* is_first= */ false, to);
}

void hangs_visit(const struct hangs *hangs,
                 void (*take)(void *state, uint32_t track, const char *text), void *state)
{
	for (size_t i = 0; i < hangs->all; i++) {
		const struct hang *hang = &hangs->hang[i];
		_cleanup_(buffer_release) struct buffer text = {0};
		bool is_seen = i < hangs->count;

		if (is_seen && hang->is_hung) {
			say(&text, hangs->question->timeline, "{task} ", TASK(hang->track));
			hangs_describe(hangs, hang->track, &text);
		} else if (!is_seen && hang_is_listed(hangs, hang, /* is_first= */ true)) {
			say(&text, NULL, "waits {text}",
			    TEXT(open_state(hang->is_in_d, hang_is_for_lock(hang))));
			open_append(hangs, hang, &text);
		} else {
			continue;
		}
		take(state, hang->track, text.text);
	}
	/* where no task by itself shows that it hangs */
	for (size_t i = hangs->count; i < hangs->all && hangs->circle_count == 0; i++) {
		_cleanup_(buffer_release) struct buffer text = {0};

		if (hangs->hang[i].circle == 0)
			continue;
		likely_describe(hangs, &text);
		take(state, hangs->hang[i].track, text.text);
	}
}

enum { HANG_NEXT = 15 };

static const struct column hang_columns[] = {
	{"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
	{"state", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"since_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
	{"length_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"open", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	{"cause", NULL, CELL_CAUSE, COLUMN_DATA_ONLY},
	{"kind", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"call", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"address", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"inode", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
	{"path", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"holder", NULL, CELL_TASK, COLUMN_DATA_ONLY},
	{"aim", NULL, CELL_RECORD, COLUMN_DATA_ONLY},
	{"circle", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
	{"text", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[HANG_NEXT] = LINK_COLUMN,
	EVIDENCE_COLUMNS_OF_ROW,
};

static const struct column task_columns[] = {{NULL, NULL, CELL_TASK, 0}};

#define AIM_CELLS 4

static const struct column aim_columns[AIM_CELLS] = {
	{"kind", NULL, CELL_TEXT, 0},
	{"name", NULL, CELL_TEXT, 0},
	{"peer", NULL, CELL_TEXT, 0},
	{"holders", NULL, CELL_ROWS, 0},
};

/* What the wait is for, as an aim of ftwait-json(5). `holders`: room for all. */
static void aim_cells(const struct hangs *hangs, const struct hang *hang,
		      struct cell aim[AIM_CELLS], struct cell holders[OPEN_WAIT_HOLDERS_MAX])
{
	const struct open_wait *wait = hang->wait;
	const struct timeline *timeline = hangs->question->timeline;
	uint32_t variable = wait_is_at_futex(wait)
		? timeline_variable(timeline, hang->track, wait->address) : 0;
	struct brief_aim what = {
		open_wait_aim(wait),
		variable ? intern_text(&timeline->names, variable) : wait->path,
	};
	size_t count = 0;

	if (wait->kind == OPEN_WAIT_OTHER && hang->owner != TRACK_NONE) {
		what = brief_aim_of_cause(timeline, hang->track,
		                          track_open_note(timeline, hang->track));
		holders[count++] = cell_of_task(timeline, hang->owner);
	}
	for (size_t i = 0; i < wait->holder_count; i++)
		if (wait->kind != OPEN_WAIT_LEFT && hang->holder[i] != TRACK_NONE)
			holders[count++] = cell_of_task(timeline, hang->holder[i]);
	aim[0] = (struct cell){.type = CELL_TEXT, .text = aim_kind_name(what.kind)};
	aim[1] = (struct cell){.type = CELL_TEXT, .text = what.name};
	aim[2] = (struct cell){.type = CELL_TEXT, .text = open_wait_peer(wait)};
	aim[3] = (struct cell){
		.type = CELL_ROWS,
		.rows = {task_columns, ARRAY_SIZE(task_columns), holders, count},
	};
}

/* The cell of what the wait is for, as the walk knows it; it points to *ret. */
static struct cell hang_cause(const struct hangs *hangs, const struct hang *hang, struct cause *ret)
{
	struct timeline *timeline = hangs->question->timeline;
	struct open_wait of_machine = *hang->wait;
	struct cause_note note;

	/* the recorder noted the machine's own number */
	of_machine.dev = device_names_number(&timeline->devices, timeline->track[hang->track].host,
	                                     hang->wait->dev);
	cause_note_init(&note, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	open_wait_refine_cause(timeline, &of_machine, hang->track, hang->owner, &note);
	*ret = timeline_cause(timeline, &note, NSEC_NEVER);
	return (struct cell){.type = note.kind != CAUSE_UNKNOWN ? CELL_CAUSE : CELL_EMPTY,
	                     .cause = ret};
}

static void hang_row(const struct hangs *hangs, const struct hang *hang, const struct output *to)
{
	static const char *const kinds[] = {
		[OPEN_WAIT_OTHER] = "other", [OPEN_WAIT_FUTEX] = "futex",
		[OPEN_WAIT_THREAD] = "thread", [OPEN_WAIT_FLOCK] = "flock",
		[OPEN_WAIT_POSIX] = "posix",   [OPEN_WAIT_LEASE] = "lease",
		[OPEN_WAIT_PIPE] = "pipe",     [OPEN_WAIT_CHILD] = "child",
		[OPEN_WAIT_FILE] = "file",     [OPEN_WAIT_MOUNT] = "mount",
		[OPEN_WAIT_LEFT] = "futex",    [OPEN_WAIT_CONDITION] = "condition",
		[OPEN_WAIT_SEMAPHORE] = "semaphore", [OPEN_WAIT_BARRIER] = "barrier",
		[OPEN_WAIT_SOCKET] = "socket", [OPEN_WAIT_TERMINAL] = "tty",
	};
	struct timeline *timeline = hangs->question->timeline;
	const struct open_wait *wait = hang->wait;
	_cleanup_(buffer_release) struct buffer text = {0}, next = {0};
	bool is_futex = wait_is_at_futex(wait);
	char state[2] = {wait->state, '\0'}, address[24];
	struct cause cause;
	size_t count = 0;
	_cleanup_(freep) struct cell *circle = xcalloc(hangs->count, sizeof(*circle));
	struct cell aim[AIM_CELLS], holders[OPEN_WAIT_HOLDERS_MAX];
	if (hang->circle)
		CIRCLE_EACH(hangs, (size_t)(hang - hangs->hang), at)
			circle[count++] = cell_of_task(timeline, hangs->hang[at].track);
	aim_cells(hangs, hang, aim, holders);
	chain_append(hangs, hang, &text);
	(void)snprintf(address, sizeof(address), "0x%" PRIx64, wait->address);
	struct cell cells[ARRAY_SIZE(hang_columns)] = {
		cell_of_task(timeline, hang->track),
		{.type = CELL_TEXT, .text = state},
		{.type = hang_has_begun(timeline, hang) ? CELL_INSTANT : CELL_EMPTY,
	         .time = hang->begin},
		{.type = CELL_DURATION, .time = hang->end - hang->begin},
		{.type = CELL_BOOL, .boolean = hang->is_open},
		hang_cause(hangs, hang, &cause),
		{.type = CELL_TEXT, .text = kinds[wait->kind]},
		{.type = CELL_TEXT, .text = wait->call},
		{.type = is_futex ? CELL_TEXT : CELL_EMPTY, .text = address},
		{.type = is_futex || !wait->address ? CELL_EMPTY : CELL_COUNT,
	         .count = wait->address},
		{.type = CELL_TEXT, .text = wait->path},
		cell_of_task(timeline, hang->owner),
		{.type = aim[0].text ? CELL_RECORD : CELL_EMPTY,
	         .rows = {aim_columns, AIM_CELLS, aim, 1}},
		{.type = count ? CELL_ROWS : CELL_EMPTY,
	         .rows = {task_columns, ARRAY_SIZE(task_columns), circle, count}},
		{.type = CELL_TEXT, .text = text.text},
	};

	row_link_fill(&next, LINK_PATH("task", "since_ns", "since_ns+length_ns")
	              "|--critical-path={task}", hang_columns, cells, HANG_NEXT + 1,
	              hangs->question);
	evidence_fill(hangs->question, evidence_claim_of(hang->track, hang->begin, false),
	              cells + HANG_NEXT + 1);
	output_row(to, cells);
}

void hangs_report(const struct hangs *hangs, const struct output *to)
{
	bool is_begun = false;

	EACH_OF(hangs->hang, hangs->count, const struct hang, hang) {
		if (!hang->is_hung || !hang_is_asked(hangs, hang))
			continue;
		if (!is_begun)
			output_table_begin(to, "hangs", NULL, hang_columns,
			                   ARRAY_SIZE(hang_columns) - EVIDENCE_CELLS +
			                           evidence_cells(hangs->question),
			                   /* is_single= */ false);
		is_begun = true;
		hang_row(hangs, hang, to);
	}
	if (is_begun)
		output_table_end(to);
}
