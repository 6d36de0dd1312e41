/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds ftrace text in a trace of Chrome, which is JSON: the string of the member
 * "systemTraceEvents". The JSON is read as it comes, and is not checked beyond what that needs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_trace_state {
	JSON_TRACE_SEEK,   /* between strings */
	JSON_TRACE_STRING, /* in a string that may be the member's name */
	JSON_TRACE_VALUE,  /* between the member's name and its value */
	JSON_TRACE_TEXT,   /* in the text */
	JSON_TRACE_END,    /* behind it */
};

struct json_trace {
	enum json_trace_state state;
	bool is_escaped;   /* the last byte was a backslash */
	unsigned digits;   /* of \uXXXX that are still to come */
	uint32_t code;     /* the digits so far */
	size_t matched;    /* bytes of the name; SIZE_MAX: another string */
	uint8_t bytes[3];  /* what the last byte made: at most a character of UTF-8 */
	unsigned made, given; /* how many these are; how many the caller has taken */
};

/* Whether a file that begins with these bytes is such a trace, or one without that member. */
bool json_trace_is(const void *head, size_t size);
/* Takes one byte of the file, when all of json->bytes was taken. */
void json_trace_take(struct json_trace *json, uint8_t byte);
