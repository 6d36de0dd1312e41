/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stream_walk.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/xalloc.h"

#define SCAN_BYTES   (64u << 10)
#define CPUS_MAX     65536u
#define COMMIT_FLAGS UINT64_C(0xc0000000)

struct stream_block stream_block_load(const uint8_t bytes[static sizeof(struct stream_block)],
                                      bool is_swapped)
{
	return (struct stream_block){
		.mark = load_u32(bytes, is_swapped),
		.type = load_u32(bytes + offsetof(struct stream_block, type), is_swapped),
		.cpu = load_u32(bytes + offsetof(struct stream_block, cpu), is_swapped),
		.buffer = load_u32(bytes + offsetof(struct stream_block, buffer), is_swapped),
		.size = load_u64(bytes + offsetof(struct stream_block, size), is_swapped),
	};
}

/* The header at `offset`, whether its mark is valid or not. */
static int head_at(const struct input_file *file, uint64_t offset, bool is_swapped,
                   struct stream_block *ret)
{
	uint8_t bytes[sizeof(*ret)];
	int r = input_file_read(file, offset, bytes, sizeof(bytes));

	if (r < 0)
		return r;
	*ret = stream_block_load(bytes, is_swapped);
	return 0;
}

int stream_block_at(const struct input_file *file, uint64_t offset, bool is_swapped,
                    struct stream_place *ret)
{
	struct stream_block head;
	int r = head_at(file, offset, is_swapped, &head);
	uint64_t left;

	if (r < 0)
		return r;
	if (head.mark != STREAM_BLOCK_MARK)
		return -EINVAL;
	left = file->bytes - offset - sizeof(head);
	*ret = (struct stream_place){
		.type = (enum stream_block_type)head.type,
		.cpu = head.cpu,
		.buffer = head.buffer,
		.offset = offset + sizeof(head),
		.bytes = head.size < left ? head.size : left,
		.is_cut = head.size > left,
	};
	return 0;
}

/* Whether a page of events may begin at `offset`, with no event older than *time, which it
   updates. */
static bool page_makes_sense(const struct stream_walk *walk, uint64_t offset, uint64_t *time)
{
	const struct page_layout *layout = &walk->layout;
	uint8_t head[2 * sizeof(uint64_t)];
	uint64_t begin, commit;

	if (input_file_read(walk->file, offset, head, sizeof(head)) < 0)
		return false;
	begin = load_u64(head, walk->is_swapped);
	commit = layout->commit_bytes == 8 ? load_u64(head + 8, walk->is_swapped)
	                                   : load_u32(head + 8, walk->is_swapped);
	if (begin == 0 || begin < *time || begin > PAGE_TIME_MAX ||
	    (commit & ~COMMIT_FLAGS) > layout->page_bytes - layout->data_offset)
		return false;
	*time = begin;
	return true;
}

/* Whether a block of a known kind may begin at `offset`: the mark alone may be chance. */
static bool block_makes_sense(const struct stream_walk *walk, uint64_t offset,
                              const struct stream_block *head)
{
	uint64_t left = walk->file->bytes - offset - sizeof(*head), time = 0;

	switch (head->type) {
	case STREAM_PAGES:
		return head->cpu < CPUS_MAX && head->buffer < STREAM_BUFFERS && head->size > 0 &&
		       head->size % walk->layout.page_bytes == 0 &&
		       (left < walk->layout.page_bytes ||
		        page_makes_sense(walk, offset + sizeof(*head), &time));
	case STREAM_OPTIONS:
	case STREAM_CMDLINES:
	case STREAM_SYMBOLS:
	case STREAM_WAITS:
		return head->cpu == 0 && head->buffer == 0 && head->size <= left;
	case STREAM_REACHED:
	case STREAM_END:
		return head->cpu == 0 && head->buffer == 0 &&
		       head->size == (head->type == STREAM_END ? 0 : sizeof(uint64_t));
	default:
		return false;
	}
}

/* The next block at or after `offset`; the file's size if there is none. */
static uint64_t gap_end(const struct stream_walk *walk, uint64_t offset)
{
	const uint32_t mark = walk->is_swapped ? __builtin_bswap32(STREAM_BLOCK_MARK)
	                                       : STREAM_BLOCK_MARK;
	_cleanup_(freep) uint8_t *piece = xmalloc(SCAN_BYTES);
	int64_t got;

	while ((got = input_file_read_some(walk->file, offset, piece, SCAN_BYTES)) >=
	       (int64_t)sizeof(struct stream_block)) {
		const uint8_t *at = piece, *end = piece + got;

		/* a header cut off by the end of the piece is in the next piece */
		while ((at = memmem(at, (size_t)(end - at), &mark, sizeof(mark))) &&
		       (size_t)(end - at) >= sizeof(struct stream_block)) {
			const struct stream_block head = stream_block_load(at, walk->is_swapped);
			uint64_t place = offset + (uint64_t)(at - piece);

			if (block_makes_sense(walk, place, &head))
				return place;
			at++;
		}
		offset += (uint64_t)got - (sizeof(struct stream_block) - 1);
	}
	return walk->file->bytes;
}

/* Whether the gap is a block of which only the mark is overwritten. */
static bool gap_is_block(const struct stream_walk *walk, uint64_t begin, uint64_t end,
                         struct stream_block *ret)
{
	return head_at(walk->file, begin, walk->is_swapped, ret) == 0 &&
	       end - begin > sizeof(*ret) && ret->size == end - begin - sizeof(*ret) &&
	       block_makes_sense(walk, begin, ret);
}

static void walk_lose_pages(struct stream_walk *walk, unsigned cpu, uint64_t pages)
{
	unsigned i = 0;

	walk->lost_pages += pages;
	while (i < walk->loss_count && walk->loss[i].cpu != cpu)
		i++;
	if (i == STREAM_LOSS_ROWS)
		return;
	if (i == walk->loss_count)
		walk->loss[walk->loss_count++] = (struct stream_loss){.cpu = cpu};
	walk->loss[i].pages += pages;
}

/* Bytes of the pages before the first foreign byte. `is_followed`: what follows the block is no
   block. */
static uint64_t pages_believed(const struct stream_walk *walk, const struct stream_place *block,
                               bool is_followed)
{
	uint32_t page_bytes = walk->layout.page_bytes;
	uint64_t count = block->bytes / page_bytes, sane = 0, time = 0;

	while (sane < count &&
	       page_makes_sense(walk, block->offset + sane * page_bytes, &time))
		sane++;
	if (sane == count && !is_followed)
		return block->bytes;
	return sane > 0 ? (sane - 1) * page_bytes : 0;
}

/* Options end with a text option, which ends with its NUL; other texts end with a newline. */
static bool text_is_whole(const struct stream_walk *walk, const struct stream_place *block)
{
	uint8_t last = 0;
	uint64_t at = 0;

	if (block->bytes == 0)
		return true;
	if (input_file_read(walk->file, block->offset + block->bytes - 1, &last, 1) < 0)
		return false;
	if (block->type != STREAM_OPTIONS)
		return last == '\n';
	while (block->bytes - at >= sizeof(uint16_t) + sizeof(uint32_t)) {
		uint8_t size[sizeof(uint32_t)];

		at += sizeof(uint16_t) + sizeof(size);
		if (input_file_read(walk->file, block->offset + at - sizeof(size), size,
		                    sizeof(size)) < 0 ||
		    load_u32(size, walk->is_swapped) > block->bytes - at)
			return false;
		at += load_u32(size, walk->is_swapped);
	}
	return at == block->bytes && last == 0;
}

/* Cuts the block to its credible part. */
static void walk_doubt(struct stream_walk *walk, struct stream_place *block)
{
	uint64_t before = block->bytes, end;
	struct stream_block torn;
	struct stream_place next;
	bool is_followed = stream_block_at(walk->file, walk->offset, walk->is_swapped, &next) ==
	                   -EINVAL;

	if (is_followed) {
		end = gap_end(walk, walk->offset);
		is_followed = !gap_is_block(walk, walk->offset, end, &torn);
	}
	if (!is_followed && !block->is_cut)
		return;
	if (block->type == STREAM_PAGES && block->buffer < STREAM_BUFFERS) {
		block->bytes = pages_believed(walk, block, is_followed);
		if (block->bytes < before)
			walk_lose_pages(walk, block->cpu,
			                (before - block->bytes) / walk->layout.page_bytes);
	} else if (is_followed && !text_is_whole(walk, block)) {
		block->bytes = 0;
		walk->lost_texts++;
	}
	block->is_torn = block->bytes < before;
}

/* Goes to the next block, or to the rest of one. */
static int walk_cross(struct stream_walk *walk, struct stream_place *ret)
{
	uint64_t begin = walk->offset, end = gap_end(walk, begin + 1);
	struct stream_block torn;

	if (end == walk->file->bytes)
		return -EINVAL;
	if (walk->gaps + walk->torn_marks == 0)
		walk->first_gap = begin;
	walk->offset = end;
	if (!gap_is_block(walk, begin, end, &torn)) {
		walk->gaps++;
		walk->gap_bytes += end - begin;
		return stream_block_at(walk->file, end, walk->is_swapped, ret);
	}
	walk->torn_marks++;
	*ret = (struct stream_place){
		.type = (enum stream_block_type)torn.type,
		.cpu = torn.cpu,
		.buffer = torn.buffer,
		.offset = end,
		.is_torn = true,
	};
	if (torn.type == STREAM_PAGES)
		walk_lose_pages(walk, torn.cpu, torn.size / walk->layout.page_bytes);
	else
		walk->lost_texts++;
	return 0;
}

/* Before the pages of a file with regions there is room for more blocks than were written. */
static bool walk_is_at_room(const struct stream_walk *walk)
{
	uint32_t mark;

	return walk->has_regions &&
	       input_file_read(walk->file, walk->offset, &mark, sizeof(mark)) == 0 && mark == 0;
}

int stream_walk_next(struct stream_walk *walk, struct stream_place *ret)
{
	int r = stream_block_at(walk->file, walk->offset, walk->is_swapped, ret);

	if (r == -EINVAL && walk_is_at_room(walk))
		r = -ENODATA;
	/* or foreign bytes are in the block's header: its size exceeds the file, yet whole blocks
	   follow */
	if (!walk->has_regions &&
	    (r == -EINVAL || (r == 0 && ret->is_cut &&
	                      gap_end(walk, walk->offset + 1) < walk->file->bytes)))
		r = walk_cross(walk, ret);
	if (r < 0)
		return r;
	walk->offset = ret->offset + ret->bytes;
	walk->has_regions = walk->has_regions || ret->type == STREAM_REGIONS;
	if (!walk->has_regions && !ret->is_torn && ret->type != STREAM_END)
		walk_doubt(walk, ret);
	return 0;
}

static void gaps_describe(const struct stream_walk *walk, struct buffer *to)
{
	if (walk->gaps > 0)
		buffer_printf(to, "somebody else wrote to the same output: %s bytes in %u place%s, "
		                  "from byte %llu on",
		              COUNT_TEXT(walk->gap_bytes), walk->gaps,
		              walk->gaps == 1 ? "" : "s", (unsigned long long)walk->first_gap);
	else if (walk->torn_marks > 0)
		buffer_printf(to, "%u block%s begin%s with other bytes, from byte %llu on",
		              walk->torn_marks, walk->torn_marks == 1 ? "" : "s",
		              walk->torn_marks == 1 ? "s" : "",
		              (unsigned long long)walk->first_gap);
	else
		buffer_puts(to, "the last block has pages that make no sense");
}

static void losses_describe(const struct stream_walk *walk, struct buffer *to)
{
	uint64_t shown = 0;

	buffer_printf(to, "; lost by it: %s page%s of events",
	              COUNT_TEXT(walk->lost_pages), walk->lost_pages == 1 ? "" : "s");
	for (unsigned i = 0; i < walk->loss_count; i++) {
		buffer_printf(to, "%scpu %u: %s", i ? ", " : " (", walk->loss[i].cpu,
		              COUNT_TEXT(walk->loss[i].pages));
		shown += walk->loss[i].pages;
	}
	if (walk->loss_count > 0)
		buffer_puts(to, shown < walk->lost_pages ? ", others)" : ")");
	if (walk->lost_texts > 0)
		buffer_printf(to, ", %s block%s of names", COUNT_TEXT(walk->lost_texts),
		              walk->lost_texts == 1 ? "" : "s");
}

bool stream_walk_describe(const struct stream_walk *walk, struct buffer *to)
{
	if (walk->gaps == 0 && walk->torn_marks == 0 && walk->lost_pages == 0)
		return false;
	buffer_puts(to, "damaged: ");
	gaps_describe(walk, to);
	if (walk->lost_pages + walk->lost_texts > 0)
		losses_describe(walk, to);
	else
		buffer_puts(to, "; nothing of the recording is lost by it");
	return true;
}
