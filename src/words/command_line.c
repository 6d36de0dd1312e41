/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command_line.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/shell_quote.h"
#include "base/text/utf8.h"

#define LEFT_OUT "\\..."

static size_t word_length(const char *at, const char *end)
{
	return strnlen(at, (size_t)(end - at));
}

/* The bytes of a word that are kept: whole characters. */
static size_t word_kept(const char *word, size_t length)
{
	size_t kept = length;

	if (length <= COMMAND_LINE_WORD_MAX)
		return length;
	kept = COMMAND_LINE_WORD_MAX;
	while (kept > COMMAND_LINE_WORD_MAX - 4 && utf8_is_continuation(word[kept]))
		kept--;
	return kept;
}

static size_t word_cost(const char *word, size_t length)
{
	return word_kept(word, length) + 1;
}

static void word_write(struct buffer *to, const char *word, size_t length)
{
	size_t kept = word_kept(word, length), bytes;

	if (length == 0)
		buffer_putc(to, '\\');
	for (size_t at = 0; at < kept; at += bytes) {
		uint8_t byte = (uint8_t)word[at];

		bytes = utf8_sequence_bytes(word + at, kept - at);
		if (bytes == 0 || byte <= ' ' || byte == 0x7f || byte == '\\') {
			buffer_printf(to, "\\%03o", byte);
			bytes = 1;
		} else {
			buffer_append(to, word + at, bytes);
		}
	}
	if (kept < length)
		buffer_puts(to, LEFT_OUT);
}

/* Writes the words from *at on, as far as `room` bytes of them reach, and moves *at behind them. */
static void words_write(struct buffer *to, const char **at, const char *end, size_t room)
{
	while (*at < end) {
		size_t length = word_length(*at, end), cost = word_cost(*at, length);

		if (cost > room)
			return;
		room -= cost;
		if (to->length)
			buffer_putc(to, ' ');
		word_write(to, *at, length);
		*at += length;
		*at += *at < end;
	}
}

/* Where the last words begin, as far as COMMAND_LINE_PART_MAX bytes of them reach; not before
   `from`, the begin of a word. */
static const char *tail_find(const char *from, const char *end)
{
	const char *tail = end, *word_end = end;
	size_t room = COMMAND_LINE_PART_MAX;

	while (tail > from) {
		const char *before = memrchr(from, '\0', (size_t)(word_end - from));
		const char *word = before ? before + 1 : from;
		size_t cost = word_cost(word, (size_t)(word_end - word));

		if (cost > room)
			break;
		room -= cost;
		tail = word;
		word_end = word - 1;
	}
	return tail;
}

static size_t line_cost(const char *at, const char *end)
{
	size_t cost = 0;

	while (at < end) {
		size_t length = word_length(at, end);

		cost += word_cost(at, length);
		at += length;
		at += at < end;
	}
	return cost;
}

void command_line_write(struct buffer *to, const char *bytes, size_t length, bool is_whole)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(COMMAND_LINE_TEXT_MAX);
	const char *at = bytes, *end;

	/* a program that changes its line leaves many NULs at its end */
	while (is_whole && length > 0 && bytes[length - 1] == '\0')
		length--;
	if (length == 0)
		return;
	end = bytes + length;
	if (is_whole && line_cost(bytes, end) <= 2 * COMMAND_LINE_PART_MAX) {
		words_write(&text, &at, end, SIZE_MAX);
	} else {
		words_write(&text, &at, end, COMMAND_LINE_PART_MAX);
		buffer_puts(&text, text.length ? " " LEFT_OUT : LEFT_OUT);
		at = is_whole ? tail_find(at, end) : end;
		words_write(&text, &at, end, SIZE_MAX);
	}
	assert(!text.is_cut);
	buffer_append(to, text.text, text.length);
}

/* The length of the escape at `text`; 0: it is none. At a word's end also "\..." and, as the whole
   word, "\". */
static size_t escape_length(const char *text, size_t length, bool is_first)
{
	unsigned byte = 0;

	if (length >= 4 && memcmp(text, LEFT_OUT, 4) == 0)
		return length == 4 || text[4] == ' ' ? 4 : 0;
	if (length == 1 || text[1] == ' ')
		return is_first ? 1 : 0;
	if (length < 4)
		return 0;
	for (size_t i = 1; i < 4; i++) {
		if (text[i] < '0' || text[i] > '7')
			return 0;
		byte = byte * 8 + (unsigned)(text[i] - '0');
	}
	return byte > 0 && byte <= UINT8_MAX ? 4 : 0;
}

bool command_line_is_valid(const char *text, size_t length)
{
	bool is_first = true; /* of a word */

	if (length == 0 || length > COMMAND_LINE_TEXT_MAX || text[length - 1] == ' ')
		return false;
	for (size_t at = 0, bytes; at < length; at += bytes) {
		uint8_t byte = (uint8_t)text[at];

		bytes = byte == '\\' ? escape_length(text + at, length - at, is_first) : 1;
		if (bytes == 0 || byte < ' ' || byte == 0x7f || (byte == ' ' && is_first))
			return false;
		is_first = byte == ' ';
	}
	return true;
}

bool command_line_next(const char **at, struct buffer *word, bool *ret_is_cut)
{
	const char *text = *at;

	buffer_clear(word);
	*ret_is_cut = false;
	if (*text == '\0')
		return false;
	for (; *text && *text != ' '; text++) {
		if (*text != '\\') {
			buffer_putc(word, *text);
		} else if (text[1] == '.') {
			*ret_is_cut = true;
			text += 3;
		} else if (text[1] && text[1] != ' ') {
			buffer_putc(word, (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
			                         (text[3] - '0')));
			text += 3;
		}
	}
	*at = *text ? text + 1 : text;
	return true;
}

void command_line_append(struct buffer *to, const char *text)
{
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	const char *between = "";
	bool is_cut;

	while (command_line_next(&text, &word, &is_cut)) {
		buffer_puts(to, between);
		if (!is_cut || word.length)
			shell_quote_append(to, word.text);
		if (is_cut)
			buffer_puts(to, "...");
		between = " ";
	}
}
