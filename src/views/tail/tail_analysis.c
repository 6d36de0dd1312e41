/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the slow units of work are slow: requests, turns between marks, slices, system calls. The
 * units of one program are compared with each other; a reason is named only if it is rare elsewhere
 * (tail_reasons.h).
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/paths/path_task.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/interrupt_sums.h"
#include "analysis/tables/relation.h"
#include "analysis/turns/turn_source.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "graph/logs/interrupt_log.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "tail_reasons.h"
#include "tail_words.h"

#define SLOWEST_SHOWN 3
#define PER_DEFAULT   "request"

struct tail_view {
	const struct question *question;
	const struct turn_source *source;
	const char *name; /* in --per */
	void *gathered;   /* the state of source->gather */
	struct interrupt_log interrupts;
	struct buffer why; /* there are no units */
	bool has_turns; /* in the window or not */
	const char *role;
	uint32_t program; /* name id of the tasks that did these units */
	size_t others;    /* units of other programs, which are left out */
	struct tail_units units;
	struct tail_answer answer;
};

static void tail_begin(void *state)
{
	struct tail_view *view = state;
	const char *per = view->question->asked->tail.per;

	view->source = turn_source_find(per ? per : PER_DEFAULT, &view->name);
	assert(view->source);
	if (view->source->gather)
		view->gathered = analysis_begin(view->source->gather, view->question);
}

static void tail_on_interval(void *state, const struct interval *interval)
{
	struct tail_view *view = state;
	const struct analysis *gather = view->source->gather;

	if (interval_is_interrupt(interval))
		interrupt_log_add(&view->interrupts, interval->cpu, interval_started(interval),
		                  interval->end);
	if (gather && gather->interval_kinds & INTERVAL_MASK(interval->kind))
		gather->on_interval(view->gathered, interval);
}

/* The whole recording is one unit: the run of the one asked task. */
static bool find_run(const struct question *question, struct turn_list *ret, struct buffer *why)
{
	uint32_t track = path_task_only(question);
	struct path_window window;

	if (track == TRACK_NONE) {
		buffer_puts(why, "--per run: which task's run? Add --comm NAME or --tid TID");
		return false;
	}
	window = path_task_window(question, track);
	ARRAY_GROW(ret->turn, ret->count, ret->capacity);
	ret->turn[ret->count++] = (struct turn){track, window.begin, window.end};
	return true;
}

static bool turn_is_in_window(const struct question *question, const struct turn *turn)
{
	return turn->begin >= question->resolved->begin && turn->end <= question->resolved->end &&
	       turn->begin < turn->end;
}

struct program_count {
	uint64_t name;
	uint64_t count;
};

static uint64_t turn_program(const struct tail_view *view, const struct turn *turn)
{
	return track_name(&view->question->timeline->track[turn->track]);
}

/* The program with most units: those of others are not like them. */
static void choose_program(struct tail_view *view, const struct turn_list *list)
{
	struct tally counts;
	const struct program_count *most;
	size_t all = 0;

	tally_init(&counts, sizeof(struct program_count), sizeof(uint64_t), TALLY_NO_LIMIT);
	for (size_t i = 0; i < list->count; i++) {
		struct program_count *count;

		if (!turn_is_in_window(view->question, &list->turn[i]))
			continue;
		count = tally_of(&counts, turn_program(view, &list->turn[i]));
		count->count++;
		all++;
	}
	most = ORDER_MOST(it, (const struct program_count *)counts.row, counts.count, true,
	                  it->count);
	view->program = most ? (uint32_t)most->name : 0;
	view->others = most ? all - most->count : 0;
	tally_release(&counts);
}

static void name_queues(struct tail_view *view)
{
	nsec_t least = tail_answer_least(&view->answer);

	if (view->answer.far == 0)
		return;
	for (size_t i = 0; i < view->units.count; i++) {
		bool is_far = view->units.unit[i].length > view->answer.fence;

		tail_units_name_queue(&view->units, i, is_far ? 1 : least);
	}
}

static void tail_resolve(void *state)
{
	struct tail_view *view = state;
	const struct question *question = view->question;
	struct turn_list list = {0};

	tail_units_init(&view->units, question->timeline, &view->interrupts);
	view->units.leaves_out_idle = view->source == &turn_sources[DIFF_PER_MARK];
	if (!view->source->gather)
		(void)find_run(question, &list, &view->why);
	else
		(void)view->source->find(view->gathered, view->name, &list, &view->why);
	view->has_turns = list.count > 0;
	view->role = view->has_turns ? list.role : NULL;
	choose_program(view, &list);
	for (size_t i = 0; i < list.count; i++)
		if (turn_is_in_window(question, &list.turn[i]) &&
		    turn_program(view, &list.turn[i]) == view->program)
			tail_units_add(&view->units, &list.turn[i]);
	if (view->units.count == 0 && list.count > 0)
		buffer_puts(&view->why, "none lies in the window as a whole");
	turn_list_release(&list);
	tail_answer_init(&view->answer, &view->units, question->asked->tail.part);
	name_queues(view);
	tail_answer_find(&view->answer);
}

static bool tail_has_answer(const void *state, struct buffer *why)
{
	const struct tail_view *view = state;

	/* without --per nothing is asked for by name; nor is a window */
	if (view->why.length == 0 || !view->question->asked->tail.per || view->has_turns)
		return true;
	buffer_puts(why, view->why.text);
	return false;
}

/* The reasons. */

/* What is shown, and the cells of the row that is filled in. */
struct shown_reasons {
	const struct tail_view *view;
	struct cell *without;
};

enum {
	REASON_NAMED,
	REASON_CHAIN,
	REASON_LEAF,
	REASON_SLOW_WITH = 4,
	REASON_P = 7,
	REASON_WITHOUT = 9,
	REASON_WORDS,
	REASON_MEANWHILE,
};

#define AT(member) RELATION_AT(struct tail_reason, member)

static const struct field reason_fields[] = {
	[REASON_NAMED] = {"named", NULL, CELL_BOOL, COLUMN_DATA_ONLY, AT(is_named)},
	[REASON_CHAIN] = {"chain", NULL, CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[REASON_LEAF] = {"leaf", NULL, CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	{"votes", "SLOW", CELL_COUNT, 0, AT(votes)},
	[REASON_SLOW_WITH] = {"slow_with", NULL, CELL_COUNT, COLUMN_DATA_ONLY, FILLED},
	{"all_with", NULL, CELL_COUNT, COLUMN_DATA_ONLY, AT(all_with)},
	{NULL, "OF ALL", CELL_COUNT, COLUMN_USEFUL(2), AT(all_with)},
	[REASON_P] = {"p", NULL, CELL_RATIO, COLUMN_DATA_ONLY, FILLED},
	{"excess_ns", "LONGER", CELL_DURATION, 0, AT(excess)},
	[REASON_WITHOUT] = {"without", NULL, CELL_RECORD, COLUMN_DATA_ONLY, FILLED},
	[REASON_WORDS] = {NULL, "SLOWED BY", CELL_TEXT, COLUMN_POINT, FILLED},
	[REASON_MEANWHILE] = {NULL, "MEANWHILE", CELL_TEXT, COLUMN_USEFUL(1), FILLED},
};
#undef AT

static const struct column chain_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DATA_ONLY},
};

static const struct column without_columns[] = {{"p99_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY}};

/* The unit's own task with what it wanted, and the one that it waited for. Freed with the row. */
static struct cell_rows chain_rows(const struct tail_view *view, const struct tail_reason *reason)
{
	const struct timeline *timeline = view->question->timeline;
	struct cell *cell = xcalloc(2 * ARRAY_SIZE(chain_columns), sizeof(*cell));
	const struct tail_key_row *row;
	size_t count = 1;

	cell[0] = cell_of_task(timeline, reason->track);
	cell[1] = cell_of_brief_aim((struct brief_aim){AIM_NONE, NULL});
	if (reason->key != TAIL_SEVERAL) {
		row = &view->units.key[reason->key];
		cell[1] = cell_of_brief_aim(brief_aim_of_key(timeline, &row->key.aim));
		if (row->key.behind) {
			cell[2] = cell_of_task(timeline, row->behind.track);
			cell[3] = cell_of_brief_aim((struct brief_aim){AIM_NONE, NULL});
			count = 2;
		}
	}
	return (struct cell_rows){chain_columns, ARRAY_SIZE(chain_columns), cell, count};
}

static void reason_fill(const void *of_shown, const void *of, struct cell *cell,
                        struct buffer *text)
{
	const struct shown_reasons *shown = of_shown;
	const struct tail_view *view = shown->view;
	const struct tail_reason *reason = of;

	cell[REASON_CHAIN].rows = chain_rows(view, reason);
	tail_end_append(&text[REASON_LEAF], &view->units, reason->key, reason->leaf);
	tail_leaf_append(&text[REASON_MEANWHILE], &view->units, reason->leaf);
	if (text[REASON_LEAF].length == 0)
		cell[REASON_LEAF].type = CELL_EMPTY;
	tail_vote_append(&text[REASON_WORDS], &view->units, reason->key);
	cell[REASON_SLOW_WITH].count = reason->slow_with;
	cell[REASON_P].ratio = reason->p;
	if (reason->key == TAIL_SEVERAL)
		cell[REASON_P].type = CELL_EMPTY;
	*shown->without = (struct cell){.type = CELL_DURATION, .time = reason->p99_without};
	cell[REASON_WITHOUT].rows = (struct cell_rows){without_columns, 1, shown->without, 1};
	if (!reason->is_named)
		cell[REASON_WITHOUT].type = CELL_EMPTY;
}

static const struct relation_form reason_form = {
	"reasons", "Reasons", FIELDS(reason_fields),
	.fill = reason_fill, .is_hidden_if_empty = true,
};

static void reasons_put(const struct tail_view *view, const struct output *to)
{
	struct cell without;
	const struct shown_reasons shown = {view, &without};
	struct tally rows = relation_of(view->answer.reason, sizeof(*view->answer.reason),
	                                view->answer.reason_count);

	relation_put(&rows, &reason_form, &shown, view->question, to);
}

/* The profile. */

#define BAR_WIDTH 27

enum {PROFILE_KEY, PROFILE_BAR = 3};

#define AT(member) RELATION_AT(struct tail_profile, member)

static const struct field profile_fields[] = {
	[PROFILE_KEY] = {"key", "ON AVERAGE", CELL_TEXT, COLUMN_POINT, FILLED},
	{"slow_ns", "SLOW", CELL_DURATION, 0, AT(slow)},
	{"other_ns", "THE REST", CELL_DURATION, 0, AT(other)},
	[PROFILE_BAR] = {NULL, "MORE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_BAR, FILLED},
};
#undef AT

static nsec_t profile_more(const struct tail_profile *row)
{
	return row->slow > row->other ? row->slow - row->other : 0;
}

static void profile_fill(const void *of_view, const void *of, struct cell *cell,
                         struct buffer *text)
{
	static const char stars[] = "***************************";
	const struct tail_view *view = of_view;
	const struct tail_profile *row = of;
	nsec_t most = profile_more(view->answer.profile);

	_Static_assert(sizeof(stars) == BAR_WIDTH + 1, "the longest bar");
	(void)cell;
	tail_key_append(&text[PROFILE_KEY], &view->units, row->key);
	buffer_printf(&text[PROFILE_BAR], "|%-*.*s|", BAR_WIDTH,
	              (int)(nsec_ratio(profile_more(row), most) * BAR_WIDTH), stars);
}

static const struct relation_form profile_form = {
	"profile", "What slow ones have more of", FIELDS(profile_fields),
	.fill = profile_fill, .is_hidden_if_empty = true,
};

static void profile_put(const struct tail_view *view, const struct output *to)
{
	struct tally rows = relation_of(view->answer.profile, sizeof(*view->answer.profile),
	                                view->answer.profile_count);

	relation_put(&rows, &profile_form, view, view->question, to);
}

/* The slowest units. */

enum {SLOWEST_TOOK = 2, SLOWEST_REASON, SLOWEST_PATH};

struct slowest_row {
	const struct tail_unit *unit;
	nsec_t begin, end;
};

#define AT(member) RELATION_AT(struct slowest_row, member)

static const struct field slowest_fields[] = {
	{"begin_ns", "AT", CELL_INSTANT, 0, AT(begin)},
	{"end_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY, AT(end)},
	[SLOWEST_TOOK] = {NULL, "TOOK", CELL_DURATION, COLUMN_TEXT_ONLY, FILLED},
	[SLOWEST_REASON] = {"reason", NULL, CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SLOWEST_PATH] = {NULL, "ITS PATH", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_POINT, FILLED},
};
#undef AT

static void slowest_fill(const void *of_view, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct tail_view *view = of_view;
	const struct tail_unit *unit = ((const struct slowest_row *)of)->unit;
	uint32_t vote = view->answer.vote[unit - view->units.unit];

	cell[SLOWEST_TOOK].time = unit->end - unit->begin;
	tail_vote_append(&text[SLOWEST_REASON], &view->units, vote);
	if (vote == TAIL_NONE)
		cell[SLOWEST_REASON].type = CELL_EMPTY;
	say(&text[SLOWEST_PATH], view->question->timeline, "{path}",
	    PATH(unit->track, unit->begin, unit->end));
}

static const struct relation_form slowest_form = {
	"slowest", "Slowest, and their paths", FIELDS(slowest_fields),
	.fill = slowest_fill, .is_hidden_if_empty = true,
};

static void slowest_put(const struct tail_view *view, const struct output *to)
{
	const struct tail_answer *answer = &view->answer;
	struct slowest_row row[SLOWEST_SHOWN];
	struct tally rows;
	size_t count = 0;

	for (; count < SLOWEST_SHOWN && count < answer->count; count++) {
		size_t number = answer->order[answer->count - 1 - count];
		const struct tail_unit *unit = &view->units.unit[number];

		row[count] = (struct slowest_row){unit, unit->begin, unit->end};
	}
	rows = relation_of(row, sizeof(*row), count);
	relation_put(&rows, &slowest_form, view, view->question, to);
}

/* The sentences. */

/* The track of all units; TRACK_NONE: they are of several. */
static uint32_t only_track(const struct tail_view *view)
{
	for (size_t i = 1; i < view->units.count; i++)
		if (view->units.unit[i].track != view->units.unit[0].track)
			return TRACK_NONE;
	return view->units.count ? view->units.unit[0].track : TRACK_NONE;
}

static nsec_t length_from_end(const struct tail_answer *answer, size_t n)
{
	return answer->units->unit[answer->order[answer->count - 1 - n]].length;
}

static void units_print(const struct tail_view *view, const struct output *to)
{
	const struct tail_answer *answer = &view->answer;
	uint32_t track = only_track(view);
	bool is_server = view->role && view->role[0] == 's';

	say_to(to, view->question->timeline,
	       "[{task}|{name}|It][{if} answered|{if} sent|:] {count} {text}{|s}: half of them "
	       "took at most {time}, [{count} took far longer ({time}[ to {time}])|none took far "
	       "longer, {time} at most].",
	       WHEN(track != TRACK_NONE, TASK(track)), WHEN(view->program, NAME(view->program)),
	       IF(is_server), IF(view->role), COUNT(answer->count), TEXT(view->source->noun),
	       TIME(answer->median),
	       WHEN(answer->far, COUNT(answer->far)),
	       TIME(answer->far ? length_from_end(answer, answer->far - 1) : 0),
	       WHEN(answer->far > 1, TIME(length_from_end(answer, 0))),
	       TIME(length_from_end(answer, 0)));
	if (view->others)
		say_to(to, NULL, "{count} {text}{|s} of other programs {is|are} left out (--comm).",
		       COUNT(view->others), TEXT(view->source->noun));
}

static void reason_print(const struct tail_view *view, const struct tail_reason *reason,
                         const struct output *to)
{
	const struct tail_answer *answer = &view->answer;
	_cleanup_(buffer_release) struct buffer what = {0}, leaf = {0};

	tail_key_append(&what, &view->units, reason->key);
	tail_leaf_append(&leaf, &view->units, reason->leaf);
	say_to(to, NULL,
	       "{count} of these {count}: {text}, {time} longer[; meanwhile {text}]. "
	       "[{if}No other {text} has that|Of all {count} {count} have that][; without it 99 "
	       "of 100 would take at most {time} instead of {time}].",
	       COUNT(reason->votes), COUNT(answer->far), TEXT(what.text), TIME(reason->excess),
	       TEXT(leaf.text), IF(reason->all_with == reason->votes), TEXT(view->source->noun),
	       COUNT(answer->count), COUNT(reason->all_with),
	       WHEN((double)reason->p99_without <= (1 - PART_WORTH) * (double)answer->p99,
	            TIME(reason->p99_without)),
	       TIME(answer->p99));
}

/* Why nothing is named. */
static void silence_print(const struct tail_view *view, const struct output *to)
{
	const struct tail_answer *answer = &view->answer;
	const struct tail_reason *first = answer->reason;
	bool is_few = answer->count < TAIL_ENOUGH;

	if (answer->far >= TAIL_FAR_LEAST && first->key != TAIL_SEVERAL &&
	    2 * first->votes > answer->far && first->all_with > first->slow_with)
		say_to(to, NULL,
		       "No rare cause: most are slow by what {count} of all {count} have, too; "
		       "they are the upper end of the same.",
		       COUNT(first->all_with), COUNT(answer->count));
	else if (answer->far >= TAIL_FAR_LEAST)
		prose_put(to, "No rare cause: no reason stands out, as each has too few of them.");
	else if (is_few)
		say_to(to, NULL, "{count} {text}{|s}: too few for a tail; 200 or more.",
		       COUNT(answer->count), TEXT(view->source->noun));
	else
		say_to(to, NULL, "No rare cause: {text} took far longer.",
		       TEXT(answer->far ? "too few" : "none"));
	if (!view->source->gather)
		prose_put(to, "`ftwait diff` compares runs.");
}

static void tail_print(const struct tail_view *view, const struct output *to)
{
	const struct tail_answer *answer = &view->answer;
	size_t named = 0;

	if (answer->count == 0) {
		say_to(to, NULL,
		       "Nothing to compare[: {text}][{if}; --per says what else a unit is: "
		       "mark:NAME, slice:NAME, syscall:NAME].",
		       TEXT(view->why.text), IF(!view->question->asked->tail.per));
		return;
	}
	units_print(view, to);
	for (size_t i = 0; i < answer->reason_count; i++)
		if (answer->reason[i].is_named && named++ < SHOWN_RARE)
			reason_print(view, &answer->reason[i], to);
	if (named > SHOWN_RARE)
		say_to(to, NULL, "{count} other reason{|s} {is|are} as rare: the table has them.",
		       COUNT(named - SHOWN_RARE));
	if (named == 0)
		silence_print(view, to);
}

static void explain_print(const struct tail_view *view, const struct output *to)
{
	double part = view->question->asked->tail.part;

	if (view->answer.far == 0)
		return;
	say_to(to, NULL,
	       "Far longer: [the slowest {ratio}|beyond q3 + 3 (q3 - q1) of all, which is {time}]. "
	       "Reason: what exceeds the median most.",
	       WHEN(part > 0, RATIO(part)), TIME(view->answer.fence));
}

static void fields_put(const struct tail_view *view, const struct output *to)
{
	const struct tail_answer *answer = &view->answer;

	output_field(to, "unit", NULL,
	             &(struct cell){.type = CELL_TEXT, .text = view->source->noun});
	output_field(to, "role", NULL,
	             &(struct cell){.type = view->role ? CELL_TEXT : CELL_EMPTY,
	                            .text = view->role});
	output_field(to, "count", NULL, &(struct cell){.type = CELL_COUNT, .count = answer->count});
	output_field(to, "median_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = answer->median});
	output_field(to, "fence_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = answer->fence});
	output_field(to, "far", NULL, &(struct cell){.type = CELL_COUNT, .count = answer->far});
}

static void tail_report(const void *state, const struct output *to)
{
	const struct tail_view *view = state;

	view->question->health->inconsistencies += view->units.result.cycles;
	view->question->health->depth_truncations += view->units.result.truncations;
	output_section_begin(to, "tail", "Tail", /* is_list= */ false);
	fields_put(view, to);
	tail_print(view, to);
	reasons_put(view, to);
	profile_put(view, to);
	slowest_put(view, to);
	explain_print(view, to);
	output_section_end(to);
}

static void tail_end(void *state)
{
	struct tail_view *view = state;

	if (view->source->gather)
		analysis_end(view->source->gather, view->gathered);
	interrupt_log_release(&view->interrupts);
	buffer_release(&view->why);
	tail_units_release(&view->units);
	tail_answer_release(&view->answer);
}

static bool tail_check_argument(const char *text, struct buffer *why)
{
	double part;

	if (parse_percent(text, &part) == 0 && part > 0 && part < 1)
		return true;
	say(why, NULL, "{foreign}: not a percentage of the units, like 1%", FOREIGN(text));
	return false;
}

static void tail_take_argument(struct asked *asked, const char *text)
{
	(void)parse_percent(text, &asked->tail.part);
}

const struct analysis tail_analysis = {
	.name = "tail",
	.about = "why the slow requests are slow, or other units of work (--per)",
	.argument = "PERCENT",
	.take_argument = tail_take_argument,
	.check_argument = tail_check_argument,
	.heeds = HEEDS_TASKS | HEEDS_WALKS | HEEDS_FOLD | HEEDS_PER,
	.needs_history = true,
	.state_bytes = sizeof(struct tail_view),
	.begin = tail_begin,
	.on_interval = tail_on_interval,
	.interval_kinds = INTERRUPT_INTERVALS | INTERVAL_MASK(INTERVAL_MARK) |
	                  INTERVAL_MASK(INTERVAL_EXCHANGE) | INTERVAL_MASK(INTERVAL_SYSCALL),
	.resolve = tail_resolve,
	.has_answer = tail_has_answer,
	.report = tail_report,
	.end = tail_end,
};
