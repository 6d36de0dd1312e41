/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Buffers, streams and the places of their pages, as they are found, and reading them. */
#pragma once

#include "datfile.h"

/* Index of the buffer of that name or SIZE_MAX. */
size_t datfile_find_buffer(const struct datfile *datfile, const char *name);
/* Index of the buffer of that name, added if it is new; SIZE_MAX if there are too many. */
size_t datfile_add_buffer(struct datfile *datfile, const char *name, uint32_t page_bytes);
size_t datfile_find_stream(const struct datfile *datfile, unsigned cpu, size_t buffer);
/* Index of the stream, new or known; SIZE_MAX if there are too many. */
size_t datfile_add_stream(struct datfile *datfile, unsigned cpu, size_t buffer);
/*
 * Adds [offset, offset + bytes) of the file to a stream; parts outside of the file, or beyond what
 * the file can hold in total, are left out and noted, and count as a loss.
 */
void datfile_add_extent(struct datfile *datfile, size_t stream, uint64_t offset, uint64_t bytes,
                        bool is_packed);
/* Notes that pages are missing after what was added to the stream so far. */
void datfile_add_loss(struct datfile *datfile, size_t stream);
enum pull datfile_next_batch(struct source *source, size_t stream, struct record_batch *ret);
