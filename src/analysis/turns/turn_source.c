/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turn_source.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/events/event_pairs.h"
#include "analysis/mark_list.h"
#include "analysis/paths/path_task.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/xalloc.h"
#include "graph/timeline/interval.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "words/atrace_mark.h"
#include "words/kernel/kernel_numbers.h"

/*
 * Turns from slices that a program marks in the format of Android's atrace (words/atrace_mark.h).
 * A slice lasts from "B|PID|NAME" to the matching "E" of the same thread, or from
 * "S|PID|NAME|COOKIE" to the "F" with the same process, name and cookie in any thread. The turn
 * belongs to the thread that began the slice.
 */

/* Limit on nested open slices of one thread; deeper slices are ignored. */
#define SLICE_DEPTH_MAX 64
/* Limit on open slices that may end in another thread; further slices are ignored. */
#define SLICES_OPEN_MAX 4096

/* The open slices of a thread. */
struct slice_stack {
	uint64_t track;
	uint32_t depth; /* may exceed SLICE_DEPTH_MAX: deeper slices are counted only */
	struct {
		nsec_t begin;
		bool is_asked; /* its name matches, and its thread is asked for */
	} open[SLICE_DEPTH_MAX];
};

/* An open slice that may end in another thread. */
struct open_slice {
	struct atrace_mark mark;
	struct turn turn; /* without its end */
	bool is_asked;
};

struct slice_search {
	const struct mark_list *list;
	const char *name;
	void (*add)(void *to, const struct turn *turn);
	void *to;
	struct tally stacks; /* struct slice_stack */
	struct open_slice *open;
	size_t open_count, open_capacity;
};

static bool name_fits(const struct slice_search *search, struct text text)
{
	char *name = xstrndup(text.at, text.length);
	bool fits = strncmp(name, search->name, strlen(search->name)) == 0 ||
	            fnmatch(search->name, name, 0) == 0;

	free(name);
	return fits;
}

static bool slice_is_asked(const struct slice_search *search, const struct mark *mark,
                           const struct atrace_mark *parsed)
{
	return mark_list_asks(search->list, mark) && name_fits(search, parsed->name);
}

static struct slice_stack *stack_of(struct slice_search *search, uint32_t track)
{
	return tally_of(&search->stacks, track);
}

static void slice_begin(struct slice_search *search, const struct mark *mark,
                        const struct atrace_mark *parsed)
{
	struct slice_stack *stack = stack_of(search, mark->track);

	if (stack->depth < SLICE_DEPTH_MAX) {
		stack->open[stack->depth].begin = mark->at;
		stack->open[stack->depth].is_asked = slice_is_asked(search, mark, parsed);
	}
	stack->depth++;
}

/* An end without a begin belongs to a slice that began before the recording. */
static void slice_end(struct slice_search *search, const struct mark *mark)
{
	struct slice_stack *stack = stack_of(search, mark->track);

	if (stack->depth == 0 || --stack->depth >= SLICE_DEPTH_MAX)
		return;
	if (stack->open[stack->depth].is_asked && mark_list_asks(search->list, mark))
		search->add(search->to, &(struct turn){mark->track, stack->open[stack->depth].begin,
		                                       mark->at});
}

static bool texts_are_equal(struct text a, struct text b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

static struct open_slice *slice_find(struct slice_search *search, const struct atrace_mark *mark)
{
	for (size_t i = search->open_count; i-- > 0;) {
		struct open_slice *open = &search->open[i];

		if (open->mark.tgid == mark->tgid && texts_are_equal(open->mark.name, mark->name) &&
		    texts_are_equal(open->mark.cookie, mark->cookie))
			return open;
	}
	return NULL;
}

static void slice_begin_loose(struct slice_search *search, const struct mark *mark,
                              const struct atrace_mark *parsed)
{
	if (search->open_count == SLICES_OPEN_MAX || !name_fits(search, parsed->name))
		return;
	ARRAY_ADD(search->open, search->open_count, search->open_capacity) = (struct open_slice){
		.mark = *parsed,
		.turn = {mark->track, mark->at, 0},
		.is_asked = mark_list_asks(search->list, mark),
	};
}

static void slice_end_loose(struct slice_search *search, const struct mark *mark,
                            const struct atrace_mark *parsed)
{
	struct open_slice *open = slice_find(search, parsed);

	if (!open)
		return;
	open->turn.end = mark->at;
	if (open->is_asked && question_contains(search->list->question, mark->at))
		search->add(search->to, &open->turn);
	*open = search->open[--search->open_count];
}

static void search_take(struct slice_search *search, const struct mark *mark)
{
	const char *text = intern_text(&search->list->texts, mark->text);
	struct atrace_mark parsed;

	if (mark->track == TRACK_NONE ||
	    !atrace_mark_parse((struct text){text, (uint32_t)strlen(text)}, &parsed))
		return;
	if (parsed.kind == 'B')
		slice_begin(search, mark, &parsed);
	else if (parsed.kind == 'E')
		slice_end(search, mark);
	else if (parsed.kind == 'S')
		slice_begin_loose(search, mark, &parsed);
	else if (parsed.kind == 'F')
		slice_end_loose(search, mark, &parsed);
}

/* Calls `add` for each slice of the asked tasks if its name begins with `name` or matches this
   glob. */
static void slice_turns_find(const struct mark_list *list, const char *name, void (*add)(void *to,
                             const struct turn *turn), void *to)
{
	struct slice_search search = {.list = list, .name = name, .add = add, .to = to};

	tally_init(&search.stacks, sizeof(struct slice_stack), sizeof(uint64_t), TALLY_NO_LIMIT);
	for (size_t i = 0; i < list->count; i++)
		search_take(&search, &list->mark[i]);
	tally_release(&search.stacks);
	free(search.open);
}

void turn_list_release(struct turn_list *list)
{
	free(list->turn);
	*list = (struct turn_list){0};
}

/* Requests of all tasks that are kept until it is known which tasks are asked for: 24 MB. */
#define GATHERED_MAX (16 * TURNS_MAX)

/* Those beyond `most` are counted in *left_out. */
static void turn_add_of(struct turn_list *list, const struct turn *turn, size_t most,
                        uint64_t *left_out)
{
	if (turn->begin >= turn->end)
		return;
	if (list->count >= most) {
		++*left_out;
		return;
	}
	ARRAY_ADD(list->turn, list->count, list->capacity) = *turn;
}

static void turn_add(struct turn_list *list, uint32_t track, nsec_t begin, nsec_t end,
                     uint64_t *left_out)
{
	turn_add_of(list, &(struct turn){track, begin, end}, TURNS_MAX, left_out);
}

static void note_left_out(const struct question *question, uint64_t left_out)
{
	if (left_out && question->resolved)
		health_doubt(question->health,
		             "more than %u turns in one recording: %s are left out", TURNS_MAX,
		             COUNT_TEXT(left_out));
}

static void marks_begin(void *state)
{
	struct mark_list *list = state;

	mark_list_init(list, list->question);
}

static void marks_on_interval(void *list, const struct interval *interval)
{
	mark_list_add(list, interval);
}

static void marks_end(void *list)
{
	mark_list_release(list);
}

static const struct analysis gather_marks = {
	.name = "turns",
	.state_bytes = sizeof(struct mark_list),
	.begin = marks_begin,
	.on_interval = marks_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_MARK),
	.end = marks_end,
};

/* Whether the text begins with the name, or the name is a glob that matches it. */
static bool mark_fits(const struct mark_list *list, const struct mark *mark, const char *name)
{
	const char *text = intern_text(&list->texts, mark->text);

	return mark_list_asks(list, mark) &&
	       (strncmp(text, name, strlen(name)) == 0 || fnmatch(name, text, 0) == 0);
}

/* Between two marks of one task: the path of the task that wrote them is known at both ends. */
static uint64_t turns_of_writers(const struct mark_list *list, const char *name,
                                 struct turn_list *ret)
{
	struct map last; /* index of the last mark, by track */
	uint64_t left_out = 0;

	map_init(&last);
	for (uint32_t i = 0; i < list->count; i++) {
		const struct mark *mark = &list->mark[i];
		uint32_t before;

		if (mark->track == TRACK_NONE || !mark_fits(list, mark, name))
			continue;
		before = map_get(&last, mark->track);
		if (before != MAP_NONE)
			turn_add(ret, mark->track, list->mark[before].at, mark->at, &left_out);
		map_put(&last, mark->track, i);
	}
	map_release(&last);
	return left_out;
}

/* Between any two marks, of the path of one task: for programs that have others write each mark, as
   shell scripts do. */
static uint64_t turns_of_task(const struct mark_list *list, const char *name, uint32_t track,
                              struct turn_list *ret)
{
	nsec_t before = NSEC_NEVER;
	uint64_t left_out = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct mark *mark = &list->mark[i];

		if (!mark_fits(list, mark, name))
			continue;
		if (before != NSEC_NEVER)
			turn_add(ret, track, before, mark->at, &left_out);
		before = mark->at;
	}
	return left_out;
}

static bool find_marks(const void *gathered, const char *name, struct turn_list *ret,
                       struct buffer *why)
{
	const struct mark_list *list = gathered;
	uint64_t left_out = turns_of_writers(list, name, ret);
	uint32_t task = TRACK_NONE;

	if (ret->count == 0 && list->question->resolved)
		task = path_task_only(list->question);
	if (task != TRACK_NONE)
		left_out = turns_of_task(list, name, task, ret);
	note_left_out(list->question, left_out);
	if (ret->count > 0)
		return true;
	say(why, NULL, "no task that is asked for wrote two marks that begin with \"{foreign}\"; "
	               "`ftwait report --processes` lists the marks",
	    FOREIGN(name));
	return false;
}

struct slice_adder {
	struct turn_list *list;
	uint64_t left_out;
};

static void slice_add(void *to, const struct turn *turn)
{
	struct slice_adder *adder = to;

	turn_add_of(adder->list, turn, TURNS_MAX, &adder->left_out);
}

static bool find_slices(const void *gathered, const char *name, struct turn_list *ret,
                        struct buffer *why)
{
	const struct mark_list *list = gathered;
	struct slice_adder adder = {.list = ret};

	slice_turns_find(list, name, slice_add, &adder);
	note_left_out(list->question, adder.left_out);
	if (ret->count > 0)
		return true;
	say(why, NULL, "no task that is asked for marked a slice (\"B|PID|NAME\", \"E\") that "
	               "begins with \"{foreign}\"; `ftwait report --processes` lists the marks",
	    FOREIGN(name));
	return false;
}

/* Requests by role: those that were served, those that were sent. */
struct request_list {
	const struct question *question;
	struct turn_list by_role[2];
	uint64_t left_out[2];
};

static void requests_on_interval(void *state, const struct interval *interval)
{
	struct request_list *list = state;
	struct request_time request;

	if (request_time(interval, &request))
		turn_add_of(&list->by_role[request.is_client],
		            &(struct turn){request.task, request.begin, request.end},
		            GATHERED_MAX, &list->left_out[request.is_client]);
}

static void requests_end(void *state)
{
	struct request_list *list = state;

	turn_list_release(&list->by_role[false]);
	turn_list_release(&list->by_role[true]);
}

static const struct analysis gather_requests = {
	.name = "turns",
	.state_bytes = sizeof(struct request_list),
	.on_interval = requests_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXCHANGE),
	.end = requests_end,
};

static bool request_is_asked(const struct request_list *list, const struct turn_list *wanted,
                             uint32_t track)
{
	const struct timeline *timeline = list->question->timeline;

	return question_asks_track(list->question, track) &&
	       (!wanted->tasks ||
	        track_is_called(timeline, &timeline->track[track], wanted->tasks));
}

/* What the asked tasks served; of a recording in which they served nothing, what they sent: a
   server that asks another one has those waits within its own requests. */
static bool find_requests(const void *gathered, const char *name, struct turn_list *ret,
                          struct buffer *why)
{
	static const char *const what[] = {
		[false] = "requests that were served",
		[true] = "requests that were sent",
	};
	static const char *const roles[] = {[false] = "server", [true] = "client"};
	const struct request_list *list = gathered;

	(void)name;
	for (size_t role = 0; role < ARRAY_SIZE(what) && ret->count == 0; role++) {
		const struct turn_list *all = &list->by_role[role];
		uint64_t left_out = list->left_out[role];

		ret->what = what[role];
		ret->role = roles[role];
		for (size_t i = 0; i < all->count; i++)
			if (request_is_asked(list, ret, all->turn[i].track))
				turn_add_of(ret, &all->turn[i], TURNS_MAX, &left_out);
		if (ret->count > 0)
			note_left_out(list->question, left_out);
	}
	if (ret->count > 0)
		return true;
	buffer_puts(why, "no request of a TCP connection was served or sent by the tasks that are "
	                 "asked for; `ftwait report --net` lists connections");
	return false;
}

/* System calls that have returned. */
struct call_list {
	const struct question *question;
	struct gathered_call {
		struct turn turn;
		int64_t number;
	} *call;
	size_t count, capacity;
	uint64_t left_out;
};

static void calls_on_interval(void *state, const struct interval *interval)
{
	struct call_list *list = state;

	if (interval->is_open || interval->begin >= interval->end ||
	    interval->task == TRACK_NONE || !question_asks_track(list->question, interval->task))
		return;
	if (list->count >= GATHERED_MAX) {
		list->left_out++;
		return;
	}
	ARRAY_ADD(list->call, list->count, list->capacity) = (struct gathered_call){
		{interval->task, interval->begin, interval->end}, interval->syscall.number};
}

static void calls_end(void *state)
{
	free(((struct call_list *)state)->call);
}

static const struct analysis gather_calls = {
	.name = "turns",
	.state_bytes = sizeof(struct call_list),
	.on_interval = calls_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_SYSCALL),
	.end = calls_end,
};

static bool call_fits(const struct question *question, const struct gathered_call *call,
                      const char *name)
{
	const struct timeline *timeline = question->timeline;
	uint8_t host = timeline->track[call->turn.track].host;
	const char *called = syscall_name(timeline->hosts.count ? timeline->hosts.host[host].arch
	                                                        : question->recording.arch,
	                                  /* is_compat= */ false, call->number);

	return called && fnmatch(name, called, 0) == 0;
}

static bool find_calls(const void *gathered, const char *name, struct turn_list *ret,
                       struct buffer *why)
{
	const struct call_list *list = gathered;
	uint64_t left_out = list->left_out;

	for (size_t i = 0; i < list->count; i++)
		if (question_asks_track(list->question, list->call[i].turn.track) &&
		    call_fits(list->question, &list->call[i], name))
			turn_add_of(ret, &list->call[i].turn, TURNS_MAX, &left_out);
	note_left_out(list->question, left_out);
	if (ret->count > 0)
		return true;
	say(why, NULL, "no task that is asked for made a system call \"{foreign}\", or they were "
	               "not recorded (record -e +syscalls); `ftwait report --syscall` lists them",
	    FOREIGN(name));
	return false;
}

/* Pairs are of raw events, which are read once the tasks and the window are known: nothing is
   gathered before. */
struct pair_list {
	const struct question *question;
};

static const struct analysis gather_pairs = {
	.name = "turns",
	.state_bytes = sizeof(struct pair_list),
};

static void pair_add(void *to, const struct event_pair *pair, const struct asked_events *events,
                     const struct raw_event *end, const struct event_field *field)
{
	struct slice_adder *adder = to;

	(void)events;
	(void)end;
	(void)field;
	if (pair->opener != TRACK_NONE)
		turn_add_of(adder->list, &(struct turn){pair->opener, pair->begin, pair->end},
		            TURNS_MAX, &adder->left_out);
}

static bool find_pairs(const void *gathered, const char *name, struct turn_list *ret,
                       struct buffer *why)
{
	const struct pair_list *list = gathered;
	_cleanup_(pair_spec_release) struct pair_spec spec = {0};
	struct slice_adder adder = {.list = ret};
	struct pairing pairing = {.spec = &spec, .take = pair_add, .state = &adder};
	bool is_known = false;
	const struct events_taking taking = {&pairs_taker, &pairing, &is_known, why};

	if (!pair_spec_read(name, &spec, why) || !list->question->resolved)
		return false;
	asked_events_read(list->question, &taking, 1);
	if (!is_known)
		return false;
	note_left_out(list->question, adder.left_out);
	if (ret->count > 0)
		return true;
	say(why, NULL, "no task that is asked for opened such a pair; `ftwait report --pair "
	               "{foreign}` counts what was not paired", FOREIGN(name));
	return false;
}

const struct turn_source turn_sources[DIFF_PER_COUNT] = {
	[DIFF_PER_RUN] = {.word = "run", .noun = "run"},
	[DIFF_PER_MARK] = {
		.word = "mark:", .noun = "turn", .gather = &gather_marks, .find = find_marks,
	},
	[DIFF_PER_SLICE] = {
		.word = "slice:", .noun = "slice", .gather = &gather_marks, .find = find_slices,
	},
	[DIFF_PER_REQUEST] = {
		.word = "request", .noun = "request", .gather = &gather_requests,
		.find = find_requests,
	},
	[DIFF_PER_SYSCALL] = {
		.word = "syscall:", .noun = "call", .gather = &gather_calls, .find = find_calls,
	},
	[DIFF_PER_PAIR] = {
		.word = "pair:", .noun = "pair", .gather = &gather_pairs, .find = find_pairs,
	},
};

const struct turn_source *turn_source_find(const char *value, const char **ret_name)
{
	for (size_t i = 0; i < DIFF_PER_COUNT; i++) {
		const struct turn_source *source = &turn_sources[i];
		size_t length = strlen(source->word);
		bool takes_name = source->word[length - 1] == ':';

		if (strncmp(value, source->word, length) == 0 &&
		    (value[length] != '\0') == takes_name) {
			*ret_name = value + length;
			return source;
		}
	}
	return NULL;
}
