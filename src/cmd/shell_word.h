/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words on a shell's command line, with quotes and backslashes, and their meaning by sh's rules for
 * quoting; ~/ at the begin means $HOME/. Nothing else is expanded, and nothing is executed: $x
 * stays $x.
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

/*
 * The meaning of the first `length` bytes of the word; the caller frees it. *ret_quote is the
 * quote that is still open at their end, or '\0'; what follows an open quote is part of the
 * meaning.
 */
char *shell_word_read(const char *raw, size_t length, char *ret_quote);
/* Offset of the quote that is open at the word's end; the word's length if no quote is open. */
size_t shell_word_open_quote(const char *raw);
/* Appends the text so that a shell reads it literally, inside an open `quote` or none ('\0'). */
void shell_word_write(struct buffer *to, const char *text, char quote);
