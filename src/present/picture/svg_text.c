/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "svg_text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/plain_bytes.h"
#include "base/text/utf8.h"

#define COLUMNS_MIN 3 /* a text for which fewer columns are left is omitted */
#define CUT         ".."

/* Whether the character is U+FFFE or U+FFFF, which XML excludes. */
static bool is_beyond_xml(const char *text)
{
	return memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe;
}

static void escaped_append(struct buffer *to, const char *text)
{
	switch (*text) {
	case '&':
		buffer_puts(to, "&amp;");
		break;
	case '<':
		buffer_puts(to, "&lt;");
		break;
	case '>':
		buffer_puts(to, "&gt;");
		break;
	case '"':
		buffer_puts(to, "&quot;");
		break;
	default:
		buffer_putc(to, *text);
	}
}

/* Whether all of the text stands for itself, as nearly all texts do. */
static bool is_plain(const char *text, size_t length)
{
	return length <= BUFFER_LIMIT_DEFAULT &&
	       plain_bytes(text, length, '<', '&') == length && !strpbrk(text, ">\"");
}

void svg_text_append(struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer clean = {0};
	size_t length = strlen(text);

	if (is_plain(text, length)) {
		buffer_append(to, text, length);
		return;
	}
	buffer_puts_clean(&clean, text, length);
	for (const char *at = clean.text; *at; at++) {
		if (is_beyond_xml(at)) {
			buffer_printf(to, "\\xef\\xbf\\x%02x", (unsigned char)at[2]);
			at += 2;
		} else {
			escaped_append(to, at);
		}
	}
}

void svg_text_put(FILE *out, const char *text)
{
	_cleanup_(buffer_release) struct buffer escaped = buffer_of(8 * BUFFER_LIMIT_DEFAULT);

	svg_text_append(&escaped, text);
	(void)fwrite(escaped.text, 1, escaped.length, out);
}

/* The bytes of the first character of valid UTF-8; *ret_columns: its columns. */
static size_t character_take(const char *text, size_t *ret_columns)
{
	size_t size = utf8_sequence_bytes(text, strlen(text));

	*ret_columns = size > 1 ? 2 : 1;
	return size > 0 ? size : 1;
}

static size_t svg_text_columns(const char *text)
{
	size_t sum = 0, columns;

	for (; *text; sum += columns)
		text += character_take(text, &columns);
	return sum;
}

/* The number of bytes of the characters that fit. */
static size_t fitting(const char *text, size_t room)
{
	size_t bytes = 0;

	while (text[bytes]) {
		size_t columns, size = character_take(text + bytes, &columns);

		if (columns > room)
			break;
		room -= columns;
		bytes += size;
	}
	return bytes;
}

void svg_text_cut(struct buffer *to, const char *text, size_t columns)
{
	if (columns < COLUMNS_MIN)
		return;
	if (svg_text_columns(text) <= columns) {
		buffer_puts(to, text);
		return;
	}
	buffer_append(to, text, fitting(text, columns - strlen(CUT)));
	buffer_puts(to, CUT);
}

/* The number of bytes of the next line: everything, or up to the last blank that fits, or else as
   much as fits. */
static size_t line_bytes(const char *text, size_t columns)
{
	size_t bytes = fitting(text, columns);

	if (text[bytes] == '\0')
		return bytes;
	for (size_t at = bytes; at > 0; at--)
		if (text[at] == ' ')
			return at;
	return bytes;
}

void svg_text_wrap(struct buffer *to, const char *text, size_t columns)
{
	while (*text) {
		size_t bytes = line_bytes(text, columns);

		buffer_append(to, text, bytes);
		buffer_putc(to, '\n');
		text += bytes;
		text += strspn(text, " ");
	}
}
