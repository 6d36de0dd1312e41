/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ticks of a counter as nanoseconds: count * mult >> shift of the whole 128-bit product, rounded
 * down, as the kernel scales its clocks. A result beyond 64 bits is UINT64_MAX. `shift` is below
 * 128. Made of four 32-bit products, as 32-bit compilers have no wider integer.
 */
#pragma once

#include <stdint.h>

static inline uint64_t nsec_scale(uint64_t count, uint64_t mult, unsigned int shift)
{
	uint64_t count_low = (uint32_t)count, count_high = count >> 32;
	uint64_t mult_low = (uint32_t)mult, mult_high = mult >> 32;
	uint64_t lowest = count_low * mult_low;
	/* neither sum can overflow: (2^32 - 1)^2 + 2^32 - 1 < 2^64 */
	uint64_t middle = count_high * mult_low + (lowest >> 32);
	uint64_t carried = count_low * mult_high + (uint32_t)middle;
	uint64_t low = carried << 32 | (uint32_t)lowest;
	uint64_t high = count_high * mult_high + (middle >> 32) + (carried >> 32);

	if (shift >= 64)
		return high >> (shift - 64);
	if (high >> shift)
		return UINT64_MAX;
	return shift ? high << (64 - shift) | low >> shift : low;
}
