/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export/gzip_file.h"
#include "suites.h"

#define WORDS 300000 /* more than what is gathered before it is packed */

START_TEST(what_is_packed_can_be_unpacked)
{
	char *packed = NULL, *plain = malloc(WORDS * 8), *out = malloc(WORDS * 8 + 1);
	size_t size, length = 0;
	FILE *to = open_memstream(&packed, &size), *file = gzip_file_open(to);
	z_stream stream = {0};

	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < WORDS; i++)
		length += (size_t)sprintf(plain + length, "%x,", i * 2654435761u % 9973);
	ck_assert_uint_eq(fwrite(plain, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(fclose(to), 0);
	ck_assert_uint_lt(size, length);
	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	stream.next_in = (unsigned char *)packed;
	stream.avail_in = (uInt)size;
	stream.next_out = (unsigned char *)out;
	stream.avail_out = WORDS * 8 + 1;
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.total_out, length);
	ck_assert_mem_eq(out, plain, length);
	(void)inflateEnd(&stream);
	free(packed);
	free(plain);
	free(out);
}
END_TEST

START_TEST(a_full_disk_is_reported)
{
	FILE *to = fopen("/dev/full", "w"), *file;

	ck_assert_ptr_nonnull(to);
	(void)setvbuf(to, NULL, _IONBF, 0);
	file = gzip_file_open(to);
	ck_assert_int_ge(fputs("something", file), 0);
	ck_assert_int_eq(fclose(file), EOF);
	(void)fclose(to);
}
END_TEST

Suite *gzip_file_suite(void)
{
	Suite *suite = suite_create("gzip_file");
	TCase *tests = tcase_create("gzip_file");

	tcase_add_test(tests, what_is_packed_can_be_unpacked);
	tcase_add_test(tests, a_full_disk_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
