/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_settle.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "datfile_preface.h"
#include "source/stream/stream_regions.h"
#include "stream_index.h"
#include "stream_writer.h"

/*
 * Moves a region of a file towards its begin, over a hole, in steps. After each step all its bytes
 * are in one place or in both; datfile_settle.h lists the ways.
 */

struct region_mover {
	int fd;
	uint64_t block; /* regions share no block of this size */
	bool can_cut, can_share;
	uint8_t *memory;
};

struct region_move {
	uint64_t at, target, bytes; /* target < at; both multiples of the file system's blocks */
	uint64_t done;              /* bytes at the target */
	bool is_whole;              /* the region moves in one step, as the hole is at least as
	                               large */
};

#define STEP_BYTES (UINT64_C(512) << 10)

/* Probes with invalid arguments: a supported call fails with EINVAL, an unsupported one
   otherwise. */
static bool can_cut(int fd)
{
	return fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 1, 1) < 0 && errno == EINVAL;
}

static bool can_share(int fd)
{
	struct file_clone_range range = {.src_fd = fd, .src_offset = 1, .src_length = 1};

	return ioctl(fd, FICLONERANGE, &range) < 0 && errno == EINVAL;
}

static void region_mover_init(struct region_mover *mover, int fd, uint64_t block)
{
	*mover = (struct region_mover){
		.fd = fd,
		.block = block,
		.can_cut = can_cut(fd),
		.can_share = can_share(fd),
		.memory = xmalloc(STEP_BYTES),
	};
}

/* Writes the piece to the disk and waits for it. */
static void region_mover_write(const struct region_mover *mover, const struct region_piece *piece)
{
	off_t at = (off_t)piece->offset, bytes = (off_t)piece->bytes;

	/* starts to write the next piece while this one is waited for; a failure shows when the
	   piece is moved */
	(void)sync_file_range(mover->fd, at + bytes, bytes, SYNC_FILE_RANGE_WRITE);
	(void)sync_file_range(mover->fd, at, bytes, SYNC_FILE_RANGE_WAIT_BEFORE |
	                      SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

static bool mover_cut(struct region_mover *mover, const struct region_move *move)
{
	if (!mover->can_cut)
		return false;
	if (fallocate(mover->fd, FALLOC_FL_COLLAPSE_RANGE, (off_t)move->target,
	              (off_t)(move->at - move->target)) == 0)
		return true;
	mover->can_cut = false;
	return false;
}

/* Shares whole blocks: the rest of the last one is unused. */
static bool mover_share(struct region_mover *mover, const struct region_move *move, uint64_t bytes)
{
	struct file_clone_range range = {
		.src_fd = mover->fd,
		.src_offset = move->at + move->done,
		.src_length = align_up(bytes, mover->block),
		.dest_offset = move->target + move->done,
	};

	if (!mover->can_share)
		return false;
	if (ioctl(mover->fd, FICLONERANGE, &range) == 0)
		return true;
	mover->can_share = false;
	return false;
}

/* Cuts *bytes down to the whole blocks that a full disk took; the error itself if there are
   none. */
static int copy_end(const struct region_mover *mover, uint64_t written, int error, uint64_t *bytes)
{
	*bytes = written / mover->block * mover->block;
	return (error == -ENOSPC || error == -EDQUOT) && *bytes > 0 ? 0 : error;
}

static int mover_copy(const struct region_mover *mover, const struct region_move *move,
                      uint64_t *bytes)
{
	for (uint64_t done = 0; done < *bytes;) {
		size_t size = *bytes - done < STEP_BYTES ? (size_t)(*bytes - done) : STEP_BYTES;
		uint64_t to = move->target + move->done + done;
		size_t written = 0;
		int r = file_read_all_at(mover->fd, mover->memory, size,
		                         move->at + move->done + done);

		if (r < 0)
			return r;
		while (written < size) {
			ssize_t now = pwrite(mover->fd, mover->memory + written, size - written,
			                     (off_t)(to + written));

			if (now < 0 && errno != EINTR)
				return move->is_whole ? -errno
				                      : copy_end(mover, done + written, -errno,
				                                 bytes);
			written += now > 0 ? (size_t)now : 0;
		}
		done += size;
	}
	return 0;
}

/*
 * One step: move->done grows, and *ret_hole is the freed piece, not yet a hole. If the whole region
 * moves because the hole is cut out of the file, *ret_cut is the number of bytes by which the file
 * became shorter, and `done` stays. Returns 0 or -errno.
 */
static int region_mover_step(struct region_mover *mover, struct region_move *move,
                      struct region_piece *ret_hole, uint64_t *ret_cut)
{
	uint64_t left = move->bytes - move->done, hole = move->at - move->target;
	uint64_t bytes = left < hole ? left : hole;
	int r = 0;

	*ret_cut = 0;
	*ret_hole = (struct region_piece){0};
	if (move->done == 0 && mover_cut(mover, move)) {
		*ret_cut = hole;
		return 0;
	}
	if (move->is_whole && hole < move->bytes)
		return -EOPNOTSUPP;
	if (!mover_share(mover, move, bytes)) {
		if (!move->is_whole && bytes > STEP_BYTES)
			bytes = STEP_BYTES;
		r = mover_copy(mover, move, &bytes);
	}
	if (r < 0)
		return r;
	*ret_hole = (struct region_piece){move->at + move->done, align_up(bytes, mover->block)};
	move->done += bytes;
	return 0;
}

static void hole_punch(int fd, uint64_t begin, uint64_t bytes)
{
	(void)fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin, (off_t)bytes);
}

#define FIRST_PAGE   4096u /* written at once, at the end */
/* A smaller hole stays: it takes no room, and to move a region by less would be expensive. */
#define HOLE_LEAST   (UINT64_C(1) << 20)
#define WRITE_BYTES  (UINT64_C(16) << 20) /* bytes of one write to the disk; between writes
                                             interrupts are checked */
#define REGION_BLOCK (UINT64_C(64) << 10) /* a multiple of any file system's block */
#define STATE_ALIGN  16u   /* so that fields that are updated in place lie within one page of the
                              cache */
#define STATE_OFFSET offsetof(struct stream_regions, done)

struct settling {
	int fd;
	const struct settle_options *options;
	struct stream_index *index;
	struct datfile_places places;
	struct buffer preface;
	struct region_mover mover;
	uint64_t blocks_bytes;   /* size of the copy of the blocks after the pages */
	uint64_t state_from_end; /* distance of the state (`done`, `done_bytes`) from the end of
	                            the file */
	uint64_t moved, total;   /* bytes of pages */
	bool is_written;         /* all pages are on the disk; the rest takes no time */
};

static bool settling_is_interrupted(const struct settling *settling)
{
	const struct settle_options *options = settling->options;

	return options->interrupts && *options->interrupts >= options->interrupt_limit;
}

static int file_size(int fd, uint64_t *ret)
{
	struct stat file;

	if (fstat(fd, &file) < 0)
		return -errno;
	*ret = (uint64_t)file.st_size;
	return 0;
}

/* Checks that the regions are in order, and each is of another CPU or buffer: ftwait never wrote
   other ones. */
static bool regions_are_sane(const struct stream_index *index)
{
	bool is_settling = index->regions.is_settling;
	uint64_t last_id = 0, end = 0, target_end = 0;

	for (size_t i = 0; i < index->region_count; i++) {
		const struct index_region *region = &index->region[i];
		uint64_t id = ((uint64_t)region->buffer << 32 | region->cpu) + 1;
		bool is_here = region->bytes > 0 && (!is_settling || i >= index->regions.done);

		if (id <= last_id || region->bytes > UINT64_MAX / 4 ||
		    region->at > UINT64_MAX / 4 || region->target > UINT64_MAX / 4)
			return false;
		if (is_here && (region->at < end || (is_settling && region->target > region->at)))
			return false;
		if (is_settling && region->target < target_end)
			return false;
		last_id = id;
		end = is_here ? region->at + region->bytes : end;
		target_end = region->target + region->bytes;
	}
	return index->region_count > 0 && index->regions.done <= index->region_count;
}

/* Sets each region's target, from `offset` on. A packed region moves as a whole or not at all. */
static void regions_aim(struct stream_index *index, uint64_t offset, uint64_t align)
{
	bool is_packed = index->regions.packing != STREAM_PACKED_NOT;

	for (size_t i = 0; i < index->region_count; i++) {
		struct index_region *region = &index->region[i];
		uint64_t hole;

		region->target = offset;
		if (region->bytes == 0) {
			region->at = offset;
			continue;
		}
		hole = region->at - offset;
		if (hole < HOLE_LEAST || (is_packed && hole < region->bytes))
			region->target = region->at;
		offset = align_up(region->target + region->bytes, align);
	}
}

static void settling_build(struct settling *settling)
{
	buffer_clear(&settling->preface);
	datfile_preface_build(&settling->preface, settling->index, &settling->places);
}

/* Builds the head of the trace.dat and finds the targets of the pages. */
static int settling_prepare(struct settling *settling)
{
	struct stream_index *index = settling->index;
	struct stat file;

	if (fstat(settling->fd, &file) < 0)
		return -errno;
	datfile_places_init(&settling->places, index);
	if (settling->places.align < (uint64_t)file.st_blksize && file.st_blksize <= 1 << 20)
		settling->places.align = (uint64_t)file.st_blksize;
	if (settling->places.align < FIRST_PAGE)
		settling->places.align = FIRST_PAGE;
	settling_build(settling);
	if (settling->preface.is_cut)
		return -EFBIG;
	if (!index->regions.is_settling) {
		for (size_t i = 0; i < index->region_count; i++)
			if (index->region[i].bytes > 0 &&
			    index->region[i].at < settling->preface.length)
				return -EOPNOTSUPP;
		regions_aim(index, settling->preface.length, settling->places.align);
	}
	for (size_t i = 0; i < index->region_count; i++)
		if (index->region[i].target < settling->preface.length)
			return -EOPNOTSUPP;
	for (size_t i = 0; i < index->region_count; i++)
		datfile_place_of(&settling->places, index->region[i].buffer,
		                 index->region[i].cpu)->offset = index->region[i].target;
	settling_build(settling);
	return 0;
}

static void put_block(struct buffer *to, enum stream_block_type type, const struct buffer *payload)
{
	const struct stream_block block = {
		.mark = STREAM_BLOCK_MARK,
		.type = type,
		.size = payload->length,
	};

	buffer_append(to, &block, sizeof(block));
	buffer_append(to, payload->text, payload->length);
}

static void put_regions(struct buffer *to, const struct stream_index *index, uint64_t file_bytes)
{
	const struct stream_regions head = {
		.packing = index->regions.packing,
		.is_settling = 1,
	};
	_cleanup_(buffer_release) struct buffer payload = buffer_of(PREFACE_BYTES_MAX);

	buffer_append(&payload, &head, sizeof(head));
	for (size_t i = 0; i < index->region_count; i++) {
		const struct index_region *region = &index->region[i];
		const struct stream_region row = {
			.cpu = region->cpu,
			.buffer = region->buffer,
			.offset = file_bytes - region->at,
			.bytes = region->bytes,
			.target = region->target,
		};

		buffer_append(&payload, &row, sizeof(row));
	}
	put_block(to, STREAM_REGIONS, &payload);
}

/* Appends a copy of all blocks. `file_bytes`: the size of the file that ends with them. */
static void blocks_build(struct buffer *to, const struct stream_index *index, uint64_t file_bytes)
{
	static char no_text[1];
	static const struct buffer nothing = {.text = no_text};

	put_block(to, STREAM_HEAD, &index->head);
	put_regions(to, index, file_bytes);
	put_block(to, STREAM_OPTIONS, &index->options);
	put_block(to, STREAM_CMDLINES, &index->cmdlines);
	if (index->has_symbols || index->symbols.length > 0)
		put_block(to, STREAM_SYMBOLS, &index->symbols);
	if (index->is_ended)
		put_block(to, STREAM_END, &nothing);
}

/* The offset of the state from the begin of the blocks. */
static uint64_t state_offset(const struct stream_index *index)
{
	return 2 * sizeof(struct stream_block) + index->head.length + STATE_OFFSET;
}

/* Copies the blocks to a place after the pages, and redirects the jump to the copy; from then on
   the front of the file is free. */
static int settling_move_blocks(struct settling *settling)
{
	struct stream_index *index = settling->index;
	struct stream_jump jump = {.is_from_end = 1};
	_cleanup_(buffer_release) struct buffer blocks = buffer_of(PREFACE_BYTES_MAX);
	uint64_t before = 0, at;
	int r = file_size(settling->fd, &before);

	if (r < 0)
		return r;
	/* pages that move must share no block with the state */
	at = align_up(before, settling->places.align) + state_offset(index);
	at = align_up(at, STATE_ALIGN) - state_offset(index);
	blocks_build(&blocks, index, 0);
	jump.offset = blocks.length;
	buffer_clear(&blocks);
	blocks_build(&blocks, index, at + jump.offset);
	r = blocks.is_cut ? -EFBIG
	                  : file_write_all_at(settling->fd, blocks.text, blocks.length, at);
	if (r == 0)
		r = file_write_all_at(settling->fd, &jump, sizeof(jump),
		                      STREAM_MAGIC_BYTES + sizeof(struct stream_block));
	if (r < 0)
		(void)!ftruncate(settling->fd, (off_t)before);
	settling->blocks_bytes = jump.offset;
	index->regions = (struct stream_regions){
		.packing = index->regions.packing,
		.is_settling = 1,
	};
	return r;
}

static int settling_note_state(struct settling *settling, uint64_t done, uint64_t done_bytes)
{
	const uint64_t state[2] = {done, done_bytes};
	uint64_t bytes = 0;
	int r = file_size(settling->fd, &bytes);

	if (r == 0 && bytes < settling->state_from_end)
		r = -EIO;
	if (r < 0)
		return r;
	return file_write_all_at(settling->fd, state, sizeof(state),
	                         bytes - settling->state_from_end);
}

static void settling_report(const struct settling *settling, uint64_t done)
{
	if (settling->options->on_progress)
		settling->options->on_progress(settling->options->state, done, settling->total);
}

static int settling_write_pages(struct settling *settling)
{
	const struct stream_index *index = settling->index;
	uint64_t done = 0;

	for (size_t i = 0; i < index->run_count; i++) {
		const struct page_run *run = &index->run[i];

		for (uint64_t at = 0; at < run->size; at += WRITE_BYTES) {
			uint64_t left = run->size - at;
			uint64_t bytes = left < WRITE_BYTES ? left : WRITE_BYTES;

			if (settling_is_interrupted(settling))
				return -EINTR;
			region_mover_write(&settling->mover,
			                   &(struct region_piece){run->offset + at, bytes});
			done += bytes;
			settling_report(settling, done);
		}
	}
	settling->is_written = true;
	return 0;
}

/* Moves a region; since it was indexed the file has become shorter by `cut`. */
static int settling_move_region(struct settling *settling, size_t i, uint64_t cut,
                                uint64_t *ret_cut)
{
	const struct index_region *region = &settling->index->region[i];
	struct region_move move = {
		.at = region->at - cut,
		.target = region->target,
		.bytes = region->bytes,
		.is_whole = settling->index->regions.packing != STREAM_PACKED_NOT,
	};

	if (i == settling->index->regions.done)
		move.done = settling->index->regions.done_bytes;
	*ret_cut = 0;
	while (move.bytes > 0 && move.at != move.target && move.done < move.bytes) {
		struct region_piece hole;
		int r;

		if (settling_is_interrupted(settling))
			return -EINTR;
		r = region_mover_step(&settling->mover, &move, &hole, ret_cut);
		if (r < 0)
			return r;
		if (*ret_cut > 0)
			break;
		r = settling_note_state(settling, move.done < move.bytes ? i : i + 1,
		                        move.done < move.bytes ? move.done : 0);
		if (r < 0)
			return r;
		hole_punch(settling->fd, hole.offset, hole.bytes);
		if (!settling->is_written)
			settling_report(settling, settling->moved + move.done);
	}
	settling->moved += region->bytes;
	return settling_note_state(settling, i + 1, 0);
}

static int settling_move_pages(struct settling *settling)
{
	const struct stream_index *index = settling->index;
	uint64_t cut = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < index->region_count; i++) {
		uint64_t step = 0;

		if (i < index->regions.done)
			settling->moved += index->region[i].bytes;
		else
			r = settling_move_region(settling, i, cut, &step);
		cut += step;
		if (!settling->is_written)
			settling_report(settling, settling->moved);
	}
	return r;
}

/* Readers of a trace.dat skip these zeros. */
static int settling_wipe_blocks(const struct settling *settling)
{
	static const char zeros[4096];
	uint64_t end = 0, left = settling->blocks_bytes;
	int r = file_size(settling->fd, &end);

	while (r == 0 && left > 0) {
		size_t size = left < sizeof(zeros) ? (size_t)left : sizeof(zeros);

		r = file_write_all_at(settling->fd, zeros, size, end - left);
		left -= size;
	}
	return r;
}

/* Makes the file a trace.dat and removes the rest of the stream. */
static int settling_finish(struct settling *settling)
{
	const struct stream_index *index = settling->index;
	uint64_t end = settling->preface.length;
	int r;

	for (size_t i = 0; i < index->region_count; i++)
		if (index->region[i].bytes > 0)
			end = index->region[i].target + index->region[i].bytes;
	r = file_write_all_at(settling->fd, settling->preface.text, FIRST_PAGE, 0);
	if (r == 0 && ftruncate(settling->fd, (off_t)end) < 0 && settling_wipe_blocks(settling) < 0)
		r = -EUCLEAN;
	return r;
}

/* Frees the recorder's reserve (stream_layout_reserve()) for what is written next. */
static void settling_free_reserve(const struct settling *settling)
{
	const struct stream_index *index = settling->index;
	uint64_t begin = align_up(index->blocks_end, REGION_BLOCK);
	uint64_t end = 0;

	for (size_t i = 0; end == 0 && i < index->region_count; i++)
		if (index->region[i].bytes > 0)
			end = index->region[i].at;
	if (begin < end)
		hole_punch(settling->fd, begin, end - begin);
}

static int settling_run(struct settling *settling)
{
	struct stream_index *index = settling->index;
	int r = regions_are_sane(index) ? settling_prepare(settling) : -EOPNOTSUPP;

	for (size_t i = 0; i < index->region_count; i++)
		settling->total += index->region[i].bytes;
	if (r < 0)
		return r;
	if (index->regions.is_settling) {
		settling->blocks_bytes = index->blocks_end - index->blocks_at;
	} else {
		settling_free_reserve(settling);
		r = settling_move_blocks(settling);
	}
	if (r < 0)
		return r;
	settling->state_from_end = settling->blocks_bytes - state_offset(index);
	r = file_write_all_at(settling->fd, settling->preface.text + FIRST_PAGE,
	                      settling->preface.length - FIRST_PAGE, FIRST_PAGE);
	if (r < 0)
		return r;
	region_mover_init(&settling->mover, settling->fd, settling->places.align);
	/* where blocks are moved on the disk, the kernel would wait in the middle of a step for
	   pages that are not written yet */
	if (settling->mover.can_cut || settling->mover.can_share)
		r = settling_write_pages(settling);
	if (r == 0)
		r = settling_move_pages(settling);
	free(settling->mover.memory);
	return r < 0 ? r : settling_finish(settling);
}

int datfile_settle(int fd, const char *path, const struct settle_options *options,
                   struct buffer *why)
{
	struct stream_index index;
	struct settling settling = {.fd = fd, .options = options, .index = &index};
	int r = stream_index_read(fd, path, &index, why);

	if (r < 0)
		return r;
	if (!index.region) {
		r = -EOPNOTSUPP;
	} else {
		stream_names_find(&index, fd);
		buffer_init(&settling.preface, PREFACE_BYTES_MAX);
		r = settling_run(&settling);
		buffer_release(&settling.preface);
		datfile_places_release(&settling.places);
	}
	if (r == -EUCLEAN)
		buffer_printf(why, "%s is a trace.dat, but what the recorder wrote behind it "
		                   "cannot be cut off", path);
	else if (r < 0)
		buffer_printf(why, "cannot make %s a trace.dat: %s", path,
		              r == -EINTR ? "interrupted" : strerror(-r));
	else
		r = !index.is_ended;
	stream_index_release(&index);
	return r;
}
