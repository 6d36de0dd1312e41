/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much sooner a task would have been done, had something been faster: the recording replayed
 * with that change (--what-if), or with each of the changes that would pay most (--advise).
 */
#include <assert.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/asked_tasks.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/relation.h"
#include "base/cleanup.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "candidates.h"
#include "outcome.h"
#include "sentences/say.h"
#include "what_if_spec.h"

/* So many causes are shown, and so many are tried. */
#define ADVICE_SHOWN 10
#define ADVICE_TRIED 40

struct what_if_view {
	const struct question *question;
	struct contentions contentions;
	struct what_if_specs specs; /* of --what-if */
};

/* A spec with its answer. */
struct what_if_row {
	struct what_if_spec spec;
	struct outcome outcome;
	nsec_t length; /* of the task's time as it was */
};

static void what_if_begin(void *state)
{
	struct what_if_view *view = state;
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);

	if (view->question->asked->what_if.specs)
		(void)what_if_specs_read(&view->specs, view->question->asked->what_if.specs, &why);
}

static void what_if_on_interval(void *state, const struct interval *interval)
{
	struct what_if_view *view = state;

	contentions_add(&view->contentions, interval);
}

static void what_if_resolve(void *state)
{
	struct what_if_view *view = state;

	contentions_settle(&view->contentions, view->question->timeline);
}

static void what_if_end(void *state)
{
	struct what_if_view *view = state;

	contentions_release(&view->contentions);
	what_if_specs_release(&view->specs);
}

static void what_if_take_argument(struct asked *asked, const char *text)
{
	asked->what_if.specs = text;
}

static bool what_if_check_argument(const char *text, struct buffer *why)
{
	struct what_if_specs specs = {0};
	bool is_right = what_if_specs_read(&specs, text, why);

	what_if_specs_release(&specs);
	return is_right;
}

/* "no disk "sdx"; there are vda, vdb". */
static bool spec_is_there(const struct what_if_view *view, const struct what_if_spec *spec,
                          struct buffer *why)
{
	const struct question *question = view->question;
	_cleanup_(buffer_release) struct buffer names = buffer_of(4096);
	struct candidates candidates;
	struct speedup speedup;
	bool is_there;

	speedup_init(&speedup, spec, question, &view->contentions);
	is_there = speedup.is_there;
	speedup_release(&speedup);
	if (is_there)
		return true;
	candidates_init(&candidates, question, &view->contentions,
	                &(struct path_target){.track = TRACK_NONE});
	(void)candidates_append(&names, &candidates, question->timeline, spec->kind);
	say(why, question->timeline,
	    "no {text} \"{foreign}\"; [{if}the recording has {text}|there is none]",
	    TEXT(spec->kind == WHAT_IF_TIMER ? "task with timers"
	                                     : what_if_kind_word(spec->kind)),
	    FOREIGN(spec->name), IF(names.length), TEXT(names.text));
	candidates_release(&candidates);
	return false;
}

static bool what_if_has_answer(const void *state, struct buffer *why)
{
	const struct what_if_view *view = state;

	if (!path_task_is_there(view->question, why))
		return false;
	for (size_t i = 0; i < view->specs.count; i++)
		if (!spec_is_there(view, &view->specs.spec[i], why))
			return false;
	return true;
}

/* "sleeper's sleeps", "the time in which biglock is held" ... */
static void spec_say(struct buffer *to, const struct what_if_spec *spec)
{
	static const char *const words[WHAT_IF_KINDS] = {
		[WHAT_IF_TIMER] = "the sleeps of", [WHAT_IF_TASK] = "the running of",
		[WHAT_IF_LOCK] = "the time in lock", [WHAT_IF_DISK] = "the waits for disk",
		[WHAT_IF_NET] = "the waits for network",
	};

	if (spec->factor == 0)
		say(to, NULL, "Without {text} {foreign}", TEXT(words[spec->kind]),
		    FOREIGN(spec->name));
	else
		say(to, NULL, "With {text} {foreign} [{if}half as long|{if}unchanged|"
		              "{hundredths} times as long]",
		    TEXT(words[spec->kind]), FOREIGN(spec->name),
		    IF(spec->factor == FACTOR_ONE / 2), IF(spec->factor == FACTOR_ONE),
		    HUNDREDTHS((double)spec->factor / FACTOR_ONE));
}

/* "3.000 ms (7 %)", "15.300 ms to 20.100 ms (37 % to 49 %)". */
static void saving_say(struct buffer *to, const struct what_if_row *row)
{
	nsec_t low = row->outcome.low, high = row->outcome.high;
	bool is_wide = (high - low) * 100 > row->length; /* shares differ, too */

	say(to, NULL, "[[{time} to ]{time} shorter ([{share} to ]{share})|no shorter]",
	    WHEN(low < high, TIME(low)), WHEN(high, TIME(high)),
	    WHEN(is_wide, SHARE(nsec_ratio(low, row->length))),
	    SHARE(nsec_ratio(high, row->length)));
}

/* "sleeping on a timer", "running", "in a run queue". */
static const char *limit_does(const struct limit *limit)
{
	if (limit->cause)
		return cause_kind_words((enum cause_kind)limit->cause->kind);
	return limit->is_queue ? "run queue" : "running";
}

static void row_say(const struct what_if_row *row, const struct question *question, uint32_t track,
                    const struct output *to)
{
	const struct limit *limit = &row->outcome.limit;
	_cleanup_(buffer_release) struct buffer line = buffer_of(4096);

	spec_say(&line, &row->spec);
	buffer_puts(&line, ": ");
	if (row->outcome.refused) {
		say(&line, NULL, "cannot be said: {text}.", TEXT(row->outcome.refused));
		prose_put(to, line.text);
		return;
	}
	saving_say(&line, row);
	say(&line, question->timeline,
	    "[; then {if}most is its own ({text})|; then {task} is what it waits for ({text})].",
	    IF(limit->track == track), TEXT(limit_does(limit)), TASK(limit->track),
	    TEXT(limit_does(limit)));
	prose_put(to, line.text);
	if (limit->track == TRACK_NONE)
		return;
	buffer_clear(&line);
	prose_tid_append(&line, question->timeline, limit->track);
	say_to(to, NULL, "What takes it so long: --critical-path={text}.", TEXT(line.text));
}

#define AT(member) RELATION_AT(struct what_if_row, member)

enum {ROW_SPEC, ROW_LOW, ROW_HIGH, ROW_LIMIT = 3, ROW_LIMIT_WORDS, ROW_REFUSED};

static const struct field limit_fields[] = {
	{"task", NULL, CELL_TASK, 0, FILLED},
	{"cause", NULL, CELL_CAUSE, 0, FILLED},
};

static const struct field row_fields[] = {
	[ROW_SPEC] = {"spec", "IF", CELL_TEXT, 0, FILLED},
	[ROW_LOW] = {"low_ns", "AT LEAST", CELL_DURATION, 0, AT(outcome.low)},
	[ROW_HIGH] = {"high_ns", "AT MOST", CELL_DURATION, 0, AT(outcome.high)},
	[ROW_LIMIT] = {"limit", NULL, CELL_RECORD, COLUMN_DATA_ONLY, FILLED},
	[ROW_LIMIT_WORDS] = {NULL, "THEN", CELL_TEXT, COLUMN_TAILED, FILLED},
	[ROW_REFUSED] = {"refused", NULL, CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
};
#undef AT

/* The rows while they are shown. */
struct shown_rows {
	const struct question *question;
	struct cause *cause;
	struct cell *limit;
	struct column *limit_column;
};

static void limit_fill(const struct shown_rows *shown, const struct limit *limit, struct cell *cell)
{
	struct timeline *timeline = shown->question->timeline;

	if (limit->track == TRACK_NONE) {
		cell->type = CELL_EMPTY;
		return;
	}
	for (size_t i = 0; i < 2; i++)
		shown->limit_column[i] = (struct column){
			limit_fields[i].key, NULL, limit_fields[i].type, 0};
	shown->limit[0] = cell_of_task(timeline, limit->track);
	shown->limit[1] = (struct cell){.type = CELL_EMPTY};
	if (limit->cause) {
		*shown->cause = timeline_cause(timeline, limit->cause, NSEC_NEVER);
		shown->limit[1] = (struct cell){.type = CELL_CAUSE, .cause = shown->cause};
	}
	cell->rows = (struct cell_rows){shown->limit_column, 2, shown->limit, 1};
}

static void row_fill(const void *of_rows, const void *of, struct cell *cell, struct buffer *text)
{
	const struct shown_rows *shown = of_rows;
	const struct what_if_row *row = of;

	buffer_append(&text[ROW_SPEC], row->spec.text, row->spec.length);
	limit_fill(shown, &row->outcome.limit, &cell[ROW_LIMIT]);
	if (row->outcome.limit.track != TRACK_NONE)
		say(&text[ROW_LIMIT_WORDS], shown->question->timeline, "{task}, {text}",
		    TASK(row->outcome.limit.track), TEXT(limit_does(&row->outcome.limit)));
	else
		cell[ROW_LIMIT_WORDS].type = CELL_EMPTY;
	cell[ROW_REFUSED].text = row->outcome.refused;
	if (row->outcome.refused)
		cell[ROW_LOW].type = cell[ROW_HIGH].type = CELL_EMPTY;
	else
		cell[ROW_REFUSED].type = CELL_EMPTY;
}

static void rows_put(const struct what_if_row *rows, size_t count, const char *key,
                     unsigned flags, const struct question *question, const struct output *to)
{
	struct cell limit[2];
	struct column limit_column[2];
	struct cause cause;
	const struct shown_rows shown = {question, &cause, limit, limit_column};
	const struct relation_form form = {
		key, NULL, FIELDS(row_fields),
		.next = "--what-if={spec}",
		.fill = row_fill, .flags = flags,
	};
	struct tally table = relation_of(rows, sizeof(*rows), count);

	relation_put(&table, &form, &shown, question, to);
}

/* Finds the asked task, and makes the plan of its time; returns false if there is no such task. */
static bool plan_make(const struct question *question, const struct output *to,
                      struct path_target *target, struct replay_plan *ret)
{
	path_target_find(question, target);
	if (target->track == TRACK_NONE) {
		prose_put(to, "No such task in this trace.");
		return false;
	}
	replay_plan_init(ret, question->timeline, target->window.begin, target->window.end);
	say_to(to, question->timeline, "{task} took {time}[: {text}].", TASK(target->track),
	       TIME(target->window.end - target->window.begin), TEXT(target->why));
	return true;
}

static void what_if_report(const void *state, const struct output *to)
{
	const struct what_if_view *view = state;
	const struct question *question = view->question;
	struct what_if_row *row = xcalloc(view->specs.count + 1, sizeof(*row));
	struct path_target target;
	struct replay_plan plan;
	size_t count = 0;

	output_section_begin(to, "what_if", "What if", /* is_list= */ true);
	if (plan_make(question, to, &target, &plan)) {
		for (; count < view->specs.count; count++) {
			row[count] = (struct what_if_row){
				.spec = view->specs.spec[count],
				.outcome = outcome_find(&plan, &view->specs.spec[count], question,
			                                target.track, &view->contentions),
				.length = plan.end - plan.begin,
			};
			row_say(&row[count], question, target.track, to);
		}
		replay_plan_release(&plan);
	}
	rows_put(row, count, "what_if", COLUMN_DATA_ONLY, question, to);
	output_section_end(to);
	free(row);
}

/* A spec that names the candidate, gone. */
static struct what_if_spec spec_of(const struct candidate *candidate,
                                   const struct timeline *timeline)
{
	const char *name = intern_text(&timeline->names, candidate->key.name);
	enum what_if_kind kind = (enum what_if_kind)candidate->key.kind;
	char *text = xasprintf("%s:%s=0", what_if_kind_word(kind), name);

	return (struct what_if_spec){
		.kind = kind, .text = text, .length = strlen(text), .name = xstrdup(name),
		.is_exact = true,
	};
}

static int row_compare(const void *a, const void *b)
{
	const struct what_if_row *x = a, *y = b;

	return ORDER_BY(FALLING(x, y, outcome.high), FALLING(x, y, outcome.low),
	                RISING(x, y, spec.kind));
}

/* Returns how many of the rows would pay anything; those come first, most first. */
static size_t advise(const struct what_if_view *view, const struct replay_plan *plan,
                     const struct path_target *target, struct what_if_row rows[static ADVICE_TRIED],
                     size_t *ret_tried)
{
	const struct question *question = view->question;
	struct candidates candidates;
	size_t count = 0, pays = 0;

	candidates_init(&candidates, question, &view->contentions, target);
	for (size_t i = 0; i < candidates.count && count < ADVICE_TRIED; i++, count++) {
		struct what_if_row *row = &rows[count];

		*row = (struct what_if_row){
			.spec = spec_of(&candidates.candidate[i], question->timeline),
			.length = plan->end - plan->begin,
		};
		row->outcome = outcome_find(plan, &row->spec, question, target->track,
		                            &view->contentions);
	}
	candidates_release(&candidates);
	if (count)
		qsort(rows, count, sizeof(*rows), row_compare);
	while (pays < count && pays < ADVICE_SHOWN && rows[pays].outcome.high > 0)
		pays++;
	*ret_tried = count;
	return pays;
}

static void advise_report(const void *state, const struct output *to)
{
	const struct what_if_view *view = state;
	const struct question *question = view->question;
	struct what_if_row rows[ADVICE_TRIED];
	struct path_target target;
	struct replay_plan plan;
	size_t pays = 0, tried = 0;

	output_section_begin(to, "advise", "Advise", /* is_list= */ true);
	if (plan_make(question, to, &target, &plan)) {
		pays = advise(view, &plan, &target, rows, &tried);
		prose_put(to, pays ? "So much shorter would it be without each of these:"
		                   : "Nothing in this recording, gone, would make it shorter.");
		replay_plan_release(&plan);
	}
	rows_put(rows, pays, "advise", 0, question, to);
	output_section_end(to);
	for (size_t i = 0; i < tried; i++) {
		free(rows[i].spec.name);
		free((void *)(uintptr_t)rows[i].spec.text);
	}
}

const struct analysis what_if_analysis = {
	.name = "what-if",
	.about = "how much sooner a task would be done if something took less time",
	.argument = "SPEC,...",
	.needs_argument = true,
	.take_argument = what_if_take_argument,
	.check_argument = what_if_check_argument,
	.heeds = HEEDS_TASKS | HEEDS_WALKS,
	.needs_history = true,
	.state_bytes = sizeof(struct what_if_view),
	.begin = what_if_begin,
	.on_interval = what_if_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_LOCK),
	.resolve = what_if_resolve,
	.has_answer = what_if_has_answer,
	.report = what_if_report,
	.end = what_if_end,
};

const struct analysis advise_analysis = {
	.name = "advise",
	.about = "the ten causes that would pay most, if they were gone",
	.heeds = HEEDS_TASKS | HEEDS_WALKS,
	.needs_history = true,
	.state_bytes = sizeof(struct what_if_view),
	.begin = what_if_begin,
	.on_interval = what_if_on_interval,
	.interval_kinds = INTERVAL_MASK(INTERVAL_LOCK),
	.resolve = what_if_resolve,
	.has_answer = what_if_has_answer,
	.report = advise_report,
	.end = what_if_end,
};
