/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "base/xalloc.h"
#include "suites.h"

static const char text[] = "one page, one page, one page, one page, one page, one page";

static size_t pack(enum packing packing, uint8_t *to, size_t room)
{
	uLongf got = room;

	if (packing == PACKING_ZSTD)
		return ZSTD_compress(to, room, text, sizeof(text), 3);
	if (packing == PACKING_ZLIB)
		ck_assert_int_eq(compress(to, &got, (const Bytef *)text, sizeof(text)), Z_OK);
	else
		memcpy(to, text, got = sizeof(text));
	return got;
}

/* Only the whole packed text, and only at its own size. */
START_TEST(test_exact_or_nothing)
{
	enum packing packing = (enum packing)_i;
	uint8_t packed[256];
	char back[256];
	size_t size = pack(packing, packed, sizeof(packed));

	ck_assert_int_eq(unpack(packing, packed, size, back, sizeof(text)), 0);
	ck_assert_str_eq(back, text);
	ck_assert_int_eq(unpack(packing, packed, size, back, sizeof(text) - 1), -EBADMSG);
	ck_assert_int_eq(unpack(packing, packed, size, back, sizeof(text) + 1), -EBADMSG);
	for (size_t cut = 0; cut < size; cut++)
		ck_assert_int_eq(unpack(packing, packed, cut, back, sizeof(text)), -EBADMSG);
}
END_TEST

/* What packers make passes; what no packer can have made, in either direction, does not. */
START_TEST(test_claims)
{
	enum packing packing = (enum packing)_i;
	uint8_t packed[256];
	size_t size = pack(packing, packed, sizeof(packed));

	ck_assert(unpack_is_possible(packing, packed, size, sizeof(text)));
	ck_assert(!unpack_is_possible(packing, packed, size, size * 2000));
	ck_assert(!unpack_is_possible(packing, packed, 1u << 30, sizeof(text)));
	if (packing == PACKING_ZSTD)
		for (size_t cut = 0; cut < 5; cut++)
			ck_assert(!unpack_is_possible(packing, packed, cut, sizeof(text)));
}
END_TEST

/* The most that deflate can make of its input. */
START_TEST(test_zeros)
{
	size_t size = 1u << 24;
	uint8_t *zeros = xcalloc(1, size), *packed = xmalloc(size);
	uLongf got = size;

	ck_assert_int_eq(compress2(packed, &got, zeros, size, 9), Z_OK);
	ck_assert(unpack_is_possible(PACKING_ZLIB, packed, got, size));
	ck_assert(!unpack_is_possible(PACKING_ZLIB, packed, got, size + size / 10));
	free(zeros);
	free(packed);
}
END_TEST

START_TEST(test_names)
{
	enum packing packing;

	ck_assert_int_eq(packing_from_name("zlib", &packing), 0);
	ck_assert_int_eq(packing, PACKING_ZLIB);
	ck_assert_int_eq(packing_from_name("zstd", &packing), 0);
	ck_assert_int_eq(packing, PACKING_ZSTD);
	ck_assert_int_eq(packing_from_name("none", &packing), 0);
	ck_assert_int_eq(packing, PACKING_NONE);
	ck_assert_int_eq(packing_from_name("", &packing), -ENOTSUP);
}
END_TEST

Suite *unpack_suite(void)
{
	Suite *suite = suite_create("unpack");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_exact_or_nothing, 0, 3);
	tcase_add_loop_test(all, test_claims, 0, 3);
	tcase_add_test(all, test_zeros);
	tcase_add_test(all, test_names);
	suite_add_tcase(suite, all);
	return suite;
}
