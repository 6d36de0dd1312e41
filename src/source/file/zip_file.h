/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the trace in a zip archive, as bug reports of Android are. Only what the archive's central
 * directory lists counts, and only if it agrees with what stands before a member. Members may be
 * stored or packed with deflate; archives of zip64, and encrypted members, are not read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "unpack.h"

#define ZIP_NAME_BYTES 256

struct zip_member {
	char name[ZIP_NAME_BYTES]; /* in printable bytes, at most the begin of it */
	uint64_t offset, bytes;    /* of its data in the archive */
	uint64_t unpacked;
	uint32_t crc;
	enum stream_packer packer; /* PACKER_NONE: it is stored */
	bool is_plain; /* it is the trace itself, and no packed one */
};

/* Whether a file that begins so may be a zip archive. */
bool zip_is_archive(const void *head, size_t bytes);
/*
 * The only member that is a trace; by its bytes, and if these are several, by its name. Returns 0,
 * or -errno and a phrase in `why`: there is none, there are several, or the archive is damaged.
 */
int zip_find_trace(int fd, uint64_t bytes, struct zip_member *ret, struct buffer *why);
/* Whether the open file, which the plain member was unpacked to, has another size or checksum. */
bool zip_member_is_damaged(const struct zip_member *member, int unpacked);
