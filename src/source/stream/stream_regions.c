/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_regions.h"

#include <errno.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/file/file_io.h"

#define PAGE_HEAD_BYTES  16u /* the stamp and the commit of an empty page are 0 */
#define CHUNK_HEAD_BYTES 8u
#define LOOKS_MAX        256u /* at single empty pages before a hole; blocks of file systems are
                                 larger than pages */

/* The end of the last piece within [offset, end) that is no hole; `end` if it cannot be found
   out. */
static uint64_t holes_begin(int fd, uint64_t offset, uint64_t end)
{
	uint64_t filled = offset;
	off_t data = lseek(fd, (off_t)offset, SEEK_DATA);

	while (data >= 0 && (uint64_t)data < end) {
		off_t hole = lseek(fd, data, SEEK_HOLE);

		if (hole <= data)
			return end;
		filled = (uint64_t)hole < end ? (uint64_t)hole : end;
		data = lseek(fd, hole, SEEK_DATA);
	}
	return data < 0 && errno != ENXIO ? end : filled;
}

static bool page_is_empty(int fd, uint64_t offset)
{
	uint64_t head[PAGE_HEAD_BYTES / sizeof(uint64_t)];

	return file_read_all_at(fd, head, sizeof(head), offset) == 0 && head[0] == 0 &&
	       head[1] == 0;
}

/* How many pages of `count` precede the first empty one. */
static uint64_t pages_before_empty(int fd, uint64_t offset, uint64_t count, uint32_t page_bytes)
{
	/* all pages before `full` are full; page `empty - 1` is the next one to check */
	uint64_t full = 0, empty = 1;

	while (empty <= count && !page_is_empty(fd, offset + (empty - 1) * page_bytes)) {
		full = empty;
		empty *= 2;
	}
	if (empty > count)
		empty = count + 1;
	while (empty - full > 1) {
		uint64_t middle = full + (empty - full) / 2;

		if (page_is_empty(fd, offset + (middle - 1) * page_bytes))
			empty = middle;
		else
			full = middle;
	}
	return full;
}

uint64_t region_data_pages(int fd, uint64_t offset, uint64_t bytes, uint32_t page_bytes)
{
	uint64_t filled = holes_begin(fd, offset, offset + bytes) - offset;
	uint64_t pages = filled / page_bytes;

	/* a page that is cut off was never complete */
	for (unsigned looks = 0; pages > 0; looks++) {
		if (!page_is_empty(fd, offset + (pages - 1) * page_bytes))
			break;
		pages--;
		if (looks == LOOKS_MAX)
			pages = pages_before_empty(fd, offset, pages, page_bytes);
	}
	return pages * page_bytes;
}

uint64_t region_data_packed(int fd, uint64_t offset, uint64_t bytes)
{
	uint64_t done = sizeof(uint32_t);
	uint32_t count, sizes[2];

	if (bytes < done || file_read_all_at(fd, &count, sizeof(count), offset) < 0 || count == 0)
		return 0;
	for (; count > 0 && bytes - done >= CHUNK_HEAD_BYTES; count--) {
		if (file_read_all_at(fd, sizes, sizeof(sizes), offset + done) < 0 ||
		    sizes[0] > bytes - done - CHUNK_HEAD_BYTES)
			break;
		done += CHUNK_HEAD_BYTES + sizes[0];
	}
	return done;
}

bool region_table_read(struct region_table *ret, const void *payload, uint64_t bytes,
                       bool is_swapped)
{
	const uint8_t *at = payload;
	uint64_t rows = bytes - sizeof(struct stream_regions);

	if (bytes < sizeof(struct stream_regions) || rows % sizeof(struct stream_region) != 0 ||
	    rows / sizeof(struct stream_region) > STREAM_REGIONS_MAX)
		return false;
	*ret = (struct region_table){
		.head = {
			.packing = load_u32(at, is_swapped),
			.is_settling = load_u32(at + 4, is_swapped),
			.done = load_u64(at + 8, is_swapped),
			.done_bytes = load_u64(at + 16, is_swapped),
		},
		.rows = at + sizeof(struct stream_regions),
		.count = (size_t)(rows / sizeof(struct stream_region)),
		.is_swapped = is_swapped,
	};
	return ret->head.packing <= STREAM_PACKED_ZSTD && ret->head.is_settling <= 1;
}

struct stream_region region_table_row(const struct region_table *table, size_t index)
{
	const uint8_t *at = table->rows + index * sizeof(struct stream_region);

	return (struct stream_region){
		.cpu = load_u32(at, table->is_swapped),
		.buffer = load_u32(at + 4, table->is_swapped),
		.offset = load_u64(at + 8, table->is_swapped),
		.bytes = load_u64(at + 16, table->is_swapped),
		.target = load_u64(at + 24, table->is_swapped),
	};
}

bool region_table_is_packed(const struct region_table *table)
{
	return table->head.packing != STREAM_PACKED_NOT;
}

/* Adds the part of [offset, offset + bytes) that lies within the file. */
static unsigned pieces_add(struct region_piece *piece, unsigned count, uint64_t offset,
                           uint64_t bytes, uint64_t file_bytes)
{
	if (offset >= file_bytes)
		return count;
	if (bytes > file_bytes - offset)
		bytes = file_bytes - offset;
	if (bytes == 0)
		return count;
	piece[count] = (struct region_piece){offset, bytes};
	return count + 1;
}

unsigned region_table_pieces(const struct region_table *table, size_t index, uint64_t file_bytes,
                             struct region_piece ret[static REGION_PIECES_MAX])
{
	const struct stream_region row = region_table_row(table, index);
	uint64_t moved = 0, from;
	unsigned count;

	if (!table->head.is_settling)
		return pieces_add(ret, 0, row.offset, row.bytes, file_bytes);
	if (index < table->head.done)
		moved = row.bytes;
	else if (index == table->head.done)
		moved = table->head.done_bytes < row.bytes ? table->head.done_bytes : row.bytes;
	count = pieces_add(ret, 0, row.target, moved, file_bytes);
	if (row.offset > file_bytes)
		return count;
	from = file_bytes - row.offset;
	return pieces_add(ret, count, from + moved, row.bytes - moved, file_bytes);
}
