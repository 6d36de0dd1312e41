/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_source.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "ftwait/stream.h"
#include "source/file/datfile.h"
#include "source/file/datfile_source.h"
#include "source/source_notes.h"
#include "stream_regions.h"
#include "stream_walk.h"

static struct cursor block_cursor(const struct datfile *datfile, const struct stream_place *block)
{
	return datfile_cursor(datfile, block->offset, block->offset + block->bytes);
}

/* Follows STREAM_JUMP to its block. */
static int stream_jump(struct datfile *datfile, struct stream_place *block)
{
	uint8_t bytes[sizeof(struct stream_jump)];
	uint64_t offset;
	int r = input_file_read(&datfile->file, block->offset, bytes, sizeof(bytes));

	if (r < 0)
		return r;
	offset = load_u64(bytes, datfile->is_swapped);
	if (offset > datfile->file.bytes)
		return -ENODATA;
	if (load_u64(bytes + 8, datfile->is_swapped) != 0)
		offset = datfile->file.bytes - offset;
	return stream_block_at(&datfile->file, offset, datfile->is_swapped, block);
}

/* The byte order is the one in which the first block's mark makes sense. */
static int stream_find_head(struct datfile *datfile, struct stream_place *ret)
{
	int r = stream_block_at(&datfile->file, STREAM_MAGIC_BYTES, false, ret);

	if (r == -EINVAL) {
		datfile->is_swapped = true;
		r = stream_block_at(&datfile->file, STREAM_MAGIC_BYTES, true, ret);
	}
	if (r == 0 && ret->type == STREAM_JUMP)
		r = stream_jump(datfile, ret);
	return r;
}

static int stream_read_head(struct datfile *datfile, uint64_t *ret_end, struct buffer *why)
{
	struct cursor cursor;
	struct stream_place block;
	bool is_swapped;
	int r = stream_find_head(datfile, &block);

	if (r < 0 || block.type != STREAM_HEAD) {
		buffer_printf(why, "%s at the first block: nothing can be read; record again",
		              r == -ENODATA ? "truncated" : "damaged");
		return r < 0 ? r : -EINVAL;
	}
	is_swapped = datfile->is_swapped;
	cursor = block_cursor(datfile, &block);
	r = datfile_read_magic(datfile, &cursor, why);
	if (r == 0 && (datfile->version != 6 || datfile->is_swapped != is_swapped)) {
		buffer_puts(why, "damaged: the stream's head contradicts its blocks");
		r = -EINVAL;
	}
	if (r == 0 && datfile_read_head(datfile, &cursor, why) < 0) {
		/* The blocks show where the head ends, so what follows it can be read. */
		r = block.is_cut ? -ENODATA : 0;
		datfile_note_head(datfile, &cursor);
	}
	cursor_release(&cursor);
	*ret_end = block.offset + block.bytes;
	return r;
}

static void stream_take_options(struct datfile *datfile, const struct stream_place *block)
{
	struct cursor cursor = block_cursor(datfile, block);

	(void)datfile_read_options(datfile, &cursor, OPTIONS_TO_END, NULL);
	cursor_release(&cursor);
}

static bool is_text(const uint8_t *bytes, size_t size)
{
	for (size_t i = strnlen((const char *)bytes, size); i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

static void stream_take_cmdlines(struct datfile *datfile, const struct stream_place *block)
{
	struct cursor cursor = block_cursor(datfile, block);
	const uint8_t *text = cursor_take(&cursor, block->bytes);

	/* a full disk leaves zeros after the part of a text that it took */
	if (text && is_text(text, (size_t)block->bytes))
		found_notes_take_cmdlines(&datfile->found, (const char *)text,
		                          (size_t)block->bytes);
	else if (text)
		DATFILE_DAMAGE(datfile, "damaged: what stands at byte %llu should be names but is "
		               "not: it is not read", (unsigned long long)block->offset);
	cursor_release(&cursor);
}

static size_t buffer_numbered(struct datfile *datfile, unsigned number)
{
	return datfile_add_buffer(datfile, stream_buffer_name(number), 0);
}

static void stream_take_pages(struct datfile *datfile, const struct stream_place *block)
{
	uint64_t bytes = block->bytes;

	if (block->buffer >= STREAM_BUFFERS)
		return; /* of a later version */
	if (block->cpu >= DATFILE_CPUS_MAX) {
		DATFILE_DAMAGE(datfile, "damaged: the block at byte %llu is of an impossible cpu",
		               (unsigned long long)block->offset);
		return;
	}
	/* The part of a page that a crash leaves was never complete: its commit is stale. */
	if (block->is_cut)
		bytes -= bytes % datfile->layout.page_bytes;
	(void)datfile_add_pages(datfile, block->cpu, buffer_numbered(datfile, block->buffer),
	                        block->offset, bytes, /* is_packed= */ false);
}

/*
 * The recorder writes regions one after the other. A damaged table may claim the same bytes many
 * times; searching them for holes each time would take quadratic time.
 */
static bool region_is_in_order(struct datfile *datfile, const struct region_table *table,
                               size_t index)
{
	struct stream_region row = region_table_row(table, index), before;

	if (index == 0 || table->head.is_settling)
		return true;
	before = region_table_row(table, index - 1);
	if (before.bytes <= UINT64_MAX - before.offset &&
	    row.offset >= before.offset + before.bytes)
		return true;
	DATFILE_DAMAGE(datfile, "damaged: the regions of CPUs overlap from byte %llu on",
	               (unsigned long long)row.offset);
	return false;
}

/* A region that was never written to is no stream: it is all hole. */
static void stream_take_region(struct datfile *datfile, const struct region_table *table,
                               size_t index)
{
	const struct stream_region row = region_table_row(table, index);
	bool is_packed = region_table_is_packed(table);
	struct region_piece piece[REGION_PIECES_MAX];
	unsigned count = region_table_pieces(table, index, datfile->file.bytes, piece);

	if (row.buffer >= STREAM_BUFFERS) {
		source_note(&datfile->source, &datfile->text,
		            "the pages at byte %llu are of a buffer that this version of ftwait "
		            "does not know: they are not read", (unsigned long long)row.offset);
		return;
	}
	if (row.cpu >= DATFILE_CPUS_MAX) {
		DATFILE_DAMAGE(datfile, "damaged: the pages at byte %llu are of an impossible cpu",
		               (unsigned long long)row.offset);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t end = piece[i].offset + piece[i].bytes;

		/* a page cut off by a crash was never complete */
		if (end == datfile->file.bytes && !is_packed)
			piece[i].bytes -= piece[i].bytes % datfile->layout.page_bytes;
		if (!is_packed && !table->head.is_settling)
			piece[i].bytes =
				region_data_pages(datfile->file.fd, piece[i].offset,
				                  piece[i].bytes, datfile->layout.page_bytes);
		if (piece[i].bytes > 0 &&
		    input_file_skip_hole(&datfile->file, piece[i].offset) < end)
			(void)datfile_add_pages(datfile, row.cpu,
			                        buffer_numbered(datfile, row.buffer),
			                        piece[i].offset, piece[i].bytes, is_packed);
	}
}

static void stream_take_regions(struct datfile *datfile, const struct stream_place *block)
{
	struct cursor cursor = block_cursor(datfile, block);
	const uint8_t *payload = cursor_take(&cursor, block->bytes);
	struct region_table table;

	if (!payload || !region_table_read(&table, payload, block->bytes, datfile->is_swapped)) {
		DATFILE_DAMAGE(datfile, "damaged: the regions that the block at byte %llu "
		               "describes make no sense", (unsigned long long)block->offset);
	} else {
		if (region_table_is_packed(&table))
			datfile->packing = PACKING_ZSTD;
		for (size_t i = 0; i < table.count && region_is_in_order(datfile, &table, i); i++)
			stream_take_region(datfile, &table, i);
	}
	cursor_release(&cursor);
}

static void stream_take_reached(struct datfile *datfile, const struct stream_place *block)
{
	uint8_t bytes[sizeof(uint64_t)];
	nsec_t reached;

	if (block->bytes != sizeof(bytes) ||
	    input_file_read(&datfile->file, block->offset, bytes, sizeof(bytes)) < 0)
		return;
	reached = load_u64(bytes, datfile->is_swapped);
	if (reached <= PAGE_TIME_MAX)
		datfile->reached = nsec_max(datfile->reached, reached);
}

static void stream_take(struct datfile *datfile, const struct stream_place *block)
{
	if (block->type == STREAM_SYMBOLS)
		datfile->symbols = (struct symbol_place){
			.offset = block->offset,
			.bytes = block->bytes,
		};
	else if (block->type == STREAM_PAGES)
		stream_take_pages(datfile, block);
	else if (block->is_cut)
		return; /* of these a part makes no sense */
	else if (block->type == STREAM_OPTIONS)
		stream_take_options(datfile, block);
	else if (block->type == STREAM_CMDLINES)
		stream_take_cmdlines(datfile, block);
	else if (block->type == STREAM_REGIONS)
		stream_take_regions(datfile, block);
	else if (block->type == STREAM_REACHED)
		stream_take_reached(datfile, block);
}

static void stream_report_gaps(struct datfile *datfile, const struct stream_walk *walk)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(400);

	if (stream_walk_describe(walk, &text))
		DATFILE_DAMAGE(datfile, "%s", text.text);
}

static void stream_report_end(struct datfile *datfile, const struct stream_walk *walk, int r)
{
	datfile_cover(datfile, r < 0 || walk->has_regions ? datfile->file.bytes : walk->offset);
	if (r == -EINVAL)
		DATFILE_DAMAGE(datfile,
		               "damaged: no block stands at byte %llu; what follows is not read",
		               (unsigned long long)walk->offset);
	else if (r < 0)
		DATFILE_DAMAGE(datfile, STREAM_CUT_TEXT);
	datfile->source.notes.lacks_end = r < 0;
	/* the blocks of all CPUs stand in turns: what is not read has some of each */
	for (size_t i = 0; r < 0 && !walk->has_regions && i < datfile->feed_count; i++) {
		datfile_add_loss(&datfile->feeds[i]);
		datfile->feeds[i].is_beat_due = datfile->reached > 0;
	}
	for (size_t i = 0; i < datfile->feed_count; i++)
		datfile->feeds[i].pages.reached = datfile->reached;
}

static void stream_read_blocks(struct datfile *datfile, uint64_t offset)
{
	struct stream_place block = {.type = STREAM_HEAD};
	struct stream_walk walk = {
		.file = &datfile->file,
		.layout = datfile->layout,
		.is_swapped = datfile->is_swapped,
		.offset = offset,
	};
	int r;

	while ((r = stream_walk_next(&walk, &block)) == 0 && block.type != STREAM_END) {
		stream_take(datfile, &block);
		/* events are missing after the part of the block that was read */
		if ((block.is_torn || block.is_cut) && block.type == STREAM_PAGES &&
		    block.buffer < STREAM_BUFFERS && block.cpu < DATFILE_CPUS_MAX)
			datfile_lose_pages(datfile, block.cpu,
			                   buffer_numbered(datfile, block.buffer));
	}
	stream_report_gaps(datfile, &walk);
	stream_report_end(datfile, &walk, r);
}

int stream_open(const struct input_file *file, struct source **ret, struct buffer *why)
{
	struct datfile *datfile = datfile_new(file, stream_open);
	uint64_t offset;
	int r = stream_read_head(datfile, &offset, why);

	if (r == 0)
		stream_read_blocks(datfile, offset);
	return datfile_publish(datfile, r, ret, why);
}
