/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid sequence that `text` begins with; 0 where it begins with none. */
size_t utf8_sequence_bytes(const char *text, size_t length);
/* The same; *ret_code is its code point, untouched where it is none. */
size_t utf8_decode(const char *text, size_t length, uint32_t *ret_code);
/*
 * Characters that terminals and editors obey instead of showing: controls (C0, DEL, C1), line and
 * paragraph separators, and those that turn the direction of writing (UAX #9).
 */
bool utf8_is_control(uint32_t code);
/* Columns that valid UTF-8 takes on a terminal (character_width.h). */
size_t utf8_columns(const char *text);
/* Bytes of the longest beginning of valid UTF-8 that takes no more than so many columns; what joins
   its last character is part of it. */
size_t utf8_prefix(const char *text, size_t columns);
