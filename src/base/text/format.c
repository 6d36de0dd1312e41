/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format.h"

#include <stdio.h>
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

static void unit_put(char *to, const char *unit)
{
	memcpy(to, unit, strlen(unit) + 1);
}

/* 12840 thousandths give "12.840 ms". */
static char *thousandths_put(char *to, uint64_t thousandths, const char *unit)
{
	char *at = digits_put(to, thousandths / 1000);

	*at++ = '.';
	at = digits_put_last(at, thousandths, 3);
	unit_put(at, unit);
	return to;
}

char *format_duration(nsec_t duration, char to[static FORMAT_BYTES])
{
	if (duration >= 1000000000)
		return thousandths_put(to, duration / 1000000, " s");
	if (duration >= 1000000)
		return thousandths_put(to, duration / 1000, " ms");
	if (duration >= 1000)
		return thousandths_put(to, duration, " us");
	unit_put(digits_put(to, duration), duration ? " ns" : "");
	return to;
}

char *format_instant(nsec_t instant, char to[static FORMAT_BYTES])
{
	char *at = digits_put(to, instant / 1000000000);

	*at++ = '.';
	*digits_put_last(at, instant / 1000, 6) = '\0';
	return to;
}

/* Rounds to the nearest tenth, halves to the even digit, as printf() does. */
char *format_size(uint64_t bytes, char to[static FORMAT_BYTES])
{
	static const char *const unit[] = {" B", " KiB", " MiB", " GiB", " TiB"};
	unsigned at = 0, bits = 0;
	uint64_t tenths, beyond, half;
	char *end;

	for (; bytes >> bits >= 1024 && at < 4; bits += 10)
		at++;
	half = bits ? UINT64_C(1) << (bits - 1) : 0;
	beyond = (bytes & ((UINT64_C(1) << bits) - 1)) * 10;
	tenths = beyond >> bits;
	beyond &= (UINT64_C(1) << bits) - 1;
	tenths += beyond > half || (beyond == half && tenths % 2 == 1);
	end = digits_put(to, (bytes >> bits) + tenths / 10);
	if (at > 0) {
		*end++ = '.';
		end = digits_put_last(end, tenths, 1);
	}
	unit_put(end, unit[at]);
	return to;
}

char *format_count(uint64_t count, char to[static FORMAT_BYTES])
{
	char digits[DIGITS_MAX];
	size_t length = (size_t)(digits_put(digits, count) - digits), put = 0;

	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			to[put++] = ',';
		to[put++] = digits[i];
	}
	to[put] = '\0';
	return to;
}

char *format_device(uint32_t device, char to[static FORMAT_BYTES])
{
	char *at = digits_put(to, device >> 20);

	*at++ = ',';
	*digits_put(at, device & 0xfffff) = '\0';
	return to;
}

char *format_ratio(double ratio, char to[static FORMAT_BYTES])
{
	(void)snprintf(to, FORMAT_BYTES, "%.1f %%", ratio * 100);
	return to;
}
