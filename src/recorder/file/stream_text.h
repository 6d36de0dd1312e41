/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts into the lines of option VERSION; ftwait/stream.h defines the form of the lines. */
#pragma once

#include "base/text/buffer.h"

/* Appends the text; a newline becomes \012, a backslash \134. */
static inline void stream_text_append(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\\')
			buffer_printf(to, "\\%03o", (unsigned)*text);
		else
			buffer_putc(to, *text);
	}
}
