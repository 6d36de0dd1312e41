/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes started which, what they executed, when they ended, the signals between them, and
 * what programs wrote into the trace. Births and ends are those of the tracks; threads are only
 * counted. A window contains the processes that lived in it, with the programs that they executed
 * in it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/death_words.h"
#include "analysis/mark_list.h"
#include "analysis/prose.h"
#include "arguments.h"
#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "graph/timeline_succession.h"
#include "signal_list.h"
#include "words/instant_words.h"

/* With this many the view takes some MB; further ones are only counted. */
#define EXECS_MAX (1u << 20)

struct exec {
	uint32_t track;    /* the last leader of the process, once the question is resolved */
	uint32_t by;       /* the track that executed it */
	uint32_t filename; /* id in names; 0: not known */
	nsec_t at;
};

/* One process, once the trace has ended: the track of its leader. If a thread executed a program,
   it took the leader's place; then the track is that of the last leader. */
struct process {
	uint32_t exec, execs;     /* index of its first program in `exec`, and number of its
	                             programs */
	uint32_t children, threads; /* number of children and threads that it started and that
	                               were seen */
	uint32_t first_child, next; /* next: the next child of the same parent; TRACK_NONE: none */
	bool is_listed;
	bool is_in_tree; /* the process or a descendant is worth a row */
};

struct processes_view {
	const struct question *question;
	struct exec *exec; /* in order of time; once the question is resolved, by track, then
	                      time */
	size_t exec_count, exec_capacity;
	uint64_t execs_left_out;
	struct signal_list signals;
	struct mark_list marks;
	struct process *process; /* by track; NULL before it is resolved */
	uint32_t first_root;
};

static void *processes_begin(const struct question *question)
{
	struct processes_view *view = xcalloc(1, sizeof(*view));

	view->question = question;
	signal_list_init(&view->signals, question);
	mark_list_init(&view->marks, question);
	return view;
}

static void processes_end(void *state)
{
	struct processes_view *view = state;

	free(view->exec);
	free(view->process);
	signal_list_release(&view->signals);
	mark_list_release(&view->marks);
	free(view);
}

static void processes_on_interval(void *state, const struct interval *interval)
{
	struct processes_view *view = state;

	if (interval->kind == INTERVAL_SIGNAL) {
		signal_list_add(&view->signals, interval);
		return;
	}
	if (interval->kind == INTERVAL_MARK) {
		mark_list_add(&view->marks, interval);
		return;
	}
	if (view->exec_count == EXECS_MAX) {
		view->execs_left_out++;
		return;
	}
	ARRAY_GROW(view->exec, view->exec_count, view->exec_capacity);
	view->exec[view->exec_count++] =
		(struct exec){interval->task, interval->task, interval->exec.filename,
	                      interval->begin};
}

static void processes_on_span(void *state, const struct span *span)
{
	struct processes_view *view = state;

	signal_list_note_span(&view->signals, span);
}

static int exec_compare(const void *a, const void *b)
{
	const struct exec *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static bool track_is_thread(const struct track *track)
{
	return (track->tgid >= 0 && track->tgid != track->tid) ||
	       track->succession.heir != TRACK_NONE;
}

/* Whether the track is a process that lived in the window. */
static bool processes_lists(const struct processes_view *view, uint32_t index)
{
	const struct timeline *timeline = view->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct track *first = &timeline->track[timeline_leader_at(timeline, index, 0)];

	return view->question->resolved->is_asked[index] && !track_is_thread(track) &&
	       first->begin <= view->question->resolved->end &&
	       (track->is_open || track->end >= view->question->resolved->begin);
}

static uint32_t last_leader(const struct timeline *timeline, uint32_t index)
{
	return index == TRACK_NONE ? index : timeline_leader_at(timeline, index, NSEC_NEVER);
}

static void processes_count_execs(struct processes_view *view)
{
	size_t kept = 0;

	for (size_t i = 0; i < view->exec_count; i++)
		if (question_contains(view->question, view->exec[i].at))
			view->exec[kept++] = view->exec[i];
	view->exec_count = kept;
	for (size_t i = 0; i < kept; i++)
		view->exec[i].track = last_leader(view->question->timeline, view->exec[i].by);
	if (kept)
		array_sort(view->exec, kept, sizeof(*view->exec), exec_compare);
	for (size_t i = kept; i-- > 0;) {
		struct process *process = &view->process[view->exec[i].track];

		process->exec = (uint32_t)i;
		process->execs++;
	}
}

/* The parent in the tree: the task that started the track; if that task is a thread, the first
   thread of its process, if that was seen. Of a leader that was replaced: the last one. */
static uint32_t track_parent(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];
	uint32_t parent = last_leader(timeline, track->succession.heir == TRACK_NONE ? track->parent
	                                                                            : index);
	uint32_t leader = parent;

	while (leader != TRACK_NONE && track_is_thread(&timeline->track[leader]))
		leader = last_leader(timeline, timeline->track[leader].parent);
	return leader == TRACK_NONE ? parent : leader;
}

/* Whether something that the process did is worth a row. */
static bool track_is_eventful(const struct processes_view *view, uint32_t index)
{
	const struct track *track = &view->question->timeline->track[index];

	return view->process[index].is_listed &&
	       (track->born != NSEC_NEVER || !track->is_open || view->process[index].execs);
}

/* Marks the process and all its ancestors. */
static void processes_mark(struct processes_view *view, uint32_t track)
{
	const struct timeline *timeline = view->question->timeline;

	for (track = last_leader(timeline, track);
	     track != TRACK_NONE && !view->process[track].is_in_tree;
	     track = track_parent(timeline, track))
		view->process[track].is_in_tree = true;
}

static void processes_mark_all(struct processes_view *view)
{
	const struct signal_list *signals = &view->signals;

	for (uint32_t i = 0; i < view->question->timeline->track_count; i++)
		if (track_is_eventful(view, i))
			processes_mark(view, i);
	for (size_t i = 0; i < signals->count; i++) {
		const struct sent_signal *signal = &signals->signal[i];

		if (!signal_is_asked(signals, signal) || signal_is_of_child(signals, signal))
			continue;
		processes_mark(view, signal->to);
		processes_mark(view, signal->from);
	}
}

static void processes_resolve(void *state)
{
	struct processes_view *view = state;
	const struct timeline *timeline = view->question->timeline;

	view->process = xcalloc(timeline->track_count, sizeof(*view->process));
	processes_count_execs(view);
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		uint32_t parent = track_parent(timeline, i);

		view->process[i].first_child = view->process[i].next = TRACK_NONE;
		view->process[i].is_listed = processes_lists(view, i);
		if (parent == TRACK_NONE)
			continue;
		if (track_is_thread(&timeline->track[i]))
			view->process[parent].threads++;
		else
			view->process[parent].children++;
	}
	processes_mark_all(view);
	/* from the last track to the first, so that each list of children is in order of
	   appearance */
	view->first_root = TRACK_NONE;
	for (uint32_t i = (uint32_t)timeline->track_count; i-- > 0;) {
		uint32_t parent = track_parent(timeline, i);
		uint32_t *first = parent == TRACK_NONE ? &view->first_root
		                                       : &view->process[parent].first_child;

		if (!view->process[i].is_in_tree)
			continue;
		view->process[i].next = *first;
		*first = i;
	}
}

enum process_column {
	COLUMN_TASK,
	COLUMN_PARENT,
	COLUMN_BEGIN,
	COLUMN_END,
	COLUMN_CHILDREN,
	COLUMN_THREADS,
	COLUMN_EXECS,
	COLUMN_STATUS,
	COLUMN_KILLED_BY,
	COLUMN_OOM,
	COLUMN_ARGUMENTS,
	COLUMN_LIVED,
	COLUMN_DIED_OF,
	COLUMN_DEPTH_OF,
	COLUMN_NAME,
	COLUMNS,
};

static const struct column columns[2][COLUMNS] = {
	{
		[COLUMN_TASK] = {"task", NULL, CELL_TASK, COLUMN_DATA_ONLY},
		[COLUMN_PARENT] = {"parent", NULL, CELL_INTEGER, COLUMN_DATA_ONLY},
		[COLUMN_BEGIN] = {"begin_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
		[COLUMN_END] = {"end_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY},
		[COLUMN_CHILDREN] = {"children", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
		[COLUMN_THREADS] = {"threads", NULL, CELL_COUNT, COLUMN_DATA_ONLY},
		[COLUMN_EXECS] = {"execs", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
		[COLUMN_STATUS] = {"exit_status", NULL, CELL_INTEGER, COLUMN_DATA_ONLY},
		[COLUMN_KILLED_BY] = {"killed_by", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
		[COLUMN_OOM] = {"oom", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
		[COLUMN_ARGUMENTS] = {"arguments", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
	},
	{
		[COLUMN_TASK] = {NULL, NULL, CELL_TASK, COLUMN_TEXT_ONLY},
		[COLUMN_PARENT] = {NULL, NULL, CELL_INTEGER, COLUMN_TEXT_ONLY},
		[COLUMN_BEGIN] = {NULL, "BEGIN", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2)},
		[COLUMN_END] = {NULL, "END", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(4)},
		[COLUMN_LIVED] = {NULL, "LIVED", CELL_DURATION,
		                  COLUMN_TEXT_ONLY | COLUMN_USEFUL(1)},
		[COLUMN_CHILDREN] = {NULL, "FORKS", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(2)},
		[COLUMN_THREADS] = {NULL, "THREADS", CELL_COUNT,
		                    COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
		[COLUMN_STATUS] = {NULL, NULL, CELL_INTEGER, COLUMN_TEXT_ONLY},
		[COLUMN_KILLED_BY] = {NULL, NULL, CELL_TEXT, COLUMN_TEXT_ONLY},
		[COLUMN_OOM] = {NULL, NULL, CELL_BOOL, COLUMN_TEXT_ONLY},
		[COLUMN_ARGUMENTS] = {NULL, NULL, CELL_ROWS, COLUMN_TEXT_ONLY},
		[COLUMN_DIED_OF] = {NULL, "DIED OF", CELL_TEXT,
		                    COLUMN_TEXT_ONLY | COLUMN_USEFUL(3)},
		[COLUMN_EXECS] = {NULL, "EXECUTED", CELL_ROWS, COLUMN_TEXT_ONLY},
		[COLUMN_DEPTH_OF] = {NULL, NULL, CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_DEPTH},
		[COLUMN_NAME] = {NULL, "PROCESS", CELL_TASK, COLUMN_TEXT_ONLY},
	},
};

enum exec_column {
	EXEC_AT,
	EXEC_FILENAME,
	EXEC_ARGUMENTS,
	EXEC_LINE,
	EXEC_COLUMNS,
};

static const struct column exec_columns[EXEC_COLUMNS] = {
	[EXEC_AT] = {"at_ns", "AT", CELL_INSTANT, COLUMN_DATA_ONLY},
	[EXEC_FILENAME] = {"filename", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	[EXEC_ARGUMENTS] = {"arguments", NULL, CELL_ROWS, COLUMN_DATA_ONLY | COLUMN_DETAIL},
	[EXEC_LINE] = {NULL, "EXECUTED", CELL_TEXT, COLUMN_TEXT_ONLY},
};

/* What the cells of a process's programs point to. */
struct exec_texts {
	struct arguments *arguments; /* one for each program */
	struct buffer *line;         /* the same */
	struct cell *cell;           /* EXEC_COLUMNS for each */
	size_t count;
};

static void exec_texts_release(struct exec_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		arguments_release(&texts->arguments[i]);
		buffer_release(&texts->line[i]);
	}
	free(texts->arguments);
	free(texts->line);
	free(texts->cell);
}

/* Takes a program. `text`: its command line; `filename`: both "" if not known. */
static void exec_texts_add(struct exec_texts *texts, nsec_t at, const char *filename,
                           const char *text)
{
	struct arguments *arguments = &texts->arguments[texts->count];
	struct buffer *line = &texts->line[texts->count];
	struct cell *cell = &texts->cell[EXEC_COLUMNS * texts->count++];

	arguments_read(arguments, text);
	buffer_init(line, BUFFER_LIMIT_DEFAULT);
	if (*text)
		arguments_append(line, text);
	else
		buffer_puts(line, filename);
	cell[EXEC_AT] = (struct cell){.type = CELL_INSTANT, .time = at};
	cell[EXEC_FILENAME] = (struct cell){.type = CELL_TEXT, .text = *filename ? filename : NULL};
	cell[EXEC_ARGUMENTS] = arguments_cell(arguments);
	cell[EXEC_LINE] = (struct cell){.type = CELL_TEXT,
	                                .text = line->length ? line->text : NULL};
}

/* People see also what the process executed before the trace, if that is known. */
static struct cell execs_cell(const struct processes_view *view, uint32_t index, bool is_text,
                              struct exec_texts *ret)
{
	const struct timeline *timeline = view->question->timeline;
	const struct process *process = &view->process[index];
	size_t room = process->execs + 1;

	*ret = (struct exec_texts){
		.arguments = xcalloc(room, sizeof(*ret->arguments)),
		.line = xcalloc(room, sizeof(*ret->line)),
		.cell = xcalloc(room * EXEC_COLUMNS, sizeof(*ret->cell)),
	};
	for (uint32_t i = 0; i < process->execs; i++) {
		const struct exec *exec = &view->exec[process->exec + i];
		uint32_t text = timeline_program_at(timeline, exec->by, exec->at);

		exec_texts_add(ret, exec->at, intern_text(&timeline->names, exec->filename),
		               intern_text(&timeline->names, text));
	}
	if (is_text && process->execs == 0 && timeline->track[index].born == NSEC_NEVER) {
		uint32_t text = timeline_program_at(timeline, index, NSEC_NEVER);

		if (text)
			exec_texts_add(ret, NSEC_NEVER, "", intern_text(&timeline->names, text));
	}
	return (struct cell){
		.type = CELL_ROWS,
		.rows = {exec_columns, EXEC_COLUMNS, ret->cell, ret->count},
	};
}

/* `words` must live as long as the cells. */
static void process_fill_death(const struct timeline *timeline, const struct track *track,
                               struct cell *cell, struct buffer *words)
{
	const struct track_death *death = track_death_of(track);
	bool is_status = death && death->kind == DEATH_STATUS;

	cell[COLUMN_STATUS].type = cell[COLUMN_KILLED_BY].type = cell[COLUMN_DIED_OF].type =
		CELL_EMPTY;
	cell[COLUMN_OOM].boolean = death && death->is_oom;
	if (!death)
		return;
	death_append(words, timeline, death);
	cell[COLUMN_DIED_OF] = (struct cell){.type = CELL_TEXT, .text = words->text};
	if (is_status)
		cell[COLUMN_STATUS] =
			(struct cell){.type = CELL_INTEGER, .integer = death->number};
	else
		cell[COLUMN_KILLED_BY] = (struct cell){
			.type = CELL_TEXT,
			.text = death->name ? intern_text(&timeline->names, death->name)
		                            : words->text,
		};
}

static void process_row(const struct processes_view *view, uint32_t index, unsigned depth,
                        bool is_text, const struct output *to)
{
	const struct timeline *timeline = view->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct process *process = &view->process[index];
	uint32_t parent = track_parent(timeline, index);
	nsec_t died = track->is_open ? NSEC_NEVER : track->end; /* NSEC_NEVER: it outlives the
	                                                           trace */
	struct cell cell[COLUMNS];
	struct arguments arguments;
	struct exec_texts execs;
	struct buffer died_of;

	for (size_t i = 0; i < COLUMNS; i++)
		cell[i].type = columns[1][i].type;
	cell[COLUMN_TASK].task = cell[COLUMN_NAME].task =
		timeline_task(timeline, index, NSEC_NEVER);
	cell[COLUMN_PARENT] = (struct cell){.type = CELL_EMPTY};
	if (parent != TRACK_NONE)
		cell[COLUMN_PARENT] = (struct cell){.type = CELL_INTEGER,
		                                    .integer = timeline->track[parent].tid};
	cell[COLUMN_BEGIN].time = track->born;
	cell[COLUMN_END].time = died;
	cell[COLUMN_LIVED].time =
		track->born == NSEC_NEVER || died == NSEC_NEVER ? NSEC_NEVER : died - track->born;
	cell[COLUMN_CHILDREN].count = process->children;
	cell[COLUMN_THREADS].count = process->threads;
	cell[COLUMN_DEPTH_OF].count = depth;
	cell[COLUMN_EXECS] = execs_cell(view, index, is_text, &execs);
	arguments_read(&arguments, intern_text(&timeline->names,
	                                       timeline_program_at(timeline, index, NSEC_NEVER)));
	cell[COLUMN_ARGUMENTS] = arguments_cell(&arguments);
	buffer_init(&died_of, BUFFER_LIMIT_DEFAULT);
	process_fill_death(timeline, track, cell, &died_of);
	output_row(to, cell);
	buffer_release(&died_of);
	arguments_release(&arguments);
	exec_texts_release(&execs);
}

/* Parents come before their children; siblings are in order of appearance. */
static void processes_show_tree(const struct processes_view *view, const struct output *to)
{
	const struct timeline *timeline = view->question->timeline;
	uint32_t at = view->first_root;
	unsigned depth = 0;

	output_table_begin(to, NULL, "Processes that began, ended, executed or were signalled",
	                   columns[1], COLUMNS, /* is_single= */ false);
	while (at != TRACK_NONE) {
		uint32_t next = view->process[at].first_child;

		process_row(view, at, depth, /* is_text= */ true, to);
		depth++;
		while (next == TRACK_NONE && at != TRACK_NONE) {
			next = view->process[at].next;
			at = track_parent(timeline, at);
			depth--;
		}
		at = next;
	}
	output_table_end(to);
}

static void processes_show_data(const struct processes_view *view, const struct output *to)
{
	output_table_begin(to, "processes", NULL, columns[0], COLUMNS,
	                   /* is_single= */ false);
	for (uint32_t i = 0; i < view->question->timeline->track_count; i++)
		if (view->process[i].is_listed)
			process_row(view, i, 0, /* is_text= */ false, to);
	output_table_end(to);
}

/* The last signal right after which a task ended. */
static const struct sent_signal *processes_find_kill(const struct processes_view *view)
{
	const struct signal_list *signals = &view->signals;
	const struct sent_signal *kill = NULL;

	for (size_t i = 0; i < signals->count; i++) {
		const struct sent_signal *signal = &signals->signal[i];
		const char *name = intern_text(&view->question->timeline->names, signal->name);

		if (signal->name && strcmp(name, "SIGKILL") == 0 && signal->result == 0 &&
		    signal_is_asked(signals, signal) &&
		    signal_target_end(signals, signal) != NSEC_NEVER)
			kill = signal;
	}
	return kill;
}

static void kill_append(struct buffer *to, const struct processes_view *view,
                        const struct sent_signal *kill)
{
	const struct timeline *timeline = view->question->timeline;

	buffer_puts(to, " Killed last: ");
	prose_task_append(to, timeline, kill->to);
	buffer_puts(to, " by ");
	if (signal_is_oom(&view->signals, kill))
		buffer_puts(to, "the OOM killer");
	else if (kill->from == TRACK_NONE)
		buffer_puts(to, "the kernel");
	else
		prose_task_append(to, timeline, kill->from);
	buffer_printf(to, " at %s.", INSTANT_OF(&view->question->instants, kill->at));
}

/* How many of the process's programs have a known command line. */
static uint64_t process_count_known(const struct processes_view *view, uint32_t index)
{
	const struct process *process = &view->process[index];
	uint64_t known = 0;

	for (uint32_t i = 0; i < process->execs; i++)
		known += timeline_program_at(view->question->timeline,
		                             view->exec[process->exec + i].by,
		                             view->exec[process->exec + i].at) != 0;
	return known;
}

static void processes_print(const struct processes_view *view, const struct output *to)
{
	const struct question *question = view->question;
	const struct sent_signal *kill = processes_find_kill(view);
	_cleanup_(buffer_release) struct buffer text;
	uint64_t seen = 0, begun = 0, ended = 0, execs = 0, known = 0;

	for (uint32_t i = 0; i < question->timeline->track_count; i++) {
		const struct track *track = &question->timeline->track[i];

		if (!view->process[i].is_listed)
			continue;
		seen++;
		begun += track->born != NSEC_NEVER && question_contains(question, track->born);
		execs += view->process[i].execs;
		known += process_count_known(view, i);
		ended += !track->is_open && question_contains(question, track->end);
	}
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&text, "%s process%s seen", COUNT_TEXT(seen),
	              seen == 1 ? "" : "es");
	buffer_printf(&text, ": %s began", COUNT_TEXT(begun));
	buffer_printf(&text, ", %s ended", COUNT_TEXT(ended));
	buffer_printf(&text, ", %s program%s executed", COUNT_TEXT(execs),
	              format_plural(execs));
	if (!program_log_is_empty(&question->timeline->programs) && known < execs)
		buffer_printf(&text, ", the arguments of %s of them are known", COUNT_TEXT(known));
	buffer_putc(&text, '.');
	if (kill)
		kill_append(&text, view, kill);
	prose_put(to, text.text);
}

extern const struct analysis processes_analysis;

static void processes_report(const void *state, const struct output *to)
{
	const struct processes_view *view = state;

	if (view->execs_left_out)
		health_doubt(view->question->health,
		             "more than %u programs executed: the last %" PRIu64 " are left out",
		             EXECS_MAX, view->execs_left_out);
	output_section_begin(to, "processes", "Processes", /* is_list= */ false);
	if (!analysis_print_lack(&processes_analysis, view->question, to))
		processes_print(view, to);
	processes_show_data(view, to);
	processes_show_tree(view, to);
	signal_list_report(&view->signals, to);
	mark_list_report(&view->marks, to);
	output_section_end(to);
}

const struct analysis processes_analysis = {
	.name = "processes",
	.about = "starts, programs, ends, signals, and marks",
	.heeds = HEEDS_TASKS,
	.needs = EVENT_LIST(EVENT_PROCESS_FORK, EVENT_NEWTASK, EVENT_SCHED_WAKEUP_NEW,
	                    EVENT_PROCESS_EXEC, EVENT_PROCESS_EXIT, EVENT_SIGNAL_GENERATE,
	                    EVENT_MARK, EVENT_MARK_RAW),
	.groups = "sched,signal",
	.begin = processes_begin,
	.on_span = processes_on_span,
	.on_interval = processes_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXEC) | INTERVAL_MASK(INTERVAL_SIGNAL) |
	                  INTERVAL_MASK(INTERVAL_MARK),
	.resolve = processes_resolve,
	.report = processes_report,
	.end = processes_end,
};
