/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the slow units of work are slow: requests, turns between marks, slices, system calls. The
 * units of one program are compared with each other; a reason is named only if it is rare elsewhere
 * (tail_reasons.h).
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/evidence/fact_evidence.h"
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
#include "tail.h"
#include "tail_measure.h"
#include "tail_picture.h"
#include "tail_words.h"

#define SLOWEST_SHOWN 3
#define PER_DEFAULT   "request"

static void view_begin(void *state)
{
	struct tail *tail = state;
	const struct question *question = tail->question;
	const char *per = question->asked->tail.per;

	tail_begin(tail, question, per ? per : PER_DEFAULT, question->asked->tail.part);
}

static void view_on_interval(void *tail, const struct interval *interval)
{
	tail_add_interval(tail, interval);
}

static void view_resolve(void *tail)
{
	tail_find(tail, /* tasks= */ NULL);
}

static void view_end(void *tail)
{
	tail_release(tail);
}

static bool tail_has_answer(const void *state, struct buffer *why)
{
	const struct tail *tail = state;

	/* without --per nothing is asked for by name; nor is a window */
	if (tail->why.length == 0 || !tail->question->asked->tail.per || tail->has_turns)
		return true;
	buffer_puts(why, tail->why.text);
	return false;
}

/* The reasons. */

/* What is shown, and the cells of the row that is filled in. */
struct shown_reasons {
	const struct tail *tail;
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
	REASON_TASK,
	REASON_BEGIN,
	REASON_END,
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
	/* of the longest unit that has it */
	[REASON_TASK] = {"task", NULL, CELL_TASK, COLUMN_FOR_LINKS, FILLED},
	[REASON_BEGIN] = {"begin_ns", NULL, CELL_INSTANT, COLUMN_FOR_LINKS, FILLED},
	[REASON_END] = {"end_ns", NULL, CELL_INSTANT, COLUMN_FOR_LINKS, FILLED},
};
#undef AT

static const struct column chain_columns[] = {
	{"task", "TASK", CELL_TASK, 0},
	{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DATA_ONLY},
};

static const struct column without_columns[] = {{"p99_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY}};

/* The unit's own task with what it wanted, and the one that it waited for. Freed with the row. */
static struct cell_rows chain_rows(const struct tail *tail, const struct tail_reason *reason)
{
	const struct timeline *timeline = tail->question->timeline;
	struct cell *cell = xcalloc(2 * ARRAY_SIZE(chain_columns), sizeof(*cell));
	const struct tail_key_row *row;
	size_t count = 1;

	cell[0] = cell_of_task(timeline, reason->track);
	cell[1] = cell_of_brief_aim((struct brief_aim){AIM_NONE, NULL});
	if (reason->key != TAIL_SEVERAL) {
		row = &tail->units.key[reason->key];
		cell[1] = cell_of_brief_aim(brief_aim_of_key(timeline, &row->key.aim));
		if (row->key.behind) {
			cell[2] = cell_of_task(timeline, row->behind.track);
			cell[3] = cell_of_brief_aim((struct brief_aim){AIM_NONE, NULL});
			count = 2;
		}
	}
	return (struct cell_rows){chain_columns, ARRAY_SIZE(chain_columns), cell, count};
}

/* The longest unit that votes for the reason. */
static const struct tail_unit *reason_longest(const struct tail_answer *answer,
                                              const struct tail_reason *reason)
{
	size_t n = 0;

	while (n + 1 < answer->far && !tail_reason_has_vote(answer, reason, tail_far_at(answer, n)))
		n++;
	return tail_unit_at(answer, tail_far_at(answer, n));
}

static void reason_fill(const void *of_shown, const void *of, struct cell *cell,
                        struct buffer *text)
{
	const struct shown_reasons *shown = of_shown;
	const struct tail *tail = shown->tail;
	const struct tail_reason *reason = of;
	const struct tail_unit *longest = reason_longest(&tail->answer, reason);

	cell[REASON_CHAIN].rows = chain_rows(tail, reason);
	tail_end_append(&text[REASON_LEAF], &tail->units, reason->key, reason->leaf);
	tail_leaf_append(&text[REASON_MEANWHILE], &tail->units, reason->leaf);
	if (text[REASON_LEAF].length == 0)
		cell[REASON_LEAF].type = CELL_EMPTY;
	tail_reason_append(&text[REASON_WORDS], &tail->units, reason);
	cell[REASON_SLOW_WITH].count = reason->slow_with;
	cell[REASON_P].ratio = reason->p;
	if (reason->key == TAIL_SEVERAL)
		cell[REASON_P].type = CELL_EMPTY;
	*shown->without = (struct cell){.type = CELL_DURATION, .time = reason->p99_without};
	cell[REASON_WITHOUT].rows = (struct cell_rows){without_columns, 1, shown->without, 1};
	if (!reason->is_named)
		cell[REASON_WITHOUT].type = CELL_EMPTY;
	cell[REASON_TASK] = cell_of_task(tail->question->timeline, longest->track);
	cell[REASON_BEGIN].time = longest->begin;
	cell[REASON_END].time = longest->end;
}

static const struct relation_form reason_form = {
	"reasons", "Reasons", FIELDS(reason_fields),
	.next = LINK_PATH("task", "begin_ns", "end_ns"),
	.fill = reason_fill, .is_hidden_if_empty = true,
};

static void reasons_put(const struct tail *tail, const struct output *to)
{
	struct cell without;
	const struct shown_reasons shown = {tail, &without};
	struct tally rows = relation_of(tail->answer.reason, sizeof(*tail->answer.reason),
	                                tail->answer.reason_count);

	relation_put(&rows, &reason_form, &shown, tail->question, to);
}

/* The profile. */

#define BAR_WIDTH 27

enum {PROFILE_KEY, PROFILE_LEAVES = 3, PROFILE_BAR};

#define AT(member) RELATION_AT(struct tail_profile, member)

static const struct field profile_fields[] = {
	[PROFILE_KEY] = {"key", "ON AVERAGE", CELL_TEXT, COLUMN_POINT, FILLED},
	{"slow_ns", "SLOW", CELL_DURATION, 0, AT(slow)},
	{"other_ns", "THE REST", CELL_DURATION, 0, AT(other)},
	[PROFILE_LEAVES] = {"leaves", NULL, CELL_ROWS, COLUMN_DATA_ONLY, FILLED},
	[PROFILE_BAR] = {NULL, "MORE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_BAR, FILLED},
};
#undef AT

/* `words`: of the leaves of the row that is filled in. */
struct shown_profile {
	const struct tail *tail;
	struct buffer *words;
};

static nsec_t profile_more(const struct tail_profile *row)
{
	return row->slow > row->other ? row->slow - row->other : 0;
}

static const struct column leaf_columns[] = {
	{"leaf", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"slow_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"other_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
};

/* Freed with the row; the words stay in the buffer. */
static struct cell_rows leaf_rows(const struct shown_profile *shown, const struct tail_profile *row)
{
	const struct tail_leaf_profile *leaf = &shown->tail->answer.leaf[row->first];
	size_t columns = ARRAY_SIZE(leaf_columns), at = 0;
	struct cell *cell = xcalloc(row->leaves * columns, sizeof(*cell));

	buffer_clear(shown->words);
	for (size_t i = 0; i < row->leaves; i++) {
		tail_end_append(shown->words, &shown->tail->units, row->key, leaf[i].of.leaf);
		buffer_putc(shown->words, '\0');
	}
	for (size_t i = 0; i < row->leaves; i++) {
		const char *words = shown->words->text + at;

		at += strlen(words) + 1;
		cell[columns * i] = (struct cell){.type = *words ? CELL_TEXT : CELL_EMPTY,
		                                  .text = words};
		cell[columns * i + 1] =
			(struct cell){.type = CELL_DURATION, .time = leaf[i].slow.total};
		cell[columns * i + 2] =
			(struct cell){.type = CELL_DURATION, .time = leaf[i].other.total};
	}
	return (struct cell_rows){leaf_columns, columns, cell, row->leaves};
}

static void profile_fill(const void *of_shown, const void *of, struct cell *cell,
                         struct buffer *text)
{
	static const char stars[] = "***************************";
	const struct shown_profile *shown = of_shown;
	const struct tail *tail = shown->tail;
	const struct tail_profile *row = of;
	nsec_t most = profile_more(tail->answer.profile);

	_Static_assert(sizeof(stars) == BAR_WIDTH + 1, "the longest bar");
	tail_key_append(&text[PROFILE_KEY], &tail->units, row->key);
	cell[PROFILE_LEAVES].rows = leaf_rows(shown, row);
	buffer_printf(&text[PROFILE_BAR], "|%-*.*s|", BAR_WIDTH,
	              (int)(nsec_ratio(profile_more(row), most) * BAR_WIDTH), stars);
}

static const struct relation_form profile_form = {
	"profile", "What slow ones have more of", FIELDS(profile_fields),
	.fill = profile_fill, .is_hidden_if_empty = true,
};

static void profile_put(const struct tail *tail, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(SIZE_MAX / 2);
	const struct shown_profile shown = {tail, &words};
	struct tally rows = relation_of(tail->answer.profile, sizeof(*tail->answer.profile),
	                                tail->answer.profile_count);

	relation_put(&rows, &profile_form, &shown, tail->question, to);
}

/* The slowest units. */

enum {SLOWEST_TASK, SLOWEST_TOOK = 3, SLOWEST_REASON, SLOWEST_PATH};

struct slowest_row {
	const struct tail_unit *unit;
	uint32_t track;
	nsec_t begin, end;
};

struct shown_slowest {
	const struct tail *tail;
	bool is_page; /* rows lead to the task */
};

#define AT(member) RELATION_AT(struct slowest_row, member)

static const struct field slowest_fields[] = {
	[SLOWEST_TASK] = {"task", "TASK", CELL_TASK, COLUMN_TEXT_ONLY, AT(track)},
	{"begin_ns", "AT", CELL_INSTANT, 0, AT(begin)},
	{"end_ns", NULL, CELL_INSTANT, COLUMN_DATA_ONLY, AT(end)},
	[SLOWEST_TOOK] = {NULL, "TOOK", CELL_DURATION, COLUMN_TEXT_ONLY, FILLED},
	[SLOWEST_REASON] = {"reason", NULL, CELL_TEXT, COLUMN_DATA_ONLY, FILLED},
	[SLOWEST_PATH] = {NULL, "ITS PATH", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_POINT, FILLED},
};
#undef AT

static void slowest_adapt(const void *of_shown, const struct relation_rows *rows,
                          struct column *column)
{
	const struct shown_slowest *shown = of_shown;

	(void)rows;
	if (!shown->is_page)
		relation_drop(&column[SLOWEST_TASK]);
}

static void slowest_fill(const void *of_shown, const void *of, struct cell *cell,
                         struct buffer *text)
{
	const struct tail *tail = ((const struct shown_slowest *)of_shown)->tail;
	const struct tail_unit *unit = ((const struct slowest_row *)of)->unit;
	uint32_t vote = tail->answer.vote[unit - tail->units.unit];

	cell[SLOWEST_TOOK].time = unit->end - unit->begin;
	tail_vote_append(&text[SLOWEST_REASON], &tail->units, vote);
	if (vote == TAIL_NONE)
		cell[SLOWEST_REASON].type = CELL_EMPTY;
	say(&text[SLOWEST_PATH], tail->question->timeline, "{path}",
	    PATH(unit->track, unit->begin, unit->end));
}

static struct evidence_claim slowest_claim(const void *of_shown, const void *of)
{
	const struct tail *tail = ((const struct shown_slowest *)of_shown)->tail;
	const struct slowest_row *row = of;

	return evidence_longest(tail->question->timeline, row->track, row->begin, row->end);
}

static const struct relation_form slowest_form = {
	"slowest", "Slowest, and their paths", FIELDS(slowest_fields),
	.next = LINK_PATH("task", "begin_ns", "end_ns"),
	.fill = slowest_fill, .claim = slowest_claim, .adapt = slowest_adapt,
	.is_hidden_if_empty = true,
};

static void slowest_put(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;
	const struct shown_slowest shown = {tail, tail_has_picture(to)};
	struct slowest_row row[SLOWEST_SHOWN];
	struct tally rows;
	size_t count = 0;

	for (; count < SLOWEST_SHOWN && count < answer->count; count++) {
		size_t number = answer->order[answer->count - 1 - count];
		const struct tail_unit *unit = &tail->units.unit[number];

		row[count] = (struct slowest_row){unit, unit->track, unit->begin, unit->end};
	}
	rows = relation_of(row, sizeof(*row), count);
	relation_put(&rows, &slowest_form, &shown, tail->question, to);
}

static void explain_print(const struct tail *tail, const struct output *to)
{
	double part = tail->question->asked->tail.part;

	if (tail->answer.far == 0)
		return;
	say_to(to, NULL,
	       "Far longer: [the slowest {ratio}|beyond q3 + 3 (q3 - q1) of all, which is {time}]. "
	       "Reason: what exceeds the median most.",
	       WHEN(part > 0, RATIO(part)), TIME(tail->answer.fence));
}

static void fields_put(const struct tail *tail, const struct output *to)
{
	const struct tail_answer *answer = &tail->answer;

	output_field(to, "unit", NULL,
	             &(struct cell){.type = CELL_TEXT, .text = tail->source->noun});
	output_field(to, "role", NULL,
	             &(struct cell){.type = tail->role ? CELL_TEXT : CELL_EMPTY,
	                            .text = tail->role});
	output_field(to, "count", NULL, &(struct cell){.type = CELL_COUNT, .count = answer->count});
	output_field(to, "median_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = answer->median});
	output_field(to, "fence_ns", NULL,
	             &(struct cell){.type = CELL_DURATION, .time = answer->fence});
	output_field(to, "far", NULL, &(struct cell){.type = CELL_COUNT, .count = answer->far});
}

static void tail_report(const void *state, const struct output *to)
{
	const struct tail *tail = state;

	tail->question->health->inconsistencies += tail->units.result.cycles;
	tail->question->health->depth_truncations += tail->units.result.truncations;
	output_section_begin(to, "tail", "Tail", /* is_list= */ false);
	tail_picture_put(tail, to);
	fields_put(tail, to);
	tail_print(tail, to);
	reasons_put(tail, to);
	profile_put(tail, to);
	tail_leaves_put(tail, to);
	slowest_put(tail, to);
	explain_print(tail, to);
	output_section_end(to);
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
	.needs_history = true, /* spurious wakeups are folded in the end */
	.state_bytes = sizeof(struct tail),
	.begin = view_begin,
	.on_interval = view_on_interval,
	.interval_kinds = TAIL_INTERVALS,
	.resolve = view_resolve,
	.has_answer = tail_has_answer,
	.report = tail_report,
	.end = view_end,
};
