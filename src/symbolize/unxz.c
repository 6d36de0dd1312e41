/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unxz.h"

#include <errno.h>
#include <stdlib.h>

#include <lzma.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

/* Memory of the decoder itself; xz -9 needs 65 MiB. */
#define DECODER_BYTES_MAX (128u << 20)
#define FIRST_BYTES       (64u << 10)

int unxz(const void *packed, size_t size, size_t limit, uint8_t **ret, size_t *ret_size)
{
	size_t room = FIRST_BYTES < limit ? FIRST_BYTES : limit;
	_cleanup_(freep) uint8_t *unpacked = xmalloc(room);

	/* if the room runs out, unpacking starts again with more room */
	for (;;) {
		uint64_t memory = DECODER_BYTES_MAX;
		size_t in = 0, out = 0;
		lzma_ret result = lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, size,
		                                            unpacked, &out, room);

		if (result == LZMA_OK) {
			*ret = TAKE_PTR(unpacked);
			*ret_size = out;
			return 0;
		}
		if (result != LZMA_BUF_ERROR)
			return -EBADMSG;
		if (room == limit)
			return -E2BIG;
		room = room < limit / 4 ? room * 4 : limit;
		unpacked = xrealloc(unpacked, room);
	}
}
