/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.dat through libtracecmd: the reference that our own reader is compared with. The library
 * crashes and hangs on damaged files, so it runs in a child process, which returns one batch of
 * records for each request; any failure there becomes a line of text here.
 *
 * What the trace says about itself (formats, tasks, clock, streams) comes from our own reader, as
 * the library does not return the texts; only the records are the library's.
 *
 * It is optional: without the library, the layer is tracecmd_absent.c alone.
 */
#pragma once

#include <stdbool.h>

#include "base/buffer.h"
#include "ftwait/source.h"

/* Whether this program has the library. */
bool reference_is_built(void);
/* As source_open(); -ENOTSUP if the program has not. */
int reference_open(const char *path, struct source **ret, struct buffer *why);
