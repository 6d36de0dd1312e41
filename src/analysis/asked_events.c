/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asked_events.h"

#include "base/cleanup.h"

int asked_events_open(const struct question *question, struct asked_events *ret,
                      struct buffer *why)
{
	int r;

	*ret = (struct asked_events){
		.question = question,
		.asks_all = !question_has_filter(question) && !question->resolved->is_targeted,
	};
	r = raw_reading_open(question->recording.source, &ret->reading, why);
	if (r == 0)
		task_index_init(&ret->tasks, question->timeline);
	return r;
}

void asked_events_close(struct asked_events *events)
{
	if (events->reading)
		task_index_release(&events->tasks);
	events->reading = raw_reading_close(events->reading);
}

static bool asks_task(const struct asked_events *events, int32_t tid, nsec_t time)
{
	uint32_t track = task_index_find(&events->tasks, tid, time);

	return track != TRACK_NONE && events->question->resolved->is_asked[track];
}

static bool lies_in_window(const struct asked_events *events, const struct raw_event *event)
{
	return question_contains(events->question, event->time) &&
	       question_asks_cpu(events->question, event->cpu);
}

static bool asks_runner(const struct asked_events *events, const struct raw_event *event)
{
	return events->asks_all || asks_task(events, event->task, event->time);
}

bool asked_events_ran(const struct asked_events *events, const struct raw_event *event)
{
	return lies_in_window(events, event) && asks_runner(events, event);
}

static bool event_is_asked(const struct asked_events *events, const struct raw_event *event)
{
	if (!lies_in_window(events, event))
		return false;
	if (asks_runner(events, event))
		return true;
	for (size_t i = 0; event->format && i < event->format->task_count; i++)
		if (asks_task(events, raw_event_task(event, event->format->task[i]), event->time))
			return true;
	return false;
}

bool asked_events_next(struct asked_events *events, struct raw_event *ret)
{
	while (raw_reading_next(events->reading, ret))
		if (event_is_asked(events, ret))
			return true;
	return false;
}

void asked_events_read(const struct question *question, const struct events_taking *taking,
                       size_t count)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(asked_events_close) struct asked_events events = {0};
	bool is_open = asked_events_open(question, &events, &why) == 0;
	struct raw_event event;
	size_t takers = 0;

	for (size_t i = 0; i < count; i++) {
		const struct events_taking *of = &taking[i];

		if (!is_open)
			buffer_puts(of->why, why.text);
		*of->is_known = is_open && of->taker->begin(of->state, &events, of->why);
		takers += *of->is_known;
	}
	while (takers > 0 && raw_reading_next(events.reading, &event))
		for (size_t i = 0; i < count; i++)
			if (*taking[i].is_known)
				taking[i].taker->take(taking[i].state, &event);
	for (size_t i = 0; i < count; i++)
		if (*taking[i].is_known)
			taking[i].taker->end(taking[i].state);
}
