/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_cut.h"

#include <string.h>

#include "base/text/utf8.h"

#define HEAD_LEAST 3 /* least number of columns of a name that are kept before its tail */
#define HEX_TAIL   6 /* digits */

static void end_cut(struct buffer *to, const char *text, size_t columns, const char *ellipsis)
{
	buffer_append(to, text, utf8_prefix(text, columns - 1));
	buffer_puts(to, ellipsis);
}

/* The end of a name that is not cut: "[123]" of a task, ":443" of an address, "/cc1" of a file,
   "340400" of a memory address. */
static const char *name_tail(const char *text)
{
	const char *end = text + strlen(text);

	if (strncmp(text, "0x", 2) == 0 && end - text > 2 + HEX_TAIL)
		return end - HEX_TAIL;
	for (const char *tail = end; tail > text;)
		if (strchr("[:/", *--tail))
			return tail;
	return end;
}

static void name_cut(struct buffer *to, const char *text, size_t columns, const char *ellipsis)
{
	const char *tail = name_tail(text);
	size_t tail_columns = utf8_columns(tail);

	if (*tail == '\0' || tail_columns + 1 + HEAD_LEAST > columns) {
		end_cut(to, text, columns, ellipsis);
		return;
	}
	end_cut(to, text, columns - tail_columns, ellipsis);
	buffer_puts(to, tail);
}

/* Draws the bar again: the filled part keeps its share, and does not vanish if it was not empty. */
static void bar_draw(struct buffer *to, const char *text, size_t columns)
{
	size_t length = strlen(text) - 2, room = columns - 2;
	size_t filled = strspn(text + 1, "*");
	size_t drawn = (filled * room + length - 1) / length;

	buffer_putc(to, '|');
	for (size_t i = 0; i < room; i++)
		buffer_putc(to, i < drawn ? '*' : ' ');
	buffer_putc(to, '|');
}

void text_cut_append(struct buffer *to, const char *text, enum text_form form, size_t columns,
                     const char *ellipsis)
{
	size_t taken = utf8_columns(text);

	if (form == TEXT_FIGURE || form == TEXT_FIXED || taken <= columns)
		buffer_puts(to, text);
	else if (columns == 0)
		return;
	else if (form == TEXT_NAME)
		name_cut(to, text, columns, ellipsis);
	else if (form == TEXT_BAR && columns > 2 && text[0] == '|')
		bar_draw(to, text, columns);
	else
		end_cut(to, text, columns, ellipsis);
}

void text_make_ascii(char *text)
{
	char *to = text;
	uint32_t code;

	for (size_t bytes, length = strlen(text);
	     (bytes = utf8_decode(text, length, &code)) > 0; length -= bytes) {
		if (code < 0x80)
			*to++ = *text;
		else if (character_width(code) > 0)
			*to++ = '?';
		text += bytes;
	}
	*to = '\0';
}
