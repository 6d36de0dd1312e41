/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table against itself, and against the formats that the tests' builder has of real kernels. */
#include "catalog/tracepoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "builder/event_kind.h"
#include "decode/event_decoder.h"
#include "suites.h"

static bool is_group(const char *name)
{
	for (size_t i = 0; i < event_group_count; i++)
		if (strcmp(event_groups[i].name, name) == 0)
			return true;
	return false;
}

START_TEST(rows_are_whole)
{
	TRACEPOINT_EACH(row) {
		size_t same = 0;

		ck_assert_msg(!row->group || is_group(row->group), "%s: group", row->name);
		ck_assert_msg(row->group || !row->filter, "%s: a filter for nobody", row->name);
		ck_assert_msg(row->use && row->use[0], "%s: good for nothing", row->name);
		TRACEPOINT_EACH(other)
			same += strcmp(row->system, other->system) == 0 &&
			        strcmp(row->name, other->name) == 0;
		ck_assert_msg(same == 1, "%s: %zu rows", row->name, same);
	}
}
END_TEST

START_TEST(every_group_records_something)
{
	for (size_t i = 0; i < event_group_count; i++) {
		size_t events = event_groups[i].others != NULL;

		TRACEPOINT_EACH(row)
			events += row->group && strcmp(row->group, event_groups[i].name) == 0;
		ck_assert_msg(events > 0, "%s", event_groups[i].name);
	}
}
END_TEST

START_TEST(groups_have_others_by_pattern)
{
	const struct event_group *faults = event_group_find("faults");

	ck_assert(event_group_has_other(event_group_find("io_uring"), "io_uring:io_uring_create"));
	ck_assert(event_group_has_other(faults, "exceptions:page_fault_user"));
	ck_assert(event_group_has_other(faults, "filemap:mm_filemap_fault"));
	ck_assert(!event_group_has_other(faults, "filemap:mm_filemap_map_pages"));
	ck_assert(!event_group_has_other(event_group_find("sched"), "sched:sched_switch"));
}
END_TEST

/* The decoder takes each of them from a format as a kernel prints it. */
START_TEST(every_tracepoint_can_be_built_and_decoded)
{
	TRACEPOINT_EACH(row) {
		const struct kernel_event *kind = event_kind_find(row->name);
		struct format_text format = {.system = row->system};
		struct source source = {
			.formats = &format,
			.format_count = 1,
			.long_bytes = _i ? 8 : 4,
		};
		struct decoder *decoder;
		struct buffer text;

		ck_assert_msg(kind != NULL, "%s is not in the builder", row->name);
		ck_assert_str_eq(kind->system, row->system);
		buffer_init(&text, 65536);
		event_kind_print_format(kind, source.long_bytes, &text);
		format.text = text.text;
		format.length = text.length;
		decoder = decoder_new(&source);
		ck_assert_msg(decoder->formats_bad == 0 && decoder->described.has[row->kind],
		              "%s is not decoded", row->name);
		(void)decoder_free(decoder);
		buffer_release(&text);
	}
}
END_TEST

/* As the recorder lists what it enabled: groups, events, patterns. */
START_TEST(a_list_has_events)
{
	static const struct tracepoint row = {.system = "block", .name = "block_rq_issue",
	                                      .group = "block", .also = "mm"},
	                               of_nobody = {.system = "x", .name = "y"};
	static const char *const with[] = {"sched,block", "mm", "block:block_rq_issue,sched",
	                                   "irq,block:*", "block_rq_issue", "block_rq_*"};
	static const char *const without[] = {"", "sched", "bloc", "block:block_rq_complete",
	                                      "blocks,irq:*", "ext4:block_rq_issue"};

	for (size_t i = 0; i < ARRAY_SIZE(with); i++)
		ck_assert_msg(tracepoint_is_listed(&row, with[i]), "%s", with[i]);
	for (size_t i = 0; i < ARRAY_SIZE(without); i++)
		ck_assert_msg(!tracepoint_is_listed(&row, without[i]), "%s", without[i]);
	ck_assert(tracepoint_is_listed(&of_nobody, "sched"));
}
END_TEST

Suite *tracepoint_suite(void)
{
	Suite *suite = suite_create("tracepoint");
	TCase *tests = tcase_create("tracepoint");

	tcase_add_test(tests, rows_are_whole);
	tcase_add_test(tests, every_group_records_something);
	tcase_add_test(tests, groups_have_others_by_pattern);
	tcase_add_test(tests, a_list_has_events);
	tcase_add_loop_test(tests, every_tracepoint_can_be_built_and_decoded, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
