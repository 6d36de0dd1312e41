/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <string.h>

/* "00" to "99": a division for two digits. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

static unsigned digit_count(uint64_t value)
{
	unsigned count = 1;

	for (; value >= 10000; value /= 10000)
		count += 4;
	return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

char *digits_put_last(char *to, uint64_t value, unsigned width)
{
	char *at = to + width;

	for (; at - to >= 2; value /= 100) {
		at -= 2;
		memcpy(at, pairs + value % 100 * 2, 2);
	}
	if (at > to)
		*to = (char)('0' + value % 10);
	return to + width;
}

char *digits_put(char *to, uint64_t value)
{
	return digits_put_last(to, value, digit_count(value));
}
