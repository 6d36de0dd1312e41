/* SPDX-License-Identifier: GPL-2.0-or-later */
/* UTF-8 as defined by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the valid sequence at the begin of `text`; 0 if there is none. */
size_t utf8_sequence_bytes(const char *text, size_t length);
/* The same; *ret_code becomes its code point, and is unchanged if there is none. */
size_t utf8_decode(const char *text, size_t length, uint32_t *ret_code);
/*
 * Whether terminals and editors obey the character instead of showing it: control characters (C0,
 * DEL, C1), line and paragraph separators, and characters that change the direction of writing (UAX
 * #9).
 */
bool utf8_is_control(uint32_t code);
/* Whether the byte belongs to a character that begins before it. */
static inline bool utf8_is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The number of columns that valid UTF-8 takes on a terminal. */
size_t utf8_columns(const char *text);
/* The number of bytes of the longest prefix of valid UTF-8 that takes at most that many columns,
   including characters that join its last character. */
size_t utf8_prefix(const char *text, size_t columns);

/*
 * How many columns a character takes on a terminal, independent of the C library's locales: boards
 * often have only C, in which wcwidth() knows ASCII alone.
 */

/* 0 for characters that join the character before them, 2 for wide East Asian characters, else
   1. */
unsigned character_width(uint32_t code);
