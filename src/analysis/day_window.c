/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "day_window.h"

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
