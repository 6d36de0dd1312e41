/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes as gzip and zstd pack them.
 */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"
#include "source/file/unpack.h"

/* Appends one member, or one frame with a checksum, that holds the bytes. */
void packed_append(struct buffer *to, enum stream_packer packer, const void *bytes, size_t size);
