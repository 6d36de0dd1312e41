/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_run.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analysis/asked_events.h"
#include "analysis/evidence/fact_evidence.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/row_link.h"
#include "asked_window.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "graph/aims/awaited.h"
#include "graph/logs/task_names.h"
#include "graph/walk/fold.h"
#include "pipeline.h"
#include "state/core/shared_state.h"
#include "state/core/machine_setup.h"
#include "words/cause/cause_words.h"
#include "words/task_words.h"
#include "words/time_scale.h"

/* How much of the asked tasks' time is explained. What is unknown of other tasks, or outside the
   window, does not affect the answer. */

static void take_window(const struct question *question, uint32_t index,
                        struct explained_time *sum)
{
	const struct track *track = &question->timeline->track[index];

	for (size_t at = 0; at < track->segment_count; at++) {
		struct span span = timeline_span(question->timeline, index, at);

		if (span.kind != SEGMENT_DEAD && question_clip(question, &span.begin, &span.end))
			explained_time_add(sum, &span);
	}
}

/* Sets asked_ns and asked_explained_ns of the health, unless all time of all tasks is asked for, or
   it is not known, as no view keeps the history of a window. The question must be resolved. */
static void asked_share_take(const struct question *question, struct health *health)
{
	const struct timeline *timeline = question->timeline;
	const struct resolved *resolved = question->resolved;
	struct explained_time sum = {0};

	if (resolved->is_windowed && !timeline->keep_segments)
		return;
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		if (!resolved->is_asked[index] || track->is_idle)
			continue;
		if (resolved->is_windowed) {
			take_window(question, index, &sum);
		} else {
			sum.all += track_time(track).all;
			sum.explained += track_time(track).explained;
		}
	}
	if (sum.all == health->task_ns)
		return;
	health->asked_ns = sum.all;
	/* 0 in a trace without sched_switch */
	health->asked_explained_ns = nsec_min(sum.explained, health->explained_ns);
}

/* If no view needs the whole history, it gets the lesser of two parts: of the machine's memory, and
   of this process's memory limit. */
#define HISTORY_PART       32
#define HISTORY_LIMIT_PART 4
#define HISTORY_BYTES_MIN  (UINT64_C(8) << 20)
#define HISTORY_BYTES_MAX  (UINT64_C(64) << 20)

/* About 40,000 events, which take 3 ms. */
#define AHEAD_BYTES_MIN (UINT64_C(2) << 20)

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The limit on this process's memory. For the limit of a control group see cmd/memory_end.h. */
static uint64_t limit_bytes(void)
{
	struct rlimit data = {RLIM_INFINITY, RLIM_INFINITY}, all = data;

	(void)getrlimit(RLIMIT_DATA, &data);
	(void)getrlimit(RLIMIT_AS, &all);
	/* RLIM_INFINITY is the largest number */
	return min_u64(data.rlim_cur, all.rlim_cur);
}

static size_t history_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / HISTORY_PART
	                                       : HISTORY_BYTES_MIN;

	bytes = min_u64(bytes, limit_bytes() / HISTORY_LIMIT_PART);
	if (bytes < HISTORY_BYTES_MIN)
		return HISTORY_BYTES_MIN;
	return bytes < HISTORY_BYTES_MAX ? (size_t)bytes : HISTORY_BYTES_MAX;
}

/* What views get to know of the recording before it is read. */
static struct question_recording recording_of(struct source *source)
{
	const struct recording_notes *notes = &source->notes;

	return (struct question_recording){
		.source = source,
		.cpu_count = source->cpu_count,
		.arch = source->arch,
		.has_targets = notes->command.pid || notes->pids.count,
		.is_of_command = notes->command.pid && notes->pids.count == 0,
		.open_waits = notes->open_waits.item,
		.open_wait_count = notes->open_waits.count,
		.realtime = notes->realtime.count ? &notes->realtime : NULL,
		.trigger = notes->trigger.condition ? &notes->trigger : NULL,
		.processes = notes->processes.item,
		.process_count = notes->processes.count,
		.recorder = notes->recorder[0],
		.cpu_weight = notes->cpu_weight.per_mille,
		.cpu_weight_by = notes->cpu_weight.by,
	};
}

void report_run_init(struct report_run *run, struct loaded *loaded,
                     const struct asked *asked)
{
	*run = (struct report_run){
		.loaded = loaded,
		.question = {
			.asked = asked,
			.recording = recording_of(loaded->source),
			.from = asked->from,
			.to = asked->to,
		},
	};
	timeline_init(&run->timeline, /* keep_segments= */ true);
	run->timeline.shows_groups = asked->cgroup_count > 0 || asked->by_group;
	run->timeline.hosts = loaded_hosts(loaded);
	run->health.hosts = run->timeline.hosts;
	run->question.timeline = &run->timeline;
	run->question.health = &run->health;
	mark_window_init(&run->window, &run->question);
}

void report_run_release(struct report_run *run)
{
	for (size_t i = 0; i < run->view_count; i++)
		analysis_end(run->view[i].analysis, run->view[i].own);
	mark_window_release(&run->window);
	resolved_release(&run->resolved);
	timeline_release(&run->timeline);
	health_release(&run->health);
}

void report_run_ask(struct report_run *run, const struct analysis *analysis)
{
	assert(run->view_count < REPORT_VIEWS_MAX);
	run->view[run->view_count++].analysis = analysis;
}

bool report_run_heeds(const struct report_run *run, unsigned what)
{
	for (size_t i = 0; i < run->view_count; i++)
		if (run->view[i].analysis->heeds & what)
			return true;
	return run->exporting.exporter && (EXPORT_HEEDS & what);
}

bool report_run_likes_history(const struct report_run *run)
{
	if (run->question.asked->shows_evidence)
		return true;
	for (size_t i = 0; i < run->view_count; i++) {
		const struct analysis *analysis = run->view[i].analysis;

		if (analysis->needs_history ||
		    (analysis->fold &&
		     (!analysis->folds_data || run->question.asked->shows_data)))
			return true;
	}
	return false;
}

/* Whether any view needs the whole history, not just as much as there is room for. */
static bool run_needs_history(const struct report_run *run)
{
	const struct question *question = &run->question;
	bool needs = question_may_be_windowed(question) || question->asked->fold_limit ||
	             question->asked->shows_evidence;

	for (size_t i = 0; i < run->view_count; i++)
		needs |= run->view[i].analysis->needs_history;
	return needs;
}

static unsigned run_walking_views(const struct report_run *run)
{
	unsigned count = 0;

	for (size_t i = 0; i < run->view_count; i++)
		count += run->view[i].analysis->walks_waits;
	return count;
}

static void run_announce_phase(const struct report_run *run, const char *what)
{
	if (run->on_phase)
		run->on_phase(run->progress_state, what);
}

static void run_announce_view(const struct report_run *run, size_t view)
{
	char option[64];

	(void)snprintf(option, sizeof(option), "--%s", run->view[view].analysis->name);
	run_announce_phase(run, option);
}

/* If any view uses the history, spurious wakeups are folded into their waits. */
static void run_fold(struct report_run *run)
{
	nsec_t limit = run->question.asked->fold_limit;
	uint64_t folded;

	if (report_run_heeds(run, HEEDS_WALKS | HEEDS_AIMS) || report_run_likes_history(run))
		timeline_find_awaited(run->question.timeline);
	if (limit == 0)
		return;
	run_announce_phase(run, "--fold-wakes");
	folded = timeline_fold(run->question.timeline, limit);
	if (folded == 0 && run->question.asked->folds_silently)
		return;
	health_note(&run->health,
	            "spurious wakeups folded: %s; less than %s of running between two sleeps at "
	            "one place counts as waiting%s",
	            COUNT_TEXT(folded), DURATION_TEXT(limit),
	            run->question.timeline->place_count
	                    ? ""
	                    : " (places are known by system calls, futexes and locks; record "
	                      "--stacks shows more)");
}

static void run_limit_history(struct report_run *run)
{
	run->timeline.keep_segments = report_run_likes_history(run);
	timeline_limit(&run->timeline, run_needs_history(run) ? 0
	                               : run->loaded->history_bytes ? run->loaded->history_bytes
	                                                            : history_bytes());
}

void report_run_borrow(struct report_run *run, struct timeline *timeline)
{
	timeline->shows_groups = run->timeline.shows_groups;
	run->question.timeline = timeline;
}

size_t report_run_begin(struct report_run *run, struct span_sink *sinks)
{
	size_t count = 0;

	run->question.timeline->ignores_submitters = run->no_submitters;
	run->question.timeline->through_polls = run->through_polls;
	if (run->question.timeline == &run->timeline)
		run_limit_history(run);
	/* an export cannot wait for the length of the trace */
	run->question.is_absolute |= run->exporting.exporter != NULL;
	/* before the views begin: the marks decide what the views may leave out */
	if (mark_window_is_asked(&run->window))
		run->interval_sink[run->interval_sink_count++] = (struct interval_sink){
			.on_interval = mark_window_take,
			.state = &run->window,
			.kinds = INTERVAL_MASK(INTERVAL_MARK),
		};
	run->question.walking_views = run_walking_views(run);
	for (size_t i = 0; i < run->view_count; i++) {
		const struct analysis *analysis = run->view[i].analysis;

		run->view[i].own = analysis_begin(analysis, &run->question);
		if (analysis->on_span)
			sinks[count++] = (struct span_sink){
				.on_span = analysis->on_span,
				.kinds = analysis->span_kinds,
				.state = run->view[i].own,
			};
		if (analysis->on_interval)
			run->interval_sink[run->interval_sink_count++] = (struct interval_sink){
				.on_interval = analysis->on_interval,
				.state = run->view[i].own,
				.kinds = analysis->interval_kinds,
			};
	}
	return count;
}

/* The views that take the raw events, together. */
static void run_take_events(const struct report_run *run)
{
	struct events_taking taking[ARRAY_SIZE(run->view)];
	size_t count = 0;

	for (size_t i = 0; i < run->view_count; i++) {
		const struct analysis *analysis = run->view[i].analysis;

		if (!analysis->take_events)
			continue;
		run_announce_view(run, i);
		taking[count++] = analysis->take_events(run->view[i].own);
	}
	if (count > 0)
		asked_events_read(&run->question, taking, count);
}

void report_run_end(struct report_run *run)
{
	timeline_settle_names(run->question.timeline);
	timeline_label_programs(run->question.timeline);
	run_fold(run);
	day_window_resolve(&run->question);
	if (!run->question.is_absolute) /* an export has begun with its window */
		trigger_window_resolve(&run->question);
	mark_window_resolve(&run->window);
	question_resolve(&run->question, &run->resolved);
	asked_share_take(&run->question, &run->health);
	for (size_t i = 0; i < run->view_count; i++) {
		if (!run->view[i].analysis->resolve)
			continue;
		run_announce_view(run, i);
		run->view[i].analysis->resolve(run->view[i].own);
	}
	run_take_events(run);
}

static void run_on_full(void *state)
{
	struct report_run *run = state;

	question_seek_targets(&run->question);
	timeline_find_awaited(run->question.timeline);
	for (size_t i = 0; i < run->view_count; i++)
		if (run->view[i].analysis->fold)
			run->view[i].analysis->fold(run->view[i].own);
}

/* True also if it is not known: a machine may have more CPUs than the set can hold. */
static bool has_second_cpu(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) < 0 || CPU_COUNT(&cpus) > 1;
}

/* A second thread costs more than it saves if the recording is short. */
static bool run_reads_ahead(const struct report_run *run)
{
	if (run->loaded->threads)
		return run->loaded->threads > 1;
	return run->loaded->source->data_bytes >= AHEAD_BYTES_MIN && has_second_cpu();
}

/* ", in a soft interrupt", ", by make[7]": where the waker ran. */
static void place_append(struct buffer *to, const struct timeline *timeline,
                         const struct cause_step *step)
{
	static const char *const levels[LEVEL_COUNT] = {
		[LEVEL_TASK] = "",
		[LEVEL_SOFT] = ", in a soft interrupt",
		[LEVEL_HARD] = ", in a hard interrupt",
	};
	struct task task;

	buffer_printf(to, " cpu %u%s", step->cpu, levels[step->level]);
	if (step->level != LEVEL_TASK || step->current == TRACK_NONE)
		return;
	task = timeline_task(timeline, step->current, step->time);
	buffer_puts(to, ", by ");
	task_text_append(to, &task);
}

/*
 * Prints a line for each tracker that decided or changed the cause of an asked task's wake-up, with
 * the cause after that step.
 *
 *	0.012100 cpu 0, in a hard interrupt: w1[12] woken: block explains: disk 259,0, high
 *
 * Wake-ups that end no wait are printed, too. A task counts as asked for if it matches by then:
 * some tasks turn out to be asked for only when the trace ends.
 */
static void run_print_step(void *state, const struct cause_step *step)
{
	const struct report_run *run = state;
	const struct timeline *timeline = run->question.timeline;
	struct cause cause;
	struct task task;
	_cleanup_(buffer_release) struct buffer line = buffer_of(1024);

	if (step->wakee == TRACK_NONE || !question_asks_track(&run->question, step->wakee))
		return;
	task = timeline_task(timeline, step->wakee, step->time);
	cause = timeline_cause(timeline, step->cause, step->time);
	buffer_puts(&line, INSTANT_TEXT(step->time - timeline->begin));
	if (step->cpu != UINT32_MAX)
		place_append(&line, timeline, step);
	buffer_puts(&line, ": ");
	task_text_append(&line, &task);
	buffer_printf(&line, ": %s %s: ", step->tracker, step->what);
	cause_text_append(&line, &cause);
	buffer_printf(&line, ", %s\n", confidence_name((enum confidence)step->cause->confidence));
	run->put_cause_step(line.text);
}

/* Reads the source into the run's timeline, its sinks of intervals, and these. */
static void run_pipe(struct report_run *run, const struct span_sink *sinks, size_t sink_count)
{
	const struct loaded *loaded = run->loaded;
	struct pipeline_kinds kinds;
	struct pipeline pipeline = {
		.source = loaded->source,
		.reads_ahead = run_reads_ahead(run),
		.timeline = run->question.timeline,
		.health = &run->health,
		.users = loaded->users,
		.kernel = loaded->kernel ? &loaded->kernel->symbols : NULL,
		.messages = loaded->messages,
		.sinks = sinks,
		.sink_count = sink_count,
		.interval_sinks = run->interval_sink,
		.interval_sink_count = run->interval_sink_count,
		.on_full = run_on_full,
		.full_state = run,
		.on_progress = run->on_progress,
		.progress_state = run->progress_state,
	};

	if (run->put_cause_step) {
		pipeline.on_step = run_print_step;
		pipeline.step_state = run;
	}
	export_run_begin(&run->exporting, loaded->source, &run->question, &pipeline);
	kinds = pipeline_run(&pipeline);
	if (loaded->kernel && loaded->kernel->note.length > 0)
		health_note(&run->health, "%s", loaded->kernel->note.text);
	run->resolved.seen = kinds.seen;
	run->resolved.described = kinds.recorded;
	run->resolved.recorded =
		(struct recorded){loaded->source->notes, kinds.seen.has[EVENT_STACK]};
}

void report_run_read(struct report_run *run)
{
	struct span_sink sinks[REPORT_VIEWS_MAX + 1];
	size_t count = report_run_begin(run, sinks);

	count += export_run_add_spans(&run->exporting, &sinks[count]);
	run->interval_sink_count +=
		export_run_add_intervals(&run->exporting,
	                                 &run->interval_sink[run->interval_sink_count]);
	run_pipe(run, sinks, count);
	report_run_end(run);
	export_run_end(&run->exporting);
}

void report_run_feed(struct report_run *run, const struct span_sink *sinks, size_t sink_count)
{
	run_pipe(run, sinks, sink_count);
}

uint32_t report_run_interval_kinds(const struct report_run *run)
{
	uint32_t kinds = mark_window_is_asked(&run->window) ? INTERVAL_MASK(INTERVAL_MARK) : 0;

	for (size_t i = 0; i < run->view_count; i++)
		if (run->view[i].analysis->on_interval)
			kinds |= run->view[i].analysis->interval_kinds;
	return kinds;
}

bool report_run_fits_kept(const struct report_run *run, size_t bytes)
{
	size_t most = run->loaded->history_bytes ? run->loaded->history_bytes : history_bytes();

	/* without a history functions of programs need no names: then nothing is said of files that
	   have none */
	if (!report_run_likes_history(run))
		return run->loaded->source->notes.user_maps.count == 0;
	return run_needs_history(run) || bytes <= most / 2;
}

bool report_run_is_beside(const struct report_run *run)
{
	return run->resolved.begin == run->resolved.end &&
	       run->question.timeline->begin < run->question.timeline->end;
}

const void *report_run_state(const struct report_run *run, size_t view)
{
	return run->view[view].own ? run->view[view].own : (const void *)&run->question;
}

bool report_run_has_answers(const struct report_run *run, struct buffer *why)
{
	if (!mark_window_has_answers(&run->window, why))
		return false;
	for (size_t i = 0; i < run->view_count; i++) {
		const struct analysis *analysis = run->view[i].analysis;

		if (analysis->has_answer && !analysis->has_answer(report_run_state(run, i), why))
			return false;
	}
	return true;
}

/* The time of day of an instant; 0: not known. */
static nsec_t run_realtime(const struct report_run *run, nsec_t instant)
{
	const struct realtime *realtime = run->question.recording.realtime;

	return realtime && (run->health.events > 0 || run->period.end > 0)
	               ? time_scale_real(realtime, instant) : 0;
}

static void machines_describe(const struct source *source, struct machine_summary *machines,
                              const char **files)
{
	for (size_t i = 0; i < source->part_count; i++) {
		const struct source_part *part = &source->parts[i];

		files[i] = part->file;
		machines[i] = (struct machine_summary){
			.file = part->file,
			.name = part->name,
			.host = part->source->notes.machine.host,
			.kernel = part->source->kernel,
			.arch = part->source->arch,
			.clock = part->source->clock,
			.offset = part->offset,
			.root = part->root,
			.bound = part->bound,
			.day_bound = part->day_bound,
			.matched = part->matched,
		};
	}
}

/* Machines of one file follow each other. */
static size_t files_count(const char **files, size_t machines)
{
	size_t count = 0;

	for (size_t i = 0; i < machines; i++)
		if (count == 0 || strcmp(files[count - 1], files[i]) != 0)
			files[count++] = files[i];
	return count;
}

static void run_show(struct report_run *run, const struct report_form *form)
{
	const struct source *source = run->loaded->source;
	struct machine_summary machines[HOSTS_MAX];
	const char *files[HOSTS_MAX];
	struct trace_summary trace = {
		.files = &form->file,
		.file_count = 1,
		.machines = machines,
		.machine_count = source->part_count,
		.kernel = source->kernel,
		.arch = source->arch,
		.clock = source->clock,
		.recorded = source->notes.recorded,
		.host = source->notes.machine.host,
		.machine_id = source->notes.machine.machine_id,
		.boot_id = source->notes.machine.boot_id,
		.command = source->notes.command.word,
		.command_count = source->notes.command.count,
		.labels = source->notes.labels.item,
		.label_count = source->notes.labels.count,
		.realtime_begin = run_realtime(run, run->question.timeline->begin),
		.instants = run->question.instants,
		.damage = run->health.input_damaged ? source_damage_words(source) : NULL,
		.is_unread = source->health.failure && source->health.failure->error,
		.trigger = run->question.recording.trigger,
		.cpus = source->cpu_count,
		.begin = run->question.timeline->begin,
		.end = run->question.timeline->end,
		.events = run->health.events,
		.period = run->period,
	};
	const uint32_t fired = trigger_track_find(run->question.timeline, trace.trigger);
	struct task fired_task;
	struct health shown; /* a copy, as each showing adds notes */
	_cleanup_(fact_prover_release) struct fact_prover prover = {0};
	struct output to = {.presenter = form->presenter};
	struct presenter_options options = form->options;
	_cleanup_(buffer_release) struct buffer window = buffer_of(BUFFER_LIMIT_DEFAULT);
	_cleanup_(buffer_release) struct buffer tasks = buffer_of(BUFFER_LIMIT_DEFAULT);

	asked_window_append(&window, &run->question);
	asked_filter_append(&tasks, &run->question);
	options.asked_window = window.text;
	options.asked_tasks = tasks.text;
	if (source->part_count) {
		machines_describe(source, machines, files);
		trace.files = files;
		trace.file_count = files_count(files, source->part_count);
	}
	if (fired != TRACK_NONE) {
		fired_task = timeline_task(run->question.timeline, fired, trace.trigger->at);
		trace.trigger_task = &fired_task;
	}
	if (run->period.is_given)
		trace.period.realtime = run_realtime(run, run->period.begin);
	health_copy(&shown, &run->health);
	run->question.health = &shown;
	if (run->question.evidence) {
		fact_prover_init(&prover, &run->question);
		options.prove = fact_prove;
		options.prover = &prover;
	}
	to.state = form->presenter->begin(form->out, &options, &trace);
	for (size_t i = 0; i < run->view_count; i++) {
		run_announce_view(run, i);
		run->view[i].analysis->report(report_run_state(run, i), &to);
	}
	to.presenter->end(to.state, &shown);
	run->question.health = &run->health;
	health_release(&shown);
}

static ssize_t write_nothing(void *state, const char *bytes, size_t count)
{
	(void)state;
	(void)bytes;
	return (ssize_t)count;
}

/* Shows the report to nobody, to hear what it says; then finds the evidence of that. */
static void run_find_evidence(struct report_run *run, const struct report_form *form)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct report_form unseen = *form;

	unseen.out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_nothing});
	if (!unseen.out) {
		health_doubt(&run->health, "no evidence: %s", strerror(errno));
		return;
	}
	run_show(run, &unseen);
	(void)fclose(unseen.out);
	run_announce_phase(run, "--evidence");
	if (evidence_read(run->question.evidence, &why) < 0)
		health_doubt(&run->health, "no evidence, as the recording cannot be read again: %s",
		            why.text);
}

void report_run_show(struct report_run *run, const struct report_form *form)
{
	if (run->question.asked->shows_evidence) {
		run->question.evidence = evidence_new(&run->question);
		run_find_evidence(run, form);
	}
	run_show(run, form);
	run->question.evidence = evidence_free(run->question.evidence);
}
