/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether bytes are text with lines of ftrace, before all of the input is there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* So much of a text has a line of an event, or it has none. A page of HTML may have its lines far
   behind its begin. */
#define TEXT_PROBE_BYTES (256u << 10)

/* Whether the bytes may be the begin of any text. */
bool text_probe_is_text(const void *bytes, size_t size);
/* Whether this begin of a text has a whole line of an event, or is of a page of HTML. */
bool text_probe_has_event(const char *bytes, size_t size);
