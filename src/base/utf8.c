/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "utf8.h"

#include <stdint.h>

size_t utf8_sequence_bytes(const char *text, size_t length)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t code;
	size_t size;

	if (length == 0)
		return 0;
	if (byte[0] < 0x80)
		return 1;
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
	return size;
}

size_t utf8_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}
