/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text/utf8.h"

#include <string.h>

#include "base/data/array.h"
#include "character_width.h"
#include "plain_bytes.h"

size_t utf8_decode(const char *text, size_t length, uint32_t *ret_code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t code;
	size_t size;

	if (length == 0)
		return 0;
	if (byte[0] < 0x80) {
		*ret_code = byte[0];
		return 1;
	}
	if ((byte[0] & 0xe0) == 0xc0)
		size = 2, code = byte[0] & 0x1f;
	else if ((byte[0] & 0xf0) == 0xe0)
		size = 3, code = byte[0] & 0x0f;
	else if ((byte[0] & 0xf8) == 0xf0)
		size = 4, code = byte[0] & 0x07;
	else
		return 0;
	if (length < size)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	if (code < smallest[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return size;
}

size_t utf8_sequence_bytes(const char *text, size_t length)
{
	uint32_t code;

	return utf8_decode(text, length, &code);
}

bool utf8_is_control(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} controls[] = {
		{0x00, 0x1f},     {0x7f, 0x9f},                     /* C0, DEL, C1 */
		{0x2028, 0x2029},                                   /* ends of lines */
		{0x61c, 0x61c},   {0x200e, 0x200f},                 /* direction: marks, */
		{0x202a, 0x202e}, {0x2066, 0x2069},                 /* embeddings, isolates */
	};

	for (size_t i = 0; i < ARRAY_SIZE(controls); i++)
		if (code >= controls[i].first && code <= controls[i].last)
			return true;
	return false;
}

size_t utf8_columns(const char *text)
{
	size_t length = strlen(text), columns = 0;
	uint32_t code;

	for (;;) {
		size_t plain = plain_bytes(text, length, '\0', '\0'), bytes;

		columns += plain;
		text += plain;
		length -= plain;
		bytes = utf8_decode(text, length, &code);
		if (bytes == 0)
			return columns;
		columns += character_width(code);
		text += bytes;
		length -= bytes;
	}
}

size_t utf8_prefix(const char *text, size_t columns)
{
	size_t length = strlen(text), end = 0, used = 0;
	uint32_t code;

	for (size_t bytes; (bytes = utf8_decode(text + end, length - end, &code)) > 0;
	     end += bytes) {
		used += character_width(code);
		if (used > columns)
			break;
	}
	return end;
}
