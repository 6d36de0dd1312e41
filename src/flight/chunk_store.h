/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of CHUNK_BYTES each, in memory or in a file, which are used again when they were given
 * back. A chunk is named by its number.
 *
 * Another process that was forked reads what the store held at that time: of memory the kernel
 * copies for it what is written later; of a file chunks must not be used again meanwhile
 * (chunk_store_hold()).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHUNK_BYTES (256u << 10)

struct chunk_store {
	int fd;           /* the file; -1: in memory */
	uint8_t **memory; /* by number; NULL: given back */
	uint32_t count, capacity;
	/* Numbers that can be used again, and those that can after the hold. */
	uint32_t *free, *held;
	size_t free_count, free_capacity, held_count, held_capacity;
	bool is_held;
};

/* `fd`: an empty file, owned by the store from now on; -1: none. */
void chunk_store_init(struct chunk_store *store, int fd);
void chunk_store_release(struct chunk_store *store);
/* Returns 0, or -errno if the file cannot have one more: -ENOSPC. */
int chunk_store_take(struct chunk_store *store, uint32_t *ret);
void chunk_store_give_back(struct chunk_store *store, uint32_t chunk);
/* From now on chunks that are given back stay as they are; until false. */
void chunk_store_hold(struct chunk_store *store, bool is_held);
/* Return 0, or -errno of the file. */
int chunk_store_write(struct chunk_store *store, uint32_t chunk, size_t at, const void *bytes,
                      size_t size);
int chunk_store_read(const struct chunk_store *store, uint32_t chunk, size_t at, void *to,
                     size_t size);
