/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/machine_notes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data/array.h"
#include "suites.h"

/* What the hash of a file with that text is. */
static int hash_of(const char *text, char ret[MACHINE_ID_DIGITS + 1])
{
	char path[] = "/tmp/ftwait-machine-id.XXXXXX";
	int fd = mkstemp(path), r;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(dprintf(fd, "%s", text), 0);
	ck_assert_int_eq(close(fd), 0);
	r = machine_id_read(path, ret);
	ck_assert_int_eq(unlink(path), 0);
	return r;
}

/* The hashes are those of OpenSSL, with the six bits of a UUID set: openssl dgst -sha256 -mac HMAC
   -macopt hexkey:ID. */
START_TEST(an_id_has_one_hash)
{
	static const struct {
		const char *text, *hash;
	} cases[] = {
		{"0123456789abcdef0123456789abcdef\n", "2b310a0ced994b23be913e5caac5feea"},
		{"0123456789abcdef0123456789abcdef", "2b310a0ced994b23be913e5caac5feea"},
		{"0123456789abcdef0123456789abcdee\n", "f96c6da76de540ac80b70417ddba3d04"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char hash[MACHINE_ID_DIGITS + 1];

		ck_assert_int_eq(hash_of(cases[i].text, hash), 0);
		ck_assert_str_eq(hash, cases[i].hash);
	}
}
END_TEST

START_TEST(a_machine_need_not_have_an_id)
{
	static const char *const texts[] = {
		"", "\n", "uninitialized\n", "00000000000000000000000000000000\n",
		"0123456789abcdef0123456789abcde\n", "0123456789abcdef0123456789abcdef0\n",
		"0123456789ABCDEF0123456789abcdef\n", "0123456789abcdef0123456789abcdeg\n",
		"0123456789abcdef0123456789abcdef\n\n", "01234567-89ab-cdef-0123-456789abcdef\n",
	};
	char hash[MACHINE_ID_DIGITS + 1];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_int_eq(hash_of(texts[i], hash), -ENOENT);
	ck_assert_int_eq(machine_id_read("/nowhere/machine-id", hash), -ENOENT);
	ck_assert_int_lt(machine_id_read("/proc/self/maps", hash), 0);
}
END_TEST

Suite *machine_id_suite(void)
{
	Suite *suite = suite_create("machine_id");
	TCase *tests = tcase_create("machine_id");

	tcase_add_test(tests, an_id_has_one_hash);
	tcase_add_test(tests, a_machine_need_not_have_an_id);
	suite_add_tcase(suite, tests);
	return suite;
}
