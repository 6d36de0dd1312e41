/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a trace.dat begins, and what is said of a file that does not.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"

#define DATFILE_MAGIC       "\027\010\104tracing"
#define DATFILE_MAGIC_BYTES 10

/* Says what it is that does not begin as a trace, by `bytes` of its begin; -EINVAL. */
int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why);
