/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page_packer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/monotonic.h"
#include "base/xalloc.h"

#define LEVEL            1
#define CHUNK_HEAD_BYTES (2 * sizeof(uint32_t))

struct page_packer {
	ZSTD_CCtx *context;
	uint8_t *chunk;
	size_t capacity;
	struct page_packer_sums sums;
};

const char *page_packer_version(void)
{
	return ZSTD_versionString();
}

struct page_packer *page_packer_new(void)
{
	struct page_packer *packer = xcalloc(1, sizeof(*packer));

	packer->context = ZSTD_createCCtx();
	if (packer->context)
		return packer;
	free(packer);
	return NULL;
}

void page_packer_free(struct page_packer *packer)
{
	if (!packer)
		return;
	(void)ZSTD_freeCCtx(packer->context);
	free(packer->chunk);
	free(packer);
}

static void packer_reserve(struct page_packer *packer, size_t size)
{
	size_t needed = CHUNK_HEAD_BYTES + ZSTD_compressBound(size);

	if (needed <= packer->capacity)
		return;
	packer->chunk = xrealloc(packer->chunk, needed);
	packer->capacity = needed;
}

int page_packer_pack(struct page_packer *packer, const void *bytes, size_t size,
                     const void **ret_chunk, size_t *ret_size)
{
	uint64_t begin = thread_cpu_time();
	uint32_t head[2];
	size_t packed;

	packer_reserve(packer, size);
	packed = ZSTD_compressCCtx(packer->context, packer->chunk + CHUNK_HEAD_BYTES,
	                           packer->capacity - CHUNK_HEAD_BYTES, bytes, size, LEVEL);
	if (ZSTD_isError(packed)) /* as the output buffer is large enough, the reason is lack of
	                             memory */
		return -ENOMEM;
	head[0] = (uint32_t)packed;
	head[1] = (uint32_t)size;
	memcpy(packer->chunk, head, sizeof(head));
	packer->sums.cpu_ns += thread_cpu_time() - begin;
	packer->sums.from_bytes += size;
	packer->sums.to_bytes += CHUNK_HEAD_BYTES + packed;
	*ret_chunk = packer->chunk;
	*ret_size = CHUNK_HEAD_BYTES + packed;
	return 0;
}

struct page_packer_sums page_packer_sums(const struct page_packer *packer)
{
	return packer->sums;
}
