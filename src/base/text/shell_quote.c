/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shell_quote.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"

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
