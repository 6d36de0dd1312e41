/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "present/html/html_flow.h"
#include "suites.h"

static int digit_value(char digit)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, digit);

	return digit && at ? (int)(at - digits) : -1;
}

/* The bytes of base64 that ends at "<"; line feeds are nothing. */
static size_t base64_read(const char *text, unsigned char *to)
{
	size_t count = 0;
	unsigned group = 0, bits = 0;

	for (; *text && *text != '<'; text++) {
		int value = digit_value(*text);

		if (value < 0)
			continue;
		group = group << 6 | (unsigned)value;
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		to[count++] = (unsigned char)(group >> bits);
	}
	return count;
}

/* What stands in the element; the caller frees it. */
static unsigned char *block_read(struct html_block *block, size_t room, size_t *ret_length)
{
	char *text = NULL;
	size_t length = 0, packed_length;
	FILE *out = open_memstream(&text, &length);
	unsigned char *packed, *bytes = malloc(room + 1);
	uLongf unpacked = room;
	const char *begin = "<script type=\"text/plain\" id=\"data-some\">\n";

	html_block_put(block, "some", out);
	(void)fclose(out);
	ck_assert_int_eq(strncmp(text, begin, strlen(begin)), 0);
	ck_assert_str_eq(text + length - strlen("</script>\n"), "</script>\n");
	packed = malloc(length);
	packed_length = base64_read(text + strlen(begin), packed);
	ck_assert_int_eq(uncompress(bytes, &unpacked, packed, packed_length), Z_OK);
	free(packed);
	free(text);
	*ret_length = unpacked;
	return bytes;
}

START_TEST(numbers_come_back)
{
	static const uint64_t numbers[] = {0, 1, 127, 128, 300, 1u << 28, UINT64_MAX};
	static const unsigned char packed[] = {
		0, 1, 0x7f, 0x80, 1, 0xac, 2, 0x80, 0x80, 0x80, 0x80, 1, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
	};
	struct html_block block;
	unsigned char *bytes;
	size_t length;

	html_block_init(&block);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		html_block_number(&block, numbers[i]);
	bytes = block_read(&block, 1000, &length);
	ck_assert_uint_eq(length, sizeof(packed));
	ck_assert_mem_eq(bytes, packed, length);
	free(bytes);
	html_block_release(&block);
}
END_TEST

/* Ends of lines and of groups fall anywhere. */
START_TEST(any_length_comes_back)
{
	struct html_block block;
	size_t length, given = (size_t)_i * 1237;
	unsigned char *bytes;
	uint32_t random = 1;

	html_block_init(&block);
	for (size_t i = 0; i < given; i++) {
		random = random * 1664525u + 1013904223u;
		html_block_byte(&block, (uint8_t)(random >> 24));
	}
	bytes = block_read(&block, given, &length);
	ck_assert_uint_eq(length, given);
	random = 1;
	for (size_t i = 0; i < given; i++) {
		random = random * 1664525u + 1013904223u;
		ck_assert(bytes[i] == (uint8_t)(random >> 24));
	}
	free(bytes);
	html_block_release(&block);
}
END_TEST

Suite *html_block_suite(void)
{
	Suite *suite = suite_create("html_block");
	TCase *tests = tcase_create("html_block");

	tcase_add_test(tests, numbers_come_back);
	tcase_add_loop_test(tests, any_length_comes_back, 0, 12);
	suite_add_tcase(suite, tests);
	return suite;
}
