/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The place of the pages of a stream with regions (STREAM_REGIONS of ftwait/stream.h), at any stage
 * of its conversion to a trace.dat.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/stream.h"

#define STREAM_REGIONS_MAX (STREAM_BUFFERS * 65536u)
/* A region that is moving is in two places. */
#define REGION_PIECES_MAX  2

struct region_piece {
	uint64_t offset, bytes; /* within the file */
};

struct region_table {
	struct stream_regions head;
	const uint8_t *rows; /* borrowed: the payload */
	size_t count;
	bool is_swapped;
};

/* Reads the block's payload, which must stay valid; false if it makes no sense. */
bool region_table_read(struct region_table *ret, const void *payload, uint64_t bytes,
                       bool is_swapped);
struct stream_region region_table_row(const struct region_table *table, size_t index);
/* Whether chunks of pages are packed; an unknown packing makes no sense. */
bool region_table_is_packed(const struct region_table *table);
/*
 * The non-empty pieces of a row, in order, within a file of `file_bytes`; returns how many. During
 * recording a piece is the whole room of the region, which ends in a hole.
 */
unsigned region_table_pieces(const struct region_table *table, size_t index, uint64_t file_bytes,
                             struct region_piece ret[static REGION_PIECES_MAX]);

/*
 * How much of a region of a stream (STREAM_REGIONS of ftwait/stream.h) was written, according to
 * the region itself: its pages, or chunks of them, are at its begin, followed by a hole or zeros.
 * `bytes` is the part of the region within the file, which may be hundreds of GB: if the file
 * system does not report holes, or somebody has filled them with zeros, the end is found by
 * bisection, as pages have no gaps, not by reading all.
 */

/* Bytes of whole pages; the last one is not empty. */
uint64_t region_data_pages(int fd, uint64_t offset, uint64_t bytes, uint32_t page_bytes);
/* Bytes of the count and of the chunks it counts, as far as they are present. */
uint64_t region_data_packed(int fd, uint64_t offset, uint64_t bytes);
