/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "condition.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "catalog/tracepoint.h"
#include "words/cause/cause_kind.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define BLANKS          " \t"
#define COMM_BYTES_MAX  15
#define FAIL_BYTES_MAX  512 /* of a complaint, beside what it quotes */

#define BIT(filter) (1u << (filter))
#define OF_TASKS    (BIT(FILTER_COMM) | BIT(FILTER_PID) | BIT(FILTER_CGROUP))
#define OF_WAITS    (OF_TASKS | BIT(FILTER_KIND) | BIT(FILTER_NAME) | BIT(FILTER_DEV))

/* The text that is being read. */
struct reading {
	const char *text;
	size_t at;
	struct condition *to;
	bool has_head;
	struct buffer *why;
};

static int take_time(struct reading *reading, size_t at, const char *value);
static int take_rate(struct reading *reading, size_t at, const char *value);
static int take_text(struct reading *reading, size_t at, const char *value);
static int take_exit(struct reading *reading, size_t at, const char *value);
static int take_event(struct reading *reading, size_t at, const char *value);

/* What happens. A row's index is the head. */
static const struct head_row {
	const char *name;
	char sign;           /* before its value */
	bool has_no_value;   /* it may stand alone */
	uint32_t filters;    /* that go with it */
	const char *example;
	/* `at`: where the value begins; 0, or -EINVAL after appending to `why` */
	int (*take)(struct reading *reading, size_t at, const char *value);
} heads[CONDITION_HEAD_COUNT] = {
	[CONDITION_WAIT] = {"wait", '>', false, OF_WAITS, "wait>200ms", take_time},
	[CONDITION_OPEN] = {"open", '>', false, OF_WAITS, "open>5s", take_time},
	[CONDITION_DISK] = {"disk", '>', false, OF_TASKS | BIT(FILTER_DEV), "disk>100ms",
                            take_time},
	[CONDITION_LOCK] = {"lock", '>', false, OF_TASKS | BIT(FILTER_NAME), "lock>50ms",
                            take_time},
	[CONDITION_DELAY] = {"delay", '>', false, OF_TASKS, "delay>20ms", take_time},
	[CONDITION_HUNG] = {"hung", '>', true, OF_WAITS, "hung>30s", take_time},
	[CONDITION_MARK] = {"mark", '=', false, OF_TASKS, "mark=\"frame late\"", take_text},
	[CONDITION_RETRANSMIT] = {"retransmit", '>', false, 0, "retransmit>10/s", take_rate},
	[CONDITION_EXIT] = {"exit", '=', false, OF_TASKS, "exit=mysqld", take_exit},
	[CONDITION_EVENT] = {"event", ':', false, OF_TASKS, "event:sched:sched_stat_wait",
                             take_event},
};

static const struct filter_row {
	const char *name, *example;
} filters[FILTER_COUNT] = {
	[FILTER_COMM] = {"comm", "comm=mysqld"},
	[FILTER_PID] = {"pid", "pid=812"},
	[FILTER_CGROUP] = {"cgroup", "cgroup=nginx.service"},
	[FILTER_KIND] = {"kind", "kind=disk"},
	[FILTER_NAME] = {"name", "name=rwsem"},
	[FILTER_DEV] = {"dev", "dev=vda"},
};

/* Appends where it is and what is wrong there. */
static __attribute__((format(printf, 3, 4))) int fail(const struct reading *reading, size_t at,
                                                      const char *format, ...)
{
	char text[CONDITION_BYTES_MAX + FAIL_BYTES_MAX];
	size_t characters = 1;
	va_list arguments;

	for (size_t i = 0; i < at; i++)
		characters += ((unsigned char)reading->text[i] & 0xc0) != 0x80;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	buffer_printf(reading->why, "character %zu: ", characters);
	buffer_puts_clean(reading->why, text, strlen(text));
	return -EINVAL;
}

void condition_release(struct condition *condition)
{
	free(condition->text);
	free(condition->kernel_filter);
	for (size_t i = 0; i < FILTER_COUNT; i++)
		free(condition->value[i]);
	*condition = (struct condition){0};
}

static int take_time(struct reading *reading, size_t at, const char *value)
{
	nsec_t time;
	int r = parse_time(value, &time);

	if (r == 0 && time <= CONDITION_TIME_MAX) {
		reading->to->time = time;
		reading->to->has_no_unit = !value[strspn(value, "0123456789.")];
		return 0;
	}
	if (r == 0 || r == -ERANGE)
		return fail(reading, at, "\"%s\" is too long", value);
	return fail(reading, at, "\"%s\" is no time; use a number and a unit, like %s", value,
	            heads[reading->to->head].example);
}

static int take_rate(struct reading *reading, size_t at, const char *value)
{
	size_t length = strlen(value);
	_cleanup_(freep) char *number = NULL;
	uint64_t rate;

	if (length < 3 || strcmp(value + length - 2, "/s") != 0)
		return fail(reading, at, "\"%s\" is no number in a second; use retransmit>10/s",
		            value);
	number = xstrndup(value, length - 2);
	if (number[strspn(number, "0123456789")] || parse_u64(number, &rate) < 0)
		return fail(reading, at, "\"%s\" is no whole number; use retransmit>10/s", number);
	if (rate > CONDITION_RATE_MAX)
		return fail(reading, at, "%s in a second are too many; use at most %u", number,
		            CONDITION_RATE_MAX);
	reading->to->rate = rate;
	return 0;
}

static int take_text(struct reading *reading, size_t at, const char *value)
{
	(void)at;
	reading->to->text = xstrdup(value);
	return 0;
}

/* A longer name would never match. */
static int comm_check(const struct reading *reading, size_t at, const char *glob)
{
	if (strlen(glob) <= COMM_BYTES_MAX || strpbrk(glob, "*?[\\"))
		return 0;
	return fail(reading, at, "\"%s\" is too long for the name of a task, which the kernel cuts "
	                         "to %d bytes; use \"%.*s\"",
	            glob, COMM_BYTES_MAX, COMM_BYTES_MAX, glob);
}

static int take_exit(struct reading *reading, size_t at, const char *value)
{
	reading->to->text = xstrdup(value);
	return comm_check(reading, at, value);
}

static size_t skip_blanks(const struct reading *reading, size_t at)
{
	return at + strspn(reading->text + at, BLANKS);
}

static bool is_read_by_reports(const char *event)
{
	size_t system = strcspn(event, ":");

	TRACEPOINT_EACH(row)
		if (strlen(row->system) == system && strncmp(row->system, event, system) == 0 &&
		    strcmp(row->name, event + system + 1) == 0)
			return true;
	return false;
}

/* The rest of the text, if its first word is "if". */
static int take_kernel_filter(struct reading *reading)
{
	size_t at = skip_blanks(reading, reading->at), end = strlen(reading->text);

	if (strncmp(reading->text + at, "if", 2) != 0 || !strchr(BLANKS, reading->text[at + 2]))
		return 0;
	if (is_read_by_reports(reading->to->text))
		return fail(reading, at, "reports need all events %s, so they cannot be filtered; "
		                         "use comm=, pid= or cgroup= before it",
		            reading->to->text);
	at = skip_blanks(reading, at + 2);
	while (end > at && strchr(BLANKS, reading->text[end - 1]))
		end--;
	if (end == at)
		return fail(reading, at, "\"if\" is followed by no filter, like if delay > 1000");
	reading->to->kernel_filter = xstrndup(reading->text + at, end - at);
	reading->at = strlen(reading->text);
	return 0;
}

static int take_event(struct reading *reading, size_t at, const char *value)
{
	size_t system = strspn(value, NAME_CHARACTERS), name = 0;

	if (system && value[system] == ':')
		name = strspn(value + system + 1, NAME_CHARACTERS);
	if (!name || value[system + 1 + name])
		return fail(reading, at, "\"%s\" is no event; use SYSTEM:NAME, like %s", value,
		            heads[CONDITION_EVENT].example);
	reading->to->text = xstrdup(value);
	return take_kernel_filter(reading);
}

static int take_kind(struct reading *reading, size_t at, const char *value)
{
	const char *names[CAUSE_KIND_COUNT + AIM_KIND_COUNT], *near;
	size_t count = 0;

	reading->to->kind = cause_kind_from_name(value);
	reading->to->aim = aim_kind_from_name(value);
	if (reading->to->aim != AIM_NONE ||
	    (reading->to->kind >= 0 && cause_ends_waits((enum cause_kind)reading->to->kind)))
		return 0;
	for (int kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		if (cause_ends_waits((enum cause_kind)kind))
			names[count++] = cause_kind_name((enum cause_kind)kind);
	for (int kind = AIM_NONE + 1; kind < AIM_KIND_COUNT; kind++)
		names[count++] = aim_kind_name((enum aim_kind)kind);
	near = suggest(value, names, count);
	return fail(reading, at, "\"%s\" is no kind of cause%s%s%s; use one of ftwait-views(7), "
	                         "like disk, lock or net",
	            value, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int take_filter(struct reading *reading, enum condition_filter filter, size_t at,
                       const char *value)
{
	struct condition *to = reading->to;

	if (to->filters & BIT(filter))
		return fail(reading, at, "%s= is given twice; use one, which may be a glob",
		            filters[filter].name);
	to->filters |= BIT(filter);
	to->value[filter] = xstrdup(value);
	if (filter == FILTER_KIND)
		return take_kind(reading, at, value);
	if (filter == FILTER_COMM)
		return comm_check(reading, at, value);
	if (filter == FILTER_PID && (parse_pid(value, &to->pid) < 0 || to->pid == 0))
		return fail(reading, at, "\"%s\" is no process or thread; use %s", value,
		            filters[filter].example);
	return 0;
}

/* Goes behind the value, which the caller frees. */
static int take_value(struct reading *reading, const char *example, char **ret)
{
	const char *from = reading->text + reading->at, *end;
	bool is_quoted = *from == '"';
	size_t length = strcspn(from, BLANKS);

	if (is_quoted) {
		end = strchr(from + 1, '"');
		if (!end)
			return fail(reading, reading->at, "the quotation has no end");
		length = (size_t)(end - from) + 1;
		if (end[1] && !strchr(BLANKS, end[1]))
			return fail(reading, reading->at + length,
			            "a blank must follow the end of a quotation");
	}
	if (length == 2 * (size_t)is_quoted)
		return fail(reading, reading->at, "a value is missing, as in %s", example);
	reading->at += length;
	*ret = xstrndup(from + is_quoted, length - 2 * (size_t)is_quoted);
	return 0;
}

/* The sign behind a name that ends at `end`, and where its value begins. */
static char sign_find(const struct reading *reading, size_t end, size_t *ret_value)
{
	size_t at = skip_blanks(reading, end);

	if (reading->text[at] == '>') {
		*ret_value = skip_blanks(reading, at + 1);
		return '>';
	}
	*ret_value = end + 1;
	return reading->text[end] == '=' || reading->text[end] == ':' ? reading->text[end] : '\0';
}

static int complain_of_word(const struct reading *reading, size_t length)
{
	const char *names[CONDITION_HEAD_COUNT + FILTER_COUNT], *near;
	const char *from = reading->text + reading->at;
	_cleanup_(freep) char *word = xstrndup(from, length ? length : strcspn(from, BLANKS));
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		names[count++] = heads[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		names[count++] = filters[i].name;
	near = suggest(word, names, count);
	return fail(reading, reading->at,
	            "\"%s\" is no condition%s%s%s; use wait>, open>, disk>, lock>, delay>, hung, "
	            "mark=, retransmit>, exit= or event:, with comm=, pid=, cgroup=, kind=, name= "
	            "or dev=",
	            word, near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int take_head(struct reading *reading, enum condition_head head, size_t length)
{
	const struct head_row *row = &heads[head];
	_cleanup_(freep) char *value = NULL;
	size_t at, end = reading->at + length;
	char sign = sign_find(reading, end, &at);
	bool is_alone = row->has_no_value && (!reading->text[end] ||
	                                      strchr(BLANKS, reading->text[end]));
	int r;

	if (reading->has_head)
		return fail(reading, reading->at, "a condition has one thing to look for, and %s "
		                                  "is a second one; give it to another --trigger",
		            row->name);
	reading->has_head = true;
	reading->to->head = head;
	if (sign != row->sign) {
		reading->to->time = CONDITION_HUNG_NS;
		reading->at = end;
		return is_alone ? 0
		                : fail(reading, end, "%s needs \"%c\" and a value, as in %s",
		                       row->name, row->sign, row->example);
	}
	reading->at = at;
	r = take_value(reading, row->example, &value);
	return r < 0 ? r : row->take(reading, at, value);
}

static int take_word(struct reading *reading)
{
	size_t length = strspn(reading->text + reading->at, NAME_CHARACTERS), at;
	const char *word = reading->text + reading->at;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (strlen(heads[i].name) == length && strncmp(heads[i].name, word, length) == 0)
			return take_head(reading, (enum condition_head)i, length);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		_cleanup_(freep) char *value = NULL;

		if (strlen(filters[i].name) != length ||
		    strncmp(filters[i].name, word, length) != 0)
			continue;
		if (word[length] != '=')
			return fail(reading, reading->at + length,
			            "%s needs \"=\" and a value, as in %s", filters[i].name,
			            filters[i].example);
		at = reading->at += length + 1;
		r = take_value(reading, filters[i].example, &value);
		return r < 0 ? r : take_filter(reading, (enum condition_filter)i, at, value);
	}
	return complain_of_word(reading, length);
}

/* What a filter is about must be known of what happens. */
static int filters_check(const struct reading *reading)
{
	const struct head_row *row = &heads[reading->to->head];
	uint32_t wrong = reading->to->filters & ~row->filters;

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (wrong & BIT(i)) {
			const char *mend =
				row->filters == 0   ? ", of which no task is known"
				: BIT(i) & OF_TASKS ? "" : "; use it with wait>, open> or hung";

			return buffer_fail(reading->why, -EINVAL, "%s= does not go with %s%s",
			                   filters[i].name, row->name, mend);
		}
	return 0;
}

static int text_check(const struct reading *reading)
{
	size_t length = strnlen(reading->text, CONDITION_BYTES_MAX + 1);

	if (length > CONDITION_BYTES_MAX)
		return buffer_fail(reading->why, -EINVAL, "it is longer than %d bytes",
		                   CONDITION_BYTES_MAX);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)reading->text[i];

		if ((byte < ' ' && byte != '\t') || byte == 0x7f)
			return fail(reading, i, "a control character; use blanks between words");
	}
	return 0;
}

int condition_parse(const char *text, struct condition *ret, struct buffer *why)
{
	struct reading reading = {.text = text, .to = ret, .why = why};
	int r;

	*ret = (struct condition){0};
	r = text_check(&reading);
	if (r < 0)
		return r;
	for (;;) {
		reading.at = skip_blanks(&reading, reading.at);
		if (!text[reading.at])
			break;
		r = take_word(&reading);
		if (r < 0)
			return r;
	}
	if (reading.has_head)
		return filters_check(&reading);
	if (ret->filters)
		return buffer_fail(why, -EINVAL, "it says of which, but not what to look for; add "
		                   "wait>200ms, open>5s or the like");
	return buffer_fail(why, -EINVAL, "it is empty; use wait>200ms, open>5s or the like");
}

static void value_append(struct buffer *to, const char *value)
{
	buffer_printf(to, strpbrk(value, BLANKS) ? "\"%s\"" : "%s", value);
}

/* In the largest unit in which it is a whole number. */
static void time_append(struct buffer *to, nsec_t time)
{
	static const struct {
		nsec_t factor;
		const char *name;
	} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	size_t i = 0;

	while (time % units[i].factor)
		i++;
	buffer_put_u64(to, time / units[i].factor);
	buffer_puts(to, units[i].name);
}

static void head_append(struct buffer *to, const struct condition *condition)
{
	const struct head_row *row = &heads[condition->head];

	buffer_puts(to, row->name);
	if (condition->head == CONDITION_HUNG && condition->time == CONDITION_HUNG_NS)
		return;
	buffer_putc(to, row->sign);
	if (condition->head == CONDITION_RETRANSMIT)
		buffer_printf(to, "%" PRIu64 "/s", condition->rate);
	else if (condition->text)
		value_append(to, condition->text);
	else
		time_append(to, condition->time);
	if (condition->kernel_filter)
		buffer_printf(to, " if %s", condition->kernel_filter);
}

void condition_append(struct buffer *to, const struct condition *condition)
{
	/* the kernel's filter is the rest of the text */
	bool is_last = condition->kernel_filter != NULL, has_before = !is_last;

	if (!is_last)
		head_append(to, condition);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		if (!(condition->filters & BIT(i)))
			continue;
		buffer_printf(to, "%s%s=", has_before ? " " : "", filters[i].name);
		has_before = true;
		value_append(to, condition->value[i]);
	}
	if (!is_last)
		return;
	if (has_before)
		buffer_putc(to, ' ');
	head_append(to, condition);
}

/* Appends the groups that show causes of that kind, but for a costly one: users record that if they
   ask for it (-e +syscalls). */
static size_t add_showing(enum cause_kind kind, struct condition_need *ret, size_t count)
{
	const struct showing_group *group = cause_kinds[kind].shown_by;

	for (size_t i = 0; i < SHOWING_GROUPS_MAX && group[i].name; i++)
		if (!event_group_find(group[i].name)->is_costly &&
		    (count == 0 || strcmp(ret[0].event, group[i].name) != 0))
			ret[count++] = (struct condition_need){group[i].name, NULL};
	return count;
}

size_t condition_needs(const struct condition *condition,
                       struct condition_need ret[static CONDITION_NEEDS_MAX])
{
	size_t count = 0;

	if (condition->head == CONDITION_EVENT)
		ret[count++] = (struct condition_need){condition->text, condition->kernel_filter};
	if (condition->head == CONDITION_RETRANSMIT)
		count = add_showing(CAUSE_NET, ret, count);
	if (condition->head == CONDITION_DISK || condition->filters & BIT(FILTER_DEV))
		count = add_showing(CAUSE_DISK, ret, count);
	if (condition->head == CONDITION_LOCK)
		count = add_showing(CAUSE_LOCK, ret, count);
	if (condition->filters & BIT(FILTER_KIND) && condition->kind >= 0)
		count = add_showing((enum cause_kind)condition->kind, ret, count);
	return count;
}
