/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpacks xz data in memory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Unpacks all of it; the caller frees *ret. -EBADMSG: it is no xz data, or damaged; -E2BIG: it has
 * more than `limit` bytes; -ENOTSUP: this program is built without liblzma.
 */
int unxz(const void *packed, size_t size, size_t limit, uint8_t **ret, size_t *ret_size);
