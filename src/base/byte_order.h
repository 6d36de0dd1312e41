/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads of unaligned integers in either byte order. Hot loops pass a constant `is_swapped`, so that
 * everything here folds away.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool byte_order_is_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static inline uint16_t load_u16(const uint8_t *from, bool is_swapped)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return is_swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t load_u32(const uint8_t *from, bool is_swapped)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return is_swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t load_u64(const uint8_t *from, bool is_swapped)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return is_swapped ? __builtin_bswap64(value) : value;
}
