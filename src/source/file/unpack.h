/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed blocks of trace.dat version 7: each one is a whole zlib or zstd stream preceded by its
 * packed and unpacked sizes. Sizes are bytes and are checked against the caller's bound before
 * anything is allocated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text/buffer.h"

enum packing {
	PACKING_NONE,
	PACKING_ZLIB,
	PACKING_ZSTD,
};

/* By the name in a file's header; -ENOTSUP for others. */
int packing_from_name(const char *name, enum packing *ret);
/*
 * Whether a whole packed block of from_size bytes can unpack to to_size bytes: both packers have a
 * least and a largest ratio, so a claim beyond is false and not worth the memory. Zstandard states
 * the size itself, in the first UNPACK_HEAD_BYTES, of which `head` has as many as there are.
 */
#define UNPACK_HEAD_BYTES 18
bool unpack_is_possible(enum packing packing, const void *head, size_t from_size, size_t to_size);
/* Exactly to_size bytes or -EBADMSG. */
int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size);

/*
 * Unpacks a whole file packed by gzip or zstd while it is read: any number of members or frames in
 * sequence, as both programs produce when files are joined. Bytes that follow the last member or
 * frame and do not begin another one are ignored for gzip, as gzip does, and are damage for zstd.
 *
 * Two programs for Android wrap ftrace text: atrace -z writes zlib data after a line "TRACE:", and
 * Chrome a string in JSON (json_trace.h).
 *
 * Parts of other files that are packed, such as members of a zip archive, are not recognized: the
 * caller knows their packer. They are one stream; bytes that follow it are ignored.
 *
 * Memory: UNPACK_WINDOW_MAX and some 100 KB, whatever the file says.
 */

/* How far back a file may refer; the default of zstd -d; -19 needs a quarter of it. */
#define UNPACK_WINDOW_LOG 27
#define UNPACK_WINDOW_MAX (UINT64_C(1) << UNPACK_WINDOW_LOG)
/*
 * A file that unpacks to more than so many times its size, beyond the first few MB, was made to
 * fill disks: a trace packs to a twelfth of its size, a trace of only holes to a thousandth.
 */
#define UNPACK_RATIO_MAX 1000
#define UNPACK_FREE_BYTES (UINT64_C(64) << 20)

enum stream_packer {
	PACKER_NONE,
	PACKER_GZIP,
	PACKER_ZSTD,
	PACKER_ATRACE,
	PACKER_JSON,
	/* of parts; never detected */
	PACKER_ZLIB,    /* with the head of zlib or of gzip */
	PACKER_DEFLATE, /* without a head */
};

/* This much of a file's beginning shows how it is packed. */
#define STREAM_PACKER_HEAD_BYTES 256

/* The packer by the first bytes of a file; PACKER_NONE for less than 4 bytes. */
enum stream_packer stream_packer_detect(const void *head, size_t size);

/* At most `size` bytes of the packed file; 0 at its end, or -errno. */
typedef ssize_t (*unpack_read)(void *state, uint8_t *to, size_t size);

struct unpack_stream;

/* NULL if the libraries get no memory. */
struct unpack_stream *unpack_stream_new(enum stream_packer packer, unpack_read read, void *state);
struct unpack_stream *unpack_stream_free(struct unpack_stream *stream);
/*
 * Unpacks at most `size` bytes; returns 0 at the end, which may come early (see
 * unpack_stream_damage()), or -errno of the read.
 */
ssize_t unpack_stream_read(struct unpack_stream *stream, uint8_t *to, size_t size);
/* Describes what was wrong, as "its zstd data end too early, after 12 bytes"; false: nothing so
   far. */
bool unpack_stream_damage(const struct unpack_stream *stream, struct buffer *to);
