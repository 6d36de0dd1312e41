/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words as they stand on a shell's command line, with its quotes and backslashes, and what they
 * mean: sh's rules for quoting, and ~/ for $HOME/ at the beginning. Nothing is expanded beyond
 * that, and nothing executed: $x stays $x.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

/*
 * What the first `length` bytes of the word mean; the caller's. *ret_quote is the quote that is
 * still open at their end, or '\0'. Where the word goes on behind a quote that is open, what is
 * there is as it stands.
 */
char *shell_word_read(const char *raw, size_t length, char *ret_quote);
/* Where the quote that is open at the word's end stands; its length where none is. */
size_t shell_word_open_quote(const char *raw);
/* Appends the text so that a shell reads it as it is, behind an open `quote` or none ('\0'). */
void shell_word_write(struct buffer *to, const char *text, char quote);
