/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "source/stream/stream_walk.h"

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
	closep(&store->fd);
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
	ARRAY_ADD(store->memory, store->count, store->capacity) = NULL;
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
	if (store->is_held)
		ARRAY_ADD(store->held, store->held_count, store->held_capacity) = chunk;
	else
		ARRAY_ADD(store->free, store->free_count, store->free_capacity) = chunk;
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
		return file_write_all_at(store->fd, bytes, size, (uint64_t)chunk_offset(chunk, at));
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

#define PREFACE_BYTES_MAX  (UINT64_C(256) << 20)
#define CHAPTER_LEAST_NS   500000000u

static void chapter_add(struct stream_ring *ring, nsec_t begin)
{
	ARRAY_GROW(ring->chapter, ring->count, ring->capacity);
	ring->chapter[ring->count++] = (struct ring_chapter){.begin = begin};
}

static uint64_t chapter_size(const struct ring_chapter *chapter)
{
	return chapter->bytes + chapter->version.length + chapter->cmdlines.length;
}

static void chapter_release(struct stream_ring *ring, struct ring_chapter *chapter)
{
	for (size_t i = 0; i < chapter->chunk_count; i++)
		chunk_store_give_back(&ring->store, chapter->chunk[i]);
	free(chapter->chunk);
	buffer_release(&chapter->version);
	buffer_release(&chapter->cmdlines);
}

void stream_ring_init(struct stream_ring *ring, nsec_t time_max, uint64_t bytes_max, int fd)
{
	*ring = (struct stream_ring){
		.time_max = time_max,
		.bytes_max = bytes_max,
		.magic_left = STREAM_MAGIC_BYTES,
	};
	chunk_store_init(&ring->store, fd);
	buffer_init(&ring->preface, PREFACE_BYTES_MAX);
	chapter_add(ring, 0);
}

void stream_ring_release(struct stream_ring *ring)
{
	for (size_t i = 0; i < ring->count; i++)
		chapter_release(ring, &ring->chapter[i]);
	free(ring->chapter);
	chunk_store_release(&ring->store);
	buffer_release(&ring->preface);
}

static void ring_drop_oldest(struct stream_ring *ring)
{
	ring->bytes -= chapter_size(&ring->chapter[0]);
	chapter_release(ring, &ring->chapter[0]);
	ring->count--;
	memmove(ring->chapter, ring->chapter + 1, ring->count * sizeof(*ring->chapter));
}

/* A chunk for the last chapter; on a full disk at the cost of the oldest chapters. */
static int chunk_add(struct stream_ring *ring)
{
	uint32_t chunk;
	struct ring_chapter *last;
	int r;

	/* not the last but one, of which a part may be moved */
	while ((r = chunk_store_take(&ring->store, &chunk)) == -ENOSPC && ring->count > 2 &&
	       !ring->store.is_held) {
		ring->is_short |= ring->time_max != NSEC_NEVER;
		ring_drop_oldest(ring);
	}
	if (r < 0)
		return r;
	last = &ring->chapter[ring->count - 1];
	ARRAY_ADD(last->chunk, last->chunk_count, last->chunk_capacity) = chunk;
	return 0;
}

/* Appends to the last chunk, from `at` on, as much as it has room for. Returns how much. */
static size_t chunk_append(struct stream_ring *ring, const void *bytes, size_t size)
{
	struct ring_chapter *chapter = &ring->chapter[ring->count - 1];
	size_t at = (size_t)(chapter->bytes % CHUNK_BYTES), piece = CHUNK_BYTES - at;

	piece = piece < size ? piece : size;
	ring->error = chunk_store_write(&ring->store, chapter->chunk[chapter->chunk_count - 1],
	                                at, bytes, piece);
	chapter->bytes += piece;
	ring->bytes += piece;
	return piece;
}

static void ring_append(struct stream_ring *ring, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;

	ring->taken += size;
	while (size > 0 && ring->error == 0) {
		size_t piece;

		if (ring->chapter[ring->count - 1].bytes % CHUNK_BYTES == 0)
			ring->error = chunk_add(ring);
		if (ring->error < 0)
			return;
		piece = chunk_append(ring, from, size);
		from += piece;
		size -= piece;
	}
}

static bool is_of_preface(const struct stream_ring *ring)
{
	return !ring->has_begun && ring->block.type != STREAM_PAGES;
}

/* The byte order is the one in which the first block's mark makes sense. */
static void block_load(struct stream_ring *ring)
{
	uint8_t bytes[sizeof(ring->block)];

	memcpy(bytes, &ring->block, sizeof(bytes));
	if (!ring->has_order)
		ring->is_swapped = stream_block_load(bytes, false).mark != STREAM_BLOCK_MARK;
	ring->has_order = true;
	ring->block = stream_block_load(bytes, ring->is_swapped);
}

/* The header of a block is complete. What only the stream needs is left out. */
static void block_begin(struct stream_ring *ring)
{
	const struct stream_block *block = &ring->block;

	ring->left = block->size;
	if (block->type == STREAM_REACHED) {
		ring->round_before = ring->round;
		ring->round = ring->chapter[ring->count - 1].bytes;
	}
	ring->is_kept = block->type == STREAM_HEAD || block->type == STREAM_OPTIONS ||
	                block->type == STREAM_CMDLINES || block->type == STREAM_PAGES;
	if (!ring->is_kept)
		return;
	if (is_of_preface(ring))
		buffer_append(&ring->preface, block, sizeof(*block));
	else
		ring_append(ring, block, sizeof(*block));
	if (block->type == STREAM_PAGES && block->buffer < STREAM_BUFFERS)
		ring->has_buffer[block->buffer] = true;
}

static size_t header_take(struct stream_ring *ring, const void *bytes, size_t size)
{
	size_t piece = sizeof(ring->block) - ring->block_bytes;

	piece = piece < size ? piece : size;
	memcpy((uint8_t *)&ring->block + ring->block_bytes, bytes, piece);
	ring->block_bytes += piece;
	if (ring->block_bytes == sizeof(ring->block)) {
		block_load(ring);
		block_begin(ring);
	}
	return piece;
}

static size_t payload_take(struct stream_ring *ring, const void *bytes, size_t size)
{
	size_t piece = ring->left < size ? (size_t)ring->left : size;

	if (ring->is_kept && is_of_preface(ring))
		buffer_append(&ring->preface, bytes, piece);
	else if (ring->is_kept)
		ring_append(ring, bytes, piece);
	ring->left -= piece;
	return piece;
}

void stream_ring_take(void *state, const void *bytes, size_t size)
{
	struct stream_ring *ring = state;
	const uint8_t *at = bytes, *end = at + size;

	while (at < end) {
		size_t left = (size_t)(end - at), piece;

		if (ring->magic_left > 0) {
			piece = ring->magic_left < left ? (size_t)ring->magic_left : left;
			ring->magic_left -= piece;
		} else if (ring->block_bytes < sizeof(ring->block)) {
			piece = header_take(ring, at, left);
		} else {
			piece = payload_take(ring, at, left);
		}
		at += piece;
		if (ring->block_bytes == sizeof(ring->block) && ring->left == 0)
			ring->block_bytes = 0;
	}
}

bool stream_ring_is_due(const struct stream_ring *ring, nsec_t reached)
{
	const struct ring_chapter *chapter = &ring->chapter[ring->count - 1];
	nsec_t time = ring->time_max == NSEC_NEVER
	                      ? NSEC_NEVER
	                      : nsec_max(ring->time_max / RING_CHAPTERS, CHAPTER_LEAST_NS);

	/* the first chapter begins before any time was reached */
	return !ring->has_begun || ring->error < 0 || reached - chapter->begin >= time ||
	       chapter_size(chapter) >= ring->bytes_max / RING_CHAPTERS;
}

static bool oldest_is_needed(const struct stream_ring *ring, nsec_t reached)
{
	if (ring->count < 2)
		return true;
	/* so much may come before the next turn */
	if (ring->bytes > ring->bytes_max - ring->bytes_max / RING_CHAPTERS)
		return false;
	return ring->time_max == NSEC_NEVER ||
	       ring->chapter[1].begin + ring->time_max > reached;
}

static void ring_drop_old(struct stream_ring *ring, nsec_t reached)
{
	while (!oldest_is_needed(ring, reached)) {
		ring->is_short |= ring->time_max != NSEC_NEVER &&
		                  ring->chapter[1].begin + ring->time_max > reached;
		ring_drop_oldest(ring);
	}
}

/* Where a chapter is read. */
struct chapter_reader {
	const struct chunk_store *store;
	const struct ring_chapter *chapter;
	uint64_t at;
};

static int reader_read(struct chapter_reader *reader, void *to, size_t size)
{
	uint8_t *into = to;
	int r = 0;

	while (size > 0 && r == 0) {
		size_t at = (size_t)(reader->at % CHUNK_BYTES), piece = CHUNK_BYTES - at;

		piece = piece < size ? piece : size;
		r = chunk_store_read(reader->store,
		                     reader->chapter->chunk[reader->at / CHUNK_BYTES], at, into,
		                     piece);
		reader->at += piece;
		into += piece;
		size -= piece;
	}
	return r;
}

/* Moves what came since the last but one time that was reached from the chapter before the last to
   the last one. */
static void ring_move_round(struct stream_ring *ring)
{
	struct ring_chapter *from = &ring->chapter[ring->count - 2];
	struct chapter_reader reader = {&ring->store, from, ring->round_before};
	_cleanup_(freep) uint8_t *piece = xmalloc(CHUNK_BYTES);
	uint64_t end = from->bytes;

	while (reader.at < end && ring->error == 0) {
		uint64_t left = end - reader.at;
		size_t size = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;

		ring->error = reader_read(&reader, piece, size);
		if (ring->error == 0)
			ring_append(ring, piece, size);
		/* what is dropped on a full disk moves the chapters */
		reader.chapter = &ring->chapter[ring->count - 2];
	}
	from = &ring->chapter[ring->count - 2];
	ring->bytes -= from->bytes - ring->round_before;
	ring->taken -= from->bytes - ring->round_before;
	from->bytes = ring->round_before;
	while (from->chunk_count > (from->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES)
		chunk_store_give_back(&ring->store, from->chunk[--from->chunk_count]);
}

void stream_ring_turn(struct stream_ring *ring, nsec_t reached, struct buffer *version,
                      struct buffer *cmdlines)
{
	bool is_whole = ring->error == 0;
	struct ring_chapter *chapter;

	while (!is_whole && ring->count > 0)
		ring_drop_oldest(ring);
	ring->error = 0;
	ring->has_begun = true;
	chapter_add(ring, reached);
	chapter = &ring->chapter[ring->count - 1];
	chapter->version = *version;
	chapter->cmdlines = *cmdlines;
	*version = *cmdlines = (struct buffer){0};
	ring->bytes += chapter_size(chapter);
	if (is_whole)
		ring_move_round(ring);
	ring->round_before = 0;
	ring->round = ring->chapter[ring->count - 1].bytes;
	ring_drop_old(ring, reached);
}

nsec_t stream_ring_begin(const struct stream_ring *ring)
{
	return ring->chapter[0].begin;
}

int stream_ring_read(const struct stream_ring *ring,
                     int (*take)(void *state, const struct stream_block *block,
                                 const void *payload),
                     void *state)
{
	_cleanup_(freep) void *payload = NULL;
	size_t capacity = 0;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ring->count; i++) {
		struct chapter_reader reader = {&ring->store, &ring->chapter[i], 0};
		struct stream_block block;

		/* a block may be cut short at the end */
		while (r >= 0 && reader.at + sizeof(block) <= ring->chapter[i].bytes) {
			r = reader_read(&reader, &block, sizeof(block));
			if (r < 0 || block.size > ring->chapter[i].bytes - reader.at)
				break;
			if (block.size > capacity) {
				capacity = (size_t)block.size;
				free(payload);
				payload = xmalloc(capacity);
			}
			r = reader_read(&reader, payload, (size_t)block.size);
			if (r == 0)
				r = take(state, &block, payload);
		}
	}
	return r < 0 ? r : 0;
}
