/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "base/xalloc.h"

struct json_cursor {
	const char *begin, *at, *end;
	unsigned depth;
	struct buffer *why;
};

static int cursor_fail(struct json_cursor *cursor, const char *what)
{
	buffer_printf(cursor->why, "at byte %zu: %s", (size_t)(cursor->at - cursor->begin), what);
	return -EINVAL;
}

static void cursor_skip_space(struct json_cursor *cursor)
{
	while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) && *cursor->at)
		cursor->at++;
}

static bool cursor_take(struct json_cursor *cursor, char c)
{
	cursor_skip_space(cursor);
	if (cursor->at >= cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

static int value_read(struct json_cursor *cursor, struct json *to);

struct json *json_free(struct json *json)
{
	while (json) {
		struct json *next = json->next;

		json_free(json->item);
		free(json->text);
		free(json->key);
		free(json);
		json = next;
	}
	return NULL;
}

static int hex4_read(struct json_cursor *cursor, unsigned *ret)
{
	unsigned value = 0;

	if (cursor->end - cursor->at < 4)
		return cursor_fail(cursor, "short \\u");
	for (int i = 0; i < 4; i++, cursor->at++) {
		unsigned char c = (unsigned char)*cursor->at;

		if (!isxdigit(c))
			return cursor_fail(cursor, "bad \\u");
		value = value * 16 + (unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
	}
	*ret = value;
	return 0;
}

static void code_append(struct buffer *to, unsigned code)
{
	if (code < 0x80) {
		buffer_putc(to, (char)code);
	} else if (code < 0x800) {
		buffer_putc(to, (char)(0xc0 | code >> 6));
		buffer_putc(to, (char)(0x80 | (code & 0x3f)));
	} else {
		buffer_putc(to, (char)(0xe0 | code >> 12));
		buffer_putc(to, (char)(0x80 | (code >> 6 & 0x3f)));
		buffer_putc(to, (char)(0x80 | (code & 0x3f)));
	}
}

static int escape_read(struct json_cursor *cursor, struct buffer *to)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	unsigned code = 0;
	int r;

	if (cursor->at >= cursor->end)
		return cursor_fail(cursor, "text ends in an escape");
	if (*cursor->at == 'u') {
		cursor->at++;
		r = hex4_read(cursor, &code);
		if (r >= 0)
			code_append(to, code);
		return r;
	}
	letter = strchr(letters, *cursor->at);
	if (!letter || !*letter)
		return cursor_fail(cursor, "unknown escape");
	cursor->at++;
	buffer_putc(to, meanings[letter - letters]);
	return 0;
}

static int text_fill(struct json_cursor *cursor, struct buffer *to)
{
	while (cursor->at < cursor->end && *cursor->at != '"') {
		size_t size = utf8_sequence_bytes(cursor->at, (size_t)(cursor->end - cursor->at));

		if (size == 0)
			return cursor_fail(cursor, "not UTF-8");
		if ((unsigned char)*cursor->at < 0x20)
			return cursor_fail(cursor, "control byte in a text");
		if (*cursor->at == '\\') {
			int r;

			cursor->at++;
			r = escape_read(cursor, to);
			if (r < 0)
				return r;
			continue;
		}
		buffer_append(to, cursor->at, size);
		cursor->at += size;
	}
	if (cursor->at >= cursor->end)
		return cursor_fail(cursor, "text without an end");
	cursor->at++;
	return 0;
}

static int text_read(struct json_cursor *cursor, char **ret)
{
	struct buffer text;
	int r;

	if (!cursor_take(cursor, '"'))
		return cursor_fail(cursor, "no text where one must be");
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	r = text_fill(cursor, &text);
	if (r >= 0)
		*ret = xstrdup(text.text);
	buffer_release(&text);
	return r;
}

static size_t digits_skip(struct json_cursor *cursor)
{
	const char *begin = cursor->at;

	while (cursor->at < cursor->end && isdigit((unsigned char)*cursor->at))
		cursor->at++;
	return (size_t)(cursor->at - begin);
}

static int number_read(struct json_cursor *cursor, struct json *to)
{
	const char *begin = cursor->at;
	size_t digits;

	to->type = JSON_NUMBER;
	to->is_integer = true;
	to->is_negative = *cursor->at == '-';
	cursor->at += to->is_negative;
	digits = digits_skip(cursor);
	if (!digits || (digits > 1 && cursor->at[-(ptrdiff_t)digits] == '0'))
		return cursor_fail(cursor, "bad number");
	if (cursor->at < cursor->end && *cursor->at == '.') {
		to->is_integer = false;
		cursor->at++;
		if (!digits_skip(cursor))
			return cursor_fail(cursor, "bad fraction");
	}
	if (cursor->at < cursor->end && (*cursor->at == 'e' || *cursor->at == 'E')) {
		to->is_integer = false;
		cursor->at++;
		if (cursor->at < cursor->end && strchr("+-", *cursor->at) && *cursor->at)
			cursor->at++;
		if (!digits_skip(cursor))
			return cursor_fail(cursor, "bad exponent");
	}
	to->text = xstrndup(begin, (size_t)(cursor->at - begin));
	to->real = strtod(to->text, NULL);
	to->number = strtoull(to->text + to->is_negative, NULL, 10);
	return 0;
}

static int word_read(struct json_cursor *cursor, struct json *to)
{
	static const struct {
		const char *word;
		enum json_type type;
		bool boolean;
	} words[] = {{"null", JSON_NULL, false}, {"true", JSON_BOOL, true}, {"false", JSON_BOOL, false}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].word);

		if ((size_t)(cursor->end - cursor->at) >= length &&
		    memcmp(cursor->at, words[i].word, length) == 0) {
			cursor->at += length;
			to->type = words[i].type;
			to->boolean = words[i].boolean;
			return 0;
		}
	}
	return cursor_fail(cursor, "no value");
}

/* Elements or members up to the closing bracket. */
static int items_read(struct json_cursor *cursor, struct json *to, char close)
{
	struct json **tail = &to->item;
	bool is_object = close == '}';

	cursor->at++;
	to->type = is_object ? JSON_OBJECT : JSON_ARRAY;
	if (cursor_take(cursor, close))
		return 0;
	do {
		struct json *item = xcalloc(1, sizeof(*item));
		int r = 0;

		*tail = item;
		tail = &item->next;
		if (is_object)
			r = text_read(cursor, &item->key);
		if (r >= 0 && is_object && !cursor_take(cursor, ':'))
			r = cursor_fail(cursor, "no colon");
		if (r >= 0)
			r = value_read(cursor, item);
		if (r < 0)
			return r;
	} while (cursor_take(cursor, ','));
	return cursor_take(cursor, close) ? 0 : cursor_fail(cursor, "no closing bracket");
}

static int value_read(struct json_cursor *cursor, struct json *to)
{
	int r;

	cursor_skip_space(cursor);
	if (cursor->at >= cursor->end)
		return cursor_fail(cursor, "ends too early");
	if (++cursor->depth > JSON_DEPTH_MAX)
		return cursor_fail(cursor, "too deep");
	switch (*cursor->at) {
	case '{':
		r = items_read(cursor, to, '}');
		break;
	case '[':
		r = items_read(cursor, to, ']');
		break;
	case '"':
		to->type = JSON_TEXT;
		r = text_read(cursor, &to->text);
		break;
	default:
		r = isdigit((unsigned char)*cursor->at) || *cursor->at == '-'
		            ? number_read(cursor, to)
		            : word_read(cursor, to);
	}
	cursor->depth--;
	return r;
}

int json_parse(const char *text, size_t length, struct json **ret, struct buffer *why)
{
	struct json_cursor cursor = {.begin = text, .at = text, .end = text + length, .why = why};
	struct json *json = xcalloc(1, sizeof(*json));
	int r = value_read(&cursor, json);

	cursor_skip_space(&cursor);
	if (r >= 0 && cursor.at < cursor.end)
		r = cursor_fail(&cursor, "more after the end");
	if (r < 0) {
		json_free(json);
		return r;
	}
	*ret = json;
	return 0;
}

const struct json *json_find(const struct json *json, const char *path)
{
	while (json && *path) {
		size_t length = strcspn(path, ".");
		const struct json *member = json->item;
		uint64_t index = 0;

		if (json->type == JSON_ARRAY && *path >= '0' && *path <= '9')
			index = strtoull(path, NULL, 10);
		else if (json->type != JSON_OBJECT)
			member = NULL;
		while (member && (json->type == JSON_ARRAY
		                          ? index-- > 0
		                          : strncmp(member->key, path, length) != 0 ||
		                                    member->key[length]))
			member = member->next;
		json = member;
		path += length + (path[length] == '.');
	}
	return json;
}

size_t json_count(const struct json *json)
{
	size_t count = 0;

	for (const struct json *item = json ? json->item : NULL; item; item = item->next)
		count++;
	return count;
}

uint64_t json_u64(const struct json *json)
{
	return json && json->is_integer && !json->is_negative ? json->number : 0;
}

const char *json_text(const struct json *json)
{
	return json && json->type == JSON_TEXT ? json->text : "";
}
