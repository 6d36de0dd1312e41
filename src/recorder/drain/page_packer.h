/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packs pages into chunks of trace.dat version 7: u32 packed bytes, u32 bytes, a Zstandard frame of
 * level 1. Recorded pages shrink to a tenth or less, at about 1 GB a second.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct page_packer;

/* The version of the library that packs, such as "1.5.4". */
const char *page_packer_version(void);
/* Returns NULL if out of memory. The caller frees it. */
struct page_packer *page_packer_new(void);
void page_packer_free(struct page_packer *packer);
/* Packs `size` bytes into a chunk that is valid until the next call. Returns 0 or -ENOMEM. */
int page_packer_pack(struct page_packer *packer, const void *bytes, size_t size,
                     const void **ret_chunk, size_t *ret_size);

struct page_packer_sums {
	uint64_t from_bytes, to_bytes;
	uint64_t cpu_ns; /* CPU time of the threads that packed */
};
struct page_packer_sums page_packer_sums(const struct page_packer *packer);
