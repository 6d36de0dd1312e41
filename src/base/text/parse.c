/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{"", 1},          {"B", 1},          {"K", 1ull << 10}, {"k", 1ull << 10},
	{"KB", 1ull << 10}, {"kB", 1ull << 10}, {"KiB", 1ull << 10}, {"M", 1ull << 20},
	{"MB", 1ull << 20}, {"MiB", 1ull << 20}, {"G", 1ull << 30}, {"GB", 1ull << 30},
	{"GiB", 1ull << 30},
};

static const struct unit time_units[] = {
	{"", 1000000000},  {"s", 1000000000},     {"sec", 1000000000},
	{"ms", 1000000},   {"us", 1000},          {"ns", 1},
	{"m", 60000000000}, {"min", 60000000000}, {"h", 3600000000000},
};

static int unit_find(const struct unit *units, size_t count, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(units[i].name, name) == 0) {
			*ret = units[i].factor;
			return 0;
		}
	}
	return -EINVAL;
}

/* Parses the digits at *text, and advances *text past them. */
static int parse_digits(const char **text, int base, uint64_t *ret)
{
	char *end;
	uint64_t value;

	if (!(base == 16 ? isxdigit((unsigned char)**text) : isdigit((unsigned char)**text)))
		return -EINVAL;
	errno = 0;
	value = strtoull(*text, &end, base);
	if (errno)
		return -ERANGE;
	*text = end;
	*ret = value;
	return 0;
}

bool parse_number_at(const char *text, int base, uint64_t *ret)
{
	text += strspn(text, " \t");
	return parse_digits(&text, base, ret) == 0;
}

int parse_u64(const char *text, uint64_t *ret)
{
	uint64_t value;
	int base = 10;
	int r;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	r = parse_digits(&text, base, &value);
	if (r < 0)
		return r;
	if (*text)
		return -EINVAL;
	*ret = value;
	return 0;
}

int parse_pid(const char *text, int32_t *ret)
{
	uint64_t value;
	int r;

	r = parse_u64(text, &value);
	if (r < 0)
		return r;
	if (value > INT32_MAX)
		return -ERANGE;
	*ret = (int32_t)value;
	return 0;
}

static const struct unit percent_units[] = {{"", 10000}, {"%", 10000}, {" %", 10000}};

/* The decimals as a part of the factor, rounded down. The loop goes from the last digit to the
   first: so repeated division by ten gives the exact floor, also for powers of two. */
static uint64_t fraction_scale(const char *digits, size_t count, uint64_t factor)
{
	uint64_t value = 0;

	while (count-- > 0)
		value = ((uint64_t)(digits[count] - '0') * factor + value) / 10;
	return value;
}

/* Parses "123", "1.5", ".5" with a unit from the table. Digits that stand for less than the
   smallest unit are dropped. */
static int parse_scaled(const char *text, const struct unit *units, size_t count, uint64_t *ret)
{
	const char *fraction = "";
	size_t fraction_digits = 0;
	uint64_t whole = 0, factor, value;
	int r;

	if (*text != '.') {
		r = parse_digits(&text, 10, &whole);
		if (r < 0)
			return r;
	}
	if (*text == '.') {
		fraction = ++text;
		fraction_digits = strspn(text, "0123456789");
		if (fraction_digits == 0)
			return -EINVAL;
		text += fraction_digits;
	}
	r = unit_find(units, count, text, &factor);
	if (r < 0)
		return r;
	if (__builtin_mul_overflow(whole, factor, &value) ||
	    __builtin_add_overflow(value, fraction_scale(fraction, fraction_digits, factor),
	                           &value))
		return -ERANGE;
	*ret = value;
	return 0;
}

int parse_size(const char *text, uint64_t *ret_bytes)
{
	return parse_scaled(text, size_units, ARRAY_SIZE(size_units), ret_bytes);
}

int parse_percent(const char *text, double *ret)
{
	uint64_t millionths;
	int r = parse_scaled(text, percent_units, ARRAY_SIZE(percent_units), &millionths);

	if (r < 0)
		return r;
	*ret = (double)millionths / 1e6;
	return 0;
}

int parse_time(const char *text, nsec_t *ret)
{
	return parse_scaled(text, time_units, ARRAY_SIZE(time_units), ret);
}
