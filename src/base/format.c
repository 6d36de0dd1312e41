/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "digits.h"

char *format_duration(nsec_t duration, char to[static FORMAT_BYTES])
{
	if (duration == 0)
		(void)snprintf(to, FORMAT_BYTES, "0");
	else if (duration < 1000)
		(void)snprintf(to, FORMAT_BYTES, "%" PRIu64 " ns", duration);
	else if (duration < 1000000)
		(void)snprintf(to, FORMAT_BYTES, "%" PRIu64 ".%03" PRIu64 " us", duration / 1000,
		               duration % 1000);
	else if (duration < 1000000000)
		(void)snprintf(to, FORMAT_BYTES, "%" PRIu64 ".%03" PRIu64 " ms", duration / 1000000,
		               duration / 1000 % 1000);
	else
		(void)snprintf(to, FORMAT_BYTES, "%" PRIu64 ".%03" PRIu64 " s",
		               duration / 1000000000, duration / 1000000 % 1000);
	return to;
}

char *format_instant(nsec_t instant, char to[static FORMAT_BYTES])
{
	(void)snprintf(to, FORMAT_BYTES, "%" PRIu64 ".%06" PRIu64, instant / 1000000000,
	               instant / 1000 % 1000000);
	return to;
}

char *format_size(uint64_t bytes, char to[static FORMAT_BYTES])
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	unsigned at = 0;

	while (value >= 1024 && at < 4) {
		value /= 1024;
		at++;
	}
	(void)snprintf(to, FORMAT_BYTES, at ? "%.1f %s" : "%.0f %s", value, unit[at]);
	return to;
}

char *format_count(uint64_t count, char to[static FORMAT_BYTES])
{
	char digits[FORMAT_BYTES];
	size_t length, put = 0;

	length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count);
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
