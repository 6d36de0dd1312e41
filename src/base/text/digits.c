/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <string.h>

/* "00" to "99": two digits take one division. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* The number of digits. The number of bits gives it, or one digit less. */
static unsigned digit_count(uint64_t value)
{
	static const uint64_t least[] = { /* least[i]: the least number with more than i digits */
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
		10000000000, 100000000000, 1000000000000, 10000000000000, 100000000000000,
		1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
		10000000000000000000u,
	};
	unsigned bits = 64 - (unsigned)__builtin_clzll(value | 1);
	unsigned count = bits * 1233 >> 12; /* log10(2) is about 1233 / 4096 */

	return count + (value >= least[count]);
}

static void pair_put(char *to, uint32_t value)
{
	memcpy(to, pairs + (size_t)value * 2, 2);
}

char *digits_put_last(char *to, uint64_t value, unsigned width)
{
	char *at = to + width;

	for (; at - to >= 4; value /= 10000) {
		uint32_t four = (uint32_t)(value % 10000);

		at -= 4;
		pair_put(at, four / 100);
		pair_put(at + 2, four % 100);
	}
	if (at - to >= 2) {
		at -= 2;
		pair_put(at, (uint32_t)(value % 100));
		value /= 100;
	}
	if (at > to)
		*to = (char)('0' + value % 10);
	return to + width;
}

char *digits_put(char *to, uint64_t value)
{
	return digits_put_last(to, value, digit_count(value));
}
