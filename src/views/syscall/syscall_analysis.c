/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls: how often a task made each, how long they took, their errors, and what their time
 * was spent on. Calls that had not returned at the end of the trace are listed apart. A window
 * contains the calls that began in it, as a whole.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/distribution.h"
#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "slowest_calls.h"
#include "syscall_calls.h"
#include "views/costs.h"
#include "words/kernel/kernel_numbers.h"

/* System calls summed up further: by call, by process, and by error. */

/* The calls of one name, or of one process. */
struct call_sum {
	struct call_sum_key {
		uint32_t of; /* name id of the call; id of the process */
		uint32_t machine;
	} key;
	uint32_t track; /* of a process: its main thread, else its first thread that was seen */
	struct distribution latency;
	uint64_t tasks, failed, bytes;
	bool moves_bytes; /* it has calls that may move bytes */
	nsec_t running, runnable;
	nsec_t by_kind[CAUSE_KIND_COUNT];
};

/* The errors of one number that calls of one name returned. */
struct error_sum {
	struct error_key {
		uint32_t name; /* id */
		uint32_t number, machine;
	} key;
	uint64_t count;
	uint64_t of; /* calls of that name */
	uint32_t most; /* track of the task that got most of them */
	uint64_t most_count;
};

#define SUM_AT(member) RELATION_AT(struct call_sum, member)

enum {
	SUM_BYTES = 7, /* in both tables */
	SUM_SIZE = 8,
};

static void sum_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct call_sum *sum = of;

	(void)view;
	if (sum->moves_bytes) {
		cell[SUM_BYTES].count = sum->bytes;
		buffer_puts(&text[SUM_SIZE], SIZE_TEXT(sum->bytes));
	} else {
		cell[SUM_BYTES].type = CELL_EMPTY;
		buffer_putc(&text[SUM_SIZE], '-');
	}
}

#define SUM_FIELDS                                                                                 \
	{"tasks", "TASKS", CELL_COUNT, COLUMN_SPARE(2), SUM_AT(tasks)},                            \
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, SUM_AT(latency.total)},             \
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_SPARE(7), SUM_AT(latency)},       \
	{"failed", "FAILED", CELL_COUNT, COLUMN_USEFUL(1), SUM_AT(failed)},                        \
	[SUM_BYTES] = {"bytes", NULL, CELL_COUNT, 0, FILLED},                             \
	[SUM_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2),                \
	              FILLED},                                                            \
	{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4), SUM_AT(running)},                \
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6), SUM_AT(runnable)},             \
	{"waiting_ns", "WAITING", CELL_BY_KIND, 0, SUM_AT(by_kind)}

static const struct field by_call_fields[] = {
	{MACHINE_COLUMN, SUM_AT(key.machine)},
	{"name", "CALL", CELL_TEXT, 0, SUM_AT(key.of)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY, SUM_AT(latency.count)},
	SUM_FIELDS,
};

static const struct field by_process_fields[] = {
	{"machine", NULL, CELL_MACHINE, 0, SUM_AT(key.machine)}, /* as of PROCESS */ {"process",
	 "PROCESS", CELL_TASK, 0, SUM_AT(track)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY, SUM_AT(latency.count)},
	SUM_FIELDS,
};

static const struct relation_form by_call_form = {
	"by_call", "Calls of all tasks, by their time", FIELDS(by_call_fields),
	.next = "--syscall={name}",
	.order = {{SUM_AT(latency.total)}, {SUM_AT(latency.count)}}, .fill = sum_fill,
	.is_hidden_if_empty = true,
};

static const struct relation_form by_process_form = {
	"by_process", "Processes, by the time of their calls", FIELDS(by_process_fields),
	.next = "--syscall --pid {process}",
	.order = {{SUM_AT(latency.total)}, {SUM_AT(latency.count)}}, .fill = sum_fill,
	.is_hidden_if_empty = true,
};

static void sum_add(struct call_sum *sum, const struct call_row *row)
{
	distribution_merge(&sum->latency, &row->latency);
	sum->failed += row->errors;
	sum->running += row->running;
	sum->runnable += row->runnable;
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		sum->by_kind[kind] += row->by_kind[kind];
	if (row->moves_bytes) {
		sum->moves_bytes = true;
		sum->bytes += row->moved;
	}
}

static void by_call_sum(const struct relation_rows *rows, const struct question *question,
                        struct tally *sums)
{
	tally_init(sums, sizeof(struct call_sum), sizeof(struct call_sum_key), TALLY_NO_LIMIT);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];
		const struct call_sum_key key = {
			row->name, question->timeline->track[row->key.track].host};
		struct call_sum *sum = tally_row(sums, &key);

		sum_add(sum, row);
		sum->tasks++; /* each row is of another task */
	}
}

static struct call_sum_key track_process(const struct timeline *timeline, uint32_t track)
{
	const struct track *of = &timeline->track[track];

	return (struct call_sum_key){(uint32_t)track_process_id(of), of->host};
}

static void by_process_put(const struct relation_rows *rows, const struct question *question,
                           const struct output *to)
{
	const struct timeline *timeline = question->timeline;
	struct tally sums;
	struct map seen; /* tracks */

	map_init(&seen);
	tally_init(&sums, sizeof(struct call_sum), sizeof(struct call_sum_key), TALLY_NO_LIMIT);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];
		uint32_t track = row->key.track;
		const struct call_sum_key process = track_process(timeline, track);
		struct call_sum *sum = tally_row(&sums, &process);

		if (sum->latency.count == 0 ||
		    timeline->track[track].tid == timeline->track[track].tgid)
			sum->track = track;
		sum_add(sum, row);
		if (map_get(&seen, track) == MAP_NONE) {
			map_put(&seen, track, 1);
			sum->tasks++;
		}
	}
	relation_put(&sums, &by_process_form, NULL, question, to);
	relation_release(&sums, &by_process_form);
	map_release(&seen);
}

#undef SUM_AT
#define SUM_AT(member) RELATION_AT(struct error_sum, member)

enum {
	ERROR_NAME = 2,
	ERROR_SHARE = 5,
};

static const struct field error_fields[] = {
	{MACHINE_COLUMN, SUM_AT(key.machine)},
	{"name", "CALL", CELL_TEXT, 0, SUM_AT(key.name)},
	[ERROR_NAME] = {"error", "ERROR", CELL_TEXT, 0, FILLED},
	{"errno", "ERRNO", CELL_COUNT, COLUMN_NUMBER | COLUMN_SPARE(1), SUM_AT(key.number)},
	{"count", "COUNT", CELL_COUNT, 0, SUM_AT(count)},
	[ERROR_SHARE] = {"share", "OF CALLS", CELL_RATIO, COLUMN_SPARE(2), FILLED},
	{"task", "MOST BY", CELL_TASK, COLUMN_USEFUL(1), SUM_AT(most)},
	{"task_count", "TIMES", CELL_COUNT, COLUMN_SPARE(3), SUM_AT(most_count)},
};

static void error_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = view;
	const struct error_sum *sum = of;

	call_error_append(&text[ERROR_NAME], errno_names_of(track_arch(question, sum->most)),
	                  -(int64_t)sum->key.number);
	cell[ERROR_SHARE].ratio = (double)sum->count / (double)sum->of;
}

static const struct relation_form error_form = {
	"errors", "Errors, the most frequent first", FIELDS(error_fields),
	.next = "--syscall={name} --tid {task}",
	.order = {{SUM_AT(count)}}, .fill = error_fill, .is_hidden_if_empty = true,
};

/* `by_call` has the sums of the same rows by name. */
static void errors_put(const struct relation_rows *rows, struct tally *by_call,
                       const struct question *question, const struct output *to)
{
	struct tally sums;
	tally_init(&sums, sizeof(struct error_sum), sizeof(struct error_key), TALLY_NO_LIMIT);
	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];

		for (size_t at = 0; at < row->error_count; at++) {
			const struct error_key key = {
				.name = row->name,
				.number = (uint32_t)-row->error[at].number,
				.machine = question->timeline->track[row->key.track].host,
			};
			struct error_sum *sum = tally_row(&sums, &key);

			sum->count += row->error[at].count;
			if (row->error[at].count > sum->most_count) {
				sum->most_count = row->error[at].count;
				sum->most = row->key.track;
			}
		}
	}
	for (size_t at = 0; at < sums.count; at++) {
		struct error_sum *sum = tally_at(&sums, at);
		const struct call_sum_key key = {sum->key.name, sum->key.machine};
		const struct call_sum *of = tally_row(by_call, &key);

		sum->of = of->latency.count;
	}
	relation_put(&sums, &error_form, question, question, to);
	tally_release(&sums);
}

/* Shows the three tables. `rows`: of struct call_row, those that are asked for; resolved. */
static void call_tables_put(const struct relation_rows *rows, const struct question *question,
                            const struct output *to)
{
	struct tally by_call;

	by_call_sum(rows, question, &by_call);
	relation_put(&by_call, &by_call_form, NULL, question, to);
	by_process_put(rows, question, to);
	errors_put(rows, &by_call, question, to);
	relation_release(&by_call, &by_call_form);
}

#define KEPT_CHUNK 256

/* The waiting time, by kind, of the calls that the gate keeps. */
struct kept_waiting {
	struct kept_waiting *next;
	size_t count;
	nsec_t by_kind[KEPT_CHUNK][CAUSE_KIND_COUNT];
};

struct syscall_view {
	GATED_VIEW;
	struct call_sums sums;
	struct slowest_calls slowest;
	struct call_files files;
	struct kept_waiting *kept;
};

/* Whether the call had waits of a kind that is asked for. */
static bool call_has_kinds(const struct question *question, const struct interval *interval)
{
	if (question->asked->kinds == KIND_MASK_ALL)
		return true;
	for (unsigned kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (question->asked->kinds & 1u << kind && interval->syscall.waiting[kind])
			return true;
	return false;
}

static void syscall_add(void *state, const struct interval *interval)
{
	struct syscall_view *view = state;
	const struct question *question = view->question;
	bool is_asked = interval->end - interval->begin >= question->asked->min &&
	                question_asks_cpu(question, interval->cpu) &&
	                call_has_kinds(question, interval);
	const struct call_row *row;

	row = call_sums_add(&view->sums, interval, is_asked);
	if (!row)
		return;
	slowest_calls_add(&view->slowest, tally_number(&view->sums.rows, row), interval);
	call_files_add(&view->files, tally_number(&view->sums.rows, row), interval);
}

static void syscall_begin(void *state)
{
	struct syscall_view *view = state;
	const struct question *question = view->question;

	view->gate.take = syscall_add;
	call_sums_init(&view->sums, &question->timeline->hosts, question->recording.arch);
	call_files_init(&view->files);
	slowest_calls_init(&view->slowest, question, question->asked->syscall.names != NULL);
}

static void syscall_drop_kept(struct syscall_view *view)
{
	while (view->kept) {
		struct kept_waiting *kept = view->kept;

		view->kept = kept->next;
		free(kept);
	}
}

static void syscall_end(void *state)
{
	struct syscall_view *view = state;

	interval_gate_release(&view->gate);
	syscall_drop_kept(view);
	call_files_release(&view->files);
	slowest_calls_release(&view->slowest);
	call_sums_release(&view->sums);
}

/* Copies the waiting times, which an interval only borrows, so that the interval can be kept. Most
   calls do not wait: they share one array of zeroes. */
static const nsec_t *syscall_keep(struct syscall_view *view, const nsec_t *waiting)
{
	static const nsec_t none[CAUSE_KIND_COUNT];
	struct kept_waiting *kept = view->kept;

	if (memcmp(waiting, none, sizeof(none)) == 0)
		return none;
	if (!kept || kept->count == KEPT_CHUNK) {
		kept = xmalloc(sizeof(*kept));
		kept->next = view->kept;
		kept->count = 0;
		view->kept = kept;
	}
	memcpy(kept->by_kind[kept->count], waiting, sizeof(none));
	return kept->by_kind[kept->count++];
}

/*
 * If events of another CPU were lost, a task that left its CPU may have returned from the call on
 * that other CPU, and made another call. So the call is certain only if its task ran all the time.
 */
static bool call_is_certain(const struct interval *interval)
{
	return !interval->is_doubtful ||
	       interval->syscall.running == interval->end - interval->begin;
}

static void syscall_on_interval(void *state, const struct interval *interval)
{
	struct syscall_view *view = state;
	struct interval kept = *interval;

	if (!call_is_certain(interval))
		return;
	if (question_may_be_windowed(view->question)) {
		if (!question_may_contain(view->question, interval->begin))
			return;
		kept.syscall.waiting = syscall_keep(view, interval->syscall.waiting);
	}
	interval_gate_pass(view, &kept);
}

static void syscall_resolve(void *state)
{
	struct syscall_view *view = state;

	interval_gate_resolve(view);
	syscall_drop_kept(view);
	call_sums_resolve(&view->sums, view->question->timeline);
}

static void syscall_take_argument(struct asked *asked, const char *text)
{
	asked->syscall.names = text;
}

#define AT(member) RELATION_AT(struct call_row, member)

enum {
	COLUMN_ERRORS = 5,
	COLUMN_ERROR_WORDS = 6,
	COLUMN_BYTES = 11,
	COLUMN_SIZE = 12,
};

static const struct field fields[] = {
	{"name", "CALL", CELL_TEXT, 0, AT(name)},
	{"task", "TASK", CELL_TASK, 0, AT(key.track)},
	{"count", "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY | COLUMN_SPARE(7), AT(latency.count)},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_TEXT_ONLY, AT(latency.total)},
	{"latency", "P50 / P99 / MAX", CELL_DISTRIBUTION, COLUMN_USEFUL(3), AT(latency)},
	[COLUMN_ERRORS] = {"errors", NULL, CELL_TALLIES, 0, FILLED},
	[COLUMN_ERROR_WORDS] = {NULL, "ERRORS", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
	{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4), AT(running)},
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6), AT(runnable)},
	{"waiting_ns", "WAITING", CELL_BY_KIND, 0, AT(by_kind)},
	{"max_at_ns", "MAX AT", CELL_INSTANT, COLUMN_TEXT_ONLY | COLUMN_SPARE(1),
	 AT(latency.max_at)},
	[COLUMN_BYTES] = {"bytes", NULL, CELL_COUNT, 0, FILLED},
	[COLUMN_SIZE] = {NULL, "SIZE", CELL_TEXT, COLUMN_SPARE(2), FILLED},
};

static void call_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct question *question = ((const struct syscall_view *)view)->question;
	const struct call_row *row = of;

	cell[COLUMN_ERRORS].tallies = (struct tallies){row->error, row->error_count};
	call_errors_append(&text[COLUMN_ERROR_WORDS],
	                   errno_names_of(track_arch(question, row->key.track)), row->error,
	                   row->error_count);
	if (row->moves_bytes) {
		cell[COLUMN_BYTES].count = row->moved;
		buffer_puts(&text[COLUMN_SIZE], SIZE_TEXT(row->moved));
	} else {
		cell[COLUMN_BYTES].type = CELL_EMPTY;
		buffer_putc(&text[COLUMN_SIZE], '-');
	}
}

/* Whether the row's call is asked for, and the row was not merged into another row. */
static bool call_is_shown(const void *state, const void *of)
{
	const struct syscall_view *view = state;
	const struct call_row *row = of;

	return row->latency.count && call_is_asked(view->question, row->key.track, row->name);
}

void calls_each(const void *state, cost_taker *take, void *taker)
{
	const struct syscall_view *view = state;

	TALLY_ROWS(&view->sums.rows, const struct call_row, row) {
		const struct cost_sum sum = {
			.what = intern_text(&view->question->timeline->names, row->name),
			.count = row->latency.count,
			.total = row->latency.total,
		};

		if (call_is_shown(view, row))
			take(taker, &sum);
	}
}

static const char *const sort_keys[] = {"total", "count", "max", "errors", NULL};

static const struct measure by_key[] = {
	{AT(latency.total)},
	{AT(latency.count)},
	{AT(latency.max)},
	{AT(errors)},
};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct relation_form form = {
	"calls",
	"Calls, by their time",
	FIELDS(fields),
	.next = "--syscall={name} --tid {task}",
	.sort_keys = sort_keys,
	.by_key = by_key,
	.order = {{AT(latency.total)}},
	.is_shown = call_is_shown,
	.fill = call_fill,
	.rows_named = "calls of tasks",
};

#define OPEN_AT(member) RELATION_AT(struct open_call, member)

enum {
	OPEN_PATH = 7, /* from here on only if some call has a file */
	OPEN_WORDS = 9,
	OPEN_COLUMNS,
};

/* Calls that had not returned; their time is counted up to the end of the trace. */
static const struct field open_fields[OPEN_COLUMNS] = {
	{"name", "CALL", CELL_TEXT, 0, OPEN_AT(name)},
	{"task", "TASK", CELL_TASK, 0, OPEN_AT(key.track)},
	{"begin_ns", "SINCE", CELL_INSTANT, COLUMN_USEFUL(1), OPEN_AT(begin)},
	{"time_ns", "FOR", CELL_DURATION, 0, OPEN_AT(time)},
	{"running_ns", "RUNNING", CELL_DURATION, COLUMN_SPARE(4), OPEN_AT(running)},
	{"runnable_ns", "RUNNABLE", CELL_DURATION, COLUMN_SPARE(6), OPEN_AT(runnable)},
	{"waiting_ns", "WAITING", CELL_BY_KIND, 0, OPEN_AT(by_kind)},
	[OPEN_PATH] = {"path", NULL, CELL_TEXT, 0, OPEN_AT(paths.path)},
	{"to", NULL, CELL_TEXT, 0, OPEN_AT(paths.to)},
	[OPEN_WORDS] = {NULL, "PATH", CELL_TEXT, 0, FILLED},
};

static void open_fill(const void *state, const void *of, struct cell *cell, struct buffer *text)
{
	const struct syscall_view *view = state;
	const struct open_call *open = of;

	(void)cell;
	call_paths_append(&text[OPEN_WORDS], view->question->timeline, open->paths.path,
	                  open->paths.to);
}

static void open_adapt(const void *state, const struct relation_rows *rows, struct column *shown)
{
	bool has_paths = false;

	(void)state;
	for (size_t i = 0; i < rows->count; i++) {
		const struct open_call *open = rows->row[i];

		has_paths |= open->paths.path || open->paths.to;
	}
	for (size_t i = OPEN_PATH; i < OPEN_COLUMNS && !has_paths; i++)
		relation_drop(&shown[i]);
}

static bool open_is_shown(const void *state, const void *of)
{
	const struct syscall_view *view = state;
	const struct open_call *open = of;

	return call_is_asked(view->question, open->key.track, open->name);
}

static uint64_t open_begin_reversed(const void *open)
{
	return ~((const struct open_call *)open)->begin;
}

static uint64_t open_track_reversed(const void *open)
{
	return ~((const struct open_call *)open)->key.track;
}

static const struct relation_form open_form = {
	"open",
	"Not returned yet, longest first",
	FIELDS(open_fields),
	.next = LINK_STRETCH("task", "begin_ns", "begin_ns+time_ns"),
	.fill = open_fill,
	.adapt = open_adapt,
	.order = {{.of = open_begin_reversed}, {.of = open_track_reversed}},
	.is_shown = open_is_shown,
};

/* "running 12 %, disk 63 %, task 25 %": the largest first. */
static void syscall_shares_append(struct buffer *to, const struct call_row *row)
{
	nsec_t left[CAUSE_KIND_COUNT + 2];
	nsec_t all = row->running + row->runnable + row->waiting;

	memcpy(left, row->by_kind, sizeof(row->by_kind));
	left[CAUSE_KIND_COUNT] = row->running;
	left[CAUSE_KIND_COUNT + 1] = row->runnable;
	for (size_t n = 0; n < SHOWN_CAUSES; n++) {
		size_t best = 0;

		for (size_t i = 1; i < ARRAY_SIZE(left); i++)
			if (left[i] > left[best])
				best = i;
		if (left[best] == 0)
			break;
		say(to, NULL, "{,}[{if}running|{if}runnable|{text}] {ratio}",
		    IF(best == CAUSE_KIND_COUNT), IF(best == CAUSE_KIND_COUNT + 1),
		    WHEN(best < CAUSE_KIND_COUNT,
		         TEXT(cause_kind_words((enum cause_kind)best))),
		    RATIO(nsec_ratio(left[best], all)));
		left[best] = 0;
	}
}

/* "9,001 calls took 12.3 s: disk 63.0 %, running 30.0 %; most in fsync of db[7] (...)." */
static void syscall_print(const struct syscall_view *view, const struct relation_rows *rows,
                          const struct output *to)
{
	const struct question *question = view->question;
	_cleanup_(buffer_release) struct buffer shares = {0}, of_most = {0};
	const struct call_row *most = NULL;
	struct call_row sum = {0};

	for (size_t i = 0; i < rows->count; i++) {
		const struct call_row *row = rows->row[i];

		sum.latency.count += row->latency.count;
		sum.running += row->running;
		sum.runnable += row->runnable;
		sum.waiting += row->waiting;
		for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
			sum.by_kind[kind] += row->by_kind[kind];
		if (!most || row->latency.total > most->latency.total)
			most = row;
	}
	if (!most) {
		say_to(to, NULL, "No system call[{if} of that name] has returned{text}.",
		       IF(question->asked->syscall.names), TEXT(question_scope(question)));
		return;
	}
	syscall_shares_append(&shares, &sum);
	syscall_shares_append(&of_most, most);
	say_to(to, question->timeline,
	       "{count} call{|s}{text} took {time} ({text}); most in {name} of {task}: {count} "
	       "call{|s}, {time} ({text}).",
	       COUNT(sum.latency.count), TEXT(question_scope(question)),
	       TIME(sum.running + sum.runnable + sum.waiting), TEXT(shares.text),
	       NAME(most->name), TASK(most->key.track), COUNT(most->latency.count),
	       TIME(most->latency.total), TEXT(of_most.text));
}

static void syscall_show_histogram(const struct syscall_view *view, const struct call_row *row,
                                   const struct output *to)
{
	struct timeline *timeline = view->question->timeline;
	_cleanup_(buffer_release) struct buffer title = {0};

	say(&title, timeline, "Latency of {text}, by {task}",
	    TEXT(intern_text(&timeline->names, row->name)), TASK(row->key.track));
	histogram_show_of(&row->latency, title.text, to);
}

static void syscall_report(const void *state, const struct output *to)
{
	const struct syscall_view *view = state;
	const struct question *question = view->question;
	struct relation_rows rows = relation_choose(&view->sums.rows, &form, view, question);
	struct relation_rows open = relation_choose(&view->sums.open, &open_form, view, question);

	output_section_begin(to, "syscall", "System calls", /* is_list= */ false);
	if (!analysis_print_lack(&syscall_analysis, question, to))
		syscall_print(view, &rows, to);
	relation_show(&form, &rows, view, question, to);
	call_tables_put(&rows, question, to);
	call_files_put(&view->files, &view->sums, question, to);
	slowest_calls_put(&view->slowest, &view->sums, to);
	relation_show(&open_form, &open, view, question, to);
	if (rows.count)
		syscall_show_histogram(view, rows.row[0], to);
	output_section_end(to);
	relation_rows_release(&rows);
	relation_rows_release(&open);
}

const struct analysis syscall_analysis = {
	.name = "syscall",
	.about = "system calls: latency, errors, and what their time went to",
	.argument = "NAME,...",
	.take_argument = syscall_take_argument,
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN,
	.needs = EVENT_LIST(EVENT_SYSCALL_ENTER, EVENT_SYSCALL_EXIT),
	.groups = "syscalls",
	.state_bytes = sizeof(struct syscall_view),
	.begin = syscall_begin,
	.on_interval = syscall_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_SYSCALL),
	.resolve = syscall_resolve,
	.report = syscall_report,
	.end = syscall_end,
};
