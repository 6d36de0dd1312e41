/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that trace.dat version 7 packs: each one a whole zlib or zstd stream whose packed and
 * unpacked sizes stand before it. Sizes are bytes and are checked against the caller's bound
 * before anything is allocated.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum packing {
	PACKING_NONE,
	PACKING_ZLIB,
	PACKING_ZSTD,
};

/* By the name in a file's header; -ENOTSUP for others. */
int packing_from_name(const char *name, enum packing *ret);
/* Exactly to_size bytes or -EBADMSG. */
int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size);
