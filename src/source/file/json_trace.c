/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json_trace.h"

#include <string.h>

static const char member[] = "systemTraceEvents";

bool json_trace_is(const void *head, size_t size)
{
	static const char name[] = "raceEvents\"", phase[] = "\"ph\":";
	const char *at = head, *end = at + size;

	while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
		at++;
	if (at < end && *at == '[')
		return memmem(at, (size_t)(end - at), phase, sizeof(phase) - 1);
	return at < end && *at == '{' && memmem(at, (size_t)(end - at), name, sizeof(name) - 1);
}

static void string_take(struct json_trace *json, uint8_t byte)
{
	if (json->is_escaped || byte == '\\') {
		json->is_escaped = !json->is_escaped;
		json->matched = SIZE_MAX;
	} else if (byte == '"') {
		json->state = json->matched == sizeof(member) - 1 ? JSON_TRACE_VALUE
		                                                  : JSON_TRACE_SEEK;
	} else if (json->matched < sizeof(member) - 1 && byte == (uint8_t)member[json->matched]) {
		json->matched++;
	} else {
		json->matched = SIZE_MAX;
	}
}

static void byte_put(struct json_trace *json, unsigned byte)
{
	json->bytes[json->made++] = (uint8_t)byte;
}

/* Half of a pair of surrogates becomes a question mark: the kernel's text has none. */
static void code_put(struct json_trace *json, uint32_t code)
{
	if (code < 0x80 || (code >= 0xd800 && code < 0xe000)) {
		byte_put(json, code < 0x80 ? code : '?');
		return;
	}
	if (code < 0x800) {
		byte_put(json, 0xc0 | code >> 6);
	} else {
		byte_put(json, 0xe0 | code >> 12);
		byte_put(json, 0x80 | (code >> 6 & 0x3f));
	}
	byte_put(json, 0x80 | (code & 0x3f));
}

static void digit_take(struct json_trace *json, uint8_t byte)
{
	unsigned digit = byte >= '0' && byte <= '9'   ? (unsigned)byte - '0'
	                 : byte >= 'a' && byte <= 'f' ? (unsigned)byte - 'a' + 10
	                 : byte >= 'A' && byte <= 'F' ? (unsigned)byte - 'A' + 10
	                                              : 0;

	json->code = json->code << 4 | digit;
	if (--json->digits == 0)
		code_put(json, json->code);
}

static void escape_take(struct json_trace *json, uint8_t byte)
{
	static const char letters[] = "nrtbf", bytes[] = "\n\r\t\b\f";
	const char *letter = byte ? strchr(letters, byte) : NULL;

	json->is_escaped = false;
	if (byte == 'u') {
		json->digits = 4;
		json->code = 0;
		return;
	}
	byte_put(json, letter ? (uint8_t)bytes[letter - letters] : byte);
}

static void text_take(struct json_trace *json, uint8_t byte)
{
	if (json->digits > 0)
		digit_take(json, byte);
	else if (json->is_escaped)
		escape_take(json, byte);
	else if (byte == '"')
		json->state = JSON_TRACE_END;
	else if (byte == '\\')
		json->is_escaped = true;
	else
		byte_put(json, byte);
}

void json_trace_take(struct json_trace *json, uint8_t byte)
{
	json->made = json->given = 0;
	switch (json->state) {
	case JSON_TRACE_STRING:
		string_take(json, byte);
		break;
	case JSON_TRACE_TEXT:
		text_take(json, byte);
		break;
	case JSON_TRACE_VALUE:
		if (byte == '"')
			json->state = JSON_TRACE_TEXT;
		else if (byte > ' ' && byte != ':')
			json->state = JSON_TRACE_SEEK;
		break;
	case JSON_TRACE_SEEK:
		json->matched = 0;
		if (byte == '"')
			json->state = JSON_TRACE_STRING;
		break;
	case JSON_TRACE_END:
	default:
		break;
	}
}
