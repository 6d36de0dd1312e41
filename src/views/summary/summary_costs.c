/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer before any table of tasks: the costs, largest first, with the tasks that spent them,
 * which tasks had the CPUs meanwhile, and when it was worst.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "analysis/heaviest_chains.h"
#include "analysis/name_sums.h"
#include "analysis/paths/path_task.h"
#include "analysis/machine_time.h"
#include "analysis/prose.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "cost_list.h"
#include "graph/brief_aim.h"
#include "limit_total.h"
#include "share_names.h"
#include "summary.h"
#include "whose.h"

#define SHARES_SHOWN      3
#define HEADLINE_COSTS    4
#define HEADLINE_INFERRED 0.1
#define HEADLINE_MEMORY   0.1 /* least part of the path, and of the cost that it is named with */
#define OTHERS_LEAST     0.5  /* part of a cost: below it the task itself is meant */
#define REST_LEAST       0.1  /* part of a cost that others have, if they are mentioned */
#define FORGOTTEN_LEAST   0.01 /* least part of the path that is reported */
#define RUNNERS_SHOWN     4
#define RUNNER_LEAST      0.005 /* least part of all that ran, to be named */
#define QUEUE_LEAST       0.1 /* least part of all reported time */
#define INSTANT_DIGITS    6 /* maximal number of digits that --from and --to are printed with */

/* The costs of the one task, through everything that it waited for. */
static void costs_of_path(const struct explanation *explanation, struct cost_list *list)
{
	uint32_t comm = track_name(&list->timeline->track[explanation->path_track]);

	cost_list_add_tree(list, &explanation->path, /* is_path= */ true);
	cost_list_add(list, COST_FOR_WORK, comm, explanation->path_for_work);
	cost_list_add(list, COST_ASLEEP, comm, explanation->path_asleep);
}

/* The costs of all asked tasks: what each task did by itself, and what it waited for. */
static void costs_of_tasks(const struct summary *summary, struct cost_list *list)
{
	const struct question *question = summary->question;

	for (uint32_t track = 0; track < summary->count; track++) {
		const struct times *times = &summary->by_track[track];
		uint32_t comm;

		if (!question->resolved->is_asked[track] || times->time == 0)
			continue;
		comm = track_name(&question->timeline->track[track]);
		if (track_is_of_recorder(question, track)) {
			cost_list_add(list, COST_RECORDER, comm, times->time);
			continue;
		}
		cost_list_add(list, COST_RUNNING, comm, times->running);
		for (int limit = 0; limit < CPU_LIMIT_COUNT; limit++)
			cost_list_add(list, cost_of_limit((enum cpu_limit)limit), comm,
			              times->limited[limit]);
		cost_list_add(list, COST_QUEUE, comm, times->runnable - times->throttled);
		cost_list_add(list, COST_STOPPED, comm, times->stopped);
		cost_list_add(list, COST_UNSEEN, comm, times->unknown);
		if (explanation_walks(summary->explanation, track)) {
			cost_list_add(list, COST_FOR_WORK, comm,
			              explanation_for_work(summary->explanation, track));
			continue;
		}
		cost_list_add(list, COST_FOR_WORK, comm, times->for_work);
		cost_list_add(list, COST_KERNEL, comm, times->waiting - times->for_work);
	}
	cost_list_add_tree(list, &summary->explanation->waits, /* is_path= */ false);
}

/* The number of costs in the headline. Of tasks that only slept, only the sleep is printed. */
static size_t headline_costs(const struct cost_list *list)
{
	return cost_list_is_apart(list) ? 0 : HEADLINE_COSTS;
}

/* "68 % sleeping by choice, 2 % idle; the other 3.8 s: ": the part of the time that, as far as is
   known, held nothing up. */
static void headline_apart(const struct cost_list *list, struct buffer *to)
{
	size_t shown = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct cost *cost = &list->cost[i];

		if (!cost_is_apart(cost->kind) ||
		    nsec_ratio(cost->total, list->total) < COST_NEGLIGIBLE)
			continue;
		buffer_printf(to, "%s%.0f %% ", shown++ ? ", " : "",
		              100.0 * nsec_ratio(cost->total, list->total));
		cost_name_append(to, list, cost);
	}
	if (shown && !cost_list_is_apart(list))
		buffer_printf(to, "; the other %s: ",
		              DURATION_TEXT(list->total - list->apart));
}

/* What the shares are of: ", 12.3 s together; 2.1 s of it is not counted (last rows), the other
   10.2 s". */
static void headline_together(const struct cost_list *list, struct buffer *to)
{
	buffer_printf(to, ", %s together", DURATION_TEXT(list->total));
	if (list->apart && !cost_list_is_apart(list))
		buffer_printf(to, "; %s of it is not counted (last rows), the other %s",
		              DURATION_TEXT(list->apart),
		              DURATION_TEXT(list->total - list->apart));
}

/* "make took 87.3 s: ", "87.3 s of make: " if it lived on, "7 tasks, 12.3 s together: ". */
static void headline_begin(const struct summary *summary, const struct cost_list *list,
                           size_t tasks, struct buffer *to)
{
	uint32_t path_track = summary->explanation->path_track;
	const struct question *question = summary->question;
	bool is_piece = path_track != TRACK_NONE &&
	                (question->timeline->track[path_track].is_open ||
	                 question->resolved->is_windowed);

	if (path_track != TRACK_NONE) {
		if (is_piece)
			buffer_printf(to, "%s of ", DURATION_TEXT(list->total));
		prose_task_append(to, question->timeline, path_track);
		if (!is_piece)
			buffer_printf(to, " took %s", DURATION_TEXT(list->total));
		buffer_puts(to, ": ");
		headline_apart(list, to);
		return;
	}
	/* "5 of the recorded tasks" */
	buffer_printf(to, "%zu", tasks);
	if (!*question_scope(question))
		buffer_printf(to, " task%s", format_plural(tasks));
	buffer_puts(to, question_scope(question));
	if (list->total > list->apart)
		headline_together(list, to);
	buffer_puts(to, ": ");
	if (cost_list_is_apart(list))
		headline_apart(list, to);
}

/* "; 77 % is inferred": the part of the path that does not follow from wake-ups. */
static void headline_inferred(const struct explanation *explanation, const struct cost_list *list,
                              struct buffer *to)
{
	double part = nsec_ratio(explanation->path_sums.inferred, list->total - list->apart);

	if (explanation->path_track != TRACK_NONE && part >= HEADLINE_INFERRED)
		buffer_printf(to, "; %.0f %% is inferred", 100 * part);
}

/* "; 87 % may be waits for work: it and sh[12] wake each other by turns". On a pipe or a unix
   socket, a server and its client look the same. */
static void headline_turns(const struct summary *summary, const struct cost_list *list,
                           struct buffer *to)
{
	uint32_t self = summary->explanation->path_track, partner;
	nsec_t waited;
	double part;

	if (self == TRACK_NONE || self >= summary->count)
		return;
	partner = turns_partner(summary->by_track[self].turns, list->timeline, self, &waited);
	if (partner == TRACK_NONE)
		return;
	part = nsec_ratio(waited, list->total - list->apart);
	if (part < HEADLINE_INFERRED)
		return;
	buffer_printf(to, "; %.0f %% may be waits for work: it and ", 100 * part);
	prose_task_append(to, list->timeline, partner);
	buffer_puts(to, " wake each other by turns");
}

/* " (79 % of that making room for a memory limit)": a part of the running and runnable time on the
   one path. */
static void headline_memory(const struct summary *summary, const struct cost_list *list,
                            const struct cost *cost, struct buffer *to)
{
	const struct path_memory *memory = &summary->explanation->path_sums.memory;
	nsec_t of_cost = 0;
	nsec_t reported = list->total - list->apart;
	double part;

	if (cost->kind == COST_RUNNING)
		of_cost = memory->running;
	else if (cost->kind == COST_QUEUE)
		of_cost = memory->runnable;
	part = nsec_ratio(of_cost, cost->total);
	if (summary->explanation->path_track == TRACK_NONE || part < HEADLINE_MEMORY ||
	    nsec_ratio(of_cost, reported) < HEADLINE_MEMORY / 2 ||
	    nsec_ratio(path_memory_total(memory), reported) < HEADLINE_MEMORY)
		return;
	buffer_printf(to, " (%.0f %% of that making room %s)", 100 * part,
	              path_memory_is_for_limit(memory) ? "for a memory limit" : "in memory");
}

/* Appends which other tasks most of a cost on the one task's path is of: "gzip", "gzip and others",
   "others and itself"; nothing, and false, if most of it is the task's own, or no task's. */
static bool cost_others_append(struct buffer *to, const struct cost_list *list,
                               const struct cost *cost)
{
	nsec_t of_others = 0, known = 0;
	const struct cost_share *most = NULL;
	bool are_all = true, is_own_too;

	for (size_t i = 0; i < cost->share_count; i++) {
		const struct cost_share *share = &cost->share[i];

		of_others += share->of_others;
		known += share->total;
		if (!most || share->of_others > most->of_others)
			most = share;
	}
	if (!most || nsec_ratio(of_others, cost->total) < OTHERS_LEAST)
		return false;
	is_own_too = nsec_ratio(known - of_others, cost->total) >= REST_LEAST;
	if (nsec_ratio(most->of_others, cost->total) < OTHERS_LEAST)
		buffer_puts(to, "others");
	else
		are_all = link_names_append(&list->names, most->comm, &most->others,
		                            /* is_own= */ most->comm == list->own, to) ||
		          nsec_ratio(of_others - most->of_others, cost->total) < REST_LEAST;
	if (!are_all)
		buffer_puts(to, is_own_too ? ", others" : " and others");
	if (is_own_too)
		buffer_puts(to, " and itself");
	return true;
}

/* A cost of the headline, and what the headline says of it. */
struct headline_cost {
	const struct cost *cost;
	nsec_t total;
};

static int headline_cost_compare(const void *a, const void *b)
{
	const struct headline_cost *one = a, *other = b;

	if (one->total != other->total)
		return one->total > other->total ? -1 : 1;
	return one->cost->number < other->cost->number ? -1 : 1;
}

/* Takes the costs that are not apart, largest first, with the kernel's total of CPU limits; the
   cost of these is `limit` if the list has none. Returns their number; the caller frees them. */
static size_t headline_take(const struct summary *summary, const struct cost_list *list,
                            const struct cost *limit, struct headline_cost **ret)
{
	struct headline_cost *taken = xcalloc(list->count + 1, sizeof(*taken)), *held = NULL;
	nsec_t unplaced = limit_total_unplaced(summary, list);
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct cost *cost = &list->cost[i];

		if (cost_is_apart(cost->kind))
			continue;
		if (cost->kind == COST_LIMIT)
			held = &taken[count];
		taken[count++] = (struct headline_cost){
			cost, cost->total - (cost->kind == COST_QUEUE ? unplaced : 0)};
	}
	if (unplaced && !held) {
		held = &taken[count++];
		held->cost = limit;
	}
	if (unplaced) {
		held->total += unplaced;
		qsort(taken, count, sizeof(*taken), headline_cost_compare);
	}
	*ret = taken;
	return count;
}

/* " (by cpu.stat; 30 % could be placed)": the kernel counts more of the cost than events show. */
static void headline_placed(const struct headline_cost *taken, nsec_t reported, struct buffer *to)
{
	if (taken->total <= taken->cost->total)
		return;
	if (taken->cost->total)
		buffer_printf(to, " (by cpu.stat; %.0f %% could be placed)",
		              100.0 * nsec_ratio(taken->cost->total, reported));
	else
		buffer_puts(to, " (by cpu.stat; when is not known)");
}

/* "46 % gzip running", "9 % disk 254,0": a cost of the headline, with the task that had it, if that
   is another one than the headline is about. */
static void headline_cost(const struct summary *summary, const struct cost_list *list,
                          const struct headline_cost *taken, nsec_t reported, struct buffer *to)
{
	const struct cost *cost = taken->cost;

	buffer_printf(to, "%.0f %% ", 100.0 * nsec_ratio(taken->total, reported));
	if (summary->explanation->path_track != TRACK_NONE && !cost_is_of_object(cost) &&
	    cost_others_append(to, list, cost))
		cost_doing_append(to, list, cost);
	else
		cost_name_append(to, list, cost);
	headline_memory(summary, list, cost, to);
	headline_placed(taken, reported, to);
}

/* That there are several recorded commands, if the answer may be about one. */
static void commands_print(const struct question *question, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, 1024);
	if (!question->asked->is_all && !question_has_filter(question) &&
	    path_commands_append(question, &line))
		prose_put(to, line.text);
}

static void headline_print(const struct summary *summary, const struct cost_list *list,
                           size_t tasks, const struct output *to)
{
	uint32_t path_track = summary->explanation->path_track;
	nsec_t reported = list->total - list->apart;
	_cleanup_(buffer_release) struct buffer whose = {0};
	const struct cost limit = {.kind = COST_LIMIT};
	struct headline_cost *cost;
	struct buffer line;
	size_t shown = 0, most = headline_costs(list);
	size_t count = headline_take(summary, list, &limit, &cost);

	buffer_init(&whose, 512);
	if (path_track != TRACK_NONE && most)
		whose_append(&whose, &list->names, &summary->explanation->path, path_track,
		             reported);
	buffer_init(&line, 1024);
	headline_begin(summary, list, tasks, &line);
	for (size_t i = 0; i < count && shown < most; i++) {
		if (nsec_ratio(cost[i].total, reported) < COST_NEGLIGIBLE)
			break;
		buffer_puts(&line, shown++ ? ", " : "");
		headline_cost(summary, list, &cost[i], reported, &line);
	}
	free(cost);
	if (shown) {
		buffer_puts(&line, whose.text);
		headline_inferred(summary->explanation, list, &line);
		headline_turns(summary, list, &line);
	}
	buffer_putc(&line, '.');
	prose_put(to, line.text);
	buffer_release(&line);
}

/* "git[12] 1.200 s, git itself 0.100 s": the time of other tasks with the name, and that of the
   path's own task; the larger one first. */
static void split_append(struct buffer *to, const struct cost_list *list, const struct cost *cost,
                         const struct cost_share *share)
{
	const char *comm = intern_text(&list->timeline->names, share->comm);
	nsec_t itself = share->total - share->of_others;
	bool is_itself = itself > share->of_others;

	for (int i = 0; i < 2; i++, is_itself = !is_itself) {
		if (is_itself && itself == 0)
			continue;
		buffer_puts(to, i && itself ? ", " : "");
		if (is_itself)
			buffer_puts_clean(to, comm, strlen(comm));
		else
			(void)link_names_append(&list->names, share->comm, &share->others,
			                        /* is_own= */ true, to);
		buffer_puts(to, is_itself ? " itself" : "");
		if (itself || cost->share_count > 1)
			buffer_printf(to, " %s",
			              DURATION_TEXT(is_itself ? itself : share->of_others));
	}
}

static void cost_share_append(struct buffer *to, const struct cost_list *list,
                              const struct cost *cost, const struct name_share *folded)
{
	if (folded->count == 1 && folded->share->comm == list->own && folded->share->of_others) {
		split_append(to, list, cost, folded->share);
		return;
	}
	buffer_puts_clean(to, folded->name, strlen(folded->name));
	if (cost->share_count > 1)
		buffer_printf(to, " %s", DURATION_TEXT(folded->total));
}

/* "cc1 19.100 s, as 1.900 s, worker-* 1.200 s, 12 more". */
static void cost_shares_append(struct buffer *to, const struct cost_list *list,
                               const struct cost *cost)
{
	struct name_share folded[NAME_SHARES_MAX];
	size_t count = shares_fold(list->timeline, cost, folded), shown = SHARES_SHOWN, names = 0;

	if (count < SHARES_SHOWN ||
	    (count == SHARES_SHOWN + 1 && cost->share_count <= NAME_SHARES_MAX))
		shown = count;
	for (size_t i = 0; i < shown; i++) {
		buffer_puts(to, i ? ", " : "");
		cost_share_append(to, list, cost, &folded[i]);
		names += folded[i].count;
	}
	if (names < cost->share_count)
		buffer_printf(to, ", %zu more", cost->share_count - names);
	if (to->length == 0)
		buffer_putc(to, '-');
}

static const struct column share_columns[] = {
	{"comm", NULL, CELL_TEXT, 0},
	{"total_ns", NULL, CELL_DURATION, 0},
};

/* What all summed waits were for, as far as their cause shows it. */
static struct cell cost_aim(const struct cost_list *list, const struct cost *cost)
{
	return cell_of_brief_aim(
		brief_aim_of_cause(list->timeline, TRACK_NONE,
	                           cost->kind == COST_WAIT ? cost->cause.note : NULL));
}

static void cost_row(const struct cost_list *list, const struct cost *cost, nsec_t reported,
                     const struct output *to)
{
	_cleanup_(buffer_release) struct buffer name = {0}, who = {0};
	struct cell *cells = xcalloc(2 * cost->share_count + 1, sizeof(*cells));
	struct cause cause;

	buffer_init(&name, 256);
	cost_name_append(&name, list, cost);
	buffer_init(&who, 1024);
	cost_shares_append(&who, list, cost);
	for (size_t i = 0; i < cost->share_count; i++) {
		cells[2 * i] = (struct cell){
			.type = CELL_TEXT,
			.text = intern_text(&list->timeline->names, cost->share[i].comm),
		};
		cells[2 * i + 1] =
			(struct cell){.type = CELL_DURATION, .time = cost->share[i].total};
	}
	if (cost->cause.note)
		cause = cost_cause(list->timeline, cost);
	output_row(to, (struct cell[]){
		cost_is_of_object(cost) ? cell_of_machine(list->timeline, cost->machine)
	                                : (struct cell){.type = CELL_EMPTY},
		{.type = CELL_TEXT, .text = cost_kind_key(cost->kind)},
		{.type = cost->cause.note ? CELL_CAUSE : CELL_EMPTY, .cause = &cause},
		cost_aim(list, cost),
		{.type = CELL_DURATION, .time = cost->total},
		{.type = cost_is_apart(cost->kind) ? CELL_EMPTY : CELL_RATIO,
		.ratio = nsec_ratio(cost->total, reported)},
		{.type = CELL_TEXT, .text = name.text},
		{.type = CELL_TEXT, .text = who.text},
		{.type = CELL_ROWS, .rows = {share_columns, ARRAY_SIZE(share_columns), cells,
	                                 cost->share_count}},
	} + machine_column_skip(list->timeline));
	free(cells);
}

static void costs_show(const struct cost_list *list, const struct output *to)
{
	static const struct column columns[] = {
		{"machine", NULL, CELL_MACHINE, COLUMN_DATA_ONLY},
		{"state", NULL, CELL_TEXT, 0},
		{"cause", NULL, CELL_CAUSE, 0},
		{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DATA_ONLY},
		{"total_ns", "TIME", CELL_DURATION, 0},
		{"share", "SHARE", CELL_RATIO, COLUMN_USEFUL(1)},
		{NULL, "WENT TO", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_POINT},
		{NULL, "TASKS", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"tasks", NULL, CELL_ROWS, COLUMN_DATA_ONLY},
	};
	size_t shown = output_row_count(to, list->count);
	size_t skip = machine_column_skip(list->timeline);

	/* a screen has no room for negligible costs */
	if (output_row_limit(to))
		while (shown > 0 && list->cost[shown - 1].is_small)
			shown--;
	output_table_begin(to, "costs", NULL, columns + skip, ARRAY_SIZE(columns) - skip, false);
	for (size_t i = 0; i < shown; i++)
		cost_row(list, &list->cost[i], list->total - list->apart, to);
	output_leave_rows(to, list->count - shown);
	output_table_end(to);
}

/* Prints how much is unknown because the history was too short: of the reasons for unknown time,
   the user can change this one. */
static void forgotten_print(const struct explanation *explanation, const struct cost_list *list,
                            const struct output *to)
{
	nsec_t forgotten = explanation->path_sums.forgotten;
	_cleanup_(buffer_release) struct buffer line = {0};

	if (nsec_ratio(forgotten, list->total - list->apart) < FORGOTTEN_LEAST)
		return;
	buffer_init(&line, 256);
	buffer_printf(&line,
	              "Too long a chain to follow: %s of this is older than the history that a "
	              "summary keeps; "
	              "--critical-path and --chains keep all of it.",
	              DURATION_TEXT(forgotten));
	prose_put(to, line.text);
}

/* Which tasks had the CPUs while other tasks were in run queues. */

static void runners_append(struct name_sums *runners, const struct timeline *timeline,
                           struct buffer *to)
{
	size_t shown = runners->count <= RUNNERS_SHOWN ? runners->count : RUNNERS_SHOWN;

	name_sums_sort(runners);
	for (size_t i = 0; i < shown; i++) {
		if (i && nsec_ratio(runners->sum[i].total, runners->total) < RUNNER_LEAST)
			break;
		const char *comm = intern_text(&timeline->names, runners->sum[i].comm);

		buffer_puts(to, i ? ", " : "");
		buffer_puts_clean(to, comm, strlen(comm));
		buffer_printf(to, " %.0f %%",
		              100.0 * nsec_ratio(runners->sum[i].total, runners->total));
	}
}

static void append_rest(struct buffer *to, const char *who, nsec_t time, nsec_t total)
{
	bool is_first = to->length > 0 && to->text[to->length - 1] == ' ';

	if (nsec_ratio(time, total) >= RUNNER_LEAST)
		buffer_printf(to, "%s%s %.0f %%", is_first ? "" : ", ", who,
		              100.0 * nsec_ratio(time, total));
}

/* Appends the users of the CPU while the one task, or a task that it waited for, was in a run
   queue. */
static void runners_of_path(const struct explanation *explanation, struct buffer *to)
{
	const struct timeline *timeline = explanation->question->timeline;
	const struct had_cpu *had = &explanation->path_sums.had_cpu;
	struct name_sums runners;

	name_sums_init(&runners);
	runners.total = had->interrupts + had->idle;
	for (uint32_t track = 0; track < had->track_count; track++)
		name_sums_add(&runners, track_name(&timeline->track[track]),
		            had->by_track[track]);
	buffer_puts(to, "; while it queued, the CPUs ran ");
	runners_append(&runners, timeline, to);
	append_rest(to, "interrupts", had->interrupts, runners.total);
	append_rest(to, "idle", had->idle, runners.total);
	name_sums_release(&runners);
}

/* For several asked tasks: appends what the CPUs ran during the whole trace. */
static void runners_of_trace(const struct summary *summary, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	struct name_sums runners;

	name_sums_init(&runners);
	for (uint32_t track = 0; track < summary->count; track++)
		name_sums_add(&runners, track_name(&timeline->track[track]),
		            summary->by_track[track].running);
	buffer_puts(to, "; what they ran: ");
	runners_append(&runners, timeline, to);
	name_sums_release(&runners);
}

/* "on average 7.1 tasks for 2 CPUs", "... for 2 CPUs of db". */
static void queue_append(const struct summary *summary, uint32_t machine, struct buffer *to)
{
	const struct question *question = summary->question;
	const struct hosts *hosts = &question->timeline->hosts;
	uint32_t cpus = machine_cpus(question, machine);

	/* in a window the times of tasks that are not asked for are not known */
	if (summary->is_streaming)
		buffer_printf(to, "on average %.1f tasks for ",
		              summary_tasks_wanting(summary, machine));
	buffer_printf(to, "%u CPU%s", cpus, format_plural(cpus));
	if (hosts->count)
		buffer_printf(to, " of %s", hosts->host[machine].name);
}

/* "on average 7.1 tasks for 2 CPUs; while it queued, the CPUs ran qemu 31 %, cc1 22 %". */
static void queue_print(const struct summary *summary, const struct cost_list *list,
                        const struct output *to)
{
	const struct question *question = summary->question;
	struct buffer line;

	if (cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) < QUEUE_LEAST)
		return;
	buffer_init(&line, 512);
	buffer_puts(&line, "Run queue: ");
	queue_append(summary, 0, &line);
	for (uint32_t machine = 1; machine < question->timeline->hosts.count; machine++) {
		buffer_puts(&line, "; ");
		queue_append(summary, machine, &line);
	}
	if (summary->explanation->path_track != TRACK_NONE)
		runners_of_path(summary->explanation, &line);
	else if (summary->is_streaming)
		runners_of_trace(summary, &line);
	buffer_putc(&line, '.');
	prose_put(to, line.text);
	buffer_release(&line);
}

/* When tasks were held up: a strip over time for each state, and the options that show its worst
   time in detail. */

/* One row of the table: the values of its slices; the largest is the spike. */
struct strip {
	const char *key, *title;
	const struct time_series *series;
	const nsec_t *value;
	bool is_length; /* the values are lengths of stretches; false: they are numbers of tasks,
	                   summed over time */
};

static size_t spike_find(const struct strip *strip, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (strip->value[i] > strip->value[best])
			best = i;
	return best;
}

/* The number of decimal places that distinguish slices of that length. */
static int slice_digits(nsec_t slice)
{
	int digits = 0;

	for (nsec_t step = 1000000000; step > slice && digits < INSTANT_DIGITS; step /= 10)
		digits++;
	return digits;
}

/* "--from 47.5 --to 49.0": the slices around the spike that hold more than half as much. */
static void spike_words(const struct strip *strip, size_t count, size_t at, nsec_t origin,
                        char *ret, size_t size)
{
	const struct time_series *series = strip->series;
	nsec_t least = strip->value[at] / 2, begin, end, unit = 1000000000;
	int digits = slice_digits(series->slice);
	size_t from = at, to = at + 1;

	while (from > 0 && strip->value[from - 1] > least)
		from--;
	while (to < count && strip->value[to] > least)
		to++;
	begin = series->begin + from * series->slice;
	end = series->begin + to * series->slice;
	/* the stretch ends in that slice, and may have begun long before */
	if (strip->is_length)
		begin = begin > strip->value[at] ? nsec_max(begin - strip->value[at], origin) : 0;
	begin = begin > origin ? begin - origin : 0;
	end = end > origin ? end - origin : 0;
	for (int i = 0; i < digits; i++)
		unit /= 10;
	begin -= begin % unit;
	end += (unit - end % unit) % unit;
	(void)snprintf(ret, size, "--from %.*f --to %.*f", digits, (double)begin / 1e9, digits,
	               (double)end / 1e9);
}

/* Whether all slices of the strip are empty. */
static bool strip_is_flat(const struct question *question, const struct strip *strip)
{
	size_t count = time_series_count(strip->series, question->resolved->end);

	return count == 0 || strip->value[spike_find(strip, count)] == 0;
}

static void strip_row(const struct question *question, const struct strip *strip,
                      const struct output *to)
{
	const struct time_series *series = strip->series;
	size_t count = time_series_count(series, question->resolved->end), at;
	char peak[64], look[64];

	if (strip_is_flat(question, strip))
		return;
	at = spike_find(strip, count);
	if (strip->is_length)
		(void)snprintf(peak, sizeof(peak), "%s",
		               DURATION_TEXT(strip->value[at]));
	else
		(void)snprintf(peak, sizeof(peak), "%.1f at once",
		               (double)strip->value[at] / (double)series->slice);
	spike_words(strip, count, at, question->timeline->begin, look, sizeof(look));
	output_row(to, (struct cell[]){
		{.type = CELL_TEXT, .text = strip->key},
		{.type = CELL_TEXT, .text = strip->title},
		{.type = CELL_INSTANT, .time = series->begin},
		{.type = CELL_DURATION, .time = series->slice},
		{.type = CELL_SERIES, .series = {strip->value, count}},
		{.type = CELL_TEXT, .text = peak},
		{.type = CELL_DURATION, .time = strip->value[at]},
		{.type = CELL_INSTANT, .time = series->begin + at * series->slice},
		{.type = CELL_TEXT, .text = look},
	});
}

static void series_print(const struct summary *summary, const struct output *to)
{
	static const struct column columns[] = {
		{"what", NULL, CELL_TEXT, 0},
		{NULL, "OVER TIME", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"begin_ns", NULL, CELL_INSTANT, 0},
		{"slice_ns", NULL, CELL_DURATION, 0},
		{"values_ns", "", CELL_SERIES, 0},
		{NULL, "MOST", CELL_TEXT, COLUMN_TEXT_ONLY},
		{"peak_ns", NULL, CELL_DURATION, 0},
		{"peak_at_ns", NULL, CELL_INSTANT, 0},
		{NULL, "LOOK CLOSER", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	};
	const struct explanation *explanation = summary->explanation;
	const struct time_series *runnable = &explanation->runnable;
	const struct time_series *waiting = &explanation->waiting;
	const struct strip strips[] = {
		{"runnable", "in run queues", runnable, runnable->held, false},
		{"waiting", "waiting", waiting, waiting->held, false},
		{"longest_runnable", "longest queued", runnable,
		 runnable->longest, true},
		{"longest_wait", "longest wait", waiting, waiting->longest, true},
	};
	size_t flat = 0;

	for (size_t i = 0; i < ARRAY_SIZE(strips); i++)
		flat += strip_is_flat(summary->question, &strips[i]);
	/* a screen has no need of a table without rows */
	if (flat == ARRAY_SIZE(strips) && to->presenter->row_limit)
		return;
	output_table_begin(to, "over_time", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < ARRAY_SIZE(strips); i++)
		strip_row(summary->question, &strips[i], to);
	output_table_end(to);
}

void summary_print_costs(const struct summary *summary, const struct advices *advices,
                         const struct output *to, size_t tasks)
{
	const struct explanation *explanation = summary->explanation;
	bool is_path = explanation->path_track != TRACK_NONE, has_answers;
	struct cost_list list;

	cost_list_init(&list, summary->question);
	if (is_path)
		list.own = track_name(&list.timeline->track[explanation->path_track]);
	if (is_path) {
		costs_of_path(explanation, &list);
	} else {
		costs_of_tasks(summary, &list);
		cost_list_count_once(&list);
	}
	cost_list_sort(&list);
	if (list.total)
		headline_print(summary, &list, tasks, to);
	commands_print(summary->question, to);
	costs_show(&list, to);
	forgotten_print(explanation, &list, to);
	has_answers = summary_answers_report(summary->answers, explanation, to);
	summary_print_slices(summary, /* of_path= */ has_answers, to);
	summary_print_polling(summary, /* is_first= */ true, to);
	queue_print(summary, &list, to);
	heaviest_chains_print(summary->question,
	                      is_path ? &explanation->path : &explanation->waits,
	                      list.total - list.apart, to);
	advices_print(advices, summary, &list, to);
	if (!summary->question->asked->summary.is_short)
		series_print(summary, to);
	cost_list_release(&list);
}
