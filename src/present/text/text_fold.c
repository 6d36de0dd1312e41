/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_fold.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/data/array.h"
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

#define INDENT_MORE 2
#define ROOM_LEAST  24 /* least room beside an indent that is more than half of a line */

struct fold {
	struct buffer *to;
	size_t width, indent;
	size_t column;     /* column of the cursor */
	size_t line_begin; /* column at which the words of the line begin */
	const char *style; /* escape sequence of the current style, within the text; NULL: none */
	size_t style_bytes;
};

/* Bytes of the escape sequence of a style at the begin of `text`; 0: there is none. */
static size_t style_bytes(const char *text)
{
	size_t bytes;

	if (text[0] != '\033' || text[1] != '[')
		return 0;
	bytes = 2 + strspn(text + 2, "0123456789;");
	return text[bytes] == 'm' ? bytes + 1 : 0;
}

static size_t columns_of(const char *text, size_t length)
{
	size_t columns = 0;
	uint32_t code;

	for (size_t at = 0, bytes; at < length; at += bytes) {
		bytes = style_bytes(text + at);
		if (bytes)
			continue;
		bytes = utf8_decode(text + at, length - at, &code);
		if (bytes == 0)
			break;
		columns += character_width(code);
	}
	return columns;
}

static bool word_is_option(const char *word)
{
	word += strspn(word, "(\"'`");
	return strncmp(word, "--", 2) == 0 && isalnum((unsigned char)word[2]);
}

static size_t word_bytes(const char *text)
{
	return strcspn(text, " ");
}

/* Whether a clause, a parenthesis or the text ends after the word. */
static bool word_ends_clause(const char *word, size_t length)
{
	return word[length] == '\0' || strchr(",.;:)", word[length - 1]);
}

/* The number of bytes of an option and its value: "--from 1". The name does not show whether the
   option has a value, so the next word counts as one. */
static size_t option_bytes(const char *text)
{
	size_t length = word_bytes(text);

	if (word_ends_clause(text, length) || memchr(text, '=', length) ||
	    word_is_option(text + length + 1) || text[length + 1] == ' ')
		return length;
	return length + 1 + word_bytes(text + length + 1);
}

/* The number of bytes of several options: "--from 1 --to 2". */
static size_t options_bytes(const char *text)
{
	size_t length = option_bytes(text);

	while (!word_ends_clause(text, length) && word_is_option(text + length + 1))
		length += 1 + option_bytes(text + length + 1);
	return length;
}

/* Whether a figure's unit follows: "61 %", "3.600 s". */
static bool word_has_unit(const char *word, size_t length)
{
	static const char *const units[] = {"%", "s",   "ms",  "us",  "ns",
	                                    "B", "KiB", "MiB", "GiB", "TiB"};
	const char *unit = word + length + 1;

	word += strspn(word, "(");
	if (!isdigit((unsigned char)*word) || word_ends_clause(word, length))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t bytes = strlen(units[i]);

		if (strncmp(unit, units[i], bytes) == 0 && !isalnum((unsigned char)unit[bytes]))
			return true;
	}
	return false;
}

/* The number of bytes of the next words that should stay on one line, if there is room for them. */
static size_t unit_bytes(const char *text, size_t room)
{
	size_t word = word_bytes(text);

	if (word_has_unit(text, word)) {
		size_t length = word + 1 + word_bytes(text + word + 1);

		return columns_of(text, length) <= room ? length : word;
	}
	if (word_is_option(text)) {
		size_t length = options_bytes(text);

		if (columns_of(text, length) > room)
			length = option_bytes(text);
		if (columns_of(text, length) <= room)
			return length;
	}
	return word;
}

static void line_begin(struct fold *fold)
{
	if (fold->style)
		buffer_puts(fold->to, "\033[0m");
	buffer_putc(fold->to, '\n');
	buffer_put_blanks(fold->to, fold->indent);
	if (fold->style)
		buffer_append(fold->to, fold->style, fold->style_bytes);
	fold->column = fold->line_begin = fold->indent;
}

static void style_append(struct fold *fold, const char *text, size_t bytes)
{
	bool is_end = strncmp(text, "\033[0m", bytes) == 0;

	buffer_append(fold->to, text, bytes);
	fold->style = is_end ? NULL : text;
	fold->style_bytes = bytes;
}

/* Appends a unit character by character, as it may be wider than a line. */
static void unit_append(struct fold *fold, const char *text, size_t length)
{
	uint32_t code;

	for (size_t at = 0, bytes; at < length; at += bytes) {
		bytes = style_bytes(text + at);
		if (bytes) {
			style_append(fold, text + at, bytes);
			continue;
		}
		bytes = utf8_decode(text + at, length - at, &code);
		if (bytes == 0)
			break;
		if (fold->column + character_width(code) > fold->width &&
		    fold->column > fold->line_begin)
			line_begin(fold);
		buffer_append(fold->to, text + at, bytes);
		fold->column += character_width(code);
	}
}

/* Appends a unit with the blanks before it, or on a new line. */
static void fold_unit(struct fold *fold, size_t blanks, const char *text, size_t length)
{
	if (length == 0) /* the text ends in blanks */
		return;
	if (fold->column + blanks + columns_of(text, length) > fold->width &&
	    fold->column > fold->line_begin) {
		line_begin(fold);
	} else {
		blanks = blanks <= fold->width / 2 ? blanks : fold->width / 2;
		buffer_put_blanks(fold->to, blanks);
		fold->column += blanks;
	}
	unit_append(fold, text, length);
}

static bool leaves_room(size_t indent, size_t width)
{
	return indent <= width / 2 || indent + ROOM_LEAST <= width;
}

void text_fold_append(struct buffer *to, const char *text, size_t width, size_t used,
                      size_t indent)
{
	struct fold fold = {
		.to = to,
		.width = width,
		.indent = leaves_room(indent, width) ? indent : width / 8,
		.column = used,
	};

	if (width == 0) {
		buffer_puts(to, text);
		return;
	}
	fold.line_begin = used < fold.indent ? used : fold.indent;
	while (*text) {
		size_t blanks = strspn(text, " ");
		size_t length = unit_bytes(text + blanks, width - fold.indent);

		fold_unit(&fold, blanks, text + blanks, length);
		text += blanks + length;
	}
}

void text_fold_line(struct buffer *to, const char *text, size_t width)
{
	size_t blanks = strspn(text, " ");

	text_fold_append(to, text, width, 0, blanks + INDENT_MORE);
}
