/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid sequence at the start of `text`; 0 if there is none. */
size_t utf8_sequence_bytes(const char *text, size_t length);
/* The same; *ret_code is its code point, unchanged if there is none. */
size_t utf8_decode(const char *text, size_t length, uint32_t *ret_code);
/*
 * Characters that terminals and editors obey instead of showing: controls (C0, DEL, C1), line and
 * paragraph separators, and those that change the direction of writing (UAX #9).
 */
bool utf8_is_control(uint32_t code);
/* Columns that valid UTF-8 takes on a terminal (character_width.h). */
size_t utf8_columns(const char *text);
/* Bytes of the longest prefix of valid UTF-8 that takes no more than so many columns, including
   characters that join its last one. */
size_t utf8_prefix(const char *text, size_t columns);
