/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a trace.dat with libtracecmd, as the reference for ftwait's own reader. The library crashes
 * and hangs on damaged files, so it runs in a child process, which returns one batch of records for
 * each request; any failure of the child becomes a line of text.
 *
 * The descriptions in the trace (formats, tasks, clock, streams) come from ftwait's own reader, as
 * the library does not return their texts; only the records come from the library.
 *
 * It is optional: without the library this layer is only tracecmd_absent.c.
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/source.h"

/* Whether this program has the library. */
bool reference_is_built(void);
/* As source_open(); -ENOTSUP if this program does not have the library. */
int reference_open(const char *path, struct source **ret, struct buffer *why);
