/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shell_quote.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

/* Whether the byte has no special meaning for any shell, at any place; bytes of UTF-8 have none. */
static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("_-+,./%:=@", c) || (unsigned char)c >= 0x80;
}

void shell_word_write(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (!is_plain(*text))
			buffer_putc(to, '\\');
		buffer_putc(to, *text);
	}
}

static bool word_is_plain(const char *word)
{
	return word[0] && word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
	                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+,./:=@%")] == 0;
}

void shell_quote_append(struct buffer *to, const char *word)
{
	_cleanup_(buffer_release) struct buffer escaped = {0}, clean = {0};
	bool is_clean;

	if (word_is_plain(word)) {
		buffer_puts(to, word);
		return;
	}
	buffer_init(&clean, BUFFER_LIMIT_DEFAULT);
	buffer_puts_clean(&clean, word, strlen(word));
	is_clean = strcmp(clean.text, word) == 0;
	buffer_init(&escaped, BUFFER_LIMIT_DEFAULT);
	for (; *word; word++) {
		if (is_clean && *word == '\'')
			buffer_puts(&escaped, "'\\''");
		else if (!is_clean && (*word == '\'' || *word == '\\'))
			buffer_printf(&escaped, "\\%c", *word);
		else
			buffer_putc(&escaped, *word);
	}
	buffer_puts(to, is_clean ? "'" : "$'");
	buffer_puts_clean(to, escaped.text, escaped.length);
	buffer_putc(to, '\'');
}

static const char *plain_read(const char *line, char **to)
{
	*(*to)++ = *line;
	return line + 1;
}

static int hex_value(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Reads what stands behind a backslash in $'...'; returns what is left. */
static const char *escape_read(const char *line, char **to)
{
	int high = *line == 'x' ? hex_value(line[1]) : -1;
	int low = high >= 0 ? hex_value(line[2]) : -1;

	if (high >= 0 && low >= 0) {
		*(*to)++ = (char)(high * 16 + low);
		return line + 3;
	}
	return *line ? plain_read(line, to) : line;
}

/* Reads a quoted part up to its end; NULL: it has none. */
static const char *quoted_read(const char *line, bool has_escapes, char **to)
{
	while (*line && *line != '\'')
		if (has_escapes && *line == '\\')
			line = escape_read(line + 1, to);
		else
			line = plain_read(line, to);
	return *line ? line + 1 : NULL;
}

/* Reads a word; NULL: a quote is not closed. */
static const char *word_read(const char *line, char **to)
{
	while (line && *line && *line != ' ')
		if (line[0] == '\'')
			line = quoted_read(line + 1, false, to);
		else if (line[0] == '$' && line[1] == '\'')
			line = quoted_read(line + 2, true, to);
		else if (line[0] == '\\' && line[1])
			line = plain_read(line + 1, to);
		else
			line = plain_read(line, to);
	return line;
}

char **shell_words_split(const char *line, size_t *ret_count)
{
	size_t most = strlen(line) / 2 + 2, count = 0; /* words, and the NULL */
	char **word = xmalloc(most * sizeof(*word) + strlen(line) + 1);
	char *to = (char *)(word + most);

	for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
		word[count++] = to;
		line = word_read(line, &to);
		if (!line) {
			free(word);
			return NULL;
		}
		*to++ = '\0';
	}
	word[count] = NULL;
	*ret_count = count;
	return word;
}

void list_glob_append(struct buffer *to, const char *name)
{
	for (; *name; name++)
		buffer_putc(to, strchr(",[\\", *name) ? '?' : *name);
}
