/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export_run.h"

#include "analysis/path_task.h"
#include "graph/part_log.h"
#include "graph/walk.h"

/*
 * Whether it touches the window. An instant before the trace's begin counts from that; others are
 * taken as they are: whether the trace is as long as that is not known yet.
 */
static bool export_may_touch(const struct question *question, nsec_t begin, nsec_t end)
{
	nsec_t origin = question->timeline->begin, from = question->from, to = question->to;

	if (from != NSEC_NEVER && end < (from < origin ? origin + from : from))
		return false;
	return to == NSEC_NEVER || begin < (to < origin ? origin + to : to);
}

static void export_on_event(void *state, const struct event *event)
{
	const struct export_run *run = state;

	if (export_may_touch(run->question, event->time, event->time))
		run->exporter->on_event(run->state, event);
}

static void export_on_gap(void *state, const struct health_gap *gap)
{
	const struct export_run *run = state;

	if (export_may_touch(run->question, gap->begin, gap->end))
		run->exporter->on_gap(run->state, gap);
}

static void export_on_span(void *state, const struct span *span)
{
	const struct export_run *run = state;
	const struct question *question = run->question;
	unsigned kind = span->cause ? span->cause->kind : CAUSE_UNKNOWN;
	struct span wait;

	if (!export_may_touch(question, span->begin, span->end))
		return;
	run->exporter->on_span(run->state, span);
	if ((span->kind != SEGMENT_WAIT && span->kind != SEGMENT_STOPPED) ||
	    span->end - span->begin < question->min || !(question->kinds & 1u << kind) ||
	    !question_asks_line(question, span->line))
		return;
	wait = *span;
	if (question->ignores_stacks)
		wait.place = NULL;
	run->exporter->on_wait(run->state, &wait);
}

static void export_on_interval(void *state, const struct interval *interval)
{
	const struct export_run *run = state;

	if (export_may_touch(run->question, interval->begin, interval->end))
		run->exporter->on_interval(run->state, interval);
}

void export_run_begin(struct export_run *run, const struct source *source,
                      const struct question *question, struct pipeline *pipeline)
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
		*sink = (struct span_sink){export_on_span, run};
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

/* The walk tells the newest part first, and tracks are written in order of time. */
static void export_path(struct export_run *run)
{
	struct timeline *timeline = run->question->timeline;
	struct walk_result result = {0};
	struct path_target target;
	struct part_log log = {0};

	path_target_find(run->question, &target);
	if (target.line == LINE_NONE)
		return;
	part_log_init(&log, timeline);
	walk(timeline, target.line, target.window.begin, target.window.end,
	     &(struct walk_visitor){.state = &log, .on_part = log_part}, &result);
	run->exporter->on_path(run->state, target.line);
	part_log_tell(&log, run->exporter->on_part, run->state);
	part_log_release(&log);
}

void export_run_end(struct export_run *run)
{
	if (run->exporter && run->has_path)
		export_path(run);
	if (run->exporter)
		run->exporter->end(run->state, run->question->end);
}
