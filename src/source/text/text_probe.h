/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes ftrace text by the first bytes of an input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text_line.h"

/* The first event must lie within these bytes. In a page of HTML it may come later, after large
   scripts, and in a file further behind. */
#define TEXT_PROBE_BYTES (4u << 20)

/* Whether the bytes, decoded, contain no control characters except those that consoles get. */
bool text_probe_is_text(const void *bytes, size_t size);
/* Whether these are the first bytes of a page of HTML. "<4>[" begins a line of the kernel's log. */
static inline bool text_probe_is_page(const char *bytes, size_t size)
{
	return size > 1 && bytes[0] == '<' && !(bytes[1] >= '0' && bytes[1] <= '9');
}

/* Whether the line is an event of ftrace, or looks like one. */
bool text_probe_line_is_event(struct text_line line);
/* Whether the bytes contain a complete line with an event, or with what looks like one, or are the
   begin of a page of HTML. */
bool text_probe_has_event(const char *bytes, size_t size);

/*
 * Texts that other programs saved: UTF-16, as PowerShell writes what it gets from a pipe, and with
 * the entities of HTML. Characters that are not ASCII become '?' in UTF-16: only names have them.
 */

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
