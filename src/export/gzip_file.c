/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gzip_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/xalloc.h"

#define GZIP_WINDOW  (15 + 16) /* the largest window, with a gzip header */
#define GZIP_MEMORY  8
#define PIECE_BYTES  65536
#define GATHER_BYTES (1u << 18) /* bytes that are gathered before they are packed */

struct gzip_file {
	FILE *to; /* borrowed */
	z_stream stream;
	unsigned char piece[PIECE_BYTES];
};

/* Packs all gathered bytes; returns -1 with errno set if they cannot be written. */
static int gzip_pack(struct gzip_file *file, int flush)
{
	int r;

	do {
		size_t length;

		file->stream.next_out = file->piece;
		file->stream.avail_out = PIECE_BYTES;
		r = deflate(&file->stream, flush);
		if (r == Z_STREAM_ERROR) {
			errno = EIO;
			return -1;
		}
		length = PIECE_BYTES - file->stream.avail_out;
		if (fwrite(file->piece, 1, length, file->to) != length)
			return -1;
	} while (file->stream.avail_out == 0);
	return 0;
}

static ssize_t gzip_write(void *state, const char *bytes, size_t length)
{
	struct gzip_file *file = state;
	size_t done = 0;

	/* the C library treats a short write as an error */
	while (done < length) {
		size_t left = length - done, piece = left < GATHER_BYTES ? left : GATHER_BYTES;

		file->stream.next_in = (void *)(uintptr_t)(bytes + done); /* zlib only reads
		                                                             these bytes */
		file->stream.avail_in = (uInt)piece;
		if (gzip_pack(file, Z_NO_FLUSH) < 0)
			return 0;
		done += piece;
	}
	return (ssize_t)length;
}

static int gzip_close(void *state)
{
	struct gzip_file *file = state;
	int r, error;

	file->stream.avail_in = 0;
	r = gzip_pack(file, Z_FINISH);
	error = errno;
	(void)deflateEnd(&file->stream);
	free(file);
	errno = error;
	return r;
}

FILE *gzip_file_open(FILE *to)
{
	static const cookie_io_functions_t functions = {.write = gzip_write, .close = gzip_close};
	struct gzip_file *file = xcalloc(1, sizeof(*file));
	FILE *opened;

	file->to = to;
	if (deflateInit2(&file->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
	                 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(file);
		errno = ENOMEM;
		return NULL;
	}
	opened = fopencookie(file, "w", functions);
	if (!opened) {
		(void)deflateEnd(&file->stream);
		free(file);
		return NULL;
	}
	(void)setvbuf(opened, NULL, _IOFBF, GATHER_BYTES);
	return opened;
}
