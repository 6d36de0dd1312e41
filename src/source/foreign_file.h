/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is given by mistake where a recording is meant: other programs' traces, texts, archives.
 * They are told by how they begin, and with what to do about it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* That much of the beginning tells all that are known; less tells most. */
#define FOREIGN_HEAD_BYTES 1024

/* Appends "a perf.data file; perf reads it ..."; false: it is nothing that is known here. */
bool foreign_file_tell(const void *head, size_t bytes, struct buffer *to);
/* The same of an open folder. */
bool foreign_folder_tell(int fd, struct buffer *to);
