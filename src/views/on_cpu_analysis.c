/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks ran, by the samples of a profile (record --profile). A task's running time in the
 * window is exact, and is divided among what its samples in that time show: by innermost function,
 * and by stack. It is an estimate, as a tick that hits a function says little of how long it ran.
 * Exact are also how long each stay on a CPU was and, where system calls were recorded, how much of
 * the running time lay in them.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/paths/flame_path.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "sentences/say.h"

#define FRAMES_SHOWN 4 /* number of functions of a stack that one line of text shows */

struct task_row {
	uint32_t track;
	uint32_t samples;
	nsec_t running; /* the sum of the next two */
	nsec_t user;    /* outside system calls */
	nsec_t system;
	bool is_divided; /* where system calls were recorded: these two are known */
	nsec_t io_wait; /* asleep for block I/O */
	struct distribution runs; /* that begin in the window, from switch to switch */
};

/* What a task ran in system calls. */
struct call_time {
	uint32_t track; /* the key */
	nsec_t running;
};

/* What samples of one task have in common; the key without padding. */
struct sample_row {
	struct sample_key {
		uint32_t track;
		uint32_t frames, user; /* name ids of both stacks; or of one function, and 0 */
	} key;
	uint32_t samples;
	nsec_t time; /* its part of the task's running time */
};

#define CALL_INTERVALS (INTERVAL_MASK(INTERVAL_SYSCALL) | INTERVAL_MASK(INTERVAL_LAST_CALL))

struct on_cpu {
	GATED_VIEW;
	struct tally calls;     /* of struct call_time; the others are filled for the report */
	struct tally tasks;     /* a list of struct task_row */
	struct tally stacks;    /* of struct sample_row */
	struct tally functions; /* likewise */
	struct distribution runs; /* of all tasks */
	uint64_t samples;
	nsec_t running;
};

/* Adds the part of a system call that lies in the window. */
static void on_cpu_take(void *state, const struct interval *interval)
{
	struct on_cpu *on_cpu = state;
	const struct question *question = on_cpu->question;
	nsec_t begin = interval->begin, end = interval->end;
	nsec_t running = interval->syscall.running;
	struct call_time *calls = tally_row(&on_cpu->calls, &interval->task);

	/* without a window it passes before the question is resolved */
	if (question->resolved) {
		if (!question_clip(question, &begin, &end))
			return;
		if (begin > interval->begin || end < interval->end)
			running = track_time_in(&question->timeline->track[interval->task],
			                        1u << SEGMENT_RUN, begin, end);
	}
	calls->running += running;
}

static void on_cpu_begin(void *state)
{
	struct on_cpu *on_cpu = state;

	on_cpu->gate.take = on_cpu_take;
	on_cpu->gate.wide_kinds = CALL_INTERVALS;
	tally_init(&on_cpu->calls, sizeof(struct call_time), sizeof(uint32_t), TALLY_NO_LIMIT);
}

static void on_cpu_on_interval(void *state, const struct interval *interval)
{
	interval_gate_pass(state, interval);
}

static void on_cpu_end(void *state)
{
	struct on_cpu *on_cpu = state;

	interval_gate_release(&on_cpu->gate);
	tally_release(&on_cpu->calls);
}

static bool on_cpu_has_calls(const struct on_cpu *on_cpu)
{
	return on_cpu->question->resolved->seen.has[EVENT_SYSCALL_ENTER];
}

/* The name id of the innermost function: of the kernel, if the tick found the task there. 0: no
   stack was recorded. */
static uint32_t sample_function(struct timeline *timeline, const struct run_sample *sample)
{
	const char *frames =
		intern_text(&timeline->names, sample->frames ? sample->frames : sample->user);
	size_t length = strcspn(frames, ";");
	char *name;
	uint32_t id;

	if (length == 0)
		return 0;
	/* the text may move when a name is added */
	name = xstrndup(frames, length);
	id = intern_add(&timeline->names, name, length);
	free(name);
	return id;
}

static void sample_count(struct tally *rows, uint32_t track, uint32_t frames, uint32_t user)
{
	struct sample_row *row = tally_row(rows, &(struct sample_key){track, frames, user});

	row->samples++;
}

/* Adds that the task ran in [begin, end). */
static void on_cpu_add(struct on_cpu *on_cpu, struct task_row *task, nsec_t begin, nsec_t end)
{
	struct timeline *timeline = on_cpu->question->timeline;
	size_t count;
	const struct run_sample *sample =
		timeline_samples(&timeline->track[task->track], begin, end, &count);

	task->running += end - begin;
	task->samples += (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		sample_count(&on_cpu->stacks, task->track, sample[i].frames, sample[i].user);
		sample_count(&on_cpu->functions, task->track,
		             sample_function(timeline, &sample[i]), 0);
	}
}

/* Sets the times of the task's rows from `first` on. */
static void rows_divide(struct tally *rows, size_t first, const struct task_row *task)
{
	for (size_t i = first; i < rows->count; i++) {
		struct sample_row *row = tally_at(rows, i);

		row->time = nsec_share(task->running, row->samples, task->samples);
	}
}

/* Counts the run if both of its ends were seen and it begins in the window. */
static void run_count(const struct question *question, const struct track *track, size_t at,
                      struct distribution *runs)
{
	const struct segment *segment = &track->segment[at];
	bool is_last = at + 1 == track->segment_count;
	bool has_end = is_last ? !track->is_open : segment[1].kind != SEGMENT_UNKNOWN;

	if (at > 0 && has_end && !segment->is_doubtful &&
	    question_contains(question, segment->begin))
		distribution_add(runs, timeline_segment_end(track, at) - segment->begin,
		                 segment->begin);
}

/* Whether the task slept for block I/O: as the kernel says, or else by what woke it. */
static bool segment_is_io_wait(const struct timeline *timeline, const struct track *track,
                               size_t at)
{
	const struct segment *segment = &track->segment[at];
	const struct cause_note *cause = segment_cause(timeline, segment);
	const struct sleep_place *place;

	if (segment->kind != SEGMENT_WAIT)
		return false;
	place = timeline_place(track, at);
	if (place && place->io_wait != IO_WAIT_UNKNOWN)
		return place->io_wait == IO_WAIT_YES;
	return cause && cause->kind == CAUSE_DISK;
}

/* Whether the task has no user mode: a kernel thread, or a worker of io_uring. */
static bool track_is_in_kernel(const struct timeline *timeline, uint32_t index)
{
	static const char io_uring[] = "iou-";
	const char *name = intern_text(&timeline->names, track_name(&timeline->track[index]));

	return track_is_kernel(timeline, index) ||
	       strncmp(name, io_uring, sizeof(io_uring) - 1) == 0;
}

/* Divides the task's running time between user and system, if that is known: of a recording for
   some tasks, the calls of others may not be recorded. */
static void task_divide(const struct on_cpu *on_cpu, struct task_row *task)
{
	const struct question *question = on_cpu->question;
	const struct timeline *timeline = question->timeline;
	const struct call_time *calls = tally_find(&on_cpu->calls, &task->track);
	bool is_in_kernel = track_is_in_kernel(timeline, task->track);

	task->is_divided = is_in_kernel || calls || !question->recording.has_targets ||
	                   timeline->track[task->track].is_target;
	if (is_in_kernel)
		task->system = task->running;
	else if (calls)
		task->system = nsec_min(calls->running, task->running);
	task->user = task->running - task->system;
}

static void on_cpu_add_task(struct on_cpu *on_cpu, uint32_t index)
{
	const struct question *question = on_cpu->question;
	const struct track *track = &question->timeline->track[index];
	struct task_row task = {.track = index};
	size_t stacks = on_cpu->stacks.count, functions = on_cpu->functions.count;

	for (size_t at = 0; at < track->segment_count; at++) {
		nsec_t begin = track->segment[at].begin, end = timeline_segment_end(track, at);

		if (!question_clip(question, &begin, &end))
			continue;
		if (track->segment[at].kind == SEGMENT_RUN) {
			on_cpu_add(on_cpu, &task, begin, end);
			run_count(question, track, at, &task.runs);
		} else if (segment_is_io_wait(question->timeline, track, at)) {
			task.io_wait += end - begin;
		}
	}
	if (task.running == 0)
		return;
	task_divide(on_cpu, &task);
	distribution_merge(&on_cpu->runs, &task.runs);
	rows_divide(&on_cpu->stacks, stacks, &task);
	rows_divide(&on_cpu->functions, functions, &task);
	on_cpu->samples += task.samples;
	on_cpu->running += task.running;
	*(struct task_row *)tally_add(&on_cpu->tasks) = task;
}

static void on_cpu_fill(struct on_cpu *on_cpu)
{
	const struct question *question = on_cpu->question;

	tally_init(&on_cpu->tasks, sizeof(struct task_row), 0, TALLY_NO_LIMIT);
	tally_init(&on_cpu->stacks, sizeof(struct sample_row), sizeof(struct sample_key),
	           UINT32_MAX);
	tally_init(&on_cpu->functions, sizeof(struct sample_row), sizeof(struct sample_key),
	           UINT32_MAX);
	ASKED_EACH(question, track)
		if (!question->timeline->track[track].is_idle)
			on_cpu_add_task(on_cpu, track);
}

#define AT(member) RELATION_AT(struct task_row, member)

enum {
	COLUMN_USER = 3,
	COLUMN_SYSTEM,
	COLUMN_IO_WAIT,
};

static const struct field task_fields[] = {
	{"task", "TASK", CELL_TASK, 0, AT(track)},
	{"running_ns", "RUNNING", CELL_DURATION, 0, AT(running)},
	{"samples", "SAMPLES", CELL_COUNT, COLUMN_USEFUL(1), AT(samples)},
	[COLUMN_USER] = {"user_ns", "USER", CELL_DURATION, COLUMN_USEFUL(2), AT(user)},
	[COLUMN_SYSTEM] = {"system_ns", "SYSTEM", CELL_DURATION, COLUMN_USEFUL(2), AT(system)},
	[COLUMN_IO_WAIT] = {"io_wait_ns", "I/O WAIT", CELL_DURATION, COLUMN_USEFUL(2),
	                    AT(io_wait)},
	{"runs", "RUNS P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_SPARE(1), AT(runs)},
};

/* Without system calls it is not known what was user mode. */
static void task_adapt(const void *view, const struct relation_rows *rows, struct column *column)
{
	const struct on_cpu *on_cpu = view;

	(void)rows;
	for (size_t i = COLUMN_USER; i <= COLUMN_IO_WAIT && !on_cpu_has_calls(on_cpu); i++)
		column[i].flags |= COLUMN_DATA_ONLY;
}

static void task_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct on_cpu *on_cpu = view;

	(void)text;
	if (!on_cpu_has_calls(on_cpu) || !((const struct task_row *)of)->is_divided)
		cell[COLUMN_USER].type = cell[COLUMN_SYSTEM].type = CELL_EMPTY;
}

static const struct relation_form task_form = {
	"tasks", "Tasks, by their running time", FIELDS(task_fields),
	.next = "--on-cpu --tid {task}",
	.order = {{AT(running)}}, .adapt = task_adapt, .fill = task_fill,
};

#undef AT
#define AT(member) RELATION_AT(struct sample_row, member)

enum {
	COLUMN_SHARE = 3, /* in both tables */
	COLUMN_WORDS = 4,
	COLUMN_STACK = 5,
	COLUMN_USER_STACK = 6,
};

#define SAMPLE_FIELDS                                                                              \
	{"task", "TASK", CELL_TASK, 0, AT(key.track)},                                             \
	{"total_ns", "ABOUT", CELL_DURATION, 0, AT(time)},                                         \
	{"samples", "SAMPLES", CELL_COUNT, COLUMN_SPARE(1), AT(samples)},                          \
	[COLUMN_SHARE] = {"share", "SHARE", CELL_RATIO, COLUMN_USEFUL(1), FILLED}

static const struct field function_fields[] = {
	SAMPLE_FIELDS,
	[COLUMN_WORDS] = {"function", "IN", CELL_TEXT, 0, FILLED},
};

static const struct field stack_fields[] = {
	SAMPLE_FIELDS,
	[COLUMN_WORDS] = {NULL, "IN", CELL_TEXT, 0, FILLED},
	[COLUMN_STACK] = {"stack", NULL, CELL_FRAMES, 0, FILLED},
	[COLUMN_USER_STACK] = {"user_stack", NULL, CELL_FRAMES, 0, FILLED},
};

static double row_share(const struct on_cpu *on_cpu, const struct sample_row *row)
{
	return nsec_ratio(row->time, on_cpu->running);
}

static void function_fill(const void *view, const void *of, struct cell *cell,
                          struct buffer *text)
{
	const struct on_cpu *on_cpu = view;
	const struct sample_row *row = of;

	(void)text;
	cell[COLUMN_SHARE].ratio = row_share(on_cpu, row);
	cell[COLUMN_WORDS] = cell_of_name(on_cpu->question->timeline, CELL_TEXT, row->key.frames);
}

static void stack_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct on_cpu *on_cpu = view;
	const struct timeline *timeline = on_cpu->question->timeline;
	const struct sample_row *row = of;

	cell[COLUMN_SHARE].ratio = row_share(on_cpu, row);
	stack_text_append_both(&text[COLUMN_WORDS], intern_text(&timeline->names, row->key.frames),
	                       intern_text(&timeline->names, row->key.user), FRAMES_SHOWN);
	if (text[COLUMN_WORDS].length == 0)
		buffer_puts(&text[COLUMN_WORDS], "(no stack recorded)");
	cell[COLUMN_STACK] = cell_of_name(timeline, CELL_FRAMES, row->key.frames);
	cell[COLUMN_USER_STACK] = cell_of_name(timeline, CELL_FRAMES, row->key.user);
}

static const struct relation_form function_form = {
	"functions", "Functions, by their time, without that of functions that they call",
	FIELDS(function_fields),
	.next = "--on-cpu --tid {task}",
	.order = {{AT(time)}, {AT(samples)}}, .fill = function_fill,
	.is_hidden_if_empty = true,
};

static const struct relation_form stack_form = {
	"stacks", "Stacks, by their time", FIELDS(stack_fields),
	.next = "--on-cpu --tid {task}",
	.order = {{AT(time)}, {AT(samples)}}, .fill = stack_fill, .is_hidden_if_empty = true,
};

static void on_cpu_print(const struct on_cpu *on_cpu, const struct output *to)
{
	say_to(to, NULL,
	       "{time} of running{text}[, seen in {count} sample{|s}|. In which functions is not "
	       "known: the recording has no profile (ftwait record --profile)].",
	       TIME(on_cpu->running), TEXT(question_scope(on_cpu->question)),
	       WHEN(on_cpu->question->timeline->sample_count, COUNT(on_cpu->samples)));
}

/* A flame graph: the task's name, the program's functions, the kernel's. */
static void on_cpu_show_paths(const struct on_cpu *on_cpu, const struct output *to)
{
	const struct timeline *timeline = on_cpu->question->timeline;
	struct flame_path path;

	flame_path_init(&path);
	output_paths_begin(to, "On-CPU: what tasks ran");
	TALLY_ROWS(&on_cpu->stacks, const struct sample_row, row) {
		const struct figures figures = {
			.total = row->time,
			.count = row->samples,
			.longest_at = NSEC_NEVER,
		};
		uint32_t name;

		flame_path_clear(&path);
		name = track_name(&timeline->track[row->key.track]);
		flame_path_add(&path, SHOWN_TASK, intern_text(&timeline->names, name));
		stack_path_outward(&path, SHOWN_USER, intern_text(&timeline->names, row->key.user));
		stack_path_outward(&path, SHOWN_KERNEL,
		                   intern_text(&timeline->names, row->key.frames));
		flame_path_show(&path, &figures, to);
	}
	output_paths_end(to);
	flame_path_release(&path);
}

static void on_cpu_release(struct on_cpu *on_cpu)
{
	relation_release(&on_cpu->tasks, &task_form);
	distribution_release(&on_cpu->runs);
	tally_release(&on_cpu->stacks);
	tally_release(&on_cpu->functions);
}

static void on_cpu_report(const void *state, const struct output *to)
{
	const struct question *question = ((const struct on_cpu *)state)->question;
	struct on_cpu on_cpu = *(const struct on_cpu *)state;

	on_cpu_fill(&on_cpu);
	output_section_begin(to, "on_cpu", "On-CPU", /* is_list= */ false);
	on_cpu_print(&on_cpu, to);
	if (to->presenter->paths)
		on_cpu_show_paths(&on_cpu, to);
	if (!to->presenter->is_of_paths) {
		relation_put(&on_cpu.tasks, &task_form, &on_cpu, question, to);
		relation_put(&on_cpu.functions, &function_form, &on_cpu, question, to);
		relation_put(&on_cpu.stacks, &stack_form, &on_cpu, question, to);
		if (question->asked->lengths.are_shown)
			histogram_show_of(&on_cpu.runs, "How long tasks stayed on a CPU", to);
	}
	output_section_end(to);
	on_cpu_release(&on_cpu);
}

const struct analysis on_cpu_analysis = {
	.name = "on-cpu",
	.about = "what tasks ran, by function (record --profile)",
	.heeds = HEEDS_TASKS | HEEDS_HISTOGRAM,
	.has_paths = true,
	.needs_history = true,
	.state_bytes = sizeof(struct on_cpu),
	.begin = on_cpu_begin,
	.on_interval = on_cpu_on_interval,
	.interval_kinds = CALL_INTERVALS,
	.resolve = interval_gate_resolve,
	.report = on_cpu_report,
	.end = on_cpu_end,
};
