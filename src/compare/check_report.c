/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"

void judgement_init(struct judgement *judgement, const struct budget *budget)
{
	*judgement = (struct judgement){
		.budget = budget,
		.rule = xcalloc(budget->count, sizeof(*judgement->rule)),
	};
	intern_init(&judgement->names);
	for (size_t i = 0; i < budget->count; i++)
		measurement_init(&judgement->rule[i].measurement, &budget->rule[i]);
}

void judgement_release(struct judgement *judgement)
{
	for (size_t i = 0; i < judgement->budget->count; i++)
		measurement_release(&judgement->rule[i].measurement);
	free(judgement->rule);
	diff_side_release(&judgement->runs);
	intern_release(&judgement->names);
	doubts_release(&judgement->unfit);
	doubts_release(&judgement->odd);
}

void judgement_take(struct judgement *judgement, const struct question *question,
                    const void *costs, struct tail *tail, const struct source *source,
                    const struct health *health, const char *path)
{
	struct run_account *run = diff_side_add(&judgement->runs, path);

	run_account_describe(run, &judgement->names, costs, source, health, question->timeline);
	for (size_t i = 0; i < judgement->budget->count; i++)
		measurement_take(&judgement->rule[i].measurement, question, tail, path);
}

static void rule_decide(struct judgement *judgement, struct judged_rule *judged)
{
	const struct rule *rule = judged->measurement.rule;
	_cleanup_(buffer_release) struct buffer why = {0};

	say(&why, NULL, "{text}: ", TEXT(rule->text));
	if (!measurement_value(&judged->measurement, &judged->value, &why)) {
		judged->verdict = VERDICT_UNFIT;
		judgement->unmeasured++;
		doubts_add(&judgement->unfit, why.text);
	} else if (!rule_is_kept(rule, judged->value)) {
		judged->verdict = VERDICT_BROKEN;
		judgement->broken++;
	} else if (judged->measurement.partly) {
		buffer_puts(&why, judged->measurement.partly);
		doubts_add(&judgement->odd, why.text);
	}
}

void judgement_decide(struct judgement *judgement)
{
	doubts_add_unfit(&judgement->unfit, &judgement->runs);
	judgement->is_healthy = judgement->unfit.count == 0;
	doubts_add_odd(&judgement->odd, &judgement->names, &judgement->runs, NULL);
	for (size_t i = 0; i < judgement->budget->count; i++)
		rule_decide(judgement, &judgement->rule[i]);
}

enum judgement_result judgement_result(const struct judgement *judgement)
{
	if (!judgement->is_healthy)
		return JUDGED_UNFIT;
	if (judgement->broken)
		return JUDGED_BROKEN;
	return judgement->unmeasured ? JUDGED_UNFIT : JUDGED_KEPT;
}

/* "173.8 ms", "118", "20.0 %": a value or limit of the rule. */
static void rule_value_append(struct buffer *to, const struct rule *rule, double value)
{
	switch (rule_unit(rule)) {
	case UNIT_TIME:
		buffer_puts(to, DURATION_TEXT((nsec_t)(value + 0.5)));
		break;
	case UNIT_SHARE:
		buffer_puts(to, RATIO_TEXT(value));
		break;
	case UNIT_NUMBER:
		if (value > floor(value))
			buffer_printf(to, "%.1f", value);
		else
			buffer_puts(to, COUNT_TEXT((uint64_t)value));
		break;
	}
}

void broken_rule_append(struct buffer *to, const struct judged_rule *judged)
{
	static const char *const of_runs[] = {
		[STATISTIC_MEDIAN] = "median", [STATISTIC_P99] = "p99",
		[STATISTIC_MAX] = "the largest",
	};
	static const char *const of_each[] = {
		[STATISTIC_MEDIAN] = "median", [STATISTIC_P99] = "p99",
		[STATISTIC_MAX] = "the longest",
	};
	const struct measurement *of = &judged->measurement;
	const struct rule *rule = of->rule;
	bool is_wait = rule->measure == MEASURE_WAIT,
	     is_each = is_wait || rule->measure == MEASURE_DELAY;
	double by = fabs(judged->value - rule->limit),
	       times = rule->limit > 0 ? judged->value / rule->limit : 0;
	_cleanup_(buffer_release) struct buffer value = {0}, limit = {0};

	rule_value_append(&value, rule, judged->value);
	rule_value_append(&limit, rule, rule->limit);
	say(to, NULL, "it is {text}, [{if}not {text}|{count} times the limit|{decimal} times the "
	              "limit|{ratio} [{if}over|under] the limit|{if}not 0|just the limit] "
	              "([{if}{text} of {count} [{if}wait|delay]{|s}|{text} of {number} runs|"
	              "one run])",
	    TEXT(value.text), IF(rule->comparison == COMPARE_EQUAL), TEXT(limit.text),
	    WHEN(times >= TIMES_MANY, COUNT((uint64_t)times)),
	    WHEN(times >= TIMES_LEAST, DECIMAL(times)),
	    WHEN(by > 0 && rule->limit > 0, RATIO(by / rule->limit)),
	    IF(judged->value > rule->limit), IF(by > 0), IF(is_each),
	    TEXT(of_each[rule->statistic]), COUNT(of->count), IF(is_wait),
	    TEXT(of_runs[rule->statistic]), WHEN(of->count > 1, NUMBER(of->count)));
}

void worst_case_append(struct buffer *to, const struct judged_rule *judged)
{
	const struct worst_case *worst = &judged->measurement.worst;

	if (worst->path)
		say(to, NULL, "[{text}|nothing of it] in {foreign}[, {time} at {text}][: {text}]",
		    TEXT(worst->task), FOREIGN(worst->path),
		    WHEN(worst->length, TIME(worst->length)), TEXT(INSTANT_TEXT(worst->at)),
		    TEXT(worst->chain));
}

static void broken_put(const struct judged_rule *judged, bool is_healthy, const struct output *to)
{
	_cleanup_(buffer_release) struct buffer broken = {0}, worst = {0};

	broken_rule_append(&broken, judged);
	say_to(to, NULL, "[{if}Broken|Seems broken]: {text}: {text}.", IF(is_healthy),
	       TEXT(judged->measurement.rule->text), TEXT(broken.text));
	worst_case_append(&worst, judged);
	if (worst.length == 0)
		return;
	say_to(to, NULL, "  The worst: {text}.", TEXT(worst.text));
	say_to(to, NULL, "  {text}", TEXT(judged->measurement.worst.command));
}

/* The table has those for which a screen has no room. */
static void broken_report(const struct judgement *judgement, const struct output *to)
{
	size_t limit = output_row_limit(to) ? SHOWN_BROKEN : SIZE_MAX, shown = 0;

	for (size_t i = 0; i < judgement->budget->count && shown < limit; i++) {
		if (judgement->rule[i].verdict != VERDICT_BROKEN)
			continue;
		broken_put(&judgement->rule[i], judgement->is_healthy, to);
		shown++;
	}
	if (judgement->broken > shown)
		say_to(to, NULL, "{number} more: see the table.",
		       NUMBER(judgement->broken - shown));
}

/* "10 recordings, 6 rules: all are kept." */
static void verdict_say(const struct judgement *judgement, const struct output *to)
{
	size_t runs = judgement->runs.count, rules = judgement->budget->count,
	       broken = judgement->broken, unmeasured = judgement->unmeasured;

	say_to(to, NULL, "{number} recording{|s}, {number} rule{|s}: [{if}cannot be judged.|"
	                 "{number} broken[, {number} cannot be judged].|{number} cannot be judged.|"
	                 "{many}{it is|all are} kept.]",
	       NUMBER(runs), NUMBER(rules), IF(!judgement->is_healthy),
	       WHEN(broken, NUMBER(broken)), WHEN(unmeasured, NUMBER(unmeasured)),
	       WHEN(unmeasured, NUMBER(unmeasured)), MANY(rules));
}

/* Nothing is sure about recordings that are not fit to judge. */
static const char *verdict_words(enum verdict verdict, bool is_healthy)
{
	static const char *const sure[] = {
		[VERDICT_KEPT] = "kept",
		[VERDICT_BROKEN] = "BROKEN",
		[VERDICT_UNFIT] = "not judged",
	};
	static const char *const unsure[] = {
		[VERDICT_KEPT] = "kept?",
		[VERDICT_BROKEN] = "broken?",
		[VERDICT_UNFIT] = "not judged",
	};

	return is_healthy ? sure[verdict] : unsure[verdict];
}

static const struct column columns[] = {
	{NULL, "VALUE", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	{NULL, "LIMIT", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_NUMBER},
	{NULL, "RULE IS", CELL_TEXT, COLUMN_TEXT_ONLY},
	{"rule", "RULE", CELL_TEXT, COLUMN_POINT},
	{"value", NULL, CELL_RATE, COLUMN_DATA_ONLY},
	{"limit", NULL, CELL_RATE, COLUMN_DATA_ONLY},
	{"unit", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"kept", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	{"judged", NULL, CELL_BOOL, COLUMN_DATA_ONLY},
	{"worst_file", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"worst_task", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"worst_at_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"worst_ns", NULL, CELL_DURATION, COLUMN_DATA_ONLY},
	{"worst_chain", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
	{"command", NULL, CELL_TEXT, COLUMN_DATA_ONLY},
};

static struct cell text_cell(const char *text)
{
	return (struct cell){.type = text ? CELL_TEXT : CELL_EMPTY, .text = text};
}

static void rule_row(const struct judged_rule *judged, bool is_healthy, struct buffer *value,
                     struct buffer *limit, const struct output *to)
{
	static const char *const units[] = {
		[UNIT_TIME] = "ns", [UNIT_NUMBER] = "count", [UNIT_SHARE] = "share",
	};
	const struct rule *rule = judged->measurement.rule;
	static const struct worst_case none;
	bool has_value = judged->verdict != VERDICT_UNFIT;
	const struct worst_case *worst = has_value ? &judged->measurement.worst : &none;

	buffer_clear(value);
	buffer_clear(limit);
	if (has_value)
		rule_value_append(value, rule, judged->value);
	rule_value_append(limit, rule, rule->limit);
	output_row(to, (struct cell[]){
		text_cell(has_value ? value->text : NULL),
		text_cell(limit->text),
		text_cell(verdict_words(judged->verdict, is_healthy)),
		text_cell(rule->text),
		{.type = has_value ? CELL_RATE : CELL_EMPTY, .ratio = judged->value},
		{.type = CELL_RATE, .ratio = rule->limit},
		text_cell(units[rule_unit(rule)]),
		{.type = CELL_BOOL, .boolean = judged->verdict == VERDICT_KEPT},
		{.type = CELL_BOOL, .boolean = is_healthy && has_value},
		text_cell(worst->path),
		text_cell(worst->task),
		{.type = worst->length ? CELL_DURATION : CELL_EMPTY, .time = worst->at},
		{.type = worst->length ? CELL_DURATION : CELL_EMPTY, .time = worst->length},
		text_cell(worst->chain),
		text_cell(worst->command),
	});
}

/* A screen shows the first rows only: the rules that are broken, then those that cannot be judged.
   Data have the order of the budget. */
static void rules_put(const struct judgement *judgement, size_t shown, const struct output *to)
{
	static const enum verdict order[] = {VERDICT_BROKEN, VERDICT_UNFIT, VERDICT_KEPT};
	bool is_screen = output_row_limit(to) > 0;
	_cleanup_(buffer_release) struct buffer value = {0}, limit = {0};

	for (size_t pass = 0; pass < (is_screen ? ARRAY_SIZE(order) : 1); pass++)
		for (size_t i = 0; i < judgement->budget->count && shown > 0; i++) {
			if (is_screen && judgement->rule[i].verdict != order[pass])
				continue;
			rule_row(&judgement->rule[i], judgement->is_healthy, &value, &limit, to);
			shown--;
		}
}

static void rules_report(const struct judgement *judgement, const struct output *to)
{
	size_t count = judgement->budget->count, shown = output_row_count(to, count);

	output_table_begin(to, "rules", NULL, columns, ARRAY_SIZE(columns), false);
	rules_put(judgement, shown, to);
	output_leave_rows(to, count - shown);
	output_table_end(to);
}

void check_report(const struct judgement *judgement, const struct output *to)
{
	output_section_begin(to, "check", "Budget", /* is_list= */ false);
	output_field(to, "fit", NULL,
	             &(struct cell){.type = CELL_BOOL, .boolean = judgement->is_healthy});
	output_field(to, "runs", NULL,
	             &(struct cell){.type = CELL_COUNT, .count = judgement->runs.count});
	doubts_field(&judgement->unfit, "why", to);
	doubts_field(&judgement->odd, "doubts", to);
	verdict_say(judgement, to);
	doubts_print(&judgement->unfit, "Cannot judge", to);
	doubts_print(&judgement->odd, "Careful", to);
	broken_report(judgement, to);
	rules_report(judgement, to);
	output_section_end(to);
}
