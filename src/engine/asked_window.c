/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_window.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/mark_list.h"
#include "base/data/array.h"
#include "base/text/suggest.h"
#include "words/time_scale.h"

/* The instant on the trace's clock of that time of day, the first one from `from` on. */
static nsec_t day_instant(const struct question *question, const struct day_time *day, nsec_t from)
{
	const struct realtime *realtime = question->recording.realtime;
	const struct realtime_pair *last = &realtime->pair[realtime->count - 1];
	nsec_t end = nsec_max(question->timeline->end, last->time);

	return time_scale_time(realtime, day_time_find(day, time_scale_real(realtime, from),
	                                               time_scale_real(realtime, end)));
}

void day_window_resolve(struct question *question)
{
	const struct asked *asked = question->asked;
	nsec_t from = 0, to;

	if (question->has_days || !question->recording.realtime ||
	    !(asked->has_from_day || asked->has_to_day))
		return;
	question->has_days = true;
	if (asked->has_from_day) {
		from = day_instant(question, &asked->from_day, question->timeline->begin);
		question->from = question_give(question, from);
	}
	if (!asked->has_to_day)
		return;
	to = day_instant(question, &asked->to_day, question_find_begin(question));
	question->to = question_give(question, to);
	question->days_are_reversed = asked->has_from_day && from > to;
}

/* How many different marks are kept for suggestions, and how many of these are listed. */
#define NAMES_MAX   64
#define NAMES_SHOWN 4

void mark_window_init(struct mark_window *window, struct question *question)
{
	*window = (struct mark_window){.question = question};
	intern_init(&window->names);
}

void mark_window_release(struct mark_window *window)
{
	intern_release(&window->names);
	free(window->end);
}

bool mark_window_is_asked(const struct mark_window *window)
{
	return window->question->asked->from_mark || window->question->asked->to_mark;
}

static bool mark_fits(const char *asked, const char *text)
{
	return asked && (strcmp(asked, text) == 0 || fnmatch(asked, text, 0) == 0);
}

/* The instant as `from` and `to` of the question have it: relative to the begin of the trace. */
static nsec_t window_instant(const struct mark_window *window, nsec_t at)
{
	return at - window->question->timeline->begin;
}

static void window_take_end(struct mark_window *window, nsec_t at)
{
	struct question *question = window->question;

	if (question->asked->from_mark && !window->has_from)
		return;
	if ((question->from != NSEC_NEVER || question->asked->has_from_day) && !window->has_from) {
		/* which instant --from means is known only when the trace has ended */
		if (window->end_count == MARKS_MAX)
			return;
		ARRAY_ADD(window->end, window->end_count, window->end_capacity) = at;
		return;
	}
	window->has_to = true;
	question->to = window_instant(window, at);
}

void mark_window_take(void *state, const struct interval *interval)
{
	struct mark_window *window = state;
	struct question *question = window->question;
	const struct text *text = &interval->mark.text;
	size_t length = text->length < MARK_BYTES_MAX ? text->length : MARK_BYTES_MAX;
	char name[MARK_BYTES_MAX + 1];

	memcpy(name, text->at, length);
	name[length] = '\0';
	if (length <= SUGGEST_BYTES_MAX && window->names.count < NAMES_MAX)
		(void)intern_adds(&window->names, name);
	if (!window->has_from && mark_fits(question->asked->from_mark, name)) {
		window->has_from = true;
		question->from = window_instant(window, interval->begin);
	} else if (!window->has_to && mark_fits(question->asked->to_mark, name)) {
		window_take_end(window, interval->begin);
	}
}

void mark_window_resolve(struct mark_window *window)
{
	nsec_t begin = question_find_begin(window->question);

	for (size_t i = 0; i < window->end_count && !window->has_to; i++) {
		if (window->end[i] < begin)
			continue;
		window->has_to = true;
		window->question->to = window_instant(window, window->end[i]);
	}
}

/* ids 0 and 1 are the empty text and the overflow */
static void names_append(const struct mark_window *window, const char *asked, struct buffer *why)
{
	const char *names[NAMES_MAX] = {NULL}, *meant;
	size_t count = 0;

	for (uint32_t i = INTERN_OVERFLOW + 1; i < window->names.count; i++)
		names[count++] = intern_text(&window->names, i);
	meant = suggest(asked, names, count);
	if (meant) {
		buffer_printf(why, "; did you mean \"%s\"?", meant);
		return;
	}
	for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
		buffer_printf(why, "%s\"%s\"", i ? ", " : "; there are ", names[i]);
	if (count > NAMES_SHOWN)
		buffer_puts(why, " ...");
}

static bool names_have(const struct mark_window *window, const char *asked)
{
	for (uint32_t i = INTERN_OVERFLOW + 1; i < window->names.count; i++)
		if (mark_fits(asked, intern_text(&window->names, i)))
			return true;
	return false;
}

static void mark_window_lack_append(const struct mark_window *window, const char *option,
                                    const char *asked, struct buffer *why)
{
	buffer_printf(why, "--%s %s: ", option, asked);
	if (names_have(window, asked)) {
		buffer_puts(why, "no such mark comes after --from, only before");
		return;
	}
	buffer_puts(why, "not a time like 0.25, and no mark of the trace has that name");
	names_append(window, asked, why);
}

bool mark_window_has_answers(const struct mark_window *window, struct buffer *why)
{
	const struct asked *asked = window->question->asked;

	if (asked->from_mark && !window->has_from)
		mark_window_lack_append(window, "from", asked->from_mark, why);
	else if (asked->to_mark && !window->has_to)
		mark_window_lack_append(window, "to", asked->to_mark, why);
	else
		return true;
	return false;
}
