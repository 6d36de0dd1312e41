/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits text into lines and words. These point into the text; no NUL ends them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The rest of a line; words are cut off its front. */
struct text_line {
	const char *at, *end;
};

static inline struct text_line line_of(const char *text)
{
	return (struct text_line){text, text + strlen(text)};
}

static inline size_t line_length(struct text_line line)
{
	return (size_t)(line.end - line.at);
}

/* Whether it may be in the name of an event or a field. */
static inline bool char_is_name(char c)
{
	__extension__ static const bool names[UINT8_MAX + 1] = {
		['0' ... '9'] = true, ['A' ... 'Z'] = true, ['_'] = true, ['a' ... 'z'] = true,
	};

	return names[(unsigned char)c];
}

/* Returns the line at *at without its newline, and moves *at behind it. False: no more lines. */
static inline bool line_next(const char **at, const char *end, struct text_line *ret)
{
	const char *newline;

	if (*at >= end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	*ret = (struct text_line){*at, newline ? newline : end};
	*at = newline ? newline + 1 : end;
	return true;
}

/* Cuts the bytes before the next such byte, and that byte, off the line's front. */
static inline struct text_line line_part(struct text_line *line, char byte)
{
	const char *begin = line->at;
	const char *end = memchr(begin, byte, line_length(*line));

	line->at = end ? end + 1 : line->end;
	return (struct text_line){begin, end ? end : line->end};
}

static inline struct text_line line_word(struct text_line *line)
{
	return line_part(line, ' ');
}

static inline void line_skip_blanks(struct text_line *line)
{
	while (line->at < line->end && *line->at == ' ')
		line->at++;
}

/* What is before the first such byte; all of the line if it has none. */
static inline struct text_line line_until(struct text_line line, char byte)
{
	const char *end = memchr(line.at, byte, line_length(line));

	return (struct text_line){line.at, end ? end : line.end};
}

static inline bool line_begins(struct text_line line, const char *text)
{
	return line_length(line) >= strlen(text) && memcmp(line.at, text, strlen(text)) == 0;
}

/* Cuts the text off the line's front. Returns false if the line does not begin with it. */
static inline bool line_skip(struct text_line *line, const char *text)
{
	bool begins = line_begins(*line, text);

	line->at += begins ? strlen(text) : 0;
	return begins;
}

static inline bool word_is(struct text_line word, const char *text)
{
	/* most words differ in their first letter already */
	if (word.at < word.end && *word.at != *text)
		return false;
	return line_length(word) == strlen(text) && memcmp(word.at, text, strlen(text)) == 0;
}

/* The word as a decimal number; -1 if it is not one from 0 to `most`. */
static inline int64_t word_number(struct text_line word, int64_t most)
{
	int64_t number = 0;

	if (word.at == word.end)
		return -1;
	for (; word.at < word.end; word.at++) {
		if (*word.at < '0' || *word.at > '9')
			return -1;
		if (number > (most - (*word.at - '0')) / 10)
			return -1;
		number = number * 10 + (*word.at - '0');
	}
	return number;
}

/* The id of a task; -1: it is none. */
static inline int32_t word_tid(struct text_line word)
{
	return (int32_t)word_number(word, INT32_MAX);
}

/* "MAJOR:MINOR" as major << 20 | minor; 0: malformed */
static inline uint32_t word_device(struct text_line word)
{
	const char *colon = memchr(word.at, ':', line_length(word));
	int64_t major, minor;

	if (!colon)
		return 0;
	major = word_number((struct text_line){word.at, colon}, 4095);
	minor = word_number((struct text_line){colon + 1, word.end}, (1 << 20) - 1);
	return major < 0 || minor < 0 ? 0 : (uint32_t)major << 20 | (uint32_t)minor;
}

/* The byte that three octal digits denote; 0: not octal digits, or not a value from 1 to 255. */
static inline char escape_read(const char *digits)
{
	unsigned byte = 0;

	for (int i = 0; i < 3; i++) {
		if (digits[i] < '0' || digits[i] > '7')
			return '\0';
		byte = byte * 8 + (unsigned)(digits[i] - '0');
	}
	return byte <= UINT8_MAX ? (char)byte : '\0';
}

/* Copies the line to `to` and replaces escapes such as "\012" by their byte. Adds no NUL. Returns
   the number of bytes written, at most `size`. */
static inline size_t line_unescape(struct text_line line, char *to, size_t size)
{
	size_t length = 0;

	while (line.at < line.end && length < size) {
		char c = *line.at++;

		if (c == '\\' && line_length(line) >= 3 && escape_read(line.at)) {
			c = escape_read(line.at);
			line.at += 3;
		}
		to[length++] = c;
	}
	return length;
}

/* The word as a hexadecimal number without 0x; false: it is not one. */
static inline bool word_hex(struct text_line word, uint64_t *ret)
{
	uint64_t number = 0;

	if (word.at == word.end)
		return false;
	for (; word.at < word.end; word.at++) {
		char c = *word.at;
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
		                 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
		                                        : 16;

		if (digit == 16 || number >> 60)
			return false;
		number = number << 4 | digit;
	}
	*ret = number;
	return true;
}

/* Whether all of its bytes are hexadecimal digits, in lower case. */
static inline bool line_is_hex(struct text_line line)
{
	while (line.at < line.end && ((*line.at >= '0' && *line.at <= '9') ||
	                              (*line.at >= 'a' && *line.at <= 'f')))
		line.at++;
	return line.at == line.end;
}
