/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files of procfs and tracefs, whose size nobody knows before they are read, and values
 * written to such files. Paths are absolute. Calls return 0 or -errno.
 */
#pragma once

#include "base/buffer.h"

/* Appends the file to `to`, an initialised buffer; -EFBIG where its limit does not suffice. */
int text_file_read(const char *path, struct buffer *to);
/* The same for "DIR/NAME". */
int text_file_read_at(const char *dir, const char *name, struct buffer *to);
/* Writes the value in one call to write(), as kernel files want it. Never creates a file. */
int text_file_write(const char *path, const char *value);
int text_file_write_at(const char *dir, const char *name, const char *value);
