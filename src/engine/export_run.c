/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export_run.h"

#include "analysis/path_task.h"
#include "graph/part_log.h"
#include "graph/walk.h"

/* The window for all later reports. */
static const struct question *export_question(struct export_run *run)
{
	struct question *question = run->question;

	if (!run->has_window) {
		run->has_window = true;
		question_settle(question);
		run->exporter->on_window(run->state, question->begin,
		                         nsec_max(question->begin, question->end));
	}
	return question;
}

static void export_on_event(void *state, const struct event *event)
{
	struct export_run *run = state;

	if (event->time < export_question(run)->end)
		run->exporter->on_event(run->state, event);
}

static void export_on_gap(void *state, const struct health_gap *gap)
{
	struct export_run *run = state;

	if (gap->begin < export_question(run)->end)
		run->exporter->on_gap(run->state, gap);
}

static bool wait_is_asked(const struct question *question, const struct span *span)
{
	unsigned kind = span->cause ? span->cause->kind : CAUSE_UNKNOWN;
	nsec_t begin = span->begin, end = span->end;

	return (span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED) &&
	       question_clip(question, &begin, &end) &&
	       span->end - span->begin >= question->min && question->kinds & 1u << kind &&
	       question_asks_line(question, span->line);
}

static void export_on_span(void *state, const struct span *span)
{
	struct export_run *run = state;
	const struct question *question = export_question(run);
	struct span wait;

	if (question_may_touch(question, span->begin, span->end))
		run->exporter->on_span(run->state, span);
	if (!wait_is_asked(question, span))
		return;
	wait = *span;
	if (question->ignores_stacks)
		wait.place = NULL;
	run->exporter->on_wait(run->state, &wait);
}

static void export_on_interval(void *state, const struct interval *interval)
{
	struct export_run *run = state;

	if (interval->begin < export_question(run)->end)
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
		*sink = (struct span_sink){
			.on_span = export_on_span, .state = run, .is_prompt = true};
	return run->exporter != NULL;
}

size_t export_run_add_intervals(struct export_run *run, struct interval_sink *sink)
{
	if (!run->exporter || run->exporter->interval_kinds == 0)
		return 0;
	*sink = (struct interval_sink){export_on_interval, run, run->exporter->interval_kinds,
	                               .is_prompt = true};
	return 1;
}

static void log_part(void *state, const struct part *part)
{
	part_log_add(state, part);
}

/* The walk reports the newest part first, but tracks are written in order of time. */
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
