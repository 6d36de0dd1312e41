/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of a region of a stream (STREAM_REGIONS of ftwait/stream.h) was written, according to
 * the region itself: its pages, or chunks of them, are at its begin, followed by a hole or zeros.
 * `bytes` is the part of the region within the file, which may be hundreds of GB: if the file
 * system does not report holes, or somebody has filled them with zeros, the end is found by
 * bisection, as pages have no gaps, not by reading all.
 */
#pragma once

#include <stdint.h>

/* Bytes of whole pages; the last one is not empty. */
uint64_t region_data_pages(int fd, uint64_t offset, uint64_t bytes, uint32_t page_bytes);
/* Bytes of the count and of the chunks it counts, as far as they are present. */
uint64_t region_data_packed(int fd, uint64_t offset, uint64_t bytes);
