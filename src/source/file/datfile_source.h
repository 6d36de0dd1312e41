/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.dat of version 6 and 7 through our own reader: strict about every length, bounded in memory
 * whatever the size of the file; it delivers what a damaged file still has. The file is read with
 * pread(), never mapped: a file that shrinks while it is read is an error, not a SIGBUS.
 *
 * Takes ownership of file->fd, also on failure; `why` as in source.h.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "input_file.h"
#include "unpack.h"

struct datfile;

int datfile_open(const struct input_file *file, struct source **ret, struct buffer *why);

/* Whether a source made by source_open() is of a trace.dat or a stream, not of text. */
bool datfile_is_source(const struct source *source);
/* Returns what the reference reader needs to read the same file again; only for such a source. */
int datfile_descriptor(const struct source *source);
enum packing datfile_packing(const struct source *source);
/* "" for the main one. */
const char *datfile_buffer_name(const struct source *source, size_t buffer);

/* For readers of another container: datfile_new(), the parts in any order, datfile_publish(), which
   makes it a source that can be read. It is given the result `r` of reading the parts; if that is
   negative it frees the datfile, and returns it. */
struct datfile *datfile_new(const struct input_file *file, input_opener *open);
int datfile_publish(struct datfile *datfile, int r, struct source **ret, struct buffer *why);
