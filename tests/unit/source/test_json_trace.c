/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/json_trace.h"

#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static const struct {
	const char *json, *text; /* NULL: there is none */
	bool is_ended;
} traces[] = {
	{"{\"traceEvents\":[],\"systemTraceEvents\":\"a\\nb\"}", "a\nb", true},
	{"{ \"systemTraceEvents\" : \"\\u0041\\u00e9\\u20ac\\ud83d\\t\\/\\\"\\\\\" }",
	 "A\xc3\xa9\xe2\x82\xac?\t/\"\\", true},
	{"{\"systemTraceEvents\":\"cut", "cut", false},
	{"{\"systemTraceEvents\":\"cut\\u00", "cut", false},
	{"{\"systemTraceEvents\":[],\"systemTraceEvents\":\"x\"}", "x", true},
	/* a value of that text, a longer and a shorter name, one with an escape */
	{"{\"a\":\"systemTraceEvents\",\"b\":\"x\"}", NULL, false},
	{"{\"systemTraceEvents2\":\"x\",\"systemTraceEvent\":\"x\"}", NULL, false},
	{"{\"system\\u0054raceEvents\":\"x\"}", NULL, false},
	{"{\"a\\\"systemTraceEvents\":\"x\"}", NULL, false},
};

START_TEST(text_is_found)
{
	struct json_trace json = {0};
	char text[64] = "";
	size_t length = 0;
	bool is_begun = false;

	for (const char *at = traces[_i].json; *at; at++) {
		json_trace_take(&json, (uint8_t)*at);
		ck_assert_uint_le(json.made, sizeof(json.bytes));
		memcpy(text + length, json.bytes, json.made);
		length += json.made;
		is_begun |= json.state == JSON_TRACE_TEXT;
	}
	ck_assert_str_eq(text, traces[_i].text ? traces[_i].text : "");
	ck_assert_int_eq(is_begun, traces[_i].text != NULL);
	ck_assert_int_eq(json.state == JSON_TRACE_END, traces[_i].is_ended);
}
END_TEST

START_TEST(beginnings_are_recognized)
{
	static const char trace[] = " \n{\"traceEvents\":[", other[] = "{\"a\":1}",
	                  array[] = "[\"traceEvents\"]";

	ck_assert(json_trace_is(trace, sizeof(trace) - 1));
	ck_assert(!json_trace_is(other, sizeof(other) - 1));
	ck_assert(!json_trace_is(array, sizeof(array) - 1));
	ck_assert(!json_trace_is(trace, 0));
	ck_assert(!json_trace_is(trace, 2));
}
END_TEST

Suite *json_trace_suite(void)
{
	Suite *suite = suite_create("json_trace");
	TCase *tests = tcase_create("json_trace");

	tcase_add_loop_test(tests, text_is_found, 0, ARRAY_SIZE(traces));
	tcase_add_test(tests, beginnings_are_recognized);
	suite_add_tcase(suite, tests);
	return suite;
}
