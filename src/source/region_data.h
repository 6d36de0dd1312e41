/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of a region of a stream (STREAM_REGIONS of ftwait/stream.h) was written, as far as the
 * region itself tells: its pages, or chunks of them, stand from its begin, and behind them is a
 * hole or zeros. `bytes` is what the region has within the file, which may be hundreds of GB: where
 * the file system cannot tell of holes, or somebody has filled them with zeros, the end is looked
 * for as pages stand without gaps, not read for.
 */
#pragma once

#include <stdint.h>

/* Bytes of whole pages; the last one is not empty. */
uint64_t region_data_pages(int fd, uint64_t offset, uint64_t bytes, uint32_t page_bytes);
/* Bytes of the count and of the chunks that it counts, as far as they are there. */
uint64_t region_data_packed(int fd, uint64_t offset, uint64_t bytes);
