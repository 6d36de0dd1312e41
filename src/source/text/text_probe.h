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
