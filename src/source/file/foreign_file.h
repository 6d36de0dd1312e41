/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files given by mistake instead of a recording: other programs' traces, texts, archives. They are
 * identified by their beginning, and described with advice.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"

/* This much of the beginning identifies all known formats; less identifies most. */
#define FOREIGN_HEAD_BYTES 1024

/* Appends "a perf.data file; perf reads it ..."; false: not a known format. */
bool foreign_file_describe(const void *head, size_t bytes, struct buffer *to);
/* The same for an open folder. */
bool foreign_folder_describe(int fd, struct buffer *to);

/* The beginning of a recording, and the message for a file that begins otherwise. */

enum trace_kind {
	TRACE_UNKNOWN, /* it may be text */
	TRACE_STREAM,
	TRACE_DATFILE,
	TRACE_PERFETTO,
};

enum trace_kind trace_kind_of(const void *head, size_t bytes);

#define DATFILE_MAGIC       "\027\010\104tracing"
#define DATFILE_MAGIC_BYTES 10

/* Writes what kind of file it is, by `bytes` of its beginning; returns -EINVAL. */
int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why);
