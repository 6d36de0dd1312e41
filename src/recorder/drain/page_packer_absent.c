/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorder alone (make RECORDER=1) has no --compress, so it never packs a page. */
#include <errno.h>

#include "page_packer.h"

const char *page_packer_version(void)
{
	return "";
}

struct page_packer *page_packer_new(void)
{
	return NULL;
}

void page_packer_free(struct page_packer *packer)
{
	(void)packer;
}

int page_packer_pack(struct page_packer *packer, const void *bytes, size_t size,
                     const void **ret_chunk, size_t *ret_size)
{
	(void)packer;
	(void)bytes;
	(void)size;
	(void)ret_chunk;
	(void)ret_size;
	return -ENOMEM;
}

struct page_packer_sums page_packer_sums(const struct page_packer *packer)
{
	(void)packer;
	return (struct page_packer_sums){0};
}
