/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unpack.h"

#include <errno.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

int packing_from_name(const char *name, enum packing *ret)
{
	static const char *const names[] = {
		[PACKING_NONE] = "none",
		[PACKING_ZLIB] = "zlib",
		[PACKING_ZSTD] = "zstd",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0) {
			*ret = (enum packing)i;
			return 0;
		}
	return -ENOTSUP;
}

/* Even incompressible data grow by far less. */
static bool packed_is_sane(size_t from_size, size_t to_size)
{
	return from_size <= to_size + to_size / 8 + 1024;
}

/* Deflate codes at best 258 bytes in two bits (zlib's Technical Details). */
#define ZLIB_RATIO_MAX 1032u

static bool zlib_is_possible(size_t from_size, size_t to_size)
{
	return packed_is_sane(from_size, to_size) && to_size / ZLIB_RATIO_MAX <= from_size;
}

/* The size in a frame is checked again when it is unpacked; a frame need not have one. */
static bool zstd_is_possible(const void *head, size_t from_size, size_t to_size)
{
	size_t have = from_size < UNPACK_HEAD_BYTES ? from_size : UNPACK_HEAD_BYTES;
	unsigned long long stated = ZSTD_getFrameContentSize(head, have);

	return packed_is_sane(from_size, to_size) && stated != ZSTD_CONTENTSIZE_ERROR &&
	       (stated == to_size || stated == ZSTD_CONTENTSIZE_UNKNOWN);
}

bool unpack_is_possible(enum packing packing, const void *head, size_t from_size, size_t to_size)
{
	switch (packing) {
	case PACKING_ZLIB:
		return zlib_is_possible(from_size, to_size);
	case PACKING_ZSTD:
		return zstd_is_possible(head, from_size, to_size);
	case PACKING_NONE:
		break;
	}
	return from_size == to_size;
}

static int unpack_zlib(const void *from, size_t from_size, void *to, size_t to_size)
{
	uLongf got = to_size;
	int status = uncompress(to, &got, from, from_size);

	return status == Z_OK && got == to_size ? 0 : -EBADMSG;
}

static int unpack_zstd(const void *from, size_t from_size, void *to, size_t to_size)
{
	size_t got = ZSTD_decompress(to, to_size, from, from_size);

	return !ZSTD_isError(got) && got == to_size ? 0 : -EBADMSG;
}

int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size)
{
	switch (packing) {
	case PACKING_ZLIB:
		return unpack_zlib(from, from_size, to, to_size);
	case PACKING_ZSTD:
		return unpack_zstd(from, from_size, to, to_size);
	case PACKING_NONE:
		break;
	}
	if (from_size != to_size)
		return -EBADMSG;
	memcpy(to, from, to_size);
	return 0;
}
