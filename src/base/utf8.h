/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#pragma once

#include <stddef.h>

/* Bytes of the valid sequence that `text` begins with; 0 where it begins with none. */
size_t utf8_sequence_bytes(const char *text, size_t length);
/* Columns that valid UTF-8 takes on a terminal, counting every character as one. */
size_t utf8_columns(const char *text);
