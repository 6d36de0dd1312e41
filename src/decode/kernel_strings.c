/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_strings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

static int string_compare(const void *a, const void *b)
{
	const struct kernel_string *left = a, *right = b;

	return (left->address > right->address) - (left->address < right->address);
}

/* -1: not a digit. The kernel prints lower-case letters. */
static int hex_digit(char sign)
{
	if (sign >= '0' && sign <= '9')
		return sign - '0';
	return sign >= 'a' && sign <= 'f' ? sign - 'a' + 10 : -1;
}

/* Parses a line like "0x12ab : "text"" between `at` and `end`. */
static bool line_parse(const char *at, const char *end, struct kernel_string *ret)
{
	static const char between[] = " : \"";
	const size_t length = sizeof(between) - 1;
	unsigned digits = 0;

	*ret = (struct kernel_string){0};
	if (end - at < 2 || at[0] != '0' || at[1] != 'x')
		return false;
	for (at += 2; at < end && hex_digit(*at) >= 0 && digits < 16; at++, digits++)
		ret->address = ret->address << 4 | (unsigned)hex_digit(*at);
	if (digits == 0 || (size_t)(end - at) <= length || memcmp(at, between, length) != 0 ||
	    end[-1] != '"')
		return false;
	at += length;
	ret->text = (struct text){at, (uint32_t)(end - 1 - at)};
	return true;
}

void kernel_strings_parse(const char *text, struct kernel_strings *ret)
{
	size_t capacity = 0;

	*ret = (struct kernel_strings){0};
	while (text && *text && ret->count < KERNEL_STRINGS_MAX) {
		const char *end = strchrnul(text, '\n');
		struct kernel_string string;

		if (line_parse(text, end, &string)) {
			ARRAY_GROW(ret->string, ret->count, capacity);
			ret->string[ret->count++] = string;
		}
		text = *end ? end + 1 : end;
	}
	if (ret->count > 1)
		qsort(ret->string, ret->count, sizeof(*ret->string), string_compare);
}

void kernel_strings_release(struct kernel_strings *strings)
{
	free(strings->string);
	*strings = (struct kernel_strings){0};
}

struct text kernel_strings_get(const struct kernel_strings *strings, uint64_t address)
{
	const struct kernel_string key = {.address = address};
	const struct kernel_string *found =
		strings->count ? bsearch(&key, strings->string, strings->count,
	                                 sizeof(*strings->string), string_compare)
			       : NULL;

	return found ? found->text : (struct text){0};
}
