/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a trace.dat of a stream with regions (ftwait/stream.h) within its own file: the pages stay
 * in place on the disk as far as the file system allows, and never take up twice the room.
 *
 *   holes are cut out of the file (ext4, xfs, f2fs): no page is read or written
 *   a region's blocks are shared with its target (btrfs): the same
 *   else pieces are copied, and a hole is punched where each was (tmpfs)
 *
 * The first two ways have to wait until all pages are on the disk. For a file of 2 GB, of which 1.7
 * GB were still in the cache, that took 1.4 s; to copy the pages within the cache took 10 to 22 s.
 *
 * At any moment the file can be read and the work resumed, after kill -9 too (not after a loss of
 * power). The last step writes the first page, which makes the file a trace.dat.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/text/buffer.h"

struct settle_options {
	/* Ends with -EINTR once *interrupts reaches interrupt_limit; NULL: never. */
	const atomic_int *interrupts;
	int interrupt_limit;
	/* Called now and then with the bytes of pages in place; may be NULL. */
	void (*on_progress)(void *state, uint64_t done, uint64_t total);
	void *state;
};

/*
 * `fd` is open for reading and writing; `path` is for messages. Returns 0; 1 if the stream had no
 * end; -EOPNOTSUPP if it has no regions, or none that can be settled; -EALREADY if it is a
 * trace.dat; -EINVAL if it is no stream; -EINTR; -EUCLEAN if it has become a trace.dat with the
 * rest of the stream behind it; or -errno. After any other failure the file is still a stream with
 * all its pages, and `why` has a line.
 */
int datfile_settle(int fd, const char *path, const struct settle_options *options,
                   struct buffer *why);
