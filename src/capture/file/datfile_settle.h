/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a trace.dat of a stream with regions (ftwait/stream.h) in its own file: the pages stay
 * where they are on the disk as far as the file system can do that, and take no second room in any
 * case.
 *
 *   holes are cut out of the file (ext4, xfs, f2fs): no page is read or written
 *   a region's blocks are shared with its target (btrfs): the same
 *   else pieces are copied, and a hole is made where each was (tmpfs)
 *
 * For the first two all pages have to be on the disk, which is waited for: with 2 GB, of which 1.7
 * were still in the cache, for 1.4 s, where copying them within the cache took 10 to 22 s.
 *
 * At any moment the file can be read, and this can go on, after kill -9 too (not after a loss of
 * power). The last step is to write the first page, by which it is a trace.dat.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/buffer.h"

struct settle_options {
	/* Once *interrupts is at least this it ends with -EINTR; NULL: never. */
	const atomic_int *interrupts;
	int interrupt_limit;
	/* Called now and then with how much of the pages is in place; NULL: not. */
	void (*on_progress)(void *state, uint64_t done, uint64_t total);
	void *state;
};

/*
 * `fd` is open for reading and writing; `path` is for messages. Returns 0; 1 where the stream had
 * no end; -EOPNOTSUPP where it has no regions, or such as cannot be settled; -EALREADY where it is
 * a trace.dat; -EINVAL where it is no stream; -EINTR; -EUCLEAN where it has become a trace.dat, but
 * what was of the stream stands behind it; or -errno. After any other failure the file is still a
 * stream with all its pages. A line is in `why`.
 */
int datfile_settle(int fd, const char *path, const struct settle_options *options,
                   struct buffer *why);
