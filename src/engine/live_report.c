/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_report.h"

#include "analysis/recorded.h"
#include "recording_remarks.h"

void live_report_history(struct live_run *run, struct report_run *report,
                         const struct report_form *form)
{
	struct span_sink sinks[REPORT_VIEWS_MAX];

	live_run_show_open(run, /* as_end= */ false);
	report_run_borrow(report, live_run_timeline(run));
	(void)report_run_begin(report, sinks);
	health_release(&report->health);
	live_run_health(run, &report->health);
	report->health.input_damaged |= report->loaded->source->health.damaged;
	report_run_end(report);
	report_run_show(report, form);
	machine_hide_open(live_run_machine(run));
}

void live_report_begin(struct live_report *piece, struct live_run *run,
                       const struct report_run *plan, nsec_t begin)
{
	struct timeline *timeline = live_run_timeline(run);
	struct report_run *report = &piece->report;

	*piece = (struct live_report){
		.run = run,
		.begin = begin,
		.asked = *plan->question.asked,
		.timeline_begin = timeline->begin,
	};
	piece->asked.from = begin;
	report_run_init(report, plan->loaded, &piece->asked);
	for (size_t i = 0; i < plan->view_count; i++)
		report_run_ask(report, plan->view[i].analysis);
	report->no_submitters = plan->no_submitters;
	report->through_polls = plan->through_polls;
	report_run_borrow(report, timeline);
	report->question.is_absolute = true;
	report->question.counts_ends = true;
	piece->sink_count = report_run_begin(report, piece->sink);
}

/* As a machine weighs the spans of a whole recording; see ftwait/health.h. */
static void piece_weigh(struct live_report *piece, const struct span *span)
{
	const struct timeline *timeline = live_run_timeline(piece->run);
	struct health *health = &piece->health;
	nsec_t begin = piece->begin == NSEC_NEVER ? span->begin
	                                          : nsec_max(span->begin, piece->begin);
	nsec_t length = span->end > begin ? span->end - begin : 0;
	bool is_unknown = span->kind == SEGMENT_UNKNOWN;

	if (is_unknown)
		health->unknown_ns += length;
	if (span->kind == SEGMENT_WAIT && span->is_open)
		health->open_waits++;
	if (timeline->track[span->track].is_idle)
		return;
	health->task_ns += length;
	health->explained_ns += span_is_explained(span) ? length : 0;
	if (is_unknown)
		health->unseen_ns += span->begin == piece->timeline_begin ? length : 0;
}

/* A wait of the generation before goes on: it has its begin and cause from there. */
static void span_carry(const struct live_report *piece, struct span *span)
{
	struct live_wait wait;

	if (span->kind != SEGMENT_WAIT && span->kind != SEGMENT_STOPPED)
		return;
	wait = live_run_wait(piece->run, span);
	span->begin = wait.since;
	if (wait.cause && span->is_open && (!span->cause || span->cause->kind == CAUSE_UNKNOWN))
		span->cause = wait.cause;
}

void live_report_take_span(struct live_report *piece, const struct span *span)
{
	struct span whole = *span;

	/* the recording begins with its first event */
	piece->timeline_begin = piece->timeline_begin ? piece->timeline_begin
	                                              : live_run_timeline(piece->run)->begin;
	span_carry(piece, &whole);
	piece_weigh(piece, &whole);
	for (size_t i = 0; i < piece->sink_count; i++)
		piece->sink[i].on_span(piece->sink[i].state, &whole);
}

void live_report_take_interval(struct live_report *piece, const struct interval *interval)
{
	const struct report_run *report = &piece->report;

	for (size_t i = 0; i < report->interval_sink_count; i++)
		if (report->interval_sink[i].kinds & INTERVAL_MASK(interval->kind))
			report->interval_sink[i].on_interval(report->interval_sink[i].state,
			                                     interval);
}

/* What tasks do at the end of the piece. */
static void piece_take_open(struct live_report *piece)
{
	const struct timeline *timeline = live_run_timeline(piece->run);

	for (uint32_t track = 0; track < timeline->track_count; track++) {
		struct cause_note note;
		struct span span;

		if (machine_look(live_run_machine(piece->run), track, &span, &note))
			live_report_take_span(piece, &span);
	}
	machine_look_at_cpus(live_run_machine(piece->run));
}

static void piece_note_input(struct live_report *piece)
{
	const struct source *source = piece->report.loaded->source;

	for (size_t i = 0; i < source->health.note_count; i++)
		health_note(&piece->report.health, "%s", source->health.notes[i]);
}

static void piece_take_health(struct live_report *piece)
{
	bool is_damaged = piece->report.loaded->source->health.damaged;
	const struct recording_remarks remarks = live_run_remarks(piece->run);
	struct health *health = &piece->report.health;
	const struct health *own = &piece->health;

	health_release(health);
	live_run_take_health(piece->run, health);
	health->task_ns = own->task_ns;
	health->explained_ns = own->explained_ns;
	health->unseen_ns = own->unseen_ns;
	health->unknown_ns = own->unknown_ns;
	health->open_waits = own->open_waits;
	health->input_damaged |= is_damaged;
	if (is_damaged)
		piece_note_input(piece);
	/* as a report of a file notes what the recording lacks; what the host of a virtual machine
	   took is not known, as the stream says it at its end, of all of it */
	recording_remarks_lacks(&remarks, health);
	recording_remarks_rest(&remarks, health);
	if (!is_damaged) /* what explains most comes first, as in a report of a file */
		piece_note_input(piece);
}

static void piece_resolve_kinds(struct live_report *piece)
{
	struct report_run *report = &piece->report;
	const struct recording_remarks remarks = live_run_remarks(piece->run);

	report->resolved.seen = *remarks.seen;
	report->resolved.described = *remarks.described;
	report->resolved.recorded = (struct recorded){report->loaded->source->notes,
	                                              report->resolved.seen.has[EVENT_STACK]};
}

void live_report_end(struct live_report *piece)
{
	struct report_run *report = &piece->report;
	struct timeline *timeline = live_run_timeline(piece->run);

	if (!live_run_has_ended(piece->run)) {
		piece_take_open(piece);
		live_run_show_open(piece->run, /* as_end= */ true);
		piece->is_open = true;
	}
	piece->timeline_begin = timeline->begin;
	timeline->begin = live_run_first(piece->run) == NSEC_NEVER ? 0
	                                                            : live_run_first(piece->run);
	report->question.to = live_run_last(piece->run);
	/* some may have come */
	report->question.recording.cpu_count = report->loaded->source->cpu_count;
	report->period = (struct report_period){
		.is_given = true,
		.begin = piece->begin == NSEC_NEVER ? timeline->begin : piece->begin,
		.end = live_run_last(piece->run),
	};
	piece_resolve_kinds(piece);
	piece_take_health(piece);
	report_run_end(report);
}

void live_report_release(struct live_report *piece)
{
	if (piece->is_open) {
		live_run_timeline(piece->run)->begin = piece->timeline_begin;
		machine_hide_open(live_run_machine(piece->run));
	}
	report_run_release(&piece->report);
}
