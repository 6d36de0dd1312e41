/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/perfetto/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "suites.h"

static const struct {
	const char *bytes;
	size_t size;
	bool is_number;
	uint64_t value;
} numbers[] = {
	{"\0", 1, true, 0},
	{"\x7f", 1, true, 127},
	{"\x80\x01", 2, true, 128},
	{"\xac\x02\x05", 3, true, 300},
	/* -1 has ten bytes; some encoders pad */
	{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true, UINT64_MAX},
	{"\x81\x80\x80\x00", 4, true, 1},
	/* beyond 64 bits, without an end, and none */
	{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false, 0},
	{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11, false, 0},
	{"\x80\x80", 2, false, 0},
	{"", 0, false, 0},
};

START_TEST(numbers_have_at_most_64_bits)
{
	struct wire wire = {(const uint8_t *)numbers[_i].bytes,
	                    (const uint8_t *)numbers[_i].bytes + numbers[_i].size, false};
	uint64_t value = 0;

	ck_assert_int_eq(wire_number(&wire, &value), numbers[_i].is_number);
	ck_assert_int_eq(wire.is_bad, !numbers[_i].is_number);
	ck_assert_uint_eq(value, numbers[_i].value);
	if (wire.is_bad)
		ck_assert_ptr_eq(wire.at, wire.end);
}
END_TEST

/* Field 1 300, field 2 of 8 bytes, field 3 "abc", field 4 of 4 bytes, field 1000 "". */
static const uint8_t message[] = {0x08, 0xac, 0x02, 0x11, 1,    2,    3,    4, 5, 6, 7, 8, 0x1a,
                                  3,    'a',  'b',  'c',  0x25, 0xff, 0xff, 0, 0, 0xc2, 0x3e, 0};

START_TEST(fields_of_all_types_are_read)
{
	struct wire wire = {message, message + sizeof(message), false}, inner;
	struct wire_field field;

	ck_assert(wire_next(&wire, &field) && field.number == 1 && field.type == WIRE_NUMBER);
	ck_assert_uint_eq(field.value, 300);
	inner = wire_of(&field);
	ck_assert(!wire_next(&inner, &field) && !inner.is_bad);
	ck_assert(wire_next(&wire, &field) && field.number == 2 && field.type == WIRE_FIXED64);
	ck_assert_uint_eq(field.value, UINT64_C(0x0807060504030201));
	ck_assert(wire_next(&wire, &field) && field.number == 3 && field.type == WIRE_BYTES);
	ck_assert_uint_eq(field.bytes, 3);
	ck_assert(word_is(wire_line(wire_of(&field)), "abc"));
	ck_assert(wire_next(&wire, &field) && field.number == 4 && field.type == WIRE_FIXED32);
	ck_assert_uint_eq(field.value, 0xffff);
	ck_assert(wire_next(&wire, &field) && field.number == 1000 && field.bytes == 0);
	ck_assert(!wire_next(&wire, &field) && !wire.is_bad);
}
END_TEST

/* Each prefix in memory of its own: a reader beyond it is seen by the sanitizer. */
START_TEST(cuts_are_bad_unless_between_fields)
{
	static const size_t between[] = {0, 3, 12, 17, 22, 25};

	for (size_t size = 0; size <= sizeof(message); size++) {
		uint8_t *copy = xmalloc(size + !size);
		struct wire wire = {copy, copy + size, false};
		struct wire_field field;
		bool is_whole = false;

		memcpy(copy, message, size);
		for (size_t i = 0; i < ARRAY_SIZE(between); i++)
			is_whole |= between[i] == size;
		while (wire_next(&wire, &field))
			;
		ck_assert_int_eq(wire.is_bad, !is_whole);
		ck_assert_ptr_eq(wire.at, wire.end);
		ck_assert(!wire_next(&wire, &field));
		free(copy);
	}
}
END_TEST

static const struct {
	const char *bytes;
	size_t size;
} wrong[] = {
	{"\x00\x01", 2},                 /* field 0 */
	{"\x0b\x0c", 2},                 /* a group */
	{"\x0f\x01", 2},                 /* a type that does not exist */
	{"\x0a\x02\x01", 3},             /* bytes beyond the end */
	{"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},
	{"\x80\x80\x80\x80\x10\x01", 6}, /* field 2^29 */
};

START_TEST(wrong_fields_are_bad)
{
	struct wire wire = {(const uint8_t *)wrong[_i].bytes,
	                    (const uint8_t *)wrong[_i].bytes + wrong[_i].size, false};
	struct wire_field field;

	ck_assert(!wire_next(&wire, &field));
	ck_assert(wire.is_bad);
}
END_TEST

Suite *wire_suite(void)
{
	Suite *suite = suite_create("wire");
	TCase *tests = tcase_create("wire");

	tcase_add_loop_test(tests, numbers_have_at_most_64_bits, 0, ARRAY_SIZE(numbers));
	tcase_add_test(tests, fields_of_all_types_are_read);
	tcase_add_test(tests, cuts_are_bad_unless_between_fields);
	tcase_add_loop_test(tests, wrong_fields_are_bad, 0, ARRAY_SIZE(wrong));
	suite_add_tcase(suite, tests);
	return suite;
}
