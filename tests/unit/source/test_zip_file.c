/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/zip_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "suites.h"

#define CORPUS "fixtures/corpus/perfetto/"

static struct buffer why;
static struct zip_member member;

static void setup(void)
{
	buffer_init(&why, 1000);
}

static void teardown(void)
{
	buffer_release(&why);
}

static uint8_t *archive_read(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = xmalloc(4096);

	ck_assert_ptr_nonnull(file);
	*ret_size = fread(bytes, 1, 4096, file);
	(void)fclose(file);
	return bytes;
}

static int find_in(const uint8_t *bytes, size_t size)
{
	char path[] = "/tmp/ftwait-zip-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC), r;

	ck_assert_int_ge(fd, 0);
	(void)unlink(path);
	ck_assert_int_eq(file_write_all(fd, bytes, size), 0);
	buffer_clear(&why);
	r = zip_find_trace(fd, size, &member, &why);
	(void)close(fd);
	return r;
}

START_TEST(cuts_are_refused)
{
	size_t size;
	uint8_t *bytes = archive_read(CORPUS "zip-stored", &size);

	ck_assert(zip_is_archive(bytes, size));
	ck_assert_int_eq(find_in(bytes, size), 0);
	ck_assert_str_eq(member.name, "trace.pb");
	ck_assert_int_eq(member.packer, PACKER_NONE);
	ck_assert(member.is_plain);
	for (size_t cut = 0; cut < size; cut++) {
		ck_assert_int_eq(find_in(bytes, cut), -EBADMSG);
		ck_assert_uint_gt(why.length, 0);
	}
	free(bytes);
}
END_TEST

/* Whatever byte is wrong, the data of a member that is found are in the archive. */
START_TEST(changes_stay_within)
{
	size_t size;
	uint8_t *bytes = archive_read(CORPUS "zip", &size);

	ck_assert_int_eq(find_in(bytes, size), 0);
	ck_assert_int_eq(member.packer, PACKER_DEFLATE);
	for (size_t at = 0; at < size; at++) {
		bytes[at] ^= 0xff;
		if (find_in(bytes, size) == 0)
			ck_assert(member.bytes <= size && member.offset <= size - member.bytes);
		else
			ck_assert_uint_gt(why.length, 0);
		bytes[at] ^= 0xff;
	}
	free(bytes);
}
END_TEST

START_TEST(several_are_named)
{
	size_t size;
	uint8_t *bytes = archive_read(CORPUS "zip-two", &size);

	ck_assert_int_eq(find_in(bytes, size), -EINVAL);
	ck_assert_ptr_nonnull(strstr(why.text, "2 traces: a.pftrace, b.pftrace"));
	free(bytes);
}
END_TEST

Suite *zip_file_suite(void)
{
	Suite *suite = suite_create("zip_file");
	TCase *tests = tcase_create("zip_file");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, cuts_are_refused);
	tcase_add_test(tests, changes_stay_within);
	tcase_add_test(tests, several_are_named);
	suite_add_tcase(suite, tests);
	return suite;
}
