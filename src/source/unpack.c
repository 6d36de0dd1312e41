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
