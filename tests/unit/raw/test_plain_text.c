/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "raw/plain_text.h"

#include <string.h>

#include "suites.h"
#include "text_fixture.h"

static struct buffer text;

static const char *plain(struct source *source, const uint8_t *payload, uint32_t length)
{
	struct plain_text *writer = plain_text_new(source);
	const struct record record = {1, payload, length};

	buffer_clear(&text);
	plain_text_write(writer, &record, &text);
	writer = plain_text_free(writer);
	return text.text;
}

/* Each kind of field, in both byte orders. */
START_TEST(test_values)
{
	static const char format[] = TEXT_FORMAT(
		"kinds", 7,
		TEXT_FIELD("char comm[4]", 8, 4, 0)
		TEXT_FIELD("int negative", 12, 4, 1)
		TEXT_FIELD("unsigned long address", 16, 8, 0)
		TEXT_FIELD("void * pointer", 24, 4, 0)
		TEXT_FIELD("u16 port", 28, 2, 0)
		TEXT_FIELD("s16 delta", 30, 2, 1)
		TEXT_FIELD("u8 raw[3]", 32, 3, 0)
		TEXT_FIELD("s8 one", 35, 1, 1)
		TEXT_FIELD("__data_loc char[] name", 36, 4, 0)
		TEXT_FIELD("__rel_loc char[] near", 40, 4, 0)
		TEXT_FIELD("long args[1]", 44, 8, 1)
		TEXT_FIELD("s64 large", 52, 8, 1),
		"\"\"");
	static const uint8_t little[] = {
		7, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 0, 'x', 0xfe, 0xff, 0xff, 0xff, 0x10, 0x32,
		0x54, 0x76, 0, 0, 0, 0x80, 1, 2, 0, 0, 0x50, 0, 0xff, 0xff, 1, 0xff, 0, 0xfb,
		60, 0, 4, 0, 20, 0, 3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 'e', 't', 'h', 0, 'l', 'o', 0,
	};
	static const uint8_t big[] = {
		0, 7, 0, 0, 0, 0, 0, 0, 'a', 'b', 0, 'x', 0xff, 0xff, 0xff, 0xfe, 0x80, 0, 0, 0,
		0x76, 0x54, 0x32, 0x10, 0, 0, 2, 1, 0, 0x50, 0xff, 0xff, 1, 0xff, 0, 0xfb, 0, 4,
		0, 60, 0, 3, 0, 20, 1, 0, 0, 0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 'e', 't', 'h', 0, 'l', 'o', 0,
	};
	struct source *source = text_fixture();

	source->is_big_endian = _i;
	text_fixture_add(source, "test", format);
	text = buffer_of(BUFFER_LIMIT_DEFAULT);
	ck_assert_str_eq(plain(source, _i ? big : little, sizeof(little)),
	                 "comm=ab negative=-2 address=0x8000000076543210 pointer=0x201 port=80 "
	                 "delta=-1 raw=ARRAY[01, ff, 00] one=-5 name=eth near=lo "
	                 "args=ARRAY[01, 00, 00, 00, 00, 00, 00, 02] large=-1");
	buffer_release(&text);
}
END_TEST

/* What is not in the record is not read. */
START_TEST(test_outside)
{
	static const char format[] = TEXT_FORMAT(
		"outside", 7,
		TEXT_FIELD("__data_loc char[] name", 8, 4, 0)
		TEXT_FIELD("__rel_loc char[] near", 12, 4, 0)
		TEXT_FIELD("int here", 16, 4, 1)
		TEXT_FIELD("int cut", 18, 4, 1)
		TEXT_FIELD("int beyond", 65535, 65535, 1)
		TEXT_FIELD("char rest[]", 16, 0, 0),
		"\"\"");
	static const uint8_t bytes[] = {7, 0, 0, 0, 0, 0, 0, 0, 19, 0, 2, 0,
	                                4, 0, 1, 0, 'h', 'i', '\n', 'u'};
	struct source *source = text_fixture();

	text_fixture_add(source, "test", format);
	text = buffer_of(BUFFER_LIMIT_DEFAULT);
	ck_assert_str_eq(plain(source, bytes, sizeof(bytes)),
	                 "name=? near=? here=1963616616 cut=? beyond=? rest=hi u");
	buffer_release(&text);
}
END_TEST

/* Formats that cannot be read are none; of two with one ID the first counts. */
START_TEST(test_formats)
{
	static const uint8_t first[] = {7, 0, 0, 0, 0, 0, 0, 0, 5}, broken[] = {8, 0, 0},
	                     unknown[] = {9, 1};
	struct source *source = text_fixture();

	text_fixture_add(source, "test", "name: broken\nID: 8\nformat:\n\tfield:int;\n");
	text_fixture_add(source, "test",
	                 TEXT_FORMAT("first", 7, TEXT_FIELD("u8 a", 8, 1, 0), "\"\""));
	text_fixture_add(source, "test",
	                 TEXT_FORMAT("second", 7, TEXT_FIELD("u8 b", 8, 1, 0), "\"\""));
	text = buffer_of(BUFFER_LIMIT_DEFAULT);
	ck_assert_str_eq(plain(source, first, sizeof(first)), "a=5");
	ck_assert_str_eq(plain(source, broken, sizeof(broken)), "unknown event 8, 3 bytes");
	ck_assert_str_eq(plain(source, unknown, sizeof(unknown)), "unknown event 265, 2 bytes");
	ck_assert_str_eq(plain(source, unknown, 1), "unknown event, 1 bytes");
	buffer_release(&text);
}
END_TEST

Suite *plain_text_suite(void)
{
	Suite *suite = suite_create("plain_text");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_values, 0, 2);
	tcase_add_test(all, test_outside);
	tcase_add_test(all, test_formats);
	suite_add_tcase(suite, all);
	return suite;
}
