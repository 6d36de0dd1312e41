/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognizes ftrace text by the first bytes of an input. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The first event must lie within these bytes. In a page of HTML it may come later, after large
   scripts. */
#define TEXT_PROBE_BYTES (256u << 10)

/* Whether the bytes contain no control characters except newlines, carriage returns and tabs. */
bool text_probe_is_text(const void *bytes, size_t size);
/* Whether the bytes contain a complete line with an event, or are the begin of a page of HTML. */
bool text_probe_has_event(const char *bytes, size_t size);
