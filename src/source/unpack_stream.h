/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole file that gzip or zstd has packed, unpacked while it is read: any number of members or
 * frames one after the other, as both programs make of files that are joined. What stands behind
 * the last one and begins like none is ignored behind gzip's, as gzip does, and damage behind
 * zstd's.
 *
 * Memory: UNPACK_WINDOW_MAX and some 100 KB, whatever the file says.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"

/* How far back a file may refer; the default of zstd -d, and what -19 needs is a quarter of it. */
#define UNPACK_WINDOW_LOG 27
#define UNPACK_WINDOW_MAX (UINT64_C(1) << UNPACK_WINDOW_LOG)
/*
 * A file that unpacks to more than so many times its size, beyond the first few MB, was made to
 * fill disks: a trace is a twelfth of its size, one of nothing but holes a thousandth.
 */
#define UNPACK_RATIO_MAX 1000
#define UNPACK_FREE_BYTES (UINT64_C(64) << 20)

enum stream_packer {
	PACKER_NONE,
	PACKER_GZIP,
	PACKER_ZSTD,
};

/* Which one a file begins as; of less than 4 bytes none. */
enum stream_packer stream_packer_detect(const void *head, size_t size);
/* "gzip", "zstd". */
const char *stream_packer_name(enum stream_packer packer);

/* At most `size` bytes of the packed file; 0 at its end, or -errno. */
typedef ssize_t (*unpack_read)(void *state, uint8_t *to, size_t size);

struct unpack_stream;

/* NULL where the libraries get no memory. */
struct unpack_stream *unpack_stream_new(enum stream_packer packer, unpack_read read, void *state);
struct unpack_stream *unpack_stream_free(struct unpack_stream *stream);
/*
 * At most `size` bytes; 0 at the end, which may come early: unpack_stream_damage() tells. -errno
 * of the read.
 */
ssize_t unpack_stream_read(struct unpack_stream *stream, uint8_t *to, size_t size);
/* Says, as "its zstd data end too early, after 12 bytes", what was wrong with it; false: nothing,
   so far as it was read. */
bool unpack_stream_damage(const struct unpack_stream *stream, struct buffer *to);
