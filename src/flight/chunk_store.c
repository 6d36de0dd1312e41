/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chunk_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/file/file_read.h"
#include "base/file/file_write.h"
#include "base/xalloc.h"

void chunk_store_init(struct chunk_store *store, int fd)
{
	*store = (struct chunk_store){.fd = fd};
}

static void memory_free(struct chunk_store *store, uint32_t chunk)
{
	if (store->memory[chunk])
		(void)munmap(store->memory[chunk], CHUNK_BYTES);
	store->memory[chunk] = NULL;
}

void chunk_store_release(struct chunk_store *store)
{
	for (uint32_t i = 0; i < store->count; i++)
		memory_free(store, i);
	if (store->fd >= 0)
		(void)close(store->fd);
	free(store->memory);
	free(store->free);
	free(store->held);
	*store = (struct chunk_store){.fd = -1};
}

static off_t chunk_offset(uint32_t chunk, size_t at)
{
	return (off_t)chunk * (off_t)CHUNK_BYTES + (off_t)at;
}

/* Takes the room on the disk, so that no write fails later. Where the file system cannot do that,
   writes may fail. */
static int store_grow(struct chunk_store *store)
{
	if (store->fd >= 0 &&
	    fallocate(store->fd, 0, chunk_offset(store->count, 0), CHUNK_BYTES) < 0 &&
	    errno != EOPNOTSUPP && errno != ENOSYS && errno != EINTR)
		return -errno;
	ARRAY_GROW(store->memory, store->count, store->capacity);
	store->memory[store->count++] = NULL;
	return 0;
}

int chunk_store_take(struct chunk_store *store, uint32_t *ret)
{
	int r;

	if (store->free_count > 0) {
		*ret = store->free[--store->free_count];
	} else {
		r = store_grow(store);
		if (r < 0)
			return r;
		*ret = store->count - 1;
	}
	/* not of the heap, which would stay as large as it once was */
	if (store->fd < 0)
		store->memory[*ret] = xmap(CHUNK_BYTES);
	return 0;
}

void chunk_store_give_back(struct chunk_store *store, uint32_t chunk)
{
	memory_free(store, chunk);
	if (store->is_held) {
		ARRAY_GROW(store->held, store->held_count, store->held_capacity);
		store->held[store->held_count++] = chunk;
	} else {
		ARRAY_GROW(store->free, store->free_count, store->free_capacity);
		store->free[store->free_count++] = chunk;
	}
}

void chunk_store_hold(struct chunk_store *store, bool is_held)
{
	store->is_held = is_held;
	while (!is_held && store->held_count > 0) {
		ARRAY_GROW(store->free, store->free_count, store->free_capacity);
		store->free[store->free_count++] = store->held[--store->held_count];
	}
}

int chunk_store_write(struct chunk_store *store, uint32_t chunk, size_t at, const void *bytes,
                      size_t size)
{
	if (store->fd >= 0)
		return file_write_all_at(store->fd, bytes, size,
		                         (uint64_t)chunk_offset(chunk, at));
	memcpy(store->memory[chunk] + at, bytes, size);
	return 0;
}

int chunk_store_read(const struct chunk_store *store, uint32_t chunk, size_t at, void *to,
                     size_t size)
{
	if (store->fd >= 0)
		return file_read_all_at(store->fd, to, size, (uint64_t)chunk_offset(chunk, at));
	memcpy(to, store->memory[chunk] + at, size);
	return 0;
}
