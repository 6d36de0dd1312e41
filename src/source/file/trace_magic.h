/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The beginning of a trace.dat, and the message for a file that begins otherwise. */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

#define DATFILE_MAGIC       "\027\010\104tracing"
#define DATFILE_MAGIC_BYTES 10

/* Writes what kind of file it is, by `bytes` of its beginning; returns -EINVAL. */
int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why);
