/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json/json_reader.h"
#include "present/data/json_cell.h"
#include "sample_names.h"
#include "suites.h"

struct sheet {
	char *text;
	size_t length;
	FILE *out;
	struct json_writer json;
};

static void sheet_begin(struct sheet *sheet)
{
	sheet->text = NULL;
	sheet->out = open_memstream(&sheet->text, &sheet->length);
	json_init(&sheet->json, sheet->out);
}

static void sheet_check(struct sheet *sheet, const char *expected)
{
	json_release(&sheet->json);
	(void)fclose(sheet->out);
	ck_assert_str_eq(sheet->text, expected);
	free(sheet->text);
}

START_TEST(values_and_commas)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_object_begin(&sheet.json, JSON_INLINE);
	json_member_u64(&sheet.json, "a", UINT64_MAX);
	json_key(&sheet.json, "b");
	json_array_begin(&sheet.json, JSON_INLINE);
	json_put_i64(&sheet.json, -5);
	json_put_bool(&sheet.json, true);
	json_put_null(&sheet.json);
	json_put_real(&sheet.json, 0.25);
	json_put_real(&sheet.json, NAN);
	json_put_real(&sheet.json, INFINITY);
	json_put_string(&sheet.json, NULL);
	json_array_begin(&sheet.json, JSON_LINES);
	json_array_end(&sheet.json);
	json_array_end(&sheet.json);
	json_object_end(&sheet.json);
	sheet_check(&sheet, "{\"a\": 18446744073709551615, "
	                    "\"b\": [-5, true, null, 0.250000, null, null, null, []]}\n");
}
END_TEST

/* Probabilities may be small, and are not 0. */
START_TEST(small_numbers_keep_their_digits)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_array_begin(&sheet.json, JSON_INLINE);
	json_put_real(&sheet.json, 0);
	json_put_real(&sheet.json, 0.0000123456);
	json_put_real(&sheet.json, 0.000001);
	json_put_real(&sheet.json, 0.000000123456);
	json_put_real(&sheet.json, 1.5e-300);
	json_put_real(&sheet.json, -4e-9);
	json_array_end(&sheet.json);
	sheet_check(&sheet, "[0.000000, 0.000012, 0.000001, 1.23e-07, 1.5e-300, -4e-09]\n");
}
END_TEST

START_TEST(lines_are_indented)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_object_begin(&sheet.json, JSON_LINES);
	json_member_bool(&sheet.json, "a", false);
	json_key(&sheet.json, "b");
	json_array_begin(&sheet.json, JSON_LINES);
	json_put_u64(&sheet.json, 1);
	json_put_u64(&sheet.json, 2);
	json_array_end(&sheet.json);
	json_object_end(&sheet.json);
	sheet_check(&sheet, "{\n  \"a\": false,\n  \"b\": [\n    1,\n    2\n  ]\n}\n");
}
END_TEST

/* What is gathered does not grow with the array, and no byte of it is lost or twice. */
START_TEST(long_arrays_are_written_as_they_come)
{
	struct buffer expected;
	struct sheet sheet;

	buffer_init(&expected, 1 << 20);
	sheet_begin(&sheet);
	json_array_begin(&sheet.json, JSON_INLINE);
	buffer_putc(&expected, '[');
	for (int i = 0; i < 20000; i++) {
		json_put_i64(&sheet.json, -i);
		buffer_printf(&expected, i ? ", %d" : "%d", -i);
		ck_assert(sheet.json.text.length < 16384);
	}
	json_array_end(&sheet.json);
	buffer_puts(&expected, "]\n");
	sheet_check(&sheet, expected.text);
	buffer_release(&expected);
}
END_TEST

START_TEST(integers_are_those_of_printf)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_array_begin(&sheet.json, JSON_INLINE);
	json_put_i64(&sheet.json, INT64_MIN);
	json_put_i64(&sheet.json, INT64_MAX);
	json_put_i64(&sheet.json, 0);
	json_put_u64(&sheet.json, 0);
	json_array_end(&sheet.json);
	sheet_check(&sheet, "[-9223372036854775808, 9223372036854775807, 0, 0]\n");
}
END_TEST

START_TEST(strings_are_always_valid)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_put_string(&sheet.json, "a\"\\/\b\f\n\r\t\001\x7f");
	sheet_check(&sheet, "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f\"");
	sheet_begin(&sheet);
	json_put_string(&sheet.json, "\xc3\xa9\xff\xc3\xed\xa0\x80");
	sheet_check(&sheet,
	"\"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}
END_TEST

/* What would be obeyed where the JSON is shown is written as its code point; nothing is lost. */
START_TEST(controls_beyond_ascii_are_escaped)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_put_string(&sheet.json, "\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa9\xd8\x9c\xe2\x82\xac");
	sheet_check(&sheet, "\"\\u009b\\u202e\\u2028\\u2069\\u061c\xe2\x82\xac\"");
}
END_TEST

/* Whatever a name holds, a strict reader takes it; what is plain comes back as it was. */
START_TEST(any_bytes_make_a_string)
{
	srandom(3);
	for (int round = 0; round < 20000; round++) {
		char name[16] = "";
		struct sheet sheet;
		struct json *json = NULL;
		struct buffer why;
		bool is_ascii = true;

		for (long i = random() % 15; i > 0; i--) {
			name[i - 1] = (char)(1 + random() % 255);
			is_ascii &= (unsigned char)name[i - 1] < 0x80;
		}
		sheet_begin(&sheet);
		json_put_string(&sheet.json, name);
		json_release(&sheet.json);
		(void)fclose(sheet.out);
		buffer_init(&why, 100);
		ck_assert_msg(json_parse(sheet.text, sheet.length, &json, &why) == 0, "%s: %s",
		              sheet.text, why.text);
		if (is_ascii)
			ck_assert_str_eq(json_text(json), name);
		json_free(json);
		buffer_release(&why);
		free(sheet.text);
	}
}
END_TEST

static void check_cause(const struct cause *cause, const char *expected)
{
	struct sheet sheet;

	sheet_begin(&sheet);
	json_cause(&sheet.json, cause);
	sheet_check(&sheet, expected);
}

#define CLIENT .has_originator = true, .originator = {.tid = 12, .tgid = 11, .comm = "client"}
#define CLIENT_JSON "{\"tid\": 12, \"tgid\": 11, \"comm\": \"client\"}"

START_TEST(causes_have_the_members_of_their_kind)
{
	check_cause(NULL, "null");
	check_cause(&(struct cause){.kind = CAUSE_UNKNOWN},
	            "{\"kind\": \"unknown\", \"name\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_TASK, .has_waker = true,
	                            .waker = {.tid = 1, .tgid = -1, .comm = "init"}},
	            "{\"kind\": \"task\", \"name\": null, \"waker\": "
	            "{\"tid\": 1, \"tgid\": null, \"comm\": \"init\"}}\n");
	check_cause(&(struct cause){.kind = CAUSE_TASK, .file = "/var/lib/x/\"lock\""},
	            "{\"kind\": \"task\", \"name\": null, \"waker\": null, "
	            "\"file\": \"/var/lib/x/\\\"lock\\\"\"}\n");
	check_cause(&(struct cause){.kind = CAUSE_DISK, .as.disk = {.dev = 259u << 20, .sector = 8,
	                            .bytes = 512, .rwbs = SAMPLE_READ, .queue_time = 1000,
	                            .device_time = 80000, .wake_time = TIME_UNKNOWN},
	                            .names = &sample_names, CLIENT},
	            "{\"kind\": \"disk\", \"name\": null, \"dev\": \"259,0\", \"disk\": null, "
	            "\"sector\": 8, "
	            "\"bytes\": 512, \"rwbs\": \"R\", \"what\": null, \"held_back\": false, "
	            "\"submitter\": " CLIENT_JSON
	            ", \"queue_ns\": 1000, \"device_ns\": 80000, \"wake_ns\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_NET, .name = "lo"},
	            "{\"kind\": \"net\", \"name\": \"lo\", \"dev\": \"lo\", \"peer\": null, "
	            "\"local_port\": null, \"sender\": null, \"no_answer\": false, "
	            "\"retransmits\": null, \"queued\": false, "
	            "\"queue\": null, \"queue_ns\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_NET, .as.net = {.peer = SAMPLE_PEER_LOCAL,
	                            .local_port = 65535}, .names = &sample_names},
	            "{\"kind\": \"net\", \"name\": null, \"dev\": null, "
	            "\"peer\": \"[::1]:80\", \"local_port\": 65535, \"sender\": null, "
	            "\"no_answer\": false, \"retransmits\": null, \"queued\": false, "
	            "\"queue\": null, \"queue_ns\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_NET, .as.net = {.is_unanswered = true,
	                            .retransmits = 2}},
	            "{\"kind\": \"net\", \"name\": null, \"dev\": null, \"peer\": null, "
	            "\"local_port\": null, \"sender\": null, \"no_answer\": true, "
	            "\"retransmits\": 2, \"queued\": false, "
	            "\"queue\": null, \"queue_ns\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_TIMER, .name = "it_real_fn", CLIENT},
	            "{\"kind\": \"timer\", \"name\": \"it_real_fn\", \"function\": "
	            "\"it_real_fn\", \"own\": false, \"what\": null, \"in\": null, "
	            "\"late\": null, \"armed_by\": " CLIENT_JSON "}\n");
	check_cause(&(struct cause){.kind = CAUSE_TIMER, .as.timer = {.is_own = true,
	                            .call = CALL_FUTEX}},
	            "{\"kind\": \"timer\", \"name\": null, \"function\": null, \"own\": true, "
	            "\"what\": \"timeout\", \"in\": \"futex\", \"late\": null, "
	            "\"armed_by\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_IRQ, .as.irq.number = 0, .name = "timer"},
	            "{\"kind\": \"irq\", \"name\": \"timer\", \"number\": 0}\n");
	check_cause(&(struct cause){.kind = CAUSE_WORK, .name = "f",
	                            .as.work.queue_time = TIME_UNKNOWN},
	            "{\"kind\": \"work\", \"name\": \"f\", \"function\": \"f\", "
	            "\"queued_by\": null, \"queue_ns\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_LOCK, .as.lock = {.address = UINT64_MAX,
	                            .flags = 2}},
	            "{\"kind\": \"lock\", \"name\": null, \"address\": "
	            "\"0xffffffffffffffff\", \"flags\": 2, \"owner\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_MEMORY, .what = "swap"},
	            "{\"kind\": \"memory\", \"name\": null, \"what\": \"swap\", \"dev\": null, "
	            "\"disk\": null}\n");
	check_cause(&(struct cause){.kind = CAUSE_MEMORY, .as.memory.dev = 8u << 20,
	                            .disk = "sda"},
	            "{\"kind\": \"memory\", \"name\": null, \"what\": null, \"dev\": \"8,0\", "
	            "\"disk\": \"sda\", \"stall\": \"dirty-throttle\"}\n");
	check_cause(&(struct cause){.kind = CAUSE_FROZEN, .name = "/job", CLIENT},
	            "{\"kind\": \"frozen\", \"name\": \"/job\", \"frozen_by\": " CLIENT_JSON
	            "}\n");
	check_cause(&(struct cause){.kind = CAUSE_IRQ, .as.irq.number = 1, .what = "reclaim"},
	            "{\"kind\": \"irq\", \"name\": null, \"number\": 1, \"what\": "
	            "\"reclaim\"}\n");
	check_cause(&(struct cause){.kind = CAUSE_IRQ, .as.irq.number = 1, .purpose = "a page"},
	            "{\"kind\": \"irq\", \"name\": null, \"number\": 1, \"for\": "
	            "\"a page\"}\n");
}
END_TEST

Suite *json_writer_suite(void)
{
	Suite *suite = suite_create("json_writer");
	TCase *tests = tcase_create("json_writer");

	tcase_add_test(tests, values_and_commas);
	tcase_add_test(tests, small_numbers_keep_their_digits);
	tcase_add_test(tests, lines_are_indented);
	tcase_add_test(tests, long_arrays_are_written_as_they_come);
	tcase_add_test(tests, integers_are_those_of_printf);
	tcase_add_test(tests, strings_are_always_valid);
	tcase_add_test(tests, controls_beyond_ascii_are_escaped);
	tcase_add_test(tests, any_bytes_make_a_string);
	tcase_add_test(tests, causes_have_the_members_of_their_kind);
	suite_add_tcase(suite, tests);
	return suite;
}
