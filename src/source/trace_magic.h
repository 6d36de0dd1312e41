/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a trace.dat begins, and what is said of a file that does not.
 */
#pragma once

#include "base/buffer.h"

#define DATFILE_MAGIC       "\027\010\104tracing"
#define DATFILE_MAGIC_BYTES 10

/* Says of something that it does not begin as a trace; -EINVAL. */
int datfile_refuse_magic(struct buffer *why);
