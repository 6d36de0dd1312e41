/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer before any table of tasks: the costs, largest first, with the tasks that spent them,
 * which tasks had the CPUs meanwhile, and when it was worst.
 */
#include "summary.h"

#include <stdlib.h>

#include "advice.h"
#include "analysis/paths/chain_words.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/row_link.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "cost_evidence.h"
#include "cost_list.h"
#include "graph/aims/aim.h"
#include "sentences/say.h"
#include "tally/tally.h"

/* The costs of all asked tasks: what each task did by itself, and what it waited for. */
static void costs_of_tasks(const struct summary *summary, struct cost_list *list)
{
	const struct question *question = summary->question;

	SUMMARY_EACH(summary, times) {
		uint32_t track = times->track;
		uint32_t comm = track_name(&question->timeline->track[track]);

		if (times->time == 0)
			continue;
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
			              explanation_taken(summary->explanation, track).for_work);
			continue;
		}
		cost_list_add(list, COST_FOR_WORK, comm, times->for_work);
		cost_list_add(list, COST_KERNEL, comm, times->waiting - times->for_work);
	}
	cost_list_add_tree(list, &summary->explanation->waits, /* is_path= */ false);
}

/* "68 % sleeping by choice, 2 % idle; the other 3.8 s: ": the part of the time that, as far as is
   known, held nothing up. */
static void headline_apart(const struct cost_list *list, struct buffer *to)
{
	EACH_OF(list->cost, list->count, const struct cost, cost) {
		if (!cost_is_apart(cost->kind) ||
		    nsec_ratio(cost->total, list->total) < PART_NEGLIGIBLE)
			continue;
		say(to, NULL, "{,}{share} ", SHARE(nsec_ratio(cost->total, list->total)));
		cost_name_append(to, list, cost);
	}
	if (to->length && !cost_list_is_apart(list))
		say(to, NULL, "; the other {time}: ", TIME(list->total - list->apart));
}

/* "make took 87.3 s: ", "87.3 s of make: " if it lived on, "7 tasks, 12.3 s together: ". */
static void headline_begin(const struct summary *summary, const struct cost_list *list,
                           size_t tasks, struct buffer *to)
{
	uint32_t path_track = summary->explanation->path_track;
	const struct question *question = summary->question;
	_cleanup_(buffer_release) struct buffer apart = {0};
	nsec_t reported = list->total - list->apart;

	if (path_track != TRACK_NONE || cost_list_is_apart(list))
		headline_apart(list, &apart);
	if (path_track != TRACK_NONE)
		say(to, question->timeline, "[{time} of {task}|{task} took {time}]: {text}",
		    WHEN(question->timeline->track[path_track].is_open ||
		                 question->resolved->is_windowed, TIME(list->total)),
		    TASK(path_track), TASK(path_track), TIME(list->total), TEXT(apart.text));
	else /* "5 of the recorded tasks" */
		say(to, NULL,
		    "{number}[{text}| task{|s}][, {time} together][; {time} of it is not counted "
		    "(last rows), the other {time}]: {text}",
		    NUMBER(tasks), TEXT(question_scope(question)),
		    WHEN(reported, TIME(list->total)),
		    WHEN(reported && list->apart && !cost_list_is_apart(list), TIME(list->apart)),
		    TIME(reported), TEXT(apart.text));
}

/* "; 77 % is inferred": the part of the path that does not follow from wake-ups; and "; 87 % may be
   waits for work: it and sh[12] wake each other by turns". On a pipe or a unix socket, a server and
   its client look the same. */
static void headline_doubts(const struct summary *summary, const struct cost_list *list,
                            struct buffer *to)
{
	const struct explanation *explanation = summary->explanation;
	uint32_t self = explanation->path_track, partner = TRACK_NONE;
	nsec_t reported = list->total - list->apart, waited = 0;
	double inferred = nsec_ratio(explanation->path_sums.inferred, reported), part;

	if (self != TRACK_NONE && self < summary->count)
		partner = turns_partner(summary->by_track[self].turns, list->timeline, self,
		                        &waited);
	part = nsec_ratio(waited, reported);
	say(to, list->timeline,
	    "[; {share} is inferred][; {share} may be waits for work: it and {task} wake each "
	    "other by turns]",
	    WHEN(self != TRACK_NONE && inferred >= PART_WORTH, SHARE(inferred)),
	    WHEN(partner != TRACK_NONE && part >= PART_WORTH, SHARE(part)), TASK(partner));
}

/* Which part of the running or runnable time on the one path was spent making room in memory, if
   that is worth a word. */
static struct word headline_memory(const struct summary *summary, const struct cost_list *list,
                                   const struct cost *cost)
{
	const struct path_memory *memory = &summary->explanation->path_sums.memory;
	nsec_t of_cost = cost->kind == COST_RUNNING ? memory->running
	                 : cost->kind == COST_QUEUE ? memory->runnable
	                                            : 0;
	nsec_t reported = list->total - list->apart;
	double part = nsec_ratio(of_cost, cost->total);

	return WHEN(summary->explanation->path_track != TRACK_NONE && part >= PART_WORTH &&
	                    nsec_ratio(of_cost, reported) >= PART_WORTH / 2 &&
	                    nsec_ratio(path_memory_total(memory), reported) >= PART_WORTH,
	            SHARE(part));
}

/* Appends which other tasks most of a cost on the one task's path is of: "gzip", "gzip and others",
   "others and itself"; nothing, and false, if most of it is the task's own, or no task's. */
static bool cost_others_append(struct buffer *to, const struct cost_list *list,
                               const struct cost *cost)
{
	nsec_t of_others = 0, known = 0;
	const struct cost_share *most = NULL;
	bool are_all = true, is_own_too;
	_cleanup_(buffer_release) struct buffer name = {0};

	EACH_OF(cost->share, cost->share_count, const struct cost_share, share) {
		of_others += share->of_others;
		known += share->total;
		if (!most || share->of_others > most->of_others)
			most = share;
	}
	if (!most || nsec_ratio(of_others, cost->total) < PART_MOST)
		return false;
	is_own_too = nsec_ratio(known - of_others, cost->total) >= PART_WORTH;
	if (nsec_ratio(most->of_others, cost->total) >= PART_MOST)
		are_all = link_names_append(&list->names, most->comm, &most->others,
		                            /* is_own= */ most->comm == list->own, &name) ||
		          nsec_ratio(of_others - most->of_others, cost->total) < PART_WORTH;
	say(to, NULL, "[{text}|others][{if}[{if},| and] others][{if} and itself]", TEXT(name.text),
	    IF(!are_all), IF(is_own_too), IF(is_own_too));
	return true;
}

/* A cost of the headline, and what the headline says of it. */
struct headline_cost {
	const struct cost *cost;
	nsec_t total;
};

ORDER_FUNCTION(headline_cost_compare, struct headline_cost, FALLING(x, y, total),
               RISING(x, y, cost->number))

/* Takes the costs that are not apart, largest first, with the kernel's total of CPU limits; the
   cost of these is `limit` if the list has none. Returns their number; the caller frees them. */
static size_t headline_take(const struct cost_list *list, const struct cost *limit,
                            struct headline_cost **ret)
{
	struct headline_cost *taken = xcalloc(list->count + 1, sizeof(*taken)), *held = NULL;
	nsec_t unplaced = cost_list_unplaced(list);
	size_t count = 0;

	EACH_OF(list->cost, list->count, const struct cost, cost) {
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

/* "46 % gzip running", "9 % disk 254,0": a cost of the headline, with the task that had it, if that
   is another one than the headline is about. */
static void headline_cost(const struct summary *summary, const struct cost_list *list,
                          const struct headline_cost *taken, nsec_t reported, struct buffer *to)
{
	const struct cost *cost = taken->cost;
	const struct path_memory *memory = &summary->explanation->path_sums.memory;
	_cleanup_(buffer_release) struct buffer name = {0};

	if (summary->explanation->path_track != TRACK_NONE && !cost_is_of_object(cost) &&
	    cost_others_append(&name, list, cost))
		cost_doing_append(&name, list, cost);
	else
		cost_name_append(&name, list, cost);
	/* the kernel may count more of the cost than events show */
	say(to, NULL,
	    "{share} {text}[ ({share} of that making room [{if}for a memory limit|in "
	    "memory])][{if} (by cpu.stat; [{share} could be placed|when is not known])]",
	    SHARE(nsec_ratio(taken->total, reported)), TEXT(name.text),
	    headline_memory(summary, list, cost), IF(path_memory_is_for_limit(memory)),
	    IF(taken->total > cost->total),
	    WHEN(cost->total, SHARE(nsec_ratio(cost->total, reported))));
}

/* The state of the parts of a path that a cost is of; NULL: of several, or not known. */
static const char *cost_part(enum cost_kind kind)
{
	if (kind == COST_RUNNING || kind == COST_OTHERS_RUNNING)
		return part_state_name(PART_RUNNING);
	if (kind < COST_WAIT || kind == COST_OTHERS_QUEUE)
		return part_state_name(PART_RUNNABLE);
	return kind == COST_WAIT || kind == COST_ASLEEP ? part_state_name(PART_WAITING) : NULL;
}

static void headline_end(const struct summary *summary, const struct cost_list *list,
                         struct buffer *line, const struct output *to)
{
	const struct explanation *explanation = summary->explanation;
	uint32_t self = explanation->path_track;
	struct fact fact = FACT(FACT_ANSWER, .next = "--chains", .figure = FIGURE_TIME,
	                        .time = list->total);

	/* its first figure is that of the largest cost */
	fact.part = cost_part(list->cost->kind);
	if (list->cost->kind == COST_WAIT)
		fact.kind = cause_kind_name((enum cause_kind)list->cost->cause.note->kind);
	if (self == TRACK_NONE && summary_is_of_machine(summary))
		fact.rank = FACT_DETAIL; /* that of its CPUs comes first */
	if (self != TRACK_NONE) {
		fact.has_task = true;
		fact.task = timeline_task(list->timeline, self, NSEC_NEVER);
		if (nsec_ratio(explanation->path_sums.inferred, list->total - list->apart) >=
		    PART_WORTH)
			fact.doubt = FACT_INFERRED;
	}
	prose_end_fact(to, line, &fact);
}

/* Of tasks that only slept, only the sleep is printed. */
static void headline_print(const struct summary *summary, const struct cost_list *list,
                           size_t tasks, const struct output *to)
{
	uint32_t path_track = summary->explanation->path_track;
	nsec_t reported = list->total - list->apart;
	const struct cost limit = {.kind = COST_LIMIT};
	struct headline_cost *cost;
	_cleanup_(buffer_release) struct buffer line = {0}, costs = {0}, one = {0};
	size_t shown = 0, most = cost_list_is_apart(list) ? 0 : SHOWN_COSTS;
	size_t count = headline_take(list, &limit, &cost);

	headline_begin(summary, list, tasks, &line);
	for (size_t i = 0; i < count && shown < most; i++) {
		if (nsec_ratio(cost[i].total, reported) < PART_NEGLIGIBLE)
			break;
		headline_cost(summary, list, &cost[i], reported, &one);
		say(&costs, NULL, "{,}{text}", TEXT(one.text));
		buffer_clear(&one);
		shown++;
	}
	free(cost);
	if (shown) {
		buffer_puts(&line, costs.text);
		if (path_track != TRACK_NONE)
			whose_append(&line, &list->names, &summary->explanation->path, path_track,
			             reported);
		headline_doubts(summary, list, &line);
	}
	headline_end(summary, list, &line, to);
}

/* "git[12] 1.200 s, git itself 0.100 s": the time of other tasks with the name, and that of the
   path's own task; the larger one first. */
static void split_append(struct buffer *to, const struct cost_list *list, const struct cost *cost,
                         const struct cost_share *share)
{
	const char *comm = intern_text(&list->timeline->names, share->comm);
	nsec_t itself = share->total - share->of_others;
	bool is_itself = itself > share->of_others;
	_cleanup_(buffer_release) struct buffer others = {0};

	(void)link_names_append(&list->names, share->comm, &share->others, /* is_own= */ true,
	                        &others);
	for (int i = 0; i < 2; i++, is_itself = !is_itself)
		say(to, NULL, "[{if}|{,}[{if}{foreign} itself|{text}][ {time}]]",
		    IF(is_itself && itself == 0), IF(is_itself), FOREIGN(comm), TEXT(others.text),
		    WHEN(itself || cost->share_count > 1,
		         TIME(is_itself ? itself : share->of_others)));
}

/* "cc1 19.100 s, as 1.900 s, worker-* 1.200 s, 12 more". Returns the first of these; its name is
   NULL if there is none. */
static struct name_share cost_shares_append(struct buffer *to, const struct cost_list *list,
                                            const struct cost *cost)
{
	struct name_share folded[NAME_SHARES_MAX];
	size_t count = shares_fold(list->timeline, cost, folded), shown = SHOWN_SHARES, names = 0;

	if (count < SHOWN_SHARES ||
	    (count == SHOWN_SHARES + 1 && cost->share_count <= NAME_SHARES_MAX))
		shown = count;
	for (size_t i = 0; i < shown; i++) {
		const struct cost_share *share = folded[i].share;

		if (folded[i].count == 1 && share->comm == list->own && share->of_others)
			split_append(to, list, cost, share);
		else
			say(to, NULL, "{,}[{foreign}][ {time}]", FOREIGN(folded[i].name),
			    WHEN(cost->share_count > 1, TIME(folded[i].total)));
		names += folded[i].count;
	}
	if (names < cost->share_count)
		say(to, NULL, "{,}{number} more", NUMBER(cost->share_count - names));
	if (to->length == 0)
		buffer_putc(to, '-');
	return count ? folded[0] : (struct name_share){0};
}

static const struct column share_columns[] = {
	{"comm", NULL, CELL_TEXT, 0},
	{"total_ns", NULL, CELL_DURATION, 0},
};

enum { COLUMN_NEXT = 11 };

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
	{"most", NULL, CELL_TEXT, COLUMN_FOR_LINKS},
	{"path", NULL, CELL_TASK, COLUMN_FOR_LINKS}, /* whose critical path it is */
	[COLUMN_NEXT] = LINK_COLUMN,
	EVIDENCE_COLUMNS_OF_ROW,
};

/* What is behind a cost: of the tasks that had most of it, or who waited for these. */
static void cost_link(const struct cost_list *list, const struct cost *cost,
                      const struct cost_share *most, struct buffer *to)
{
	const char *view = cost_view(list, cost);
	bool is_own = !most || most->has_own_waits;

	if (cost->kind == COST_UNSEEN || cost->kind == COST_RECORDER)
		return;
	if (cost->kind == COST_RUNNING)
		buffer_puts(to, "--on-cpu --comm {glob:most}|--on-cpu");
	else if ((cost->kind >= COST_QUEUE && cost->kind <= COST_REAL_TIME) ||
	         cost->kind == COST_OTHERS_QUEUE)
		buffer_puts(to, "--sched --comm {glob:most}|--sched");
	else if (cost->kind == COST_WAIT && cost->cause.note &&
	         cost->cause.note->kind == CAUSE_FORK) /* no wait: it begins */
		buffer_puts(to, "--processes --summary[ --comm {glob:most}]");
	else if (cost->kind == COST_WAIT && is_own)
		buffer_printf(to, "--%s --waits --sort wait[ --kind {cause}][ --comm {glob:most}]",
		              view && view_can_show(list->question, view) ? view : "chains");
	else if (cost->kind == COST_STOPPED) /* no wait either */
		buffer_puts(to, "--timeline --comm {glob:most}");
	else if (!cost_is_apart(cost->kind)) /* others waited, for these tasks */
		buffer_puts(to, "--critical-path={path}|--chains");
	else
		buffer_printf(to, "--waits --sort wait%s[ --comm {glob:most}]",
		              cost->kind == COST_OPEN ? " --ended open" : "");
}

static void cost_row(const struct cost_list *list, const struct cost *cost, uint32_t path,
                     const struct output *to)
{
	_cleanup_(buffer_release) struct buffer name = {0}, who = {0}, next = {0}, link = {0};
	struct cell *shares = xcalloc(2 * cost->share_count + 1, sizeof(*shares));
	const bool is_of_object = cost_is_of_object(cost);
	size_t skip = machine_column_skip(list->timeline);
	struct cause cause;
	struct name_share most;

	cost_name_append(&name, list, cost);
	most = cost_shares_append(&who, list, cost);
	for (size_t i = 0; i < cost->share_count; i++) {
		shares[2 * i] = cell_of_name(list->timeline, CELL_TEXT, cost->share[i].comm);
		shares[2 * i + 1] =
			(struct cell){.type = CELL_DURATION, .time = cost->share[i].total};
	}
	if (cost->cause.note)
		cause = cost_cause(list->timeline, cost);
	struct cell cells[ARRAY_SIZE(columns)] = {
		is_of_object ? cell_of_machine(list->timeline, cost->machine)
	                     : (struct cell){.type = CELL_EMPTY},
		{.type = CELL_TEXT, .text = cost_kind_key(cost->kind)},
		{.type = cost->cause.note ? CELL_CAUSE : CELL_EMPTY, .cause = &cause},
		/* what all summed waits were for, as far as their cause shows it */
		cell_of_brief_aim(brief_aim_of_cause(
			list->timeline, TRACK_NONE,
			cost->kind == COST_WAIT ? cost->cause.note : NULL)),
		{.type = CELL_DURATION, .time = cost->total},
		{.type = cost_is_apart(cost->kind) ? CELL_EMPTY : CELL_RATIO,
		.ratio = nsec_ratio(cost->total, list->total - list->apart)},
		{.type = CELL_TEXT, .text = name.text},
		{.type = CELL_TEXT, .text = who.text},
		{.type = CELL_ROWS, .rows = {share_columns, ARRAY_SIZE(share_columns), shares,
	                                 cost->share_count}},
		{.type = most.name ? CELL_TEXT : CELL_EMPTY, .text = most.name},
		cell_of_task(list->timeline, path),
	};

	cost_link(list, cost, most.share, &link);
	row_link_fill(&next, link.length ? link.text : NULL, columns, cells, COLUMN_NEXT + 1,
	              list->question);
	evidence_fill(list->question, cost->claim, cells + COLUMN_NEXT + 1);
	output_row(to, cells + skip);
	free(shares);
}

static void costs_show(const struct cost_list *list, uint32_t path, const struct output *to)
{
	const size_t count =
		ARRAY_SIZE(columns) - EVIDENCE_CELLS + evidence_cells(list->question);
	size_t shown = output_row_count(to, list->count);
	size_t skip = machine_column_skip(list->timeline);

	/* a screen has no room for negligible costs */
	if (output_row_limit(to))
		while (shown > 0 && list->cost[shown - 1].is_small)
			shown--;
	output_table_begin(to, "costs", NULL, columns + skip, count - skip, false);
	for (size_t i = 0; i < shown; i++)
		cost_row(list, &list->cost[i], path, to);
	output_leave_rows(to, list->count - shown);
	output_table_end(to);
}

/* "qemu 31 %, cc1 22 %": who had the CPUs, while the one task, or a task that it waited for, was in
   a run queue; for several asked tasks during the whole trace. */
static void runners_describe(const struct summary *summary, struct buffer *to)
{
	const struct timeline *timeline = summary->question->timeline;
	const struct had_cpu *had = &summary->explanation->path_sums.had_cpu;
	bool is_path = summary->explanation->path_track != TRACK_NONE;
	const nsec_t others[] = {had->interrupts, had->idle};
	_cleanup_(keyed_sums_release) struct keyed_sums runners;

	keyed_sums_init(&runners, sizeof(struct keyed_sum), SIZE_MAX);
	runners.total = is_path ? had->interrupts + had->idle : 0;
	for (uint32_t track = 0; track < (is_path ? had->track_count : summary->count); track++)
		keyed_sums_add_time(&runners, track_name(&timeline->track[track]),
		                    is_path ? had->by_track[track]
		                            : summary->by_track[track].running);
	keyed_sums_sort(&runners);
	for (size_t i = 0; i < runners.count && i < SHOWN_RUNNERS; i++) {
		const struct keyed_sum *sum = keyed_sums_at(&runners, i);
		double part = nsec_ratio(sum->total, runners.total);

		if (i && part < PART_NEGLIGIBLE)
			break;
		say(to, timeline, "{,}{name} {share}", NAME((uint32_t)sum->key), SHARE(part));
	}
	for (size_t i = 0; is_path && i < ARRAY_SIZE(others); i++) {
		double part = nsec_ratio(others[i], runners.total);

		if (part >= PART_NEGLIGIBLE)
			say(to, NULL, "{,}{text} {share}", TEXT(i ? "idle" : "interrupts"),
			    SHARE(part));
	}
}

/* "on average 7.1 tasks for 2 CPUs; while it queued, the CPUs ran qemu 31 %, cc1 22 %". */
static void queue_print(const struct summary *summary, const struct cost_list *list,
                        const struct output *to)
{
	const struct question *question = summary->question;
	_cleanup_(buffer_release) struct buffer demand = {0}, runners = {0};
	bool is_path = summary->explanation->path_track != TRACK_NONE;
	uint32_t machine = 0;

	if (cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) < PART_WORTH)
		return;
	do {
		say(&demand, NULL, "[{if}; ]", IF(machine > 0));
		summary_demand_append(summary, machine, &demand);
	} while (++machine < question->timeline->hosts.count);
	if (is_path || summary->is_streaming)
		runners_describe(summary, &runners);
	say_fact(to, NULL,
	       FACT(is_path && cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN) >= PART_MOST
	                    ? FACT_CAUSE
	                    : FACT_DETAIL,
	            .next = "--sched", .figure = FIGURE_NUMBER,
	            .number = cost_list_part(list, COST_QUEUE, CAUSE_UNKNOWN)),
	       "Run queue: {text}[; [{if}while it queued, the CPUs ran|what they ran:] {text}].",
	       TEXT(demand.text), IF(is_path), TEXT(runners.text));
}

void summary_print_costs(const struct summary *summary, const struct output *to, size_t tasks)
{
	const struct explanation *explanation = summary->explanation;
	bool is_path = explanation->path_track != TRACK_NONE, has_answers;
	nsec_t forgotten = explanation->path_sums.forgotten;
	struct cost_list list;

	cost_list_init(&list, summary->question);
	if (is_path) {
		list.own = track_name(&list.timeline->track[explanation->path_track]);
		cost_list_add_tree(&list, &explanation->path, /* is_path= */ true);
		cost_list_add(&list, COST_FOR_WORK, list.own, explanation->path_for_work);
		cost_list_add(&list, COST_ASLEEP, list.own, explanation->path_asleep);
	} else {
		costs_of_tasks(summary, &list);
		cost_list_count_once(&list);
	}
	cost_list_sort(&list);
	costs_claim(&list, explanation);
	if (list.total)
		headline_print(summary, &list, tasks, to);
	path_commands_print(summary->question, to);
	costs_show(&list, explanation->path_track, to);
	/* of the reasons for unknown time, the user can change this one */
	if (nsec_ratio(forgotten, list.total - list.apart) >= PART_FORGOTTEN)
		say_to(to, NULL,
		       "Too long a chain to follow: {time} of this is older than the history that "
		       "a summary keeps; --critical-path and --chains keep all of it.",
		       TIME(forgotten));
	has_answers = summary_answers_report(summary->requests, explanation, to);
	summary_print_slices(summary, /* of_path= */ has_answers, to);
	summary_print_polling(summary, /* is_first= */ true, to);
	queue_print(summary, &list, to);
	heaviest_chains_print(summary->question,
	                      is_path ? &explanation->path : &explanation->waits,
	                      list.total - list.apart, to);
	advices_print(summary, &list, to);
	if (!summary->question->asked->summary.is_short)
		over_time_print(&explanation->runnable, &explanation->waiting, summary->question,
		                to);
	cost_list_release(&list);
}
