/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/stream_regions.h"

#include "base/byte_order.h"

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
