/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_store.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

#define BLOCK_BYTES (64u << 10)

void text_store_release(struct text_store *store)
{
	for (size_t i = 0; i < store->block_count; i++)
		free(store->block[i]);
	free(store->block);
	*store = (struct text_store){0};
}

bool text_store_has_room(const struct text_store *store, size_t length)
{
	return store->total < TEXT_STORE_MAX && length < TEXT_STORE_MAX - store->total;
}

char *text_store_add(struct text_store *store, const void *bytes, size_t length)
{
	char *copy;

	assert(length < SIZE_MAX / 2);
	if (length + 1 > store->room - store->used) {
		ARRAY_GROW(store->block, store->block_count, store->block_capacity);
		store->room = length + 1 > BLOCK_BYTES ? length + 1 : BLOCK_BYTES;
		store->used = 0;
		store->block[store->block_count++] = xmalloc(store->room);
	}
	copy = store->block[store->block_count - 1] + store->used;
	if (length)
		memcpy(copy, bytes, length);
	copy[length] = '\0';
	store->used += length + 1;
	store->total += length + 1;
	return copy;
}
