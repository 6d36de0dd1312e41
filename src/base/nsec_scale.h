/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts ticks of a counter to nanoseconds: count * mult >> shift, of the whole 128-bit product,
 * rounded down, as the kernel scales its clocks. A result that exceeds 64 bits becomes UINT64_MAX.
 * `shift` is less than 128. The product is computed from four products of 32 bits, as compilers for
 * 32-bit machines have no 128-bit integers.
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
