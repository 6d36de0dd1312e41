/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "budget.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cost_kind.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "sentences/say.h"
#include "words/cause/cause_kind.h"

#define LINE_WORDS_MAX 24

static const struct measure_row {
	const char *name;
	enum rule_measure measure;
	enum statistic statistic; /* by default */
	enum rule_unit unit;
	bool has_what, needs_what;
	bool has_statistic;
	bool has_bare_tasks; /* the tasks may stand without "of" */
} measures[] = {
	{"path", MEASURE_PATH, STATISTIC_MEDIAN, UNIT_TIME, false, false, true, true},
	{"count", MEASURE_COUNT, STATISTIC_MEDIAN, UNIT_NUMBER, true, true, true, false},
	{"time", MEASURE_TIME, STATISTIC_MEDIAN, UNIT_TIME, true, true, true, false},
	{"share", MEASURE_SHARE, STATISTIC_MEDIAN, UNIT_SHARE, true, true, true, false},
	{"wait", MEASURE_WAIT, STATISTIC_MAX, UNIT_TIME, true, false, true, false},
	{"delay", MEASURE_DELAY, STATISTIC_MAX, UNIT_TIME, false, false, true, false},
	{"hung", MEASURE_HUNG, STATISTIC_MAX, UNIT_NUMBER, false, false, false, false},
	{"tail", MEASURE_TAIL, STATISTIC_MEDIAN, UNIT_SHARE, true, false, true, false},
};

static const char *const statistics[] = {
	[STATISTIC_MEDIAN] = "median", [STATISTIC_P99] = "p99", [STATISTIC_MAX] = "max",
};

static const struct comparison_row {
	const char *sign;
	enum comparison comparison;
} comparisons[] = {
	{"<", COMPARE_LESS},      {"<=", COMPARE_AT_MOST},  {"=", COMPARE_EQUAL},
	{"==", COMPARE_EQUAL},    {">=", COMPARE_AT_LEAST}, {">", COMPARE_MORE},
};

struct line_word {
	char *text;
	bool is_quoted; /* it is a name, whatever it says */
};

/* The words of a line, as they are read. */
struct line {
	struct line_word word[LINE_WORDS_MAX];
	size_t count, at;
	struct buffer *why;
};

void budget_release(struct budget *budget)
{
	for (size_t i = 0; i < budget->count; i++) {
		free(budget->rule[i].text);
		free(budget->rule[i].object);
		free(budget->rule[i].tasks);
	}
	free(budget->rule);
	*budget = (struct budget){0};
}

bool budget_measures(const struct budget *budget, enum rule_measure measure)
{
	for (size_t i = 0; i < budget->count; i++)
		if (budget->rule[i].measure == measure)
			return true;
	return false;
}

enum rule_unit rule_unit(const struct rule *rule)
{
	return measures[rule->measure].unit;
}

bool rule_is_kept(const struct rule *rule, double value)
{
	switch (rule->comparison) {
	case COMPARE_LESS:
		return value < rule->limit;
	case COMPARE_AT_MOST:
		return value <= rule->limit;
	case COMPARE_AT_LEAST:
		return value >= rule->limit;
	case COMPARE_MORE:
		return value > rule->limit;
	case COMPARE_EQUAL:
		break;
	}
	return value >= rule->limit && value <= rule->limit;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

static bool is_sign(char byte)
{
	return byte == '<' || byte == '=' || byte == '>' || byte == '!';
}

/* Where the word at `from` ends, of `size` bytes; a quoted one ends behind its quote. */
static size_t word_end(const char *text, size_t from, size_t size)
{
	size_t at = from;

	if (text[from] == '"') {
		const char *quote = memchr(text + from + 1, '"', size - from - 1);

		return quote ? (size_t)(quote - text) + 1 : SIZE_MAX;
	}
	if (is_sign(text[from]))
		while (at < size && is_sign(text[at]))
			at++;
	else
		while (at < size && !is_blank(text[at]) && !is_sign(text[at]) && text[at] != '#' &&
		       text[at] != '"')
			at++;
	return at;
}

/* Takes the line apart. Returns false after appending to `why`. */
static bool line_split(struct line *line, const char *text, size_t size)
{
	size_t at = 0, end;

	while (at < size && text[at] != '#') {
		bool is_quoted = text[at] == '"';

		if (is_blank(text[at])) {
			at++;
			continue;
		}
		end = word_end(text, at, size);
		if (end == SIZE_MAX)
			return buffer_fail(line->why, false, "a name has no closing quote");
		if (line->count == LINE_WORDS_MAX)
			return buffer_fail(line->why, false, "too many words");
		line->word[line->count++] = (struct line_word){
			xstrndup(text + at + is_quoted, end - at - 2 * (size_t)is_quoted),
			is_quoted,
		};
		at = end;
	}
	return true;
}

/* The next word; NULL: there is none. */
static const char *line_peek(const struct line *line)
{
	return line->at < line->count ? line->word[line->at].text : NULL;
}

static bool line_next_is_sign(const struct line *line)
{
	return line->at < line->count && !line->word[line->at].is_quoted &&
	       is_sign(line->word[line->at].text[0]);
}

static bool line_next_is(const struct line *line, const char *word)
{
	const char *next = line_peek(line);

	return next && !line->word[line->at].is_quoted && strcmp(next, word) == 0;
}

/* Whether the next word is this one; if so, goes behind it. */
static bool line_take(struct line *line, const char *word)
{
	if (!line_next_is(line, word))
		return false;
	line->at++;
	return true;
}

static const struct measure_row *take_measure(struct line *line, struct rule *rule)
{
	const char *names[ARRAY_SIZE(measures) + 1], *near;
	bool is_longest = line_take(line, "longest");

	for (size_t i = 0; i < ARRAY_SIZE(measures); i++) {
		names[i] = measures[i].name;
		if ((is_longest && measures[i].measure != MEASURE_WAIT &&
		     measures[i].measure != MEASURE_DELAY) ||
		    !line_take(line, measures[i].name))
			continue;
		rule->measure = measures[i].measure;
		rule->statistic = is_longest ? STATISTIC_MAX : measures[i].statistic;
		return &measures[i];
	}
	if (is_longest) {
		rule->measure = MEASURE_WAIT;
		rule->statistic = STATISTIC_MAX;
		return &measures[MEASURE_WAIT];
	}
	names[ARRAY_SIZE(measures)] = "longest";
	near = suggest(line_peek(line), names, ARRAY_SIZE(names));
	say(line->why, NULL, "\"{foreign}\" is nothing to measure[, did you mean \"{text}\"?]; use "
	                     "path, count, time, share, longest, wait, delay, hung or tail",
	    FOREIGN(line_peek(line)), TEXT(near));
	return NULL;
}

static bool take_statistic(struct line *line, const struct measure_row *row, struct rule *rule)
{
	for (size_t i = 0; i < ARRAY_SIZE(statistics); i++) {
		if (!line_take(line, statistics[i]))
			continue;
		rule->statistic = (enum statistic)i;
		if (row->has_statistic)
			return true;
		say(line->why, NULL, "{text} has no {text}", TEXT(row->name), TEXT(statistics[i]));
		return false;
	}
	return true;
}

/* The kinds of costs that the words name: "run queue", "runnable"; 0: they name none. "unknown" is
   the cause of that name. */
static uint32_t kinds_named(const char *words)
{
	for (int kind = 0; kind < COST_KIND_COUNT; kind++)
		if (!cost_is_unknown((enum cost_kind)kind) &&
		    (strcmp(words, cost_kind_key((enum cost_kind)kind)) == 0 ||
		     strcmp(words, cost_kind_words((enum cost_kind)kind)) == 0))
			return 1u << kind;
	return 0;
}

static bool kinds_are_own(uint32_t kinds)
{
	for (int kind = 0; kind < COST_KIND_COUNT; kind++)
		if (kinds & 1u << kind && !cost_is_own((enum cost_kind)kind))
			return false;
	return true;
}

/* Such a rule would always be of 0. */
static bool complain_of_others(struct line *line, const char *words)
{
	say(line->why, NULL, "\"{foreign}\" is no part of a task's own time, which rules are about",
	    FOREIGN(words));
	return false;
}

/* A rule about waits can name only a cause or an aim. */
static bool complain_of_what(struct line *line, const char *words, const char *cause,
                             enum rule_measure measure)
{
	const char *names[CAUSE_KIND_COUNT + AIM_KIND_COUNT + COST_KIND_COUNT], *near;
	bool is_wait = measure == MEASURE_WAIT;
	size_t count = 0;

	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (cause_ends_waits((enum cause_kind)kind))
			names[count++] = cause_kind_name((enum cause_kind)kind);
	for (int kind = AIM_NONE + 1; kind < AIM_KIND_COUNT; kind++)
		names[count++] = aim_kind_name((enum aim_kind)kind);
	for (int kind = 0; kind < COST_KIND_COUNT && !is_wait; kind++)
		if (cost_is_own((enum cost_kind)kind))
			names[count++] = cost_kind_key((enum cost_kind)kind);
	near = suggest(cause, names, count);
	say(line->why, NULL, "\"{foreign}\" is no [{if}cause or aim|cost][, did you mean "
	                     "\"{text}\"?]; use a [{if}|state, a ]cause or an aim of report "
	                     "--costs, like [{if}|running, runnable, ]disk, lock",
	    FOREIGN(words), IF(is_wait), TEXT(near), IF(is_wait), IF(is_wait));
	return false;
}

/* Takes "run queue", "disk", "disk vda". */
static bool take_what(struct line *line, struct rule *rule)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(BUFFER_LIMIT_DEFAULT);
	const char *cause = line_peek(line), *object;

	while (line_peek(line) && !line_next_is_sign(line) && !line_next_is(line, "of")) {
		if (words.length)
			buffer_putc(&words, ' ');
		buffer_puts(&words, line->word[line->at++].text);
	}
	if (words.length == 0)
		return true;
	/* of waits, the other states of a task are none */
	if (rule->measure != MEASURE_WAIT) {
		rule->kinds = kinds_named(words.text);
		if (rule->kinds)
			return kinds_are_own(rule->kinds) || complain_of_others(line, words.text);
	}
	rule->cause = cause_kind_from_name(cause);
	rule->aim = aim_kind_from_name(cause);
	if (rule->cause < 0 && rule->aim == AIM_NONE)
		return complain_of_what(line, words.text, cause, rule->measure);
	if (rule->cause >= 0 && !cause_ends_waits((enum cause_kind)rule->cause))
		return complain_of_others(line, words.text);
	rule->kinds = 1u << COST_WAIT;
	object = words.text + strlen(cause);
	if (*object)
		rule->object = xstrdup(object + 1);
	if (!rule->object || *rule->object)
		return true;
	return buffer_fail(line->why, false, "the name of the object is empty");
}

static bool take_tasks(struct line *line, const struct measure_row *row, struct rule *rule)
{
	bool has_of = line_take(line, "of");

	if (!has_of && (!row->has_bare_tasks || line_next_is_sign(line)))
		return true;
	if (!line_peek(line) || line_next_is_sign(line) || !*line_peek(line))
		return buffer_fail(line->why, false, "\"of\" is followed by no name of tasks");
	rule->tasks = xstrdup(line->word[line->at++].text);
	return true;
}

static bool take_comparison(struct line *line, struct rule *rule)
{
	const char *sign = line_peek(line);

	for (size_t i = 0; sign && i < ARRAY_SIZE(comparisons); i++) {
		if (!line_take(line, comparisons[i].sign))
			continue;
		rule->comparison = comparisons[i].comparison;
		return true;
	}
	say(line->why, NULL, "[\"{foreign}\" stands where a comparison should be (<, <=, =, >=, "
	                     ">)|a comparison is missing, like \"< 200ms\"]",
	    FOREIGN(sign));
	return false;
}

static bool ends_with_digit(const char *text)
{
	size_t length = strlen(text);

	return length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
}

/* Takes "200ms", or "200 ms": a unit may stand apart, and nothing may follow it. Appends the words
   to `text`; returns false after appending to `why`. */
static bool take_limit_words(struct line *line, struct buffer *text)
{
	const char *unit;
	bool is_bare;

	if (line_peek(line))
		buffer_puts(text, line->word[line->at++].text);
	unit = line_peek(line);
	is_bare = ends_with_digit(text->text) && strspn(text->text, "0123456789.") == text->length;
	if (unit && is_bare && (*unit < '0' || *unit > '9')) {
		buffer_puts(text, unit);
		line->at++;
	}
	if (!line_peek(line))
		return true;
	say(line->why, NULL, "\"{foreign}\" stands behind the limit, where nothing may follow",
	    FOREIGN(line_peek(line)));
	return false;
}

static int limit_parse(const char *text, enum rule_unit unit, double *ret)
{
	nsec_t time = 0;
	uint64_t number = 0;
	int r = -EINVAL;

	switch (unit) {
	case UNIT_NUMBER:
		r = parse_u64(text, &number);
		*ret = (double)number;
		break;
	case UNIT_SHARE:
		r = ends_with_digit(text) ? -EINVAL : parse_percent(text, ret);
		break;
	case UNIT_TIME:
		r = ends_with_digit(text) ? -EINVAL : parse_time(text, &time);
		*ret = (double)time;
		break;
	}
	return r;
}

/* A bare number could be any time or share. */
static bool take_limit(struct line *line, const struct measure_row *row, struct rule *rule)
{
	static const char *const like[] = {
		[UNIT_TIME] = "a time with its unit, like 200ms",
		[UNIT_NUMBER] = "a number, like 100",
		[UNIT_SHARE] = "a percentage, like 20%",
	};
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (!take_limit_words(line, &text))
		return false;
	if (limit_parse(text.text, row->unit, &rule->limit) == 0)
		return true;
	rule->limit = 0;
	say(line->why, NULL, "[{if}the limit is missing: |\"{foreign}\" is not ]{text}",
	    IF(text.length == 0), FOREIGN(text.text), TEXT(like[row->unit]));
	return false;
}

static uint32_t kinds_by_default(enum rule_measure measure)
{
	if (measure == MEASURE_DELAY)
		return 1u << COST_QUEUE;
	return measure == MEASURE_WAIT ? 1u << COST_WAIT : 0;
}

static bool rule_parse(struct line *line, struct rule *rule)
{
	const struct measure_row *row = take_measure(line, rule);

	if (!row)
		return false;
	rule->kinds = kinds_by_default(rule->measure);
	if (!take_statistic(line, row, rule))
		return false;
	if (row->has_what && !take_what(line, rule))
		return false;
	if (row->needs_what && rule->kinds == 0) {
		say(line->why, NULL, "{text} of what? Like \"{text} disk of NAME\"",
		    TEXT(row->name), TEXT(row->name));
		return false;
	}
	return take_tasks(line, row, rule) && take_comparison(line, rule) &&
	       take_limit(line, row, rule);
}

static char *line_text(const struct line *line)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	for (size_t i = 0; i < line->count; i++)
		say(&text, NULL, "[{if} ][{if}\"{foreign}\"|{foreign}]", IF(i > 0),
		    IF(line->word[i].is_quoted), FOREIGN(line->word[i].text),
		    FOREIGN(line->word[i].text));
	return xstrdup(text.text);
}

/* Reads one line, which may have no rule. Returns false after appending to `why`. */
static bool line_parse(struct budget *budget, const char *text, size_t size, unsigned number,
                       struct buffer *why)
{
	struct line line = {.why = why};
	bool is_right = line_split(&line, text, size);

	if (is_right && line.count > 0) {
		struct rule rule = {.line = number, .text = line_text(&line), .cause = -1};

		is_right = rule_parse(&line, &rule);
		ARRAY_ADD(budget->rule, budget->count, budget->capacity) = rule;
	}
	for (size_t i = 0; i < line.count; i++)
		free(line.word[i].text);
	return is_right;
}

int budget_parse(struct budget *ret, const char *text, size_t size, struct buffer *why)
{
	static const char mark[] = "\xef\xbb\xbf"; /* that some editors begin UTF-8 with */
	size_t at = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;

	*ret = (struct budget){0};
	for (unsigned number = 1; at < size; number++) {
		const char *newline = memchr(text + at, '\n', size - at);
		size_t length = newline ? (size_t)(newline - text) - at : size - at;
		size_t begin = why->length;

		say(why, NULL, "line {number}: ", NUMBER(number));
		if (memchr(text + at, '\0', length))
			return buffer_fail(why, -EINVAL, "it has a NUL byte, so this is no text");
		if (ret->count == BUDGET_RULES_MAX)
			return buffer_fail(why, -EINVAL, "more than %d rules", BUDGET_RULES_MAX);
		if (!line_parse(ret, text + at, length, number, why))
			return -EINVAL;
		buffer_truncate(why, begin);
		at += length + 1;
	}
	if (ret->count > 0)
		return 0;
	return buffer_fail(why, -EINVAL, "it has no rules");
}
