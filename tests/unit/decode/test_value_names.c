/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <check.h>
#include <string.h>

#include "decode/event_format.h"
#include "suites.h"

static struct value_names names;

static const char *name_of(uint64_t value)
{
	static char text[64];
	struct text name = value_names_get(&names, value);

	memcpy(text, name.at ? name.at : "", name.length);
	text[name.length] = '\0';
	return text;
}

static void parse(const char *print)
{
	value_names_release(&names);
	value_names_parse((struct text){print, (uint32_t)strlen(print)}, "reason", &names);
}

START_TEST(names_are_those_of_the_field)
{
	parse("\"%s %s\", __print_symbolic(REC->family, { 2, \"AF_INET\" }), "
	      "__print_symbolic(REC->reason, { 2, \"NO_SOCKET\" },{64,\"QDISC_DROP\"} ), "
	      "__print_symbolic(REC->other, { 3, \"C\" })");
	ck_assert_str_eq(name_of(2), "NO_SOCKET");
	ck_assert_str_eq(name_of(64), "QDISC_DROP");
	ck_assert_str_eq(name_of(0), "");
	ck_assert_str_eq(name_of(3), "");
	ck_assert_str_eq(name_of(65), "");
	ck_assert_str_eq(name_of(UINT64_MAX), "");
	value_names_release(&names);
}
END_TEST

/* What a kernel may write instead, or damage leave: as far as it makes sense. */
START_TEST(unreadable_tables_end)
{
	static const char *const texts[] = {
		"", "\"%d\", REC->reason", "\"%s\", drop_reasons[REC->reason]",
		"__print_symbolic(REC->reason,", "__print_symbolic(REC->reason, ",
		"__print_symbolic(REC->reason, { SKB_DROP_REASON_NO_SOCKET, \"NO_SOCKET\" })",
		"__print_symbolic(REC->reason, { 1, \"NO",
		"__print_symbolic(REC->reason, { 4096, \"FAR\" })",
		"__print_symbolic(REC->reason, { 18446744073709551617, \"FAR\" })",
		"__print_symbolic(REC->reasons, { 1, \"A\" })",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		parse(texts[i]);
		ck_assert_uint_eq(names.count, 0);
	}
	parse("__print_symbolic(REC->reason, { 1, \"A\" }, { 2, \"B\"");
	ck_assert_str_eq(name_of(1), "A");
	ck_assert_uint_eq(names.count, 2);
	value_names_release(&names);
}
END_TEST

Suite *value_names_suite(void)
{
	Suite *suite = suite_create("value_names");
	TCase *tcase = tcase_create("value_names");

	tcase_add_test(tcase, names_are_those_of_the_field);
	tcase_add_test(tcase, unreadable_tables_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
