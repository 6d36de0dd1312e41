/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats as kernels 5.10 to 7.2 print them, shortened. */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "recorder/drain/page_census.h"
#include "suites.h"

static void on_field(void *state, const struct function_field *field)
{
	buffer_printf(state, "%u:%u+%u ", field->id, field->offset, field->size);
}

static void check_fields(const char *format, const char *expected)
{
	struct buffer found;

	buffer_init(&found, 1000);
	function_fields_find(format, strlen(format), on_field, &found);
	ck_assert_str_eq(found.length ? found.text : "", expected);
	buffer_release(&found);
}

START_TEST(functions_are_what_is_shown_as_such)
{
	check_fields("name: timer_start\nID: 466\nformat:\n"
	             "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	             "\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
	             "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	             "print fmt: \"timer=%p function=%ps expires=%lu\", REC->timer, REC->function, "
	             "REC->expires\n",
	             "466:16+8 ");
	check_fields("ID: 9\n"
	             "\tfield:void * location;\toffset:16;\tsize:8;\tsigned:0;\n"
	             "\tfield:unsigned long call_site;\toffset:24;\tsize:4;\tsigned:0;\n\n"
	             "print fmt: \"%5d%% %s at=%pS by (%-*s) %pF\", REC->a, "
	             "__print_symbolic(REC->location, { 1, \"a,b)\" }), REC->location, REC->width, "
	             "REC->name, (void *)REC->call_site\n",
	             "9:16+8 9:24+4 ");
}
END_TEST

/* kfree_skb of Linux 6.1 */
START_TEST(a_location_is_one_however_it_is_shown)
{
	check_fields("ID: 1319\n\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
	             "\tfield:void * location;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	             "print fmt: \"skbaddr=%p location=%p\", REC->skbaddr, REC->location\n",
	             "1319:16+8 ");
}
END_TEST

START_TEST(a_stack_ends_with_its_record)
{
	check_fields("name: kernel_stack\nID: 4\nformat:\n"
	             "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	             "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n"
	             "print fmt: \"\\t=> %ps\\n\\t=> %ps\\n\" \"\\t=> %ps\\n\", "
	             "(void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2]\n",
	             "4:16+0 ");
}
END_TEST

START_TEST(other_pointers_are_none)
{
	check_fields("ID: 5\n\tfield:void * skb;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	             "print fmt: \"%p %px %pK %pI4 %s\", REC->skb, REC->skb, REC->skb, REC->skb, "
	             "REC->skb\n",
	             "");
}
END_TEST

START_TEST(nonsense_has_none)
{
	static const char *const formats[] = {
		"",
		"ID: 5\n",
		"print fmt: \"%ps\", REC->a\n",
		"ID: x\n\nprint fmt: \"%ps\", REC->a\n",
		"ID: 5\n\nprint fmt: \"%ps\", REC->a\n",
		"ID: 5\n\nprint fmt: \"%ps",
		"ID: 5\n\nprint fmt: \"%",
		"ID: 5\n\nprint fmt: \"%ps\", REC->",
		"ID: 5\n\tfield:\n\nprint fmt: \"%ps\", REC->a",
		"ID: 5\n\tfield:void * a;\n\nprint fmt: \"%ps\", REC->a",
		"ID: 5\n\tfield:void * ba;\toffset:8;\tsize:8;\n\nprint fmt: \"%ps\", REC->a",
		"ID: 5\n\tfield:void * a;\toffset:;\tsize:8;\n\nprint fmt: \"%ps\", REC->a",
		"ID: 5\n\tfield:]; \n\nprint fmt: \"%ps\", REC->a",
	};

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		check_fields(formats[i], "");
}
END_TEST

/* Each text, cut at each of its bytes, under the sanitizers. */
START_TEST(a_format_may_end_anywhere)
{
	static const char format[] =
		"ID: 4\n\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\n\n"
		"print fmt: \"\\t%% %-*.*lps=> %ps\\n\" \"%pB\", a(b, \"c)\\\"\"), (void "
		"*)REC->caller[0], REC->caller[1]\n";
	struct buffer found;

	for (size_t length = 0; length < sizeof(format); length++) {
		char *copy = strndup(format, length);

		buffer_init(&found, 1000);
		function_fields_find(copy, length, on_field, &found);
		buffer_release(&found);
		free(copy);
	}
}
END_TEST

Suite *function_fields_suite(void)
{
	Suite *suite = suite_create("function_fields");
	TCase *tests = tcase_create("function_fields");

	tcase_add_test(tests, functions_are_what_is_shown_as_such);
	tcase_add_test(tests, a_location_is_one_however_it_is_shown);
	tcase_add_test(tests, a_stack_ends_with_its_record);
	tcase_add_test(tests, other_pointers_are_none);
	tcase_add_test(tests, nonsense_has_none);
	tcase_add_test(tests, a_format_may_end_anywhere);
	suite_add_tcase(suite, tests);
	return suite;
}
