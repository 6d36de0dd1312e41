/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "export/perfetto_file.h"
#include "suites.h"

#define CHECK_BYTES(proto, ...)                                              \
	do {                                                                 \
		static const uint8_t wanted[] = {__VA_ARGS__};               \
		ck_assert_uint_eq((proto)->length, sizeof(wanted));          \
		ck_assert_mem_eq((proto)->byte, wanted, sizeof(wanted));     \
	} while (0)

START_TEST(numbers_take_seven_bits_a_byte)
{
	struct proto_writer proto = {0};

	proto_number(&proto, 1, 150);
	proto_number(&proto, 16, 0);
	CHECK_BYTES(&proto, 0x08, 0x96, 0x01, 0x80, 0x01, 0x00);
	proto_clear(&proto);
	proto_number(&proto, 2, (uint64_t)-1);
	CHECK_BYTES(&proto, 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
	proto_release(&proto);
}
END_TEST

START_TEST(fixed_numbers_are_little_endian)
{
	struct proto_writer proto = {0};

	proto_fixed64(&proto, 47, 0x0102030405060708u);
	CHECK_BYTES(&proto, 0xf9, 0x02, 8, 7, 6, 5, 4, 3, 2, 1);
	proto_release(&proto);
}
END_TEST

START_TEST(messages_nest)
{
	struct proto_writer proto = {0};

	proto_begin(&proto, 1);
	proto_bytes(&proto, 2, "hi", 2);
	proto_begin(&proto, 3);
	proto_end(&proto);
	proto_end(&proto);
	proto_number(&proto, 4, 1);
	CHECK_BYTES(&proto, 0x0a, 6, 0x12, 2, 'h', 'i', 0x1a, 0, 0x20, 1);
	proto_release(&proto);
}
END_TEST

/* Lengths that need two and three bytes move what was written, at each level. */
START_TEST(long_messages_have_long_lengths)
{
	enum { INNER = 20000 };
	static const uint8_t zeros[INNER];
	struct proto_writer proto = {0};

	proto_begin(&proto, 1);
	proto_begin(&proto, 2);
	proto_bytes(&proto, 3, zeros, INNER);
	proto_end(&proto);
	proto_end(&proto);
	ck_assert_uint_eq(proto.length, 4 + 4 + 4 + INNER);
	/* 20008, 20004 and 20000 */
	ck_assert_mem_eq(proto.byte, "\x0a\xa8\x9c\x01\x12\xa4\x9c\x01\x1a\xa0\x9c\x01\0", 13);
	proto_clear(&proto);
	proto_begin(&proto, 1);
	proto_bytes(&proto, 2, zeros, 126);
	proto_end(&proto);
	ck_assert_uint_eq(proto.length, 3 + 2 + 126);
	ck_assert_mem_eq(proto.byte, "\x0a\x80\x01\x12\x7e\0", 6);
	proto_release(&proto);
}
END_TEST

START_TEST(packed_numbers_are_bytes_of_a_field)
{
	struct proto_writer column = {0}, proto = {0};

	proto_packed(&column, 1);
	proto_packed(&column, 300);
	proto_bytes(&proto, 7, column.byte, column.length);
	proto_raw(&proto, "\x08\x01", 2);
	proto_bytes(&proto, 5, NULL, 0);
	CHECK_BYTES(&proto, 0x3a, 3, 1, 0xac, 2, 8, 1, 0x2a, 0);
	proto_release(&proto);
	proto_release(&column);
}
END_TEST

Suite *proto_writer_suite(void)
{
	Suite *suite = suite_create("proto_writer");
	TCase *tests = tcase_create("proto_writer");

	tcase_add_test(tests, numbers_take_seven_bits_a_byte);
	tcase_add_test(tests, fixed_numbers_are_little_endian);
	tcase_add_test(tests, messages_nest);
	tcase_add_test(tests, long_messages_have_long_lengths);
	tcase_add_test(tests, packed_numbers_are_bytes_of_a_field);
	suite_add_tcase(suite, tests);
	return suite;
}
