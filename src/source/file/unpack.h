/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed blocks of trace.dat version 7: each one is a whole zlib or zstd stream preceded by its
 * packed and unpacked sizes. Sizes are bytes and are checked against the caller's bound before
 * anything is allocated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum packing {
	PACKING_NONE,
	PACKING_ZLIB,
	PACKING_ZSTD,
};

/* By the name in a file's header; -ENOTSUP for others. */
int packing_from_name(const char *name, enum packing *ret);
/*
 * Whether a whole packed block of from_size bytes can unpack to to_size bytes: both packers have a
 * least and a largest ratio, so a claim beyond is false and not worth the memory. Zstandard states
 * the size itself, in the first UNPACK_HEAD_BYTES, of which `head` has as many as there are.
 */
#define UNPACK_HEAD_BYTES 18
bool unpack_is_possible(enum packing packing, const void *head, size_t from_size, size_t to_size);
/* Exactly to_size bytes or -EBADMSG. */
int unpack(enum packing packing, const void *from, size_t from_size, void *to, size_t to_size);
