/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
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

ORDER_FUNCTION(string_compare, struct kernel_string, RISING(x, y, address))

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

		if (line_parse(text, end, &string))
			ARRAY_ADD(ret->string, ret->count, capacity) = string;
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

/* The unread rest of the text. */
struct format_cursor {
	const char *at, *end;
};

/* Takes the next line without its end; false at the end of the text. */
static bool cursor_line(struct format_cursor *cursor, struct format_cursor *ret)
{
	const char *newline;

	if (cursor->at == cursor->end)
		return false;
	newline = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
	ret->at = cursor->at;
	ret->end = newline ? newline : cursor->end;
	cursor->at = newline ? newline + 1 : cursor->end;
	return true;
}

static void cursor_skip_blanks(struct format_cursor *cursor)
{
	while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
		cursor->at++;
}

/* Skips the word if the text continues with it. */
static bool cursor_skip(struct format_cursor *cursor, const char *word)
{
	size_t length;

	cursor_skip_blanks(cursor);
	/* most words differ in their first letter already */
	if (cursor->at == cursor->end || *cursor->at != *word)
		return false;
	length = strlen(word);
	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
		return false;
	cursor->at += length;
	return true;
}

/* A decimal number of at most 65535. */
static bool cursor_number(struct format_cursor *cursor, uint32_t *ret)
{
	uint32_t value = 0;
	const char *begin;

	cursor_skip_blanks(cursor);
	for (begin = cursor->at; cursor->at < cursor->end && isdigit((unsigned char)*cursor->at);
	     cursor->at++) {
		value = value * 10 + (uint32_t)(*cursor->at - '0');
		if (value > UINT16_MAX)
			return false;
	}
	*ret = value;
	return cursor->at != begin;
}

/* "offset:8;" and the like. */
static bool cursor_property(struct format_cursor *cursor, const char *name, uint32_t *ret)
{
	return cursor_skip(cursor, name) && cursor_number(cursor, ret) && cursor_skip(cursor, ";");
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the words before the name are those of text: a "char" that is not unsigned. */
static bool declares_text(const char *at, const char *end)
{
	static const char word[] = "char", sign[] = "unsigned ";
	const size_t length = sizeof(word) - 1, sign_length = sizeof(sign) - 1;
	const char *found = memmem(at, (size_t)(end - at), word, length);

	if (!found || (found > at && is_word(found[-1])) ||
	    (found + length < end && is_word(found[length])))
		return false;
	return (size_t)(found - at) < sign_length ||
	       memcmp(found - sign_length, sign, sign_length) != 0;
}

/*
 * "__data_loc char[] name", "unsigned long args[6]", "struct foo * bar": the name is the last
 * word outside of brackets.
 */
static bool field_parse_declaration(struct format_cursor declaration, struct event_field *field)
{
	const char *at = declaration.end;

	while (at > declaration.at && at[-1] == ' ')
		at--;
	while (at > declaration.at && at[-1] == ']') {
		while (at > declaration.at && at[-1] != '[')
			at--;
		if (at == declaration.at)
			return false;
		at--;
		field->is_array = true;
	}
	field->name.at = at;
	while (field->name.at > declaration.at && is_word(field->name.at[-1]))
		field->name.at--;
	field->name.length = (uint32_t)(at - field->name.at);
	field->type.at = declaration.at;
	field->type.length = (uint32_t)(field->name.at - declaration.at);
	field->is_data_loc = cursor_skip(&declaration, "__data_loc");
	field->is_rel_loc = !field->is_data_loc && cursor_skip(&declaration, "__rel_loc");
	field->is_text = (field->is_array || field->is_data_loc || field->is_rel_loc) &&
	                 declares_text(declaration.at, field->name.at);
	return field->name.length > 0;
}

static int field_parse(struct format_cursor line, struct event_field *ret)
{
	struct event_field field = {0};
	struct format_cursor declaration = line;
	uint32_t sign = 0;

	declaration.end = memchr(line.at, ';', (size_t)(line.end - line.at));
	if (!declaration.end || !field_parse_declaration(declaration, &field))
		return -EINVAL;
	line.at = declaration.end + 1;
	if (!cursor_property(&line, "offset:", &field.offset) ||
	    !cursor_property(&line, "size:", &field.size))
		return -EINVAL;
	/* kernels before 2.6.36 do not print the sign */
	if (cursor_skip(&line, "signed:") &&
	    (!cursor_number(&line, &sign) || !cursor_skip(&line, ";")))
		return -EINVAL;
	field.is_signed = sign != 0;
	*ret = field;
	return 0;
}

int event_format_parse_head(const char *text, size_t length, struct text *ret_name,
                            uint32_t *ret_id)
{
	struct format_cursor rest = {text, text + length};
	struct format_cursor line;

	if (!cursor_line(&rest, &line) || !cursor_skip(&line, "name:"))
		return -EINVAL;
	cursor_skip_blanks(&line);
	*ret_name = (struct text){line.at, (uint32_t)(line.end - line.at)};
	if (ret_name->length == 0 || !cursor_line(&rest, &line) || !cursor_skip(&line, "ID:") ||
	    !cursor_number(&line, ret_id))
		return -EINVAL;
	return 0;
}

int event_format_parse(const char *text, size_t length, struct event_format *ret)
{
	struct format_cursor rest = {text, text + length};
	struct format_cursor line;
	int r;

	ret->field_count = 0;
	ret->print_format = (struct text){"", 0};
	r = event_format_parse_head(text, length, &ret->name, &ret->id);
	if (r < 0)
		return r;
	while (cursor_line(&rest, &line)) {
		if (cursor_skip(&line, "field:")) {
			if (ret->field_count == EVENT_FIELDS_MAX)
				return -EINVAL;
			r = field_parse(line, &ret->field[ret->field_count]);
			if (r < 0)
				return r;
			ret->field_count++;
		} else if (cursor_skip(&line, "print fmt:")) {
			ret->print_format =
				(struct text){line.at, (uint32_t)(text + length - line.at)};
			break;
		}
	}
	return ret->field_count ? 0 : -EINVAL;
}

const struct event_field *event_format_find(const struct event_format *format, const char *name)
{
	for (size_t i = 0; i < format->field_count; i++)
		if (text_is(format->field[i].name, name))
			return &format->field[i];
	return NULL;
}
