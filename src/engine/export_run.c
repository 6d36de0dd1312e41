/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export_run.h"

#include "analysis/paths/path_task.h"
#include "asked_window.h"
#include "graph/aims/aim.h"
#include "graph/walk/part_log.h"
#include "graph/walk/walk.h"

/* Sets the begin and end of the window, if not done yet; returns its end. */
static nsec_t export_window(struct export_run *run)
{
	if (!run->has_window) {
		run->has_window = true;
		day_window_resolve(run->question);
		trigger_window_resolve(run->question);
		question_absolute_window(run->question, &run->begin, &run->end);
		run->exporter->on_window(run->state, run->begin, nsec_max(run->begin, run->end));
	}
	return run->end;
}

static void export_on_event(void *state, const struct event *event)
{
	struct export_run *run = state;

	if (event->time < export_window(run))
		run->exporter->on_event(run->state, event);
}

static void export_on_gap(void *state, const struct health_gap *gap)
{
	struct export_run *run = state;

	if (gap->begin < export_window(run))
		run->exporter->on_gap(run->state, gap);
}

/* As wait_list_asks(), but waits are exported before all is known of what they were for. */
static bool span_is_of_kind(const struct export_run *run, const struct span *span)
{
	const struct question *question = run->question;
	struct brief_aim aim;

	if (cause_is_of_kinds(span->cause, question->asked->kinds))
		return true;
	aim = brief_aim_of_cause(question->timeline, span->track, span->cause);
	return question->asked->aims & 1u << aim.kind;
}

static bool wait_is_asked(const struct export_run *run, const struct span *span)
{
	const struct asked *asked = run->question->asked;
	nsec_t begin = span->begin, end = span->end;

	return (span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED) &&
	       nsec_clip(&begin, &end, run->begin, run->end) &&
	       span->end - span->begin >= asked->min && span_is_of_kind(run, span) &&
	       question_asks_track(run->question, span->track);
}

static void export_on_span(void *state, const struct span *span)
{
	struct export_run *run = state;
	struct span wait;

	if (span->begin < export_window(run) && span->end >= run->begin)
		run->exporter->on_span(run->state, span);
	if (!wait_is_asked(run, span))
		return;
	wait = *span;
	if (run->question->asked->ignores_stacks)
		wait.place = NULL;
	run->exporter->on_wait(run->state, &wait);
}

static void export_on_interval(void *state, const struct interval *interval)
{
	struct export_run *run = state;

	if (interval->begin < export_window(run))
		run->exporter->on_interval(run->state, interval);
}

void export_run_begin(struct export_run *run, const struct source *source,
                      struct question *question, struct pipeline *pipeline)
{
	const struct export_trace trace = {.source = source, .timeline = question->timeline};

	if (!run->exporter)
		return;
	run->question = question;
	run->state = run->exporter->begin(run->to, &trace);
	pipeline->on_event = export_on_event;
	pipeline->on_gap = export_on_gap;
	pipeline->event_state = run;
}

size_t export_run_add_spans(struct export_run *run, struct span_sink *sink)
{
	if (run->exporter)
		*sink = (struct span_sink){.on_span = export_on_span, .state = run};
	return run->exporter != NULL;
}

size_t export_run_add_intervals(struct export_run *run, struct interval_sink *sink)
{
	if (!run->exporter || run->exporter->interval_kinds == 0)
		return 0;
	*sink = (struct interval_sink){export_on_interval, run, run->exporter->interval_kinds};
	return 1;
}

static void log_part(void *state, const struct part *part)
{
	part_log_add(state, part);
}

/* The walk reports the latest part first, but tracks are written in order of time. */
static void export_path(struct export_run *run)
{
	struct timeline *timeline = run->question->timeline;
	struct walk_result result = {0};
	struct path_target target;
	struct part_log log = {0};

	path_target_find(run->question, &target);
	if (target.track == TRACK_NONE)
		return;
	part_log_init(&log, timeline);
	walk(timeline, target.track, target.window.begin, target.window.end,
	     &(struct walk_visitor){.state = &log, .on_part = log_part}, &result);
	run->exporter->on_path(run->state, target.track);
	part_log_visit(&log, run->exporter->on_part, run->state);
	part_log_release(&log);
}

void export_run_end(struct export_run *run)
{
	if (run->exporter && run->has_path)
		export_path(run);
	if (run->exporter)
		run->exporter->end(run->state, run->question->timeline->end);
}
