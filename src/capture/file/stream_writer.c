/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_writer.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/drain/page_packer.h"
#include "source/stream/stream_walk.h"

static bool writer_is_interrupted(const struct stream_writer *writer)
{
	return writer->interrupts && *writer->interrupts >= writer->interrupt_limit;
}

static ssize_t writer_write(struct stream_writer *writer, const void *bytes, size_t size,
                            uint64_t offset)
{
	if (!writer->layout)
		return write(writer->fd, bytes, size);
	return pwrite(writer->fd, bytes, size, (off_t)offset);
}

/* `offset` matters only with a layout. */
static int writer_put_at(struct stream_writer *writer, const void *bytes, size_t size,
                         uint64_t offset)
{
	const char *from = bytes;

	while (size > 0) {
		ssize_t written;

		if (writer_is_interrupted(writer))
			return -EINTR;
		written = writer_write(writer, from, size, offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		from += written;
		size -= (size_t)written;
		offset += (uint64_t)written;
		writer->bytes += (uint64_t)written;
	}
	if (offset > writer->end)
		writer->end = offset;
	return 0;
}

static int writer_put(struct stream_writer *writer, const void *bytes, size_t size)
{
	int r = writer_put_at(writer, bytes, size, writer->next);

	writer->next += size;
	return r;
}

/* Detects that another process has cut the file: the next write would leave a hole, and the file
   would look whole. */
static void writer_check_cut(struct stream_writer *writer)
{
	struct stat file;

	if (writer->is_file && fstat(writer->fd, &file) == 0 &&
	    (uint64_t)file.st_size < (writer->layout ? writer->end : writer->bytes))
		writer->is_cut = true;
}

static int writer_put_header(struct stream_writer *writer, enum stream_block_type type,
                             unsigned id, size_t size)
{
	struct stream_block block = {
		.mark = STREAM_BLOCK_MARK,
		.type = type,
		.cpu = id & 0xffff,
		.buffer = id >> 16,
		.size = size,
	};

	if (writer->is_swapped)
		block = stream_block_load((const uint8_t *)&block, true);
	writer_check_cut(writer);
	return writer_put(writer, &block, sizeof(block));
}

int stream_writer_begin(struct stream_writer *writer, int fd)
{
	*writer = (struct stream_writer){.fd = fd};
	return writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
}

int stream_writer_begin_layout(struct stream_writer *writer, int fd,
                               struct stream_layout *layout)
{
	const struct stream_jump jump = {.offset = LAYOUT_JOURNAL_AT};
	int r;

	*writer = (struct stream_writer){.fd = fd, .layout = layout};
	r = writer_put(writer, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	if (r == 0)
		r = stream_writer_block(writer, STREAM_JUMP, 0, &jump, sizeof(jump));
	writer->next = LAYOUT_JOURNAL_AT;
	return r;
}

/* Counts a chunk only once it is written, so the region is valid at any moment. */
static int writer_put_packed(struct stream_writer *writer, struct layout_region *region,
                             const void *bytes, size_t size)
{
	const void *chunk;
	size_t packed;
	int r = page_packer_pack(writer->packer, bytes, size, &chunk, &packed);

	if (r < 0)
		return r;
	if (region->used == 0)
		region->used = sizeof(region->chunks);
	if (packed > region->row.bytes - region->used)
		return -EFBIG;
	r = writer_put_at(writer, chunk, packed, region->row.offset + region->used);
	if (r < 0)
		return r;
	region->used += packed;
	region->chunks++;
	return writer_put_at(writer, &region->chunks, sizeof(region->chunks), region->row.offset);
}

static int writer_put_pages(struct stream_writer *writer, unsigned id, const void *bytes,
                            size_t size)
{
	struct layout_region *region = stream_layout_find(writer->layout, id);
	int r;

	if (!region)
		return -EINVAL;
	if (size > region->row.bytes - region->used)
		return -EFBIG;
	writer_check_cut(writer);
	if (writer->packer)
		return writer_put_packed(writer, region, bytes, size);
	r = writer_put_at(writer, bytes, size, region->row.offset + region->used);
	region->used += size;
	return r;
}

int stream_writer_block(struct stream_writer *writer, enum stream_block_type type, unsigned id,
                        const void *bytes, size_t size)
{
	int r;

	if (writer->layout && type == STREAM_PAGES)
		return writer_put_pages(writer, id, bytes, size);
	r = writer_put_header(writer, type, id, size);
	return r < 0 ? r : writer_put(writer, bytes, size);
}

void stream_option_append(struct buffer *to, uint16_t id, const void *bytes, size_t size)
{
	uint32_t length = (uint32_t)size;

	buffer_append(to, &id, sizeof(id));
	buffer_append(to, &length, sizeof(length));
	buffer_append(to, bytes, size);
}
