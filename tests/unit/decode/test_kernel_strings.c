/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <string.h>

#include "decode/event_decoder.h"
#include "decode/event_format.h"
#include "suites.h"

static struct kernel_strings strings;

static const char *string_at(uint64_t address)
{
	static char text[64];
	struct text found = kernel_strings_get(&strings, address);

	memcpy(text, found.at ? found.at : "", found.length);
	text[found.length] = '\0';
	return text;
}

/* Lines are in no order, and some are there twice. */
START_TEST(strings_are_found_by_address)
{
	kernel_strings_parse("0xffffffff82511aa8 : \"suspend_enter\"\n"
	                     "0xffffffff82511aa8 : \"suspend_enter\"\n"
	                     "0xffffffff824af6a4 : \"CPU \\\"ON\\\"\"\n"
	                     "0x10 : \"\"\n"
	                     "0xc0a1 : \"last\"",
	                     &strings);
	ck_assert_str_eq(string_at(0xffffffff82511aa8), "suspend_enter");
	ck_assert_str_eq(string_at(0xffffffff824af6a4), "CPU \\\"ON\\\"");
	ck_assert_str_eq(string_at(0xc0a1), "last");
	ck_assert_str_eq(string_at(0x10), "");
	ck_assert_str_eq(string_at(0xc0a2), "");
	ck_assert_str_eq(string_at(0), "");
	kernel_strings_release(&strings);
}
END_TEST

START_TEST(other_lines_are_left_out)
{
	kernel_strings_parse("\n0x\n0x12\n0x13 : \"\n0x14 : no quotes\n15 : \"no 0x\"\n"
	                     "0x11112222333344445 : \"too long\"\n0x16 : \"fine\"\n", &strings);
	ck_assert_uint_eq(strings.count, 1);
	ck_assert_str_eq(string_at(0x16), "fine");
	kernel_strings_release(&strings);
	kernel_strings_parse(NULL, &strings);
	ck_assert_uint_eq(strings.count, 0);
	ck_assert_str_eq(string_at(0x16), "");
	kernel_strings_release(&strings);
}
END_TEST

/* Machines of 64 and of 32 bits. */
START_TEST(a_pointer_is_decoded_as_its_string)
{
	static const char *const formats[] = {
		"name: suspend_resume\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:const char * action;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:int val;\toffset:16;\tsize:4;\tsigned:1;\n"
		"\tfield:bool start;\toffset:20;\tsize:1;\tsigned:0;\n\nprint fmt: \"\"\n",
		"name: suspend_resume\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:const char * action;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:int val;\toffset:12;\tsize:4;\tsigned:1;\n"
		"\tfield:bool start;\toffset:16;\tsize:1;\tsigned:0;\n\nprint fmt: \"\"\n",
	};
	static const uint8_t payloads[][24] = {
		{7, 0, 0, 0, 3, 0, 0, 0, 0xa8, 0x1a, 0x51, 0x82, 0xff, 0xff, 0xff, 0xff, 3, 0, 0,
		 0, 1},
		{7, 0, 0, 0, 3, 0, 0, 0, 0xa8, 0x1a, 0x51, 0xc2, 3, 0, 0, 0, 1},
	};
	struct format_text format = {.system = "power", .text = formats[_i],
	                             .length = strlen(formats[_i])};
	struct source source = {
		.formats = &format, .format_count = 1, .long_bytes = _i ? 4 : 8,
		.strings = "0xffffffff82511aa8 : \"freeze_processes\"\n"
			   "0xc2511aa8 : \"freeze_processes\"\n",
	};
	struct record record = {.payload = payloads[_i], .length = sizeof(payloads[_i])};
	struct decoder *decoder = decoder_new(&source);
	struct event event;

	ck_assert_int_eq(decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
	ck_assert_int_eq(event.kind, EVENT_SUSPEND);
	ck_assert(text_is(event.suspend.action, "freeze_processes"));
	ck_assert_int_eq(event.suspend.value, 3);
	ck_assert_uint_eq(event.suspend.is_begin, 1);
	(void)decoder_free(decoder);
	source.strings = NULL;
	decoder = decoder_new(&source);
	ck_assert_int_eq(decoder_decode(decoder, &record, 0, &event), DECODE_EVENT);
	ck_assert_uint_eq(event.suspend.action.length, 0);
	(void)decoder_free(decoder);
}
END_TEST

Suite *kernel_strings_suite(void)
{
	Suite *suite = suite_create("kernel_strings");
	TCase *tests = tcase_create("kernel_strings");

	tcase_add_test(tests, strings_are_found_by_address);
	tcase_add_test(tests, other_lines_are_left_out);
	tcase_add_loop_test(tests, a_pointer_is_decoded_as_its_string, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
