/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "region_move.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file/file_read.h"
#include "base/xalloc.h"

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

void region_mover_init(struct region_mover *mover, int fd, uint64_t block)
{
	*mover = (struct region_mover){
		.fd = fd,
		.block = block,
		.can_cut = can_cut(fd),
		.can_share = can_share(fd),
		.memory = xmalloc(STEP_BYTES),
	};
}

void region_mover_release(struct region_mover *mover)
{
	free(mover->memory);
	mover->memory = NULL;
}

bool region_mover_needs_disk(const struct region_mover *mover)
{
	return mover->can_cut || mover->can_share;
}

void region_mover_write(const struct region_mover *mover, const struct region_piece *piece)
{
	off_t at = (off_t)piece->offset, bytes = (off_t)piece->bytes;

	/* starts to write the next piece while this one is waited for; a failure shows when the
	   piece is moved */
	(void)sync_file_range(mover->fd, at + bytes, bytes, SYNC_FILE_RANGE_WRITE);
	(void)sync_file_range(mover->fd, at, bytes, SYNC_FILE_RANGE_WAIT_BEFORE |
	                      SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

static uint64_t whole_blocks(const struct region_mover *mover, uint64_t bytes)
{
	return (bytes + mover->block - 1) / mover->block * mover->block;
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
		.src_length = whole_blocks(mover, bytes),
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

int region_mover_step(struct region_mover *mover, struct region_move *move,
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
	*ret_hole = (struct region_piece){move->at + move->done, whole_blocks(mover, bytes)};
	move->done += bytes;
	return 0;
}

void region_mover_free(struct region_mover *mover, const struct region_piece *hole)
{
	(void)fallocate(mover->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)hole->offset,
	                (off_t)hole->bytes);
}
