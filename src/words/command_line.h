/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines as one text, which a recording keeps (`program` of ftwait/stream.h). Its words are
 * separated by one blank. In a word a backslash, a byte below '!', DEL and bytes that are no valid
 * UTF-8 are \ooo, in octal; an empty word is "\". A long line is cut: "\..." stands at the end of a
 * word for the rest of that, and as a word of its own for words that are left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"

#define COMMAND_LINE_WORD_MAX 200u  /* bytes of a word that are kept */
#define COMMAND_LINE_PART_MAX 1024u /* bytes at the begin and at the end of a line that are kept */
/* A text is not longer: two parts, each byte as \ooo, and what is left out. */
#define COMMAND_LINE_TEXT_MAX (2u * 4u * COMMAND_LINE_PART_MAX + 4096u)

/* Appends the text for what /proc/PID/cmdline has: words with a NUL after each. Nothing if that is
   empty. `is_whole`: `bytes` are all of it. */
void command_line_write(struct buffer *to, const char *bytes, size_t length, bool is_whole);
/* Whether the bytes are such a text. */
bool command_line_is_valid(const char *text, size_t length);
/*
 * Replaces `word` by the next word of a valid text, as the program got it, and moves *at behind it.
 * False at the end. *ret_is_cut: the word is not all of what was there, or it stands for others and
 * is empty.
 */
bool command_line_next(const char **at, struct buffer *word, bool *ret_is_cut);
/* Appends a valid text as a shell would take it; "..." for what is left out. */
void command_line_append(struct buffer *to, const char *text);
