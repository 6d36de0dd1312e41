/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/plain_bytes.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"

#define GATHERED_BYTES 8192
/* The text between members: a comma, a line feed, two blanks a level. */
#define BETWEEN_MAX    (2 + 2 * JSON_WRITER_DEPTH_MAX)

void json_init(struct json_writer *json, FILE *out)
{
	*json = (struct json_writer){.out = out};
	buffer_init(&json->text, SIZE_MAX); /* a string may have any length, so the buffer has no
	                                       limit */
}

static void gathered_put(struct json_writer *json)
{
	(void)fwrite_unlocked(json->text.text, 1, json->text.length, json->out);
	buffer_clear(&json->text);
}

void json_release(struct json_writer *json)
{
	gathered_put(json);
	buffer_release(&json->text);
}

static char *line_put(char *at, unsigned depth)
{
	*at++ = '\n';
	memset(at, ' ', 2 * (size_t)depth);
	return at + 2 * (size_t)depth;
}

/* Writes the comma and the space before a member, a key or an element; returns room for `length`
   bytes. */
static inline char *member_begin(struct json_writer *json, size_t length)
{
	struct json_level *level = &json->level[json->depth - 1];
	char *at;

	if (json->text.length >= GATHERED_BYTES)
		gathered_put(json);
	at = buffer_room(&json->text, BETWEEN_MAX + length);
	if (level->has_member)
		*at++ = ',';
	if (level->is_lines)
		at = line_put(at, json->depth);
	else if (level->has_member)
		*at++ = ' ';
	level->has_member = true;
	return at;
}

/* Room for a value of that many bytes. */
static char *value_begin(struct json_writer *json, size_t length)
{
	if (json->has_key) { /* so it is in an object */
		json->has_key = false;
		return buffer_room(&json->text, length);
	}
	assert(json->depth == 0 || !json->level[json->depth - 1].is_object);
	return json->depth > 0 ? member_begin(json, length) : buffer_room(&json->text, length);
}

static void value_put(struct json_writer *json, const char *text, size_t length)
{
	char *at = value_begin(json, length);

	memcpy(at, text, length);
	buffer_end(&json->text, at + length);
}

static void level_begin(struct json_writer *json, bool is_object, enum json_layout layout)
{
	char *at = value_begin(json, 1);

	*at = is_object ? '{' : '[';
	buffer_end(&json->text, at + 1);
	assert(json->depth < JSON_WRITER_DEPTH_MAX);
	json->level[json->depth++] = (struct json_level){
		.is_object = is_object,
		.is_lines = layout == JSON_LINES && !json->is_one_line,
	};
}

static void level_end(struct json_writer *json, bool is_object)
{
	const struct json_level *level;
	char *at;

	assert(json->depth > 0 && !json->has_key);
	level = &json->level[--json->depth];
	assert(level->is_object == is_object);
	at = buffer_room(&json->text, BETWEEN_MAX + 2);
	if (level->is_lines && level->has_member)
		at = line_put(at, json->depth);
	*at++ = is_object ? '}' : ']';
	if (json->depth == 0)
		*at++ = '\n';
	buffer_end(&json->text, at);
	if (json->depth == 0)
		gathered_put(json);
}

void json_object_begin(struct json_writer *json, enum json_layout layout)
{
	level_begin(json, /* is_object= */ true, layout);
}

void json_object_end(struct json_writer *json)
{
	level_end(json, /* is_object= */ true);
}

void json_array_begin(struct json_writer *json, enum json_layout layout)
{
	level_begin(json, /* is_object= */ false, layout);
}

void json_array_end(struct json_writer *json)
{
	level_end(json, /* is_object= */ false);
}

static void escaped_put(struct buffer *to, unsigned char byte)
{
	static const char letters[] = {
		['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
		['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
	};

	if (byte < sizeof(letters) && letters[byte])
		buffer_printf(to, "\\%c", letters[byte]);
	else
		buffer_printf(to, "\\u%04x", byte);
}

/* Writes one character that is not plain; returns the number of its bytes in `text`. */
static size_t special_put(struct buffer *to, const char *text, size_t length)
{
	uint32_t code = 0;
	size_t size = utf8_decode(text, length, &code);

	if (size > 1) {
		/* all control characters fit into four digits */
		if (utf8_is_control(code))
			buffer_printf(to, "\\u%04" PRIx32, code);
		else
			buffer_append(to, text, size);
		return size;
	}
	if (size == 1)
		escaped_put(to, (unsigned char)*text);
	else
		buffer_puts(to, "\xef\xbf\xbd");
	return 1;
}

/* Fast for strings that are plain from end to end, as most are. */
static void string_put(struct json_writer *json, const char *text)
{
	size_t length = strlen(text), plain = plain_bytes(text, length, '"', '\\');
	char *at = value_begin(json, plain + 2);

	*at++ = '"';
	memcpy(at, text, plain);
	buffer_end(&json->text, at + plain);
	while (plain < length) {
		size_t size = plain_bytes(text + plain, length - plain, '"', '\\');

		if (size > 0)
			buffer_append(&json->text, text + plain, size);
		else
			size = special_put(&json->text, text + plain, length - plain);
		plain += size;
	}
	buffer_putc(&json->text, '"');
}

void json_key(struct json_writer *json, const char *key)
{
	size_t length = strlen(key);
	char *at;

	assert(json->depth > 0 && !json->has_key);
	assert(json->level[json->depth - 1].is_object);
	at = member_begin(json, length + 4);
	*at++ = '"';
	memcpy(at, key, length + 1);
	at += length;
	memcpy(at, "\": ", 4); /* 4 bytes with the NUL, for which member_begin() has made room */
	buffer_end(&json->text, at + 3);
	json->has_key = true;
}

void json_put_null(struct json_writer *json)
{
	value_put(json, "null", 4);
}

void json_put_bool(struct json_writer *json, bool value)
{
	value_put(json, value ? "true" : "false", value ? 4 : 5);
}

void json_put_u64(struct json_writer *json, uint64_t value)
{
	buffer_end(&json->text, digits_put(value_begin(json, DIGITS_MAX), value));
}

void json_put_i64(struct json_writer *json, int64_t value)
{
	char *at = value_begin(json, 1 + DIGITS_MAX);

	if (value < 0)
		*at++ = '-';
	buffer_end(&json->text, digits_put(at, value < 0 ? 0 - (uint64_t)value
	                                                 : (uint64_t)value));
}

/* Six decimals do not show what is less, which a probability may be. */
#define REAL_SMALL 1e-6

void json_put_real(struct json_writer *json, double value)
{
	if (!isfinite(value)) {
		json_put_null(json);
		return;
	}
	buffer_end(&json->text, value_begin(json, 0));
	buffer_printf(&json->text, value != 0 && fabs(value) < REAL_SMALL ? "%.3g" : "%.6f",
	              value);
}

void json_put_string(struct json_writer *json, const char *text)
{
	if (text)
		string_put(json, text);
	else
		json_put_null(json);
}

void json_put_known(struct json_writer *json, bool is_known, uint64_t value)
{
	if (is_known)
		json_put_u64(json, value);
	else
		json_put_null(json);
}

void json_put_strings(struct json_writer *json, const char *const *texts, size_t count,
                      enum json_layout layout)
{
	json_array_begin(json, layout);
	for (size_t i = 0; i < count; i++)
		json_put_string(json, texts[i]);
	json_array_end(json);
}

void json_put_parts(struct json_writer *json, const char *text, char between)
{
	const char separators[] = {between, '\0'};
	_cleanup_(freep) char *parts = text ? xstrdup(text) : NULL;
	char *rest = parts;
	const char *part;

	if (!parts) {
		json_put_null(json);
		return;
	}
	json_array_begin(json, JSON_INLINE);
	while ((part = strsep(&rest, separators)))
		json_put_string(json, part);
	json_array_end(json);
}

bool json_object_if(struct json_writer *json, bool is_there)
{
	if (is_there)
		json_object_begin(json, JSON_INLINE);
	else
		json_put_null(json);
	return is_there;
}

void json_member_object(struct json_writer *json, const char *key, enum json_layout layout)
{
	json_key(json, key);
	json_object_begin(json, layout);
}

void json_member_array(struct json_writer *json, const char *key, enum json_layout layout)
{
	json_key(json, key);
	json_array_begin(json, layout);
}

void json_member_u64(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_put_u64(json, value);
}

void json_member_known(struct json_writer *json, const char *key, bool is_known, uint64_t value)
{
	json_key(json, key);
	json_put_known(json, is_known, value);
}

void json_member_bool(struct json_writer *json, const char *key, bool value)
{
	json_key(json, key);
	json_put_bool(json, value);
}

void json_member_string(struct json_writer *json, const char *key, const char *text)
{
	json_key(json, key);
	json_put_string(json, text);
}
