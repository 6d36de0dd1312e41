/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts that other programs saved: UTF-16, as PowerShell writes what it gets from a pipe, and with
 * the entities of HTML. Characters that are not ASCII become '?' in UTF-16: only names have them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text_line.h"

enum text_encoding {
	TEXT_BYTES,
	TEXT_UTF16_LITTLE,
	TEXT_UTF16_BIG,
};

/* By the first bytes of a text. *ret_mark: how many bytes the byte order mark has. */
enum text_encoding text_encoding_detect(const void *bytes, size_t size, size_t *ret_mark);
/* Converts the bytes, in place, and returns how many are left. Half a character is dropped. */
size_t text_encoding_decode(enum text_encoding encoding, char *bytes, size_t size);

/* Whether the line shows that its text has entities: "==&gt; next_comm=", "&lt;idle&gt;-0". */
bool text_line_is_escaped(struct text_line line);
/* Replaces the entities in place, and returns the line's new end. */
char *text_line_unescape(char *at, const char *end);
