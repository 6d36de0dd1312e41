/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "packed_builder.h"

#include <stdio.h>
#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

static void expect(bool is_so)
{
	if (!is_so)
		(void)fprintf(stderr, "cannot pack\n");
	if (!is_so)
		exit(2);
}

static size_t pack_gzip(void *to, size_t room, const void *bytes, size_t size)
{
	_cleanup_(freep) uint8_t *copy = xmalloc(size + 1);
	z_stream stream = {.next_in = copy, .avail_in = (uInt)size, .next_out = to,
	                   .avail_out = (uInt)room};

	for (size_t i = 0; i < size; i++)
		copy[i] = ((const uint8_t *)bytes)[i];
	expect(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	expect(deflate(&stream, Z_FINISH) == Z_STREAM_END);
	(void)deflateEnd(&stream);
	return room - stream.avail_out;
}

static size_t pack_zstd(void *to, size_t room, const void *bytes, size_t size)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t got;

	expect(context && !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
	got = ZSTD_compress2(context, to, room, bytes, size);
	expect(!ZSTD_isError(got));
	(void)ZSTD_freeCCtx(context);
	return got;
}

void packed_append(struct buffer *to, enum stream_packer packer, const void *bytes, size_t size)
{
	size_t room = size + size / 8 + 1024;
	_cleanup_(freep) uint8_t *packed = xmalloc(room);

	buffer_append(to, packed,
	              packer == PACKER_GZIP ? pack_gzip(packed, room, bytes, size)
	                                    : pack_zstd(packed, room, bytes, size));
}
