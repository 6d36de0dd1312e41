/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "source/stream/stream_regions.h"
#include "source/stream/stream_walk.h"
#include "stream_writer.h"

/* More than any real block has: limits what is allocated for a damaged size. */
#define SMALL_BLOCK_BYTES_MAX DATFILE_HEAD_BYTES_MAX

static int index_take_small(int fd, uint64_t offset, uint64_t size, struct buffer *to)
{
	_cleanup_(freep) char *bytes = NULL;
	int r;

	if (size > SMALL_BLOCK_BYTES_MAX)
		return -EINVAL;
	bytes = xmalloc((size_t)size);
	r = file_read_all_at(fd, bytes, (size_t)size, offset);
	if (r == 0)
		buffer_append(to, bytes, (size_t)size);
	return r < 0 ? r : to->is_cut ? -EFBIG : 0;
}

/* Drops trailing zeros, which a full disk leaves after a partly written text. */
static int index_take_text(int fd, uint64_t offset, uint64_t size, struct buffer *to)
{
	size_t before = to->length;
	int r = index_take_small(fd, offset, size, to);

	if (r == 0 && to->length > before)
		buffer_truncate(to, before + strnlen(to->text + before, to->length - before));
	return r;
}

/* The same for options; no option has number 0, so zeros end them. */
static int index_take_options(int fd, uint64_t offset, uint64_t size, struct buffer *to)
{
	size_t at = to->length, end = at;
	struct option_place option;
	int r = index_take_small(fd, offset, size, to);

	while (r == 0 && datfile_option_next(to, &at, &option) && option.id != 0)
		end = at;
	if (r == 0 && end < to->length)
		buffer_truncate(to, end);
	return r;
}

static void index_add_run(struct stream_index *index, const struct page_run *run)
{
	index->has_buffer[run->buffer] = true;
	ARRAY_ADD(index->run, index->run_count, index->run_capacity) = *run;
}

/* Only whole pages of a truncated run are used. */
static void index_take_pages(struct stream_index *index, const struct stream_place *block)
{
	uint64_t size = block->bytes - block->bytes % index->parts.page_bytes;

	if ((size == 0 && !block->is_torn) || block->cpu >= index->parts.cpu_count ||
	    block->buffer >= STREAM_BUFFERS)
		return;
	index_add_run(index, &(struct page_run){
				     .offset = block->offset,
				     .size = size,
				     .cpu = block->cpu,
				     .buffer = block->buffer,
				     .has_loss = block->is_torn,
			     });
}

/* Makes runs of its pieces, cut down to what was written. */
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
			index_add_run(index, &(struct page_run){
						     .offset = piece[i].offset,
						     .size = piece[i].bytes,
						     .cpu = row.cpu,
						     .buffer = row.buffer,
					     });
}

static int index_take_regions(struct stream_index *index, int fd, uint64_t offset, uint64_t size,
                              uint64_t file_bytes)
{
	struct region_table table;
	_cleanup_(buffer_release) struct buffer payload = buffer_of(SMALL_BLOCK_BYTES_MAX);
	int r = index_take_small(fd, offset, size, &payload);

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
	return r;
}

/* Returns -errno if the file is not credible. */
static int index_take_block(struct stream_index *index, int fd, const struct stream_place *block,
                            uint64_t file_bytes)
{
	if (block->type == STREAM_PAGES) {
		index_take_pages(index, block);
		return 0;
	}
	if (block->is_cut)
		return 0;
	switch (block->type) {
	case STREAM_REGIONS:
		return index_take_regions(index, fd, block->offset, block->bytes, file_bytes);
	case STREAM_OPTIONS:
		return index_take_options(fd, block->offset, block->bytes, &index->options);
	case STREAM_CMDLINES:
		return index_take_text(fd, block->offset, block->bytes, &index->cmdlines);
	case STREAM_SYMBOLS:
		index->has_symbols = true;
		return index_take_text(fd, block->offset, block->bytes, &index->symbols);
	case STREAM_END:
		index->is_ended = true;
		return 0;
	case STREAM_HEAD:
	case STREAM_JUMP:
	case STREAM_PAGES:
	case STREAM_REACHED:
	case STREAM_WAITS:
	default: /* of a later version */
		return 0;
	}
}

/* Finds the first block; if it is a jump, the block it leads to. */
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
	int r = file_read_all_at(fd, magic, sizeof(magic), 0);

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

/* Adds the line only once, even if an earlier conversion of the stream was interrupted. */
static void index_note_damage(struct stream_index *index, const char *text)
{
	_cleanup_(freep) char *line = xasprintf("damage %s\n", text);
	_cleanup_(freep) char *version =
		xasprintf(STREAM_VERSION_WORD "%s\n%s", ftwait_version, line);

	if (index->options.length == 0 ||
	    !memmem(index->options.text, index->options.length, line, strlen(line)))
		stream_option_append(&index->options, DATFILE_OPTION_VERSION, version,
		                     strlen(version) + 1);
}

/* Notes what a reader of the stream would report. */
static void index_note_damages(struct stream_index *index, const struct stream_walk *walk, int r)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(400);

	if (stream_walk_describe(walk, &text))
		index_note_damage(index, text.text);
	buffer_clear(&text);
	if (r == -EINVAL)
		buffer_printf(&text, "damaged: no block stood at byte %llu of the stream that "
		                     "this was made of; what followed was not read",
		              (unsigned long long)walk->offset);
	else if (!index->is_ended)
		buffer_puts(&text, STREAM_CUT_TEXT);
	if (text.length > 0)
		index_note_damage(index, text.text);
}

static int index_read_blocks(struct stream_index *index, int fd, uint64_t at, uint64_t file_bytes)
{
	const uint8_t long_bytes = index->parts.long_bytes;
	const struct input_file file = {.fd = fd, .bytes = file_bytes};
	struct stream_walk walk = {
		.file = &file,
		.layout = {
			.page_bytes = index->parts.page_bytes,
			.commit_bytes = long_bytes,
			.commit_offset = sizeof(uint64_t),
			.data_offset = (uint8_t)(sizeof(uint64_t) + long_bytes),
			.is_big_endian = byte_order_is_big(),
		},
		.offset = at,
	};
	struct stream_place block;
	int r = 0;

	while (!index->is_ended && (r = stream_walk_next(&walk, &block)) == 0) {
		r = index_take_block(index, fd, &block, file_bytes);
		if (r < 0)
			return r;
		if (!block.is_cut)
			index->blocks_end = walk.offset;
	}
	if (r < 0 && r != -ENODATA && r != -EINVAL)
		return r;
	index_note_damages(index, &walk, r);
	return 0;
}

int stream_index_read(int fd, const char *path, struct stream_index *ret, struct buffer *why)
{
	struct stream_index index = {.has_buffer = {true}};
	uint64_t at, file_bytes;
	struct stat file;
	int r;

	if (fstat(fd, &file) < 0)
		return buffer_fail(why, -errno, "%s: %s", path, strerror(errno));
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
		              "%s is not an ftwait stream from a machine of this byte order, or it "
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
