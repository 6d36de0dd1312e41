/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte says in what pieces the rest is given out and taken; what is no packed file is
   taken for one of either. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "fuzz_target.h"
#include "source/file/unpack.h"

#define GIVEN_MAX (UINT64_C(8) << 20) /* beyond, it takes only time */

struct feed {
	const uint8_t *bytes;
	size_t left, piece;
};

static ssize_t feed_read(void *state, uint8_t *to, size_t size)
{
	struct feed *feed = state;

	assert(size > 0);
	size = size < feed->piece ? size : feed->piece;
	size = size < feed->left ? size : feed->left;
	memcpy(to, feed->bytes, size);
	feed->bytes += size;
	feed->left -= size;
	return (ssize_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const size_t pieces[] = {1, 3, 64, 65536};
	struct feed feed = {.bytes = bytes + 1, .left = size - 1};
	enum stream_packer packer;
	struct unpack_stream *stream;
	struct buffer damage;
	uint64_t given = 0;
	size_t step;
	uint8_t *to;
	ssize_t got;

	if (size == 0)
		return 0;
	feed.piece = pieces[bytes[0] & 3];
	step = pieces[bytes[0] >> 2 & 3];
	packer = stream_packer_detect(bytes + 1, size - 1);
	if (packer == PACKER_NONE)
		packer = bytes[0] & 16 ? PACKER_GZIP : PACKER_ZSTD;
	/* a block of its own size, so that a step beyond it is seen */
	to = xmalloc(step);
	stream = unpack_stream_new(packer, feed_read, &feed);
	while ((got = unpack_stream_read(stream, to, step)) > 0 && given < GIVEN_MAX) {
		assert((size_t)got <= step);
		given += (uint64_t)got;
	}
	assert(got >= 0);
	assert(given <= UNPACK_FREE_BYTES || given / UNPACK_RATIO_MAX <= size + step);
	buffer_init(&damage, 1000);
	assert(unpack_stream_damage(stream, &damage) == (damage.length > 0));
	buffer_release(&damage);
	(void)unpack_stream_free(stream);
	free(to);
	return 0;
}
