/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_diff.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "doubts.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

static const char *text_of(const struct cost_diff *diff, uint32_t id)
{
	return id ? intern_text(&diff->names, id) : NULL;
}

static nsec_t nsec_of(double value)
{
	return value > 0 ? (nsec_t)(value + 0.5) : 0;
}

/* A number of times a run, "65"; absent if it is to be said as "2.5". */
static struct word whole_word(double value)
{
	double whole = nearbyint(value);

	return WHEN(fabs(value - whole) < 0.05, NUMBER((uint64_t)whole));
}

static struct brief_aim aim_of(const struct cost_diff *diff, const struct diff_row *row)
{
	return (struct brief_aim){(enum aim_kind)row->key.aim, text_of(diff, row->key.aim_name)};
}

static void what_append(struct buffer *to, const struct cost_diff *diff, const struct diff_row *row)
{
	const struct account_key *key = &row->key;

	const char *what = text_of(diff, key->what);
	const struct brief_aim aim = aim_of(diff, row);

	if (row->is_rest)
		buffer_puts(to, "all others");
	else if (row_sources[diff->by].are_whole)
		buffer_puts(to, "all of it");
	else if (what)
		buffer_puts_clean(to, what, strlen(what));
	else
		cost_words_append(to, (enum cost_kind)key->kind, text_of(diff, key->cause),
		                  text_of(diff, key->name), &aim);
}

/* The tasks or the control group of the row; 0: it is of several. */
static uint32_t tasks_of(const struct cost_diff *diff, const struct diff_row *row)
{
	return row->key.task || !row_sources[diff->by].are_whole ? row->key.task : row->key.what;
}

static void tasks_append(struct buffer *to, const struct cost_diff *diff,
                         const struct diff_row *row)
{
	say(to, NULL, "{foreign}", FOREIGN(text_of(diff, tasks_of(diff, row))));
}

/* "disk vda of worker/0" */
static void row_append(struct buffer *to, const struct cost_diff *diff, const struct diff_row *row)
{
	bool is_whole = row_sources[diff->by].are_whole;

	if (!is_whole)
		what_append(to, diff, row);
	say(to, NULL, "[{if}[ of {foreign}]|{foreign}]", IF(!is_whole),
	    FOREIGN(text_of(diff, tasks_of(diff, row))),
	    FOREIGN(text_of(diff, tasks_of(diff, row))));
}

static bool is_about_as_before(const struct contrast *contrast)
{
	if (contrast->p < DIFF_LEVEL)
		return false;
	return fabs(contrast->new - contrast->old) <= PART_AS_BEFORE * contrast->old;
}

/* What is shown of a figure: medians. But where most values are equal these say nothing of a
   change, and medians may differ in the other direction: then means. */
struct shown {
	double old, new;
};

static struct shown shown_of(const struct contrast *contrast)
{
	double change = contrast->new - contrast->old;

	if (change * contrast->dominance > 0 || contrast->dominance == 0)
		return (struct shown){contrast->old, contrast->new};
	return (struct shown){contrast->old_mean, contrast->new_mean};
}

/* "65 -> 118" */
static void numbers_append(struct buffer *to, const struct contrast *count)
{
	const struct shown shown = shown_of(count);

	say(to, NULL, "[{number}|{decimal}] -> [{number}|{decimal}]", whole_word(shown.old),
	    DECIMAL(shown.old), whole_word(shown.new), DECIMAL(shown.new));
}

static void lengths_append(struct buffer *to, const struct contrast *contrast)
{
	const struct shown shown = shown_of(contrast);

	say(to, NULL, "{time} -> {time}", TIME(nsec_of(shown.old)), TIME(nsec_of(shown.new)));
}

/* "More waits (disk vda of worker/0): 65 -> 118 a run, each as long as before." */
static void row_say(const struct cost_diff *diff, const struct diff_row *row,
                    const struct output *to)
{
	static const char *const words[] = {
		[CHANGE_SAME] = NULL,        [CHANGE_MORE] = "More", [CHANGE_LESS] = "Fewer",
		[CHANGE_LONGER] = "Longer",  [CHANGE_SHORTER] = "Shorter",
		[CHANGE_NEW] = "New",        [CHANGE_GONE] = "Gone", [CHANGE_MOVED] = "Moved",
	};
	_cleanup_(buffer_release) struct buffer name = {0}, moved = {0}, count = {0}, each = {0};
	const struct shown total = shown_of(&row->total);
	const char *noun = diff->per->noun;
	bool is_alone = row->change == CHANGE_SAME || row->change >= CHANGE_NEW,
	     is_time = row->total.is_tested && !is_alone, is_more = row->change == CHANGE_MORE;

	row_append(&name, diff, row);
	if (row->change == CHANGE_MOVED)
		row_append(&moved, diff, row->moved_to);
	numbers_append(&count, &row->count);
	lengths_append(&each, &row->each);
	say_to(to, NULL, "{text}[ {text}] ({text}): [{if}{time} a {text}"
	                 "|{if}{time} a {text} before"
	                 "|it is {text} now"
	                 "|{if}{time} -> {time} a {text}[{if}; {text} {text} often]"
	                 "|{if}{text} a {text}, each [{if}as long as before|{text}]"
	                 "|each {text}, [{if}as many as before|{text} a {text}]].",
	       TEXT(!is_time  ? words[row->change]
	            : is_more ? "More"
	                      : "Less"),
	       TEXT(is_alone  ? NULL
	            : is_time ? "time"
	                      : row_sources[diff->by].things),
	       TEXT(name.text), IF(row->change == CHANGE_NEW), TIME(nsec_of(row->total.new)),
	       TEXT(noun), IF(row->change == CHANGE_GONE), TIME(nsec_of(row->total.old)),
	       TEXT(noun), TEXT(moved.text), IF(row->total.is_tested), TIME(nsec_of(total.old)),
	       TIME(nsec_of(total.new)), TEXT(noun), IF(row->follows_waits),
	       TEXT(row->key.task ? "it waits" : "its tasks wait"),
	       TEXT(row->count.change.shift > 0 ? "more" : "less"),
	       IF(is_more || row->change == CHANGE_LESS), TEXT(count.text), TEXT(noun),
	       IF(is_about_as_before(&row->each)), TEXT(each.text), TEXT(each.text),
	       IF(is_about_as_before(&row->count)), TEXT(count.text), TEXT(noun));
}

/* Whether all units of both sides are of tasks of one name. */
static bool has_one_root(const struct cost_diff *diff)
{
	const struct diff_side *sides[] = {&diff->old, &diff->new};

	for (size_t side = 0; side < ARRAY_SIZE(sides); side++)
		for (size_t i = 0; i < sides[side]->count; i++)
			if (sides[side]->run[i].root != diff->new.run[0].root)
				return false;
	return true;
}

/* "10 runs against 10: svc took 148.9 -> 173.8 ms, +24.8 ms (95 %: +10.9 ms to +38.8 ms); that is
   sure." */
static void wall_say(const struct cost_diff *diff, const struct output *to)
{
	const char *root = text_of(diff, diff->new.run[0].root), *noun = diff->per->noun;
	const struct contrast *wall = &diff->wall;
	const struct shown shown = shown_of(wall);
	const struct rank_shift *change = &wall->change;
	bool has_turns = diff->per->gather;

	say_to(to, NULL, "{number} {text}{|s} against {number}[{if} (per {foreign}, of {number} "
	                 "recording{|s} against {number})]: [{if}they took |[{foreign}|all tasks "
	                 "together][ ({foreign} before)][{if} took | ran or were held up for ]]"
	                 "{time} -> {time}[{if} a {text}], [{if}-|+]{time}[{if} (95 %: [{if}-|+]"
	                 "{time} to [{if}-|+]{time})][{if}; that [{if}is sure|may be chance]].",
	       NUMBER(diff->old.count), TEXT(noun), NUMBER(diff->new.count), IF(has_turns),
	       FOREIGN(diff->per_value), NUMBER(diff_side_recordings(&diff->old)),
	       NUMBER(diff_side_recordings(&diff->new)), IF(has_turns && !has_one_root(diff)),
	       FOREIGN(root), FOREIGN(text_of(diff, diff->old_root)), IF(root),
	       TIME(nsec_of(shown.old)), TIME(nsec_of(shown.new)), IF(has_turns), TEXT(noun),
	       IF(change->shift < 0), TIME(nsec_of(fabs(change->shift))), IF(change->has_interval),
	       IF(change->low < 0), TIME(nsec_of(fabs(change->low))), IF(change->high < 0),
	       TIME(nsec_of(fabs(change->high))), IF(wall->is_tested), IF(wall->p < DIFF_LEVEL));
}

/* What the number of runs can prove. */
static void basis_say(const struct cost_diff *diff, const struct output *to)
{
	size_t needed = cost_diff_runs_needed(diff), old = diff->old.count, new = diff->new.count;
	const char *noun = diff->per->noun;

	if (needed < RUNS_LEAST)
		needed = RUNS_LEAST;
	say_to(to, NULL, "[{if}One {text} [{if}each|on a side]: they cannot tell a change from "
	                 "chance; {number} or more a side can."
	                 "|{if}So few {text}s cannot tell a change of {number} figure{|s} from "
	                 "chance; {number} or more a side can."
	                 "|Sure: p < 0.05 by Mann-Whitney over {text}s, of the rows corrected "
	                 "(Holm) for {number} figure{|s}.]"
	                 "[{if} That holds only if no {text} depends on others.]",
	       IF(old == 1 || new == 1), TEXT(noun), IF(old == new), NUMBER(needed),
	       IF(!cost_diff_can_be_sure(diff)), TEXT(noun), NUMBER(diff->tests), NUMBER(needed),
	       TEXT(noun), NUMBER(diff->tests), IF(diff->per->gather), TEXT(noun));
}

static size_t sentences_report(const struct cost_diff *diff, const struct output *to)
{
	size_t sure = 0;

	for (size_t i = 0; i < diff->row_count; i++) {
		if (!diff->row[i].is_sure)
			continue;
		/* the sentence on what moved there names it */
		if (diff->row[i].is_target)
			continue;
		if (sure++ >= SHOWN_CHANGES)
			continue;
		row_say(diff, &diff->row[i], to);
	}
	return sure;
}

static struct change change_of(const struct contrast *contrast)
{
	return (struct change){
		.old = contrast->old,
		.new = contrast->new,
		.shift = contrast->change.shift,
		.has_interval = contrast->change.has_interval,
		.low = contrast->change.low,
		.high = contrast->change.high,
	};
}

enum { COLUMN_SURE = 1, COLUMN_WHOSE = 7 };

static const struct column columns[] = {
	{NULL, "CHANGE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	[COLUMN_SURE] = {"sure", "SURE", CELL_BOOL, COLUMN_MARK},
	{NULL, "OLD", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_USEFUL(3)},
	{NULL, "NEW", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_USEFUL(3)},
	{NULL, "COUNT", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(2)},
	{NULL, "EACH", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_USEFUL(1)},
	{"what", "WHAT", CELL_TEXT, COLUMN_POINT},
	[COLUMN_WHOSE] = {"whose", "TASKS", CELL_TEXT, 0},
	{"state", NULL, CELL_TEXT, 0},
	{"cause", NULL, CELL_CAUSE, 0},
	{"aim", NULL, CELL_BRIEF_AIM, COLUMN_DATA_ONLY},
	{"total", NULL, CELL_CHANGE, 0},
	{"count", NULL, CELL_CHANGE, 0},
	{"mean", NULL, CELL_CHANGE, 0},
	{"p", NULL, CELL_RATIO, COLUMN_DATA_ONLY},
	{"change", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
};

/* Texts of a row, which its cells borrow. */
enum { TEXT_CHANGE, TEXT_COUNT, TEXT_EACH, TEXT_WHAT, TEXT_WHOSE, ROW_TEXTS };

static void row_texts_write(struct buffer *text, const struct cost_diff *diff,
                            const struct diff_row *row)
{
	double shift = row->total.change.shift;

	for (size_t i = 0; i < ROW_TEXTS; i++)
		buffer_clear(&text[i]);
	say(&text[TEXT_CHANGE], NULL, "[{if}-|+]{time}", IF(shift < 0), TIME(nsec_of(fabs(shift))));
	numbers_append(&text[TEXT_COUNT], &row->count);
	lengths_append(&text[TEXT_EACH], &row->each);
	what_append(&text[TEXT_WHAT], diff, row);
	tasks_append(&text[TEXT_WHOSE], diff, row);
}

static void row_show(const struct cost_diff *diff, const struct diff_row *row,
                     const struct buffer *text, const struct output *to)
{
	const char *cause = text_of(diff, row->key.cause), *name = text_of(diff, row->key.name);
	struct cause noted = {.name = name, .origin = NSEC_NEVER, .disk = name};
	struct change total = change_of(&row->total), count = change_of(&row->count),
	              each = change_of(&row->each);
	bool has_state = !row->is_rest && row_sources[diff->by].have_state;
	const struct shown time = shown_of(&row->total);

	if (cause)
		noted.kind = (enum cause_kind)cause_kind_from_name(cause);
	if (noted.kind == CAUSE_DISK)
		noted.as.disk.queue_time = noted.as.disk.device_time = noted.as.disk.wake_time =
			TIME_UNKNOWN;
	output_row(to, (struct cell[]){
		{.type = CELL_TEXT, .text = text[TEXT_CHANGE].text},
		{.type = CELL_BOOL, .boolean = row->is_sure},
		{.type = CELL_DURATION, .time = nsec_of(time.old)},
		{.type = CELL_DURATION, .time = nsec_of(time.new)},
		{.type = CELL_TEXT, .text = text[TEXT_COUNT].text},
		{.type = CELL_TEXT, .text = text[TEXT_EACH].text},
		{.type = CELL_TEXT, .text = text[TEXT_WHAT].text},
		{.type = tasks_of(diff, row) ? CELL_TEXT : CELL_EMPTY,
		 .text = text[TEXT_WHOSE].text},
		{.type = has_state ? CELL_TEXT : CELL_EMPTY,
		 .text = has_state ? cost_kind_key((enum cost_kind)row->key.kind) : NULL},
		{.type = cause && has_state ? CELL_CAUSE : CELL_EMPTY, .cause = &noted},
		{.type = CELL_BRIEF_AIM, .brief_aim = aim_of(diff, row)},
		{.type = CELL_CHANGE, .change = &total},
		{.type = CELL_CHANGE, .change = &count},
		{.type = CELL_CHANGE, .change = &each},
		{.type = CELL_RATIO, .ratio = row->p},
		{.type = CELL_TEXT, .text = diff_change_name(row->change)},
	});
}

/* Text leaves out the column of tasks if the rows themselves name these, or are of all tasks; and
   what is sure if nothing can be. */
static void columns_choose(const struct cost_diff *diff, struct column *ret)
{
	memcpy(ret, columns, sizeof(columns));
	if (row_sources[diff->by].are_counted)
		ret[COLUMN_WHOSE].flags |= COLUMN_DATA_ONLY;
	if (diff->old.count == 1 || diff->new.count == 1)
		ret[COLUMN_SURE].flags |= COLUMN_DATA_ONLY;
}

static void rows_report(const struct cost_diff *diff, const struct output *to)
{
	size_t shown = output_row_count(to, diff->row_count);
	struct column shown_columns[ARRAY_SIZE(columns)];
	struct buffer text[ROW_TEXTS];

	for (size_t i = 0; i < ROW_TEXTS; i++)
		buffer_init(&text[i], BUFFER_LIMIT_DEFAULT);
	columns_choose(diff, shown_columns);
	output_table_begin(to, "rows", NULL, shown_columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < shown; i++) {
		row_texts_write(text, diff, &diff->row[i]);
		row_show(diff, &diff->row[i], text, to);
	}
	output_leave_rows(to, diff->row_count - shown);
	output_table_end(to);
	for (size_t i = 0; i < ROW_TEXTS; i++)
		buffer_release(&text[i]);
}

static void side_data(const char *key, const struct cost_diff *diff, const struct diff_side *side,
                      const struct output *to)
{
	static const struct column runs[] = {
		{"runs", NULL, CELL_COUNT, 0},
		{"per", NULL, CELL_TEXT, 0},
	};

	output_table_begin(to, key, NULL, runs, ARRAY_SIZE(runs), /* is_single= */ true);
	output_row(to, (struct cell[]){
		{.type = CELL_COUNT, .count = side->count},
		{.type = CELL_TEXT, .text = diff->per_value},
	});
	output_table_end(to);
}

static struct significance verdict_of(const struct diff_row *row)
{
	struct significance verdict = {.p = 1, .change = diff_change_name(CHANGE_SAME)};

	if (!row)
		return verdict;
	verdict.is_tested = row->total.is_tested || row->count.is_tested || row->each.is_tested;
	verdict.is_sure = row->is_sure;
	verdict.p = row->p;
	verdict.change = diff_change_name(row->change);
	return verdict;
}

static struct significance verdict_of_wall(const struct cost_diff *diff)
{
	const struct contrast *wall = &diff->wall;
	bool is_sure = wall->is_tested && wall->p < DIFF_LEVEL;

	return (struct significance){
		.is_tested = wall->is_tested,
		.is_sure = is_sure,
		.p = wall->p,
		.change = diff_change_name(!is_sure                 ? CHANGE_SAME
	                                   : wall->change.shift > 0 ? CHANGE_LONGER
	                                                            : CHANGE_SHORTER),
	};
}

/* Frames of a path: of these, what rows are not divided by is left out. */
enum { FRAME_WHOSE, FRAME_STATE, FRAME_WHAT, PATH_FRAMES };

static void path_report(const struct cost_diff *diff, const struct diff_sum *sum,
                        struct buffer *text, const struct output *to)
{
	const struct row_source *source = &row_sources[diff->by];
	const struct diff_row row = {
		.key = sum->key, .is_rest = !row_source_names(source, &sum->key)};
	struct path_frame frame[PATH_FRAMES];
	struct compared_path path = {
		.frame = frame, .old = sum->old, .new = sum->new, .verdict = verdict_of(sum->row)};

	for (size_t i = 0; i < PATH_FRAMES; i++)
		buffer_clear(&text[i]);
	tasks_append(&text[FRAME_WHOSE], diff, &row);
	if (diff->by == DIFF_BY_CAUSE && text[FRAME_WHOSE].length == 0)
		buffer_puts(&text[FRAME_WHOSE], "no task");
	if (source->have_state)
		buffer_puts(&text[FRAME_STATE], cost_kind_key((enum cost_kind)sum->key.kind));
	if (!source->are_whole || row.is_rest)
		what_append(&text[FRAME_WHAT], diff, &row);
	/* "running" needs not be there twice */
	if (strcmp(text[FRAME_WHAT].text, text[FRAME_STATE].text) == 0)
		buffer_clear(&text[FRAME_WHAT]);
	for (size_t i = 0; i < PATH_FRAMES; i++)
		if (text[i].length > 0)
			frame[path.count++] = (struct path_frame){
				text[i].text, i == FRAME_WHOSE ? SHOWN_TASK : SHOWN_CAUSE};
	output_compared_path(to, &path);
}

static void paths_report(const struct cost_diff *diff, const struct output *to)
{
	const char *root = text_of(diff, diff->new.run[0].root);
	struct compared_sides comparison = {
		.old_runs = diff->old.count,
		.new_runs = diff->new.count,
		.whole = verdict_of_wall(diff),
		.can_be_sure = cost_diff_can_be_sure(diff),
	};
	_cleanup_(buffer_release) struct buffer name = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct buffer text[PATH_FRAMES];
	struct diff_sums sums;

	if (root) {
		buffer_puts_clean(&name, root, strlen(root));
		comparison.root = name.text;
	}
	for (size_t i = 0; i < PATH_FRAMES; i++)
		buffer_init(&text[i], BUFFER_LIMIT_DEFAULT);
	diff_sums_make(&sums, diff);
	output_comparison_begin(to, &comparison);
	for (size_t i = 0; i < sums.count; i++)
		path_report(diff, &sums.sum[i], text, to);
	output_comparison_end(to);
	diff_sums_release(&sums);
	for (size_t i = 0; i < PATH_FRAMES; i++)
		buffer_release(&text[i]);
}

void diff_report(const struct cost_diff *diff, const struct output *to)
{
	struct change wall = change_of(&diff->wall);
	struct doubts doubts = {0};

	/* the gravest first: a screen shows only some */
	doubts_add_repeated(&doubts, &diff->old, NULL);
	doubts_add_repeated(&doubts, &diff->new, &diff->old);
	doubts_add_unfit(&doubts, &diff->old);
	doubts_add_unfit(&doubts, &diff->new);
	doubts_add_odd(&doubts, &diff->names, &diff->old, &diff->new);
	output_section_begin(to, "diff", "What changed", /* is_list= */ false);
	output_field(to, "wall", NULL, &(struct cell){.type = CELL_CHANGE, .change = &wall});
	output_field(to, "wall_p", NULL, &(struct cell){.type = CELL_RATIO, .ratio = diff->wall.p});
	output_field(to, "tests", NULL, &(struct cell){.type = CELL_COUNT, .count = diff->tests});
	doubts_field(&doubts, "doubts", to);
	wall_say(diff, to);
	doubts_print(&doubts, "Careful", to);
	if (sentences_report(diff, to) == 0 && cost_diff_can_be_sure(diff))
		prose_put(to, "None of the rows below changed for sure.");
	basis_say(diff, to);
	if (to->presenter->comparison)
		paths_report(diff, to);
	side_data("old", diff, &diff->old, to);
	side_data("new", diff, &diff->new, to);
	rows_report(diff, to);
	output_section_end(to);
	doubts_release(&doubts);
}
