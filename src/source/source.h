/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens every kind of trace: a trace.dat of version 6 or 7, or the stream that `record` writes.
 * ftwait/source.h describes what a source does.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/source.h"

/*
 * `path` "-" is standard input. On failure `why` receives one phrase that fits after the name of
 * the file: "truncated inside the event formats ...".
 */
int source_open(const char *path, struct source **ret, struct buffer *why);

static inline void source_closep(struct source **source)
{
	(void)source_close(*source);
}
