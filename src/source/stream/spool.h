/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of input that cannot be read in place: because it cannot be read twice (a pipe, a socket,
 * a terminal), or because gzip or zstd has packed it (unpack.h). Some MiB are kept in
 * memory, larger copies in an unlinked file in TMPDIR.
 *
 * Input may have no end, and a small file may unpack to anything, so as little as possible is
 * copied: only the first bytes if they are not those of a trace; SPOOL_TAIL_BYTES after the block
 * that ends a stream; some MiB of foreign bytes within a stream if no block follows them; and
 * never so much that the folder's file system gets full.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "source/file/unpack.h"

/* Copied after the end of a stream: enough to notice that something follows. */
#define SPOOL_TAIL_BYTES (64u << 10)

/* The next bytes of a file, of which something else than their begin says how they are packed. */
struct spool_part {
	uint64_t bytes;
	enum stream_packer packer; /* PACKER_NONE: they are as they are */
};

/*
 * Returns the copy's descriptor, or -errno with a phrase in `why`. `from` stays open; a file is
 * read from its current position, all of it or that part (NULL: all). If only a part could be
 * unpacked `damage` receives a sentence about the rest, else nothing.
 */
int spool_fill(int from, const struct spool_part *part, struct buffer *damage, struct buffer *why);

/*
 * Bytes that are made piece by piece, and read in place: in memory or in TMPDIR, as copies are.
 * NULL, or -errno, with a phrase in `why`.
 */
struct spool;
struct spool *spool_store_new(struct buffer *why);
int spool_store_append(struct spool *store, const void *bytes, size_t size, uint64_t *ret_offset,
                       struct buffer *why);
/* Exactly `size` bytes. */
int spool_store_read(const struct spool *store, uint64_t offset, void *to, size_t size);
struct spool *spool_store_free(struct spool *store);
/* An empty file for some MiB, in memory or, if the kernel has no such files, in TMPDIR. Returns as
   spool_fill(). */
int spool_new_file(struct buffer *why);
struct spool_progress {
	uint64_t bytes;  /* copied so far */
	nsec_t recorded; /* of a stream that comes while it is written: how much of the recording's
	                    time has come since it first said how far it got; 0: not known */
};

/* Called every few MB, and each time a stream says how far it got; NULL, the default: not
   called. */
void spool_on_progress(void (*callback)(const struct spool_progress *progress));
/* Asked before each read: whether the input shall count as ended. NULL, the default:
   it goes on. */
void spool_on_interrupt(bool (*has_ended)(void));
/*
 * Whether a file system of `total` bytes, of which `available` are free, takes more: a twentieth of
 * it, at most 64 MiB, is left to others. Some do not report their size (0).
 */
bool spool_has_room(uint64_t available, uint64_t total);
