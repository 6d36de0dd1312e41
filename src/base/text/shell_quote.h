/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words as a shell reads them. */
#pragma once

#include "buffer.h"

/* Appends the word, quoted for a shell if it must be; as $'...' if it has bytes that must not reach
   a terminal. */
void shell_quote_append(struct buffer *to, const char *word);

/* Words on a shell's command line. */

/* Appends the text so that a shell reads it literally. */
void shell_word_write(struct buffer *to, const char *text);

/*
 * The words of a command line, as a shell reads what the two above write: bare words, \c, '...'
 * and $'...' with \\, \' and \xNN. Nothing is expanded. The words and their array, which ends with
 * NULL, are one block that free() releases. Returns NULL if a quote is not closed.
 */
char **shell_words_split(const char *line, size_t *ret_count);
/* Appends a glob that fits the name, as an element of a list of globs. No such list has a comma
   within an element, so there is "?" instead, as for what globs read otherwise. "*" stays: it fits
   itself, and folded names have it ("worker-*"). */
void list_glob_append(struct buffer *to, const char *name);
