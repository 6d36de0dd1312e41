/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ftwait stream of ftwait/stream.h, finished or cut at any byte. One pass over the block
 * headers finds the pages of each CPU; the pages themselves are read like those of a trace.dat.
 *
 * Takes ownership of file->fd, also on failure; `why` as in source.h.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "source/file/input_file.h"

int stream_open(const struct input_file *file, struct source **ret, struct buffer *why);
