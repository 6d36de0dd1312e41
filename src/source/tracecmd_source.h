/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.dat through libtracecmd: the reference that our own reader is compared with. The library
 * crashes and hangs on damaged files, so it works in a child process of its own, which is asked
 * for one batch of records at a time; whatever happens there is a line of text here.
 *
 * What the trace says about itself (formats, tasks, clock, streams) comes from our own reader, as
 * the library does not give the texts away; only the records are the library's.
 *
 * `path` and `why` as in source.h. -ENOTSUP where it was built without the library.
 */
#pragma once

#include "base/buffer.h"
#include "ftwait/source.h"

int reference_open(const char *path, struct source **ret, struct buffer *why);
