/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

/*
 * Millions of rows go through here: the stream has one writer, so it needs no lock a byte, and
 * digits need no format.
 */
static void put_byte(FILE *out, char byte)
{
	(void)putc_unlocked(byte, out);
}

static void put_bytes(FILE *out, const char *bytes, size_t length)
{
	(void)fwrite_unlocked(bytes, 1, length, out);
}

static void put_text(FILE *out, const char *text)
{
	put_bytes(out, text, strlen(text));
}

static void put_u64(FILE *out, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	put_bytes(out, digits + at, sizeof(digits) - at);
}

void json_init(struct json_writer *json, FILE *out)
{
	*json = (struct json_writer){.out = out};
}

static void line_begin(struct json_writer *json)
{
	put_byte(json->out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		put_text(json->out, "  ");
}

/* The comma and the space before a member, a key or an element. */
static void member_begin(struct json_writer *json)
{
	struct json_level *level = &json->level[json->depth - 1];

	if (level->has_member)
		put_text(json->out, level->is_lines ? "," : ", ");
	level->has_member = true;
	if (level->is_lines)
		line_begin(json);
}

static void value_begin(struct json_writer *json)
{
	if (json->depth == 0)
		return;
	assert(json->has_key == json->level[json->depth - 1].is_object);
	if (!json->has_key)
		member_begin(json);
	json->has_key = false;
}

static void level_begin(struct json_writer *json, bool is_object, enum json_layout layout)
{
	value_begin(json);
	assert(json->depth < JSON_WRITER_DEPTH_MAX);
	json->level[json->depth++] = (struct json_level){
		.is_object = is_object,
		.is_lines = layout == JSON_LINES,
	};
	put_byte(json->out, is_object ? '{' : '[');
}

static void level_end(struct json_writer *json, bool is_object)
{
	const struct json_level *level;

	assert(json->depth > 0 && !json->has_key);
	level = &json->level[--json->depth];
	assert(level->is_object == is_object);
	if (level->is_lines && level->has_member)
		line_begin(json);
	put_byte(json->out, is_object ? '}' : ']');
	if (json->depth == 0)
		put_byte(json->out, '\n');
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

static void escaped_put(FILE *out, unsigned char byte)
{
	static const char letters[] = {
		['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
		['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't',
	};

	if (byte < sizeof(letters) && letters[byte])
		(void)fprintf(out, "\\%c", letters[byte]);
	else if (byte < 0x20 || byte == 0x7f)
		(void)fprintf(out, "\\u%04x", byte);
	else
		put_byte(out, (char)byte);
}

/* One character that is not plain; returns its bytes. */
static size_t special_put(FILE *out, const char *text, size_t length)
{
	uint32_t code = 0;
	size_t size = utf8_decode(text, length, &code);

	if (size > 1) {
		/* all controls are of the plane that four digits reach */
		if (utf8_is_control(code))
			(void)fprintf(out, "\\u%04" PRIx32, code);
		else
			put_bytes(out, text, size);
		return size;
	}
	if (size == 1)
		escaped_put(out, (unsigned char)*text);
	else
		put_text(out, "\xef\xbf\xbd");
	return 1;
}

/* True for bytes that a string may hold as they are. */
static bool byte_is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void string_put(FILE *out, const char *text)
{
	size_t length = strlen(text);

	put_byte(out, '"');
	while (length > 0) {
		size_t size = 0;

		while (size < length && byte_is_plain((unsigned char)text[size]))
			size++;
		if (size > 0)
			put_bytes(out, text, size);
		else
			size = special_put(out, text, length);
		text += size;
		length -= size;
	}
	put_byte(out, '"');
}

void json_key(struct json_writer *json, const char *key)
{
	assert(json->depth > 0 && !json->has_key);
	assert(json->level[json->depth - 1].is_object);
	member_begin(json);
	string_put(json->out, key);
	put_text(json->out, ": ");
	json->has_key = true;
}

void json_put_null(struct json_writer *json)
{
	value_begin(json);
	put_text(json->out, "null");
}

void json_put_bool(struct json_writer *json, bool value)
{
	value_begin(json);
	put_text(json->out, value ? "true" : "false");
}

void json_put_u64(struct json_writer *json, uint64_t value)
{
	value_begin(json);
	put_u64(json->out, value);
}

void json_put_i64(struct json_writer *json, int64_t value)
{
	value_begin(json);
	if (value < 0)
		put_byte(json->out, '-');
	put_u64(json->out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void json_put_real(struct json_writer *json, double value)
{
	if (!isfinite(value)) {
		json_put_null(json);
		return;
	}
	value_begin(json);
	(void)fprintf(json->out, "%.6f", value);
}

void json_put_string(struct json_writer *json, const char *text)
{
	if (!text) {
		json_put_null(json);
		return;
	}
	value_begin(json);
	string_put(json->out, text);
}

void json_member_u64(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_put_u64(json, value);
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
