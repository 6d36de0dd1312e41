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
#include "analysis/mark_list.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/say.h"
#include "signal_list.h"
#include "words/command_line.h"
#include "words/time_scale.h"

/* Command lines of words/command_line.h as cells. */

/* The words of a command line, as a program got them; "..." stands for what is left out. */
struct arguments {
	struct cell *cell;
	size_t count;
	char *bytes; /* of the words */
};

#define LINE_COLUMNS 60
#define CUT          "..."

static const struct column word_columns[] = {
	{NULL, NULL, CELL_TEXT, 0},
};

static size_t words_count(const char *text)
{
	size_t count = *text != '\0';

	for (; *text; text++)
		count += *text == ' ';
	return count;
}

/* `text` "": not known. */
static void arguments_read(struct arguments *arguments, const char *text)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	size_t count = words_count(text), at = 0;
	bool is_cut;

	*arguments = (struct arguments){0};
	if (count == 0)
		return;
	arguments->cell = xcalloc(count, sizeof(*arguments->cell));
	arguments->bytes = xmalloc(strlen(text) + 1); /* no word is longer than its text */
	while (command_line_next(&text, &word, &is_cut)) {
		if (is_cut)
			buffer_puts(&word, CUT);
		memcpy(arguments->bytes + at, word.text, word.length + 1);
		arguments->cell[arguments->count++] = (struct cell){
			.type = CELL_TEXT,
			.text = arguments->bytes + at,
		};
		at += word.length + 1;
	}
}

static void arguments_release(struct arguments *arguments)
{
	free(arguments->cell);
	free(arguments->bytes);
}

/* A list of the words, valid as long as the arguments; an empty cell if they are not known. */
static struct cell arguments_cell(const struct arguments *arguments)
{
	if (arguments->count == 0)
		return (struct cell){.type = CELL_EMPTY};
	return (struct cell){
		.type = CELL_ROWS,
		.rows = {word_columns, 1, arguments->cell, arguments->count},
	};
}

/* Appends a command line for people, of limited length. */
static void arguments_append(struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	command_line_append(&line, text);
	buffer_cut_columns(&line, LINE_COLUMNS, CUT);
	buffer_append(to, line.text, line.length);
}

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

static void processes_begin(void *state)
{
	struct processes_view *view = state;

	signal_list_init(&view->signals, view->question);
	mark_list_init(&view->marks, view->question);
}

static void processes_end(void *state)
{
	struct processes_view *view = state;

	free(view->exec);
	free(view->process);
	signal_list_release(&view->signals);
	mark_list_release(&view->marks);
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
	ARRAY_ADD(view->exec, view->exec_count, view->exec_capacity) =
		(struct exec){interval->task, interval->task, interval->exec.filename,
	                      interval->begin};
}

static void processes_on_span(void *state, const struct span *span)
{
	struct processes_view *view = state;

	signal_list_note_span(&view->signals, span);
}

ORDER_FUNCTION(exec_compare, struct exec, RISING(x, y, track), RISING(x, y, at))

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
	EACH_OF(signals->signal, signals->count, const struct sent_signal, signal) {
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

/* A process as it is shown. */
struct process_row {
	uint32_t track;
	uint32_t depth;           /* in the tree that text shows */
	nsec_t born, died, lived; /* NSEC_NEVER: not in the trace */
	uint64_t children, threads;
};

#define AT(member) RELATION_AT(struct process_row, member)

enum {
	COLUMN_PARENT = 1,
	COLUMN_EXECS = 6,
	COLUMN_STATUS,
	COLUMN_KILLED_BY,
	COLUMN_OOM,
	COLUMN_ARGUMENTS,
	COLUMN_DIED_OF = 12,
};

static const struct field fields[] = {
	{"task", NULL, CELL_TASK, 0, AT(track)},
	[COLUMN_PARENT] = {"parent", NULL, CELL_INTEGER, 0, FILLED},
	{"begin_ns", "BEGIN", CELL_INSTANT, COLUMN_USEFUL(2), AT(born)},
	{"end_ns", "END", CELL_INSTANT, COLUMN_SPARE(4), AT(died)},
	{"children", "FORKS", CELL_COUNT, COLUMN_SPARE(2), AT(children)},
	{"threads", "THREADS", CELL_COUNT, COLUMN_SPARE(1), AT(threads)},
	[COLUMN_EXECS] = {"execs", "EXECUTED", CELL_ROWS, 0, FILLED},
	[COLUMN_STATUS] = {"exit_status", NULL, CELL_INTEGER, 0, FILLED},
	[COLUMN_KILLED_BY] = {"killed_by", NULL, CELL_TEXT, 0, FILLED},
	[COLUMN_OOM] = {"oom", NULL, CELL_BOOL, 0, FILLED},
	[COLUMN_ARGUMENTS] = {"arguments", NULL, CELL_ROWS, 0, FILLED},
	{NULL, "LIVED", CELL_DURATION, COLUMN_USEFUL(1), AT(lived)},
	[COLUMN_DIED_OF] = {NULL, "DIED OF", CELL_TEXT, COLUMN_USEFUL(3), FILLED},
	{NULL, NULL, CELL_COUNT, COLUMN_DEPTH, AT(depth)},
	{NULL, "PROCESS", CELL_TASK, 0, AT(track)},
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
	struct cell *cell;           /* EXEC_COLUMNS for each; NULL once the table has them */
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

/* The processes while they are shown, with what the cells of the current row point to. */
struct shown_processes {
	const struct processes_view *view;
	bool is_text;
	struct process_parts {
		struct exec_texts execs;
		struct arguments arguments;
	} *parts;
};

static void parts_release(struct process_parts *parts)
{
	exec_texts_release(&parts->execs);
	arguments_release(&parts->arguments);
	*parts = (struct process_parts){0};
}

static void death_fill(const struct timeline *timeline, const struct track *track,
                       struct cell *cell, struct buffer *text)
{
	const struct track_death *death = track_death_of(track);
	bool is_status = death && death->kind == DEATH_STATUS;

	cell[COLUMN_OOM].boolean = death && death->is_oom;
	if (is_status)
		cell[COLUMN_STATUS].integer = death->number;
	else
		cell[COLUMN_STATUS].type = CELL_EMPTY;
	if (!death || is_status)
		cell[COLUMN_KILLED_BY].type = CELL_EMPTY;
	if (!death) {
		cell[COLUMN_DIED_OF].type = CELL_EMPTY;
		return;
	}
	death_append(&text[COLUMN_DIED_OF], timeline, death);
	cell[COLUMN_KILLED_BY].text = death->name ? intern_text(&timeline->names, death->name)
	                                          : text[COLUMN_DIED_OF].text;
}

static void process_fill(const void *of_shown, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct shown_processes *shown = of_shown;
	const struct timeline *timeline = shown->view->question->timeline;
	struct process_parts *parts = shown->parts;
	uint32_t track = ((const struct process_row *)of)->track;
	uint32_t parent = track_parent(timeline, track);

	parts_release(parts);
	if (parent == TRACK_NONE)
		cell[COLUMN_PARENT].type = CELL_EMPTY;
	else
		cell[COLUMN_PARENT].integer = timeline->track[parent].tid;
	cell[COLUMN_EXECS] = execs_cell(shown->view, track, shown->is_text, &parts->execs);
	arguments_read(&parts->arguments,
	               intern_text(&timeline->names,
	                           timeline_program_at(timeline, track, NSEC_NEVER)));
	cell[COLUMN_ARGUMENTS] = arguments_cell(&parts->arguments);
	/* the table frees these */
	parts->execs.cell = parts->arguments.cell = NULL;
	death_fill(timeline, &timeline->track[track], cell, text);
}

static const struct relation_form data_form = {
	"processes", NULL, fields, ARRAY_SIZE(fields),
	.next = "--summary --tid {task}",
	.fill = process_fill,
	.flags = COLUMN_DATA_ONLY,
};

static const struct relation_form text_form = {
	NULL, "Processes that began, ended, executed or were signalled", fields,
	ARRAY_SIZE(fields),
	.next = "--summary --tid {task}",
	.fill = process_fill, .flags = COLUMN_TEXT_ONLY,
};

static void process_show(const struct processes_view *view, uint32_t index, unsigned depth,
                         struct relation_table *table)
{
	const struct track *track = &view->question->timeline->track[index];
	const struct process *process = &view->process[index];
	nsec_t died = track->is_open ? NSEC_NEVER : track->end;

	relation_table_row(table, &(struct process_row){
					  .track = index,
					  .depth = depth,
					  .born = track->born,
					  .died = died,
					  .lived = track->born == NSEC_NEVER || died == NSEC_NEVER
	                                                   ? NSEC_NEVER
	                                                   : died - track->born,
					  .children = process->children,
					  .threads = process->threads,
				  });
}

/* Parents come before their children; siblings are in order of appearance. */
static void processes_show_tree(const struct processes_view *view, struct relation_table *table)
{
	const struct timeline *timeline = view->question->timeline;
	uint32_t at = view->first_root;
	unsigned depth = 0;

	while (at != TRACK_NONE) {
		uint32_t next = view->process[at].first_child;

		process_show(view, at, depth, table);
		depth++;
		while (next == TRACK_NONE && at != TRACK_NONE) {
			next = view->process[at].next;
			at = track_parent(timeline, at);
			depth--;
		}
		at = next;
	}
}

static void processes_show(const struct processes_view *view, bool is_text, const struct output *to)
{
	struct process_parts parts = {0};
	const struct shown_processes shown = {view, is_text, &parts};
	struct relation_table *table = relation_table_begin(is_text ? &text_form : &data_form,
	                                                    &shown, view->question, to);

	if (is_text)
		processes_show_tree(view, table);
	for (uint32_t i = 0; !is_text && i < view->question->timeline->track_count; i++)
		if (view->process[i].is_listed)
			process_show(view, i, 0, table);
	relation_table_end(table);
	parts_release(&parts);
}

/* The last signal right after which a task ended. */
static const struct sent_signal *processes_find_kill(const struct processes_view *view)
{
	const struct signal_list *signals = &view->signals;
	const struct sent_signal *kill = NULL;

	EACH_OF(signals->signal, signals->count, const struct sent_signal, signal) {
		const char *name = intern_text(&view->question->timeline->names, signal->name);

		if (signal->name && strcmp(name, "SIGKILL") == 0 && signal->result == 0 &&
		    signal_is_asked(signals, signal) &&
		    signal_target_end(signals, signal) != NSEC_NEVER)
			kill = signal;
	}
	return kill;
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
	bool has_lines = !program_log_is_empty(&question->timeline->programs);
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
	say_to(to, question->timeline,
	       "{count} process{|es} seen: {count} began, {count} ended, {count} program{|s} "
	       "executed[, the arguments of {count} of them are known].[ Killed last: {task} by "
	       "[{if}the OOM killer|{task}|the kernel] at {instant}.]",
	       COUNT(seen), COUNT(begun), COUNT(ended), COUNT(execs),
	       WHEN(has_lines && known < execs, COUNT(known)), WHEN(kill, TASK(kill->to)),
	       IF(kill && signal_is_oom(&view->signals, kill)),
	       WHEN(kill, TASK(kill->from)),
	       WHEN(kill, INSTANT(&question->instants, kill->at)));
}

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
	processes_show(view, /* is_text= */ false, to);
	processes_show(view, /* is_text= */ true, to);
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
	.state_bytes = sizeof(struct processes_view),
	.begin = processes_begin,
	.on_span = processes_on_span,
	.on_interval = processes_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_EXEC) | INTERVAL_MASK(INTERVAL_SIGNAL) |
	                  INTERVAL_MASK(INTERVAL_MARK),
	.resolve = processes_resolve,
	.report = processes_report,
	.end = processes_end,
};
