/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format.h"

#include <stdio.h>
#include <string.h>

#include "digits.h"

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
