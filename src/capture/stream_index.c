/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_read.h"
#include "ftwait/stream.h"
#include "region_data.h"
#include "source/stream_regions.h"

/* More than any real one; a damaged size must not make us allocate without end. */
#define SMALL_BLOCK_BYTES_MAX DATFILE_HEAD_BYTES_MAX

static int index_take_small(int fd, uint64_t offset, uint64_t size, struct buffer *to)
{
	char *bytes;
	int r;

	if (size > SMALL_BLOCK_BYTES_MAX)
		return -EINVAL;
	bytes = xmalloc((size_t)size);
	r = file_read_all_at(fd, bytes, (size_t)size, offset);
	if (r == 0)
		buffer_append(to, bytes, (size_t)size);
	free(bytes);
	return r < 0 ? r : to->is_cut ? -EFBIG : 0;
}

static void index_add_run(struct stream_index *index, const struct page_run *run)
{
	index->has_buffer[run->buffer] = true;
	ARRAY_GROW(index->run, index->run_count, index->run_capacity);
	index->run[index->run_count++] = *run;
}

/* `left` bytes of the file follow; only whole pages of a run cut short are of use. */
static void index_take_pages(struct stream_index *index, const struct stream_block *block,
                             uint64_t offset, uint64_t left)
{
	uint64_t size = block->size < left ? block->size : left;

	size -= size % index->parts.page_bytes;
	if (size > 0 && block->cpu < index->parts.cpu_count && block->buffer < STREAM_BUFFERS)
		index_add_run(index, &(struct page_run){offset, size, block->cpu, block->buffer});
}

/* Its pieces become runs, cut down to what was written. */
static void index_take_region(struct stream_index *index, int fd,
                              const struct region_table *table, size_t at, uint64_t file_bytes)
{
	const struct stream_region row = region_table_row(table, at);
	struct index_region *region = &index->region[index->region_count];
	struct region_piece piece[REGION_PIECES_MAX];
	unsigned count = region_table_pieces(table, at, file_bytes, piece);

	if (row.cpu >= index->parts.cpu_count || row.buffer >= STREAM_BUFFERS)
		return;
	*region = (struct index_region){
		.at = row.offset,
		.bytes = row.bytes,
		.target = row.target,
		.cpu = row.cpu,
		.buffer = row.buffer,
	};
	index->region_count++;
	if (table->head.is_settling)
		region->at = row.offset <= file_bytes ? file_bytes - row.offset : file_bytes;
	else if (count == 0)
		region->bytes = 0;
	else if (region_table_is_packed(table))
		region->bytes = piece->bytes = region_data_packed(fd, piece->offset, piece->bytes);
	else
		region->bytes = piece->bytes = region_data_pages(fd, piece->offset, piece->bytes,
		                                                 index->parts.page_bytes);
	for (unsigned i = 0; i < count; i++)
		if (piece[i].bytes > 0)
			index_add_run(index, &(struct page_run){piece[i].offset, piece[i].bytes,
			                                        row.cpu, row.buffer});
}

static int index_take_regions(struct stream_index *index, int fd, uint64_t offset, uint64_t size,
                              uint64_t file_bytes)
{
	struct region_table table;
	struct buffer payload;
	int r;

	buffer_init(&payload, SMALL_BLOCK_BYTES_MAX);
	r = index_take_small(fd, offset, size, &payload);
	if (r == 0 && !region_table_read(&table, payload.text, payload.length, false))
		r = -EINVAL;
	if (r == 0) {
		free(index->region);
		index->regions = table.head;
		index->region = xcalloc(table.count + 1, sizeof(*index->region));
		index->region_count = 0;
		for (size_t i = 0; i < table.count; i++)
			index_take_region(index, fd, &table, i, file_bytes);
	}
	buffer_release(&payload);
	return r;
}

/* The block's payload stands at `offset`. Returns -errno where the file cannot be believed. */
static int index_take_block(struct stream_index *index, int fd, const struct stream_block *block,
                            uint64_t offset, uint64_t left)
{
	if (block->type == STREAM_PAGES) {
		index_take_pages(index, block, offset, left);
		return 0;
	}
	if (block->size > left)
		return 0;
	switch (block->type) {
	case STREAM_REGIONS:
		return index_take_regions(index, fd, offset, block->size, offset + left);
	case STREAM_OPTIONS:
		return index_take_small(fd, offset, block->size, &index->options);
	case STREAM_CMDLINES:
		return index_take_small(fd, offset, block->size, &index->cmdlines);
	case STREAM_SYMBOLS:
		index->has_symbols = true;
		return index_take_small(fd, offset, block->size, &index->symbols);
	case STREAM_END:
		index->is_ended = true;
		return 0;
	default:
		return 0;
	}
}

/* The first block; where it is a jump, the one that it leads to. */
static int index_find_head(int fd, uint64_t *at, uint64_t file_bytes, struct stream_block *ret)
{
	struct stream_jump jump;
	int r = file_read_all_at(fd, ret, sizeof(*ret), *at);

	if (r < 0 || ret->type != STREAM_JUMP || ret->mark != STREAM_BLOCK_MARK)
		return r;
	r = file_read_all_at(fd, &jump, sizeof(jump), *at + sizeof(*ret));
	if (r < 0)
		return r;
	if (jump.offset > file_bytes)
		return -EINVAL;
	*at = jump.is_from_end ? file_bytes - jump.offset : jump.offset;
	return file_read_all_at(fd, ret, sizeof(*ret), *at);
}

static int index_read_head(struct stream_index *index, int fd, uint64_t file_bytes,
                           uint64_t *ret_offset)
{
	char magic[STREAM_MAGIC_BYTES];
	struct stream_block block;
	uint64_t at = STREAM_MAGIC_BYTES;
	int r;

	r = file_read_all_at(fd, magic, sizeof(magic), 0);
	if (r == -EIO)
		return -EINVAL;
	if (r < 0)
		return r;
	if (memcmp(magic, "\x17\x08\x44tracing", 10) == 0)
		return -EALREADY;
	if (memcmp(magic, STREAM_MAGIC, sizeof(magic)) != 0)
		return -EINVAL;
	r = index_find_head(fd, &at, file_bytes, &block);
	if (r < 0)
		return r == -EIO ? -EINVAL : r;
	index->blocks_at = at;
	at += sizeof(block);
	if (block.mark != STREAM_BLOCK_MARK || block.type != STREAM_HEAD ||
	    block.size > file_bytes - at)
		return -EINVAL;
	r = index_take_small(fd, at, block.size, &index->head);
	if (r < 0)
		return r;
	*ret_offset = at + block.size;
	return datfile_head_parse(index->head.text, index->head.length, &index->parts);
}

static int index_read_blocks(struct stream_index *index, int fd, uint64_t at, uint64_t file_bytes)
{
	while (!index->is_ended && file_bytes - at >= sizeof(struct stream_block)) {
		struct stream_block block;
		int r = file_read_all_at(fd, &block, sizeof(block), at);

		if (r < 0)
			return r;
		if (block.mark != STREAM_BLOCK_MARK)
			return 0; /* overwritten or torn: nothing behind it can be found */
		at += sizeof(block);
		r = index_take_block(index, fd, &block, at, file_bytes - at);
		if (r < 0)
			return r;
		if (block.size > file_bytes - at)
			return 0;
		at += block.size;
		index->blocks_end = at;
	}
	return 0;
}

int stream_index_read(int fd, const char *path, struct stream_index *ret, struct buffer *why)
{
	struct stream_index index = {.has_buffer = {true}};
	uint64_t at, file_bytes;
	struct stat file;
	int r;

	if (fstat(fd, &file) < 0) {
		r = -errno;
		buffer_printf(why, "%s: %s", path, strerror(-r));
		return r;
	}
	file_bytes = (uint64_t)file.st_size;
	buffer_init(&index.head, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&index.options, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&index.cmdlines, DATFILE_HEAD_BYTES_MAX);
	buffer_init(&index.symbols, DATFILE_HEAD_BYTES_MAX);
	r = index_read_head(&index, fd, file_bytes, &at);
	if (r == 0)
		r = index_read_blocks(&index, fd, at, file_bytes);
	if (r == 0) {
		*ret = index;
		return 0;
	}
	if (r == -EALREADY)
		buffer_printf(why, "%s is a trace.dat already", path);
	else if (r == -EINVAL)
		buffer_printf(why,
		              "%s is no stream of ftwait from a machine of this byte order, or it "
		              "ends before the first event",
		              path);
	else
		buffer_printf(why, "%s: %s", path, strerror(-r));
	stream_index_release(&index);
	return r;
}

void stream_index_release(struct stream_index *index)
{
	buffer_release(&index->head);
	buffer_release(&index->options);
	buffer_release(&index->cmdlines);
	buffer_release(&index->symbols);
	free(index->run);
	free(index->region);
	*index = (struct stream_index){0};
}
