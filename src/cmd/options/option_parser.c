/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "option_parser.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "cmd/other_tools.h"

#define CPU_MAX          65535
#define TIME_MAX_SECONDS (UINT64_MAX / UINT64_C(1000000000))

/* An option as given on the command line. */
struct given {
	struct option_row row;
	const char *spelling; /* "--name" or "-n", for error messages */
	const char *value;    /* NULL: none */
};

static int complain(struct buffer *why, const struct given *given, const char *expected)
{
	assert(given->value);
	buffer_printf(why, "option %s: \"", given->spelling);
	buffer_puts_clean(why, given->value, strlen(given->value));
	return buffer_fail(why, -EINVAL, "\" is not %s", expected);
}

static int set_time(const struct given *given, void *to, struct buffer *why)
{
	int r = parse_time(given->value, to);

	if (r != -ERANGE)
		return r < 0 ? complain(why, given, "a time like 10, 1.5s, 500ms or 20us") : 0;
	buffer_printf(why, "option %s: ", given->spelling);
	buffer_puts_clean(why, given->value, strlen(given->value));
	return buffer_fail(why, -EINVAL, " is too long; the longest time is %" PRIu64 " s, which "
	                   "is 584 years", TIME_MAX_SECONDS);
}

static int set_choice(const struct given *given, void *to, struct buffer *why)
{
	option_value_at value_at = given->row.value_at;

	for (unsigned i = 0; value_at(i); i++) {
		if (strcmp(value_at(i), given->value) == 0) {
			*(unsigned *)to = i;
			return 0;
		}
	}
	(void)complain(why, given, "one of ");
	option_values_append(why, value_at, ", ");
	return -EINVAL;
}

void option_values_append(struct buffer *to, option_value_at value_at, const char *last)
{
	for (size_t i = 0; value_at(i); i++)
		buffer_printf(to, "%s%s", i == 0 ? "" : value_at(i + 1) ? ", " : last, value_at(i));
}

/* Whether the list has room for one element more; complains if not. */
static bool list_has_room(const struct given *given, size_t count, struct buffer *why)
{
	if (count < OPTION_LIST_MAX)
		return true;
	buffer_printf(why, "option %s: more than %d elements", given->spelling, OPTION_LIST_MAX);
	return false;
}

static int string_list_add(const struct given *given, struct string_list *list, const char *text,
                           struct buffer *why)
{
	if (!list_has_room(given, list->count, why))
		return -EINVAL;
	ARRAY_ADD(list->text, list->count, list->capacity) = xstrdup(text);
	return 0;
}

/* Cuts "web:" off the element where the option takes that; returns it, else "". */
static const char *host_cut(const struct given *given, char **element)
{
	char *colon = given->row.has_hosts ? strchr(*element, ':') : NULL;
	const char *host = *element;

	if (!colon)
		return "";
	*colon = '\0';
	*element = colon + 1;
	return host;
}

static int number_list_add(const struct given *given, struct number_list *list, const char *host,
                           int32_t number, struct buffer *why)
{
	if (!list_has_room(given, list->count, why))
		return -EINVAL;
	if (given->row.has_hosts) {
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_GROW(list->host, list->count, list->host_capacity);
		list->host[list->count] = xstrdup(host);
	}
	ARRAY_ADD(list->number, list->count, list->capacity) = number;
	return 0;
}

/* "3" or "2-4". */
static int parse_cpu_range(char *text, int32_t *ret_first, int32_t *ret_last)
{
	char *dash = strchr(text, '-');
	int32_t first, last;

	if (dash)
		*dash = '\0';
	if (parse_pid(text, &first) < 0 || parse_pid(dash ? dash + 1 : text, &last) < 0)
		return -EINVAL;
	if (first > last || last > CPU_MAX)
		return -EINVAL;
	*ret_first = first;
	*ret_last = last;
	return 0;
}

/* Takes an element of a comma list, which it may change. */
static int element_set(const struct given *given, void *to, char *element, struct buffer *why)
{
	char *text = element;
	const char *host = host_cut(given, &text);
	int32_t first, last;
	int r = 0;

	if (given->row.type == OPTION_LIST)
		return *element ? string_list_add(given, to, element, why)
		                : complain(why, given, "a list without empty elements");
	if (given->row.type == OPTION_PIDS) {
		if (parse_pid(text, &first) < 0)
			return complain(why, given, "a list of process ids like 12,13");
		last = first;
	} else if (parse_cpu_range(text, &first, &last) < 0) {
		return complain(why, given, "a list of CPUs like 0,2-4");
	}
	for (int64_t number = first; r == 0 && number <= last; number++)
		r = number_list_add(given, to, host, (int32_t)number, why);
	return r;
}

static int set_list(const struct given *given, void *to, struct buffer *why)
{
	_cleanup_(freep) char *elements = xstrdup(given->value);
	char *rest = elements, *element;
	int r = 0;

	while (r == 0 && (element = strsep(&rest, ",")))
		r = element_set(given, to, element, why);
	return r;
}

static int value_set(const struct given *given, void *to, struct buffer *why)
{
	switch (given->row.type) {
	case OPTION_BOOL:
		*(bool *)to = true;
		return 0;
	case OPTION_CONSTANT:
		*(const char **)to = given->row.constant;
		return 0;
	case OPTION_STRING:
		*(const char **)to = given->value;
		return 0;
	case OPTION_OPTIONAL:
		*(struct optional_string *)to = (struct optional_string){true, given->value};
		return 0;
	case OPTION_COUNT:
		return parse_u64(given->value, to) < 0 ? complain(why, given, "a number") : 0;
	case OPTION_SIZE:
		return parse_size(given->value, to) < 0
		               ? complain(why, given, "a size like 8M, 512K or 65536") : 0;
	case OPTION_TIME:
		return set_time(given, to, why);
	case OPTION_CHOICE:
		return set_choice(given, to, why);
	case OPTION_STRINGS:
		return string_list_add(given, to, given->value, why);
	case OPTION_LIST:
	case OPTION_PIDS:
	case OPTION_CPUS:
		return set_list(given, to, why);
	case OPTION_HEADING:
	case OPTION_EACH:
		break;
	}
	assert(false);
	return -EINVAL;
}

bool option_row_at(const struct option_set *set, size_t index, struct option_row *ret)
{
	for (size_t i = 0; i < set->row_count; i++) {
		const struct option_row *row = &set->rows[i];

		if (row->type != OPTION_EACH && index-- == 0) {
			*ret = *row;
			return true;
		}
		for (size_t each = 0; row->type == OPTION_EACH; each++) {
			*ret = (struct option_row){
				.type = OPTION_OPTIONAL,
				.offset = row->offset + each * sizeof(struct optional_string),
			};
			if (!row->each_at(each, ret))
				break;
			if (index-- == 0)
				return true;
		}
	}
	return false;
}

bool option_find_letter(const struct option_set *set, char letter, struct option_row *ret)
{
	for (size_t i = 0; option_row_at(set, i, ret); i++)
		if (ret->type != OPTION_HEADING && ret->letter == letter)
			return true;
	return false;
}

bool option_find_name(const struct option_set *set, const char *name, size_t length,
                      struct option_row *ret)
{
	for (size_t i = 0; option_row_at(set, i, ret); i++)
		if (ret->type != OPTION_HEADING && strncmp(ret->name, name, length) == 0 &&
		    ret->name[length] == '\0')
			return true;
	return false;
}

static bool absent_is(const char *absent, const char *name)
{
	while (*absent && (*absent == *name || (*absent == '_' && *name == '-'))) {
		absent++;
		name++;
	}
	return *absent == '\0' && *name == '\0';
}

static bool option_is_absent(const struct option_set *set, const char *name)
{
	for (const char *const *absent = set->absent; absent && *absent; absent++)
		if (absent_is(*absent, name))
			return true;
	return false;
}

/* The long option that was probably meant; NULL: no name is similar. */
static const char *option_suggest(const struct option_set *set, const char *name)
{
	_cleanup_(freep) const char **names = NULL;
	size_t count = 1, capacity = 1;
	struct option_row row;

	names = xcalloc(capacity, sizeof(*names));
	names[0] = "help";
	for (size_t i = 0; option_row_at(set, i, &row); i++) {
		if (row.type == OPTION_HEADING || row.is_hidden)
			continue;
		ARRAY_ADD(names, count, capacity) = row.name;
	}
	return suggest(name, names, count);
}

/* `spelling`: "--name" or "-n". */
static int complain_unknown(const struct option_set *set, const char *spelling, struct buffer *why)
{
	const char *name = spelling[1] == '-' ? spelling + 2 : NULL, *near;

	if (name && option_is_absent(set, name))
		return buffer_fail(why, -EINVAL, "option --%s: this program was built without it",
		                   name);
	buffer_puts(why, "unknown option ");
	buffer_puts_clean(why, spelling, strlen(spelling));
	if (foreign_word_append(why, set->command, spelling))
		return -EINVAL;
	near = name ? option_suggest(set, name) : NULL;
	if (near)
		buffer_printf(why, "; did you mean --%s?", near);
	return -EINVAL;
}

/* As for -p "$(pidof NAME)" when no process has that name. */
static int complain_no_process(struct buffer *why, const struct given *given)
{
	return buffer_fail(why, -EINVAL, "option %s: no process id; does the program run? \"pidof "
	                   "NAME\" prints nothing if it does not", given->spelling);
}

/* Whether the value of an option for processes that run is missing: what follows is another
   option, or empty. */
static bool is_no_process(const struct given *given)
{
	return given->row.is_of_processes &&
	       (!given->value || *given->value == '\0' || *given->value == '-');
}

static int option_set(const struct given *given, void *to, struct buffer *why)
{
	if (is_no_process(given))
		return complain_no_process(why, given);
	return value_set(given, (char *)to + given->row.offset, why);
}

/* argv, and how far it is read. */
struct argument_cursor {
	char **argv;
	int argc;
	int at;
	const char *valueless; /* name of the option just read, if its optional value is not
	                          given; else NULL */
	struct operands found; /* only `behind` and `behind_option` */
};

/* Takes the following word as the value of an option; -EINVAL: there is none. */
static int value_take(struct argument_cursor *cursor, struct given *given, struct buffer *why)
{
	if (cursor->at + 1 >= cursor->argc && is_no_process(given))
		return complain_no_process(why, given);
	if (cursor->at + 1 >= cursor->argc)
		return buffer_fail(why, -EINVAL, "option %s needs a value: %s", given->spelling,
		                   given->row.argument);
	given->value = cursor->argv[++cursor->at];
	return 0;
}

static int parse_long(const struct option_set *set, struct argument_cursor *cursor, void *to,
                      struct buffer *why)
{
	const char *name = cursor->argv[cursor->at] + 2;
	size_t length = strcspn(name, "=");
	_cleanup_(freep) char *spelling = NULL;
	struct given given;
	int r;

	if (!option_find_name(set, name, length, &given.row)) {
		if (strcmp(name, "help") == 0)
			return OPTIONS_HELP;
		if (strncmp(name, "help=", 5) != 0) {
			spelling = xasprintf("--%.*s", (int)length, name);
			return complain_unknown(set, spelling, why);
		}
		return buffer_fail(why, -EINVAL, "option --help takes no value");
	}
	given.spelling = spelling = xasprintf("--%s", given.row.name);
	given.value = name[length] ? name + length + 1 : NULL;
	if (given.value && !given.row.argument)
		return buffer_fail(why, -EINVAL, "option %s takes no value", spelling);
	if (!given.value && given.row.argument &&
	    (given.row.type != OPTION_OPTIONAL || given.row.needs_value)) {
		r = value_take(cursor, &given, why);
		if (r < 0)
			return r;
	}
	if (!given.value && given.row.argument)
		cursor->valueless = given.row.name;
	return option_set(&given, to, why);
}

/* "-q", "-qv", "-oFILE", "-o FILE". */
static int parse_short(const struct option_set *set, struct argument_cursor *cursor, void *to,
                       struct buffer *why)
{
	int r = 0;

	for (const char *at = cursor->argv[cursor->at] + 1; r == 0 && *at; at++) {
		const char spelling[] = {'-', *at, '\0'};
		struct given given = {.spelling = spelling};

		if (!option_find_letter(set, *at, &given.row)) {
			if (*at == 'h')
				return OPTIONS_HELP;
			return complain_unknown(set, spelling, why);
		}
		if (!given.row.argument || given.row.type == OPTION_OPTIONAL) {
			r = option_set(&given, to, why);
			continue;
		}
		if (at[1])
			given.value = at + 1;
		else
			r = value_take(cursor, &given, why);
		return r < 0 ? r : option_set(&given, to, why);
	}
	return r;
}

/* Remembers the operand at the cursor if it may be meant as the value of the option before it. */
static void operand_note(struct argument_cursor *cursor, const char *valueless)
{
	if (!valueless || cursor->found.behind)
		return;
	cursor->found.behind = cursor->argv[cursor->at];
	cursor->found.behind_option = valueless;
}

static int parse_all(const struct option_set *set, struct argument_cursor *cursor, void *to,
                     struct buffer *why, int *ret_put)
{
	int put = 1;
	int r = 0;

	for (; r == 0 && cursor->at < cursor->argc; cursor->at++) {
		char *word = cursor->argv[cursor->at];
		const char *valueless = cursor->valueless;

		cursor->valueless = NULL;
		if (strcmp(word, "--") == 0) {
			cursor->at++;
			break;
		}
		if (word[0] == '-' && word[1] == '-') {
			r = parse_long(set, cursor, to, why);
			continue;
		}
		if (word[0] == '-' && word[1]) {
			r = parse_short(set, cursor, to, why);
			continue;
		}
		operand_note(cursor, valueless);
		if (set->stops_at_operand)
			break;
		cursor->argv[put++] = word;
	}
	*ret_put = put;
	return r;
}

int options_parse(const struct option_set *set, int argc, char **argv, void *to,
                  struct buffer *why, struct operands *ret)
{
	struct argument_cursor cursor = {.argv = argv, .argc = argc, .at = 1};
	int put = 1;
	int r;

	assert(argc >= 1);
	r = parse_all(set, &cursor, to, why, &put);
	if (r == 0) {
		for (int i = cursor.at; i < argc; i++)
			argv[put++] = argv[i];
		argv[put] = NULL;
		if (put > 1 && !set->operands) {
			buffer_puts(why, "unexpected operand \"");
			buffer_puts_clean(why, argv[1], strlen(argv[1]));
			buffer_putc(why, '"');
			r = -EINVAL;
		}
	}
	if (r != 0) {
		options_release(set, to);
		return r;
	}
	*ret = cursor.found;
	ret->argv = argv + 1;
	ret->count = (size_t)put - 1;
	return 0;
}

static void string_list_release(struct string_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->text[i]);
	free(list->text);
	*list = (struct string_list){0};
}

static void number_list_release(struct number_list *list)
{
	for (size_t i = 0; list->host && i < list->count; i++)
		free(list->host[i]);
	free(list->host);
	free(list->number);
	*list = (struct number_list){0};
}

void options_release(const struct option_set *set, void *to)
{
	struct option_row row;

	for (size_t i = 0; option_row_at(set, i, &row); i++) {
		void *member = (char *)to + row.offset;

		if (row.type == OPTION_STRINGS || row.type == OPTION_LIST)
			string_list_release(member);
		else if (row.type == OPTION_PIDS || row.type == OPTION_CPUS)
			number_list_release(member);
	}
}
