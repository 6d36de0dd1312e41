/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shell_word.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* The state of reading. */
struct reading {
	const char *at, *end;
	char quote;        /* the open quote; '\0': none */
	const char *begin; /* begin of the open quote */
};

/* Whether the backslash at `at` quotes the next character. */
static bool backslash_quotes(const struct reading *reading)
{
	if (reading->at + 1 == reading->end || reading->quote == '\'')
		return false;
	return !reading->quote || strchr("$`\"\\", reading->at[1]);
}

/* Reads the next byte of the word's meaning; false at the end. */
static bool reading_next(struct reading *reading, char *ret)
{
	for (; reading->at < reading->end; reading->at++) {
		char c = *reading->at;

		if (c == '\\' && backslash_quotes(reading)) {
			*ret = reading->at[1];
			reading->at += 2;
			return true;
		}
		if (reading->quote && c == reading->quote) {
			reading->quote = '\0';
		} else if (!reading->quote && (c == '"' || c == '\'')) {
			reading->quote = c;
			reading->begin = reading->at;
		} else {
			*ret = c;
			reading->at++;
			return true;
		}
	}
	return false;
}

char *shell_word_read(const char *raw, size_t length, char *ret_quote)
{
	struct reading reading = {.at = raw, .end = raw + length};
	const char *home = strncmp(raw, "~/", 2) == 0 && length > 1 ? getenv("HOME") : NULL;
	struct buffer text;
	char c;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	if (home) {
		buffer_puts(&text, home);
		reading.at++;
	}
	while (reading_next(&reading, &c))
		buffer_putc(&text, c);
	*ret_quote = reading.quote;
	return text.text;
}

size_t shell_word_open_quote(const char *raw)
{
	size_t length = strlen(raw);
	struct reading reading = {.at = raw, .end = raw + length};
	char c;

	while (reading_next(&reading, &c))
		;
	return reading.quote ? (size_t)(reading.begin - raw) : length;
}

/* Whether the byte has no special meaning for any shell, at any place; bytes of UTF-8 have none. */
static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("_-+,./%:=@", c) || (unsigned char)c >= 0x80;
}

void shell_word_write(struct buffer *to, const char *text, char quote)
{
	for (; *text; text++) {
		if (quote == '\'' && *text == '\'') {
			buffer_puts(to, "'\\''");
			continue;
		}
		if (quote == '"' && *text == '!') { /* history expansion works in double quotes,
		                                       too */
			buffer_puts(to, "\"\\!\"");
			continue;
		}
		if (quote == '"' ? strchr("$`\"\\", *text) != NULL : !quote && !is_plain(*text))
			buffer_putc(to, '\\');
		buffer_putc(to, *text);
	}
}
