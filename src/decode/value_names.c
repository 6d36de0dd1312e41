/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "value_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

struct value_cursor {
	const char *at, *end;
};

static bool cursor_take(struct value_cursor *cursor, char sign)
{
	while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at))
		cursor->at++;
	if (cursor->at == cursor->end || *cursor->at != sign)
		return false;
	cursor->at++;
	return true;
}

/* A decimal number below VALUE_NAMES_MAX. */
static bool cursor_value(struct value_cursor *cursor, size_t *ret)
{
	const char *begin;
	size_t value = 0;

	while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at))
		cursor->at++;
	begin = cursor->at;
	while (cursor->at < cursor->end && isdigit((unsigned char)*cursor->at)) {
		value = value * 10 + (size_t)(*cursor->at++ - '0');
		if (value >= VALUE_NAMES_MAX)
			return false;
	}
	*ret = value;
	return cursor->at != begin;
}

static bool cursor_string(struct value_cursor *cursor, struct text *ret)
{
	const char *quote;

	if (!cursor_take(cursor, '"'))
		return false;
	quote = memchr(cursor->at, '"', (size_t)(cursor->end - cursor->at));
	if (!quote)
		return false;
	*ret = (struct text){cursor->at, (uint32_t)(quote - cursor->at)};
	cursor->at = quote + 1;
	return true;
}

static void value_names_set(struct value_names *names, size_t value, struct text name)
{
	if (value >= names->count) {
		names->name = xreallocarray(names->name, value + 1, sizeof(*names->name));
		memset(names->name + names->count, 0,
		       (value + 1 - names->count) * sizeof(*names->name));
		names->count = value + 1;
	}
	names->name[value] = name;
}

void value_names_parse(struct text print_format, const char *field, struct value_names *ret)
{
	char begin[128];
	int length = snprintf(begin, sizeof(begin), "__print_symbolic(REC->%s,", field);
	const char *at = memmem(print_format.at, print_format.length, begin, (size_t)length);
	struct value_cursor cursor;
	struct text name;
	size_t value;

	*ret = (struct value_names){0};
	if (!at)
		return;
	cursor = (struct value_cursor){at + length, print_format.at + print_format.length};
	while (cursor_take(&cursor, '{') && cursor_value(&cursor, &value) &&
	       cursor_take(&cursor, ',') && cursor_string(&cursor, &name) &&
	       cursor_take(&cursor, '}')) {
		value_names_set(ret, value, name);
		if (!cursor_take(&cursor, ','))
			break;
	}
}

void value_names_release(struct value_names *names)
{
	free(names->name);
	*names = (struct value_names){0};
}

static int string_compare(const void *a, const void *b)
{
	const struct kernel_string *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

/* -1: not a digit. The kernel prints lower-case letters. */
static int hex_digit(char sign)
{
	if (sign >= '0' && sign <= '9')
		return sign - '0';
	return sign >= 'a' && sign <= 'f' ? sign - 'a' + 10 : -1;
}

/* Parses a line like "0x12ab : "text"" between `at` and `end`. */
static bool line_parse(const char *at, const char *end, struct kernel_string *ret)
{
	static const char between[] = " : \"";
	const size_t length = sizeof(between) - 1;
	unsigned digits = 0;

	*ret = (struct kernel_string){0};
	if (end - at < 2 || at[0] != '0' || at[1] != 'x')
		return false;
	for (at += 2; at < end && hex_digit(*at) >= 0 && digits < 16; at++, digits++)
		ret->address = ret->address << 4 | (unsigned)hex_digit(*at);
	if (digits == 0 || (size_t)(end - at) <= length || memcmp(at, between, length) != 0 ||
	    end[-1] != '"')
		return false;
	at += length;
	ret->text = (struct text){at, (uint32_t)(end - 1 - at)};
	return true;
}

void kernel_strings_parse(const char *text, struct kernel_strings *ret)
{
	size_t capacity = 0;

	*ret = (struct kernel_strings){0};
	while (text && *text && ret->count < KERNEL_STRINGS_MAX) {
		const char *end = strchrnul(text, '\n');
		struct kernel_string string;

		if (line_parse(text, end, &string)) {
			ARRAY_GROW(ret->string, ret->count, capacity);
			ret->string[ret->count++] = string;
		}
		text = *end ? end + 1 : end;
	}
	if (ret->count > 1)
		qsort(ret->string, ret->count, sizeof(*ret->string), string_compare);
}

void kernel_strings_release(struct kernel_strings *strings)
{
	free(strings->string);
	*strings = (struct kernel_strings){0};
}

struct text kernel_strings_get(const struct kernel_strings *strings, uint64_t address)
{
	const struct kernel_string key = {.address = address};
	const struct kernel_string *found =
		strings->count ? bsearch(&key, strings->string, strings->count,
	                                 sizeof(*strings->string), string_compare)
			       : NULL;

	return found ? found->text : (struct text){0};
}
