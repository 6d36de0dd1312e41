/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON (RFC 8259) without a model of it in memory: some KB are gathered, and written when
 * there are enough, or when an outermost object or array is complete. The output is always valid
 * UTF-8: each byte of a string that is not UTF-8 becomes U+FFFD. For write errors see ferror() of
 * the stream.
 *
 * Order of calls: json_init(), one value, json_release(), before the stream is closed. Within an
 * object every value follows a json_key(). Wrong order is a programming error and asserted.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text/buffer.h"

#define JSON_WRITER_DEPTH_MAX 32

enum json_layout {
	JSON_INLINE, /* members side by side */
	JSON_LINES,  /* every member begins a line */
};

struct json_level {
	bool is_object, is_lines, has_member;
};

struct json_writer {
	FILE *out;
	struct buffer text; /* output that is not written yet */
	unsigned depth;
	bool is_one_line; /* JSON_LINES is as JSON_INLINE; set after json_init() */
	bool has_key; /* a key waits for its value */
	struct json_level level[JSON_WRITER_DEPTH_MAX];
};

void json_init(struct json_writer *json, FILE *out);
/* Writes the rest of the gathered output, and releases the writer. */
void json_release(struct json_writer *json);
void json_object_begin(struct json_writer *json, enum json_layout layout);
void json_object_end(struct json_writer *json);
void json_array_begin(struct json_writer *json, enum json_layout layout);
void json_array_end(struct json_writer *json);
/* `key` is one of the program's own words, without characters to escape. */
void json_key(struct json_writer *json, const char *key);
void json_put_null(struct json_writer *json);
void json_put_bool(struct json_writer *json, bool value);
void json_put_u64(struct json_writer *json, uint64_t value);
void json_put_i64(struct json_writer *json, int64_t value);
/* Six decimals, or three digits and an exponent if these would show none; NaN and infinity become
   null. */
void json_put_real(struct json_writer *json, double value);
/* NULL becomes null. */
void json_put_string(struct json_writer *json, const char *text);
/* null if it is not known. */
void json_put_known(struct json_writer *json, bool is_known, uint64_t value);
/* An array of the strings. */
void json_put_strings(struct json_writer *json, const char *const *texts, size_t count,
                      enum json_layout layout);
/* An array of the parts of `text`, which has that character between them; NULL becomes null. */
void json_put_parts(struct json_writer *json, const char *text, char between);

/* Begins an object, if there is one; else it writes null, and returns false. */
bool json_object_if(struct json_writer *json, bool is_there);

/* A member of an object in one call; of an object or array the begin. */
void json_member_object(struct json_writer *json, const char *key, enum json_layout layout);
void json_member_array(struct json_writer *json, const char *key, enum json_layout layout);
void json_member_u64(struct json_writer *json, const char *key, uint64_t value);
void json_member_known(struct json_writer *json, const char *key, bool is_known, uint64_t value);
void json_member_bool(struct json_writer *json, const char *key, bool value);
void json_member_string(struct json_writer *json, const char *key, const char *text);
