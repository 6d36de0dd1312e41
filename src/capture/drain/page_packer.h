/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs pages into chunks as version 7 of trace.dat has them: u32 packed bytes, u32 bytes, a frame
 * of Zstandard, level 1: recorded pages become a tenth or less, at about 1 GB a second.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct page_packer;

/* NULL where there is no memory for one. To be freed. */
struct page_packer *page_packer_new(void);
void page_packer_free(struct page_packer *packer);
/* The chunk of `size` bytes; it is valid until the next call. Returns 0 or -ENOMEM. */
int page_packer_pack(struct page_packer *packer, const void *bytes, size_t size,
                     const void **ret_chunk, size_t *ret_size);

struct page_packer_sums {
	uint64_t from_bytes, to_bytes;
	uint64_t cpu_ns; /* of the threads that packed */
};
struct page_packer_sums page_packer_sums(const struct page_packer *packer);
