/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/flow/flow_path.h"

#include <stdlib.h>

#include "suites.h"

static const struct hosts none;

static struct interval interrupt(uint32_t cpu, nsec_t begin, nsec_t end)
{
	return (struct interval){
		.kind = INTERVAL_IRQ,
		.cpu = cpu,
		.begin = begin,
		.end = end,
		.phase = {NSEC_NEVER, NSEC_NEVER},
		.task = 3,
		.irq.number = 24,
	};
}

START_TEST(rows_are_in_order)
{
	struct flow_objects objects = {0};
	struct interval disk = {
		.kind = INTERVAL_DISK,
		.begin = 50,
		.end = 90,
		.phase = {50, 60},
		.task = 4,
		.disk = {.dev = 254 << 20 | 1, .bytes = 4096},
	};
	struct interval late = interrupt(1, 70, 75), early = interrupt(1, 10, 15);
	struct interval other = interrupt(0, 80, 85), beside = interrupt(0, 500, 510);
	struct flow_item *items;
	struct buffer text;
	struct timeline timeline;
	size_t count;

	flow_objects_add(&objects, &none, &early);
	flow_objects_add(&objects, &none, &late);
	flow_objects_add(&objects, &none, &other);
	flow_objects_add(&objects, &none, &disk);
	flow_objects_add(&objects, &none, &beside);
	items = flow_objects_sort(&objects, 5, 400, &count);
	ck_assert_uint_eq(count, 4);
	buffer_init(&text, 100);
	timeline_init(&timeline, /* keep_segments= */ false);
	ck_assert_str_eq(flow_item_row(&items[0], &timeline, &text).label, "disk 254,1");
	device_names_add(&timeline.devices, &timeline.names, 254 << 20 | 1, "vda1", NULL);
	ck_assert_str_eq(flow_item_row(&items[0], &timeline, &text).label, "disk vda1");
	ck_assert_uint_eq(items[0].started, 60);
	ck_assert_uint_eq(items[0].task, 4);
	ck_assert_str_eq(flow_item_name(&items[0], &timeline, &text), "request");
	ck_assert_str_eq(flow_item_row(&items[1], &timeline, &text).label,
	                 "interrupts of CPU 0");
	ck_assert_uint_eq(items[1].task, TRACK_NONE); /* whom it interrupted is not told */
	ck_assert_str_eq(flow_item_name(&items[1], &timeline, &text), "24");
	ck_assert(!flow_items_share_row(&items[1], &items[2]));
	ck_assert(flow_items_share_row(&items[2], &items[3]));
	ck_assert_uint_eq(flow_item_row(&items[1], &timeline, &text).machine, FLOW_NONE);
	ck_assert_uint_eq(items[2].begin, 10);
	ck_assert_uint_eq(items[3].begin, 70);
	timeline_release(&timeline);
	buffer_release(&text);
	free(items);
	flow_objects_release(&objects);
}
END_TEST

START_TEST(machines_have_rows_of_their_own)
{
	struct host host[] = {{.name = "web"}, {.name = "db", .cpu_first = 2}};
	struct flow_objects objects = {0};
	struct interval work = {
		.kind = INTERVAL_WORK,
		.cpu = 1,
		.begin = 10,
		.end = 20,
		.phase = {NSEC_NEVER, NSEC_NEVER},
	};
	struct interval irq = interrupt(2, 30, 40);
	struct flow_item *items;
	struct buffer text;
	struct timeline timeline;
	size_t count;

	timeline_init(&timeline, /* keep_segments= */ false);
	timeline.hosts = (struct hosts){host, 2};
	flow_objects_add(&objects, &timeline.hosts, &work);
	work.cpu = 0;
	flow_objects_add(&objects, &timeline.hosts, &work);
	work.cpu = 3;
	flow_objects_add(&objects, &timeline.hosts, &work);
	flow_objects_add(&objects, &timeline.hosts, &irq);
	items = flow_objects_sort(&objects, 5, 400, &count);
	ck_assert_uint_eq(count, 4);
	buffer_init(&text, 100);
	ck_assert_str_eq(flow_item_row(&items[0], &timeline, &text).label,
	                 "interrupts of CPU db:0");
	ck_assert(flow_items_share_row(&items[1], &items[2]));
	ck_assert(!flow_items_share_row(&items[2], &items[3]));
	ck_assert_uint_eq(flow_item_row(&items[2], &timeline, &text).machine, 0);
	ck_assert_uint_eq(flow_item_row(&items[3], &timeline, &text).machine, 1);
	ck_assert_str_eq(flow_item_row(&items[2], &timeline, &text).label, "work items of web");
	ck_assert_str_eq(flow_item_row(&items[3], &timeline, &text).label, "work items of db");
	timeline_release(&timeline);
	buffer_release(&text);
	free(items);
	flow_objects_release(&objects);
}
END_TEST

START_TEST(the_longest_are_kept)
{
	struct flow_objects objects = {0};
	struct flow_item *items;
	size_t count, given = FLOW_OBJECTS_MAX * 5 / 2;
	nsec_t longest = 0;

	for (size_t i = 0; i < given; i++) {
		struct interval interval = interrupt(0, 10 * i, 10 * i + 1 + i % 7);

		/* a few that must not be lost */
		if (i % 10000 == 0)
			interval.end = interval.begin + 1000;
		flow_objects_add(&objects, &none, &interval);
	}
	items = flow_objects_sort(&objects, 0, NSEC_NEVER, &count);
	ck_assert_uint_le(count, FLOW_OBJECTS_MAX);
	ck_assert_uint_ge(count, FLOW_OBJECTS_MAX / 2);
	ck_assert_uint_eq(count + objects.other.left_out, given);
	for (size_t i = 0; i < count; i++)
		longest += items[i].end - items[i].begin == 1000;
	ck_assert_uint_eq(longest, (given + 9999) / 10000);
	free(items);
	flow_objects_release(&objects);
}
END_TEST

START_TEST(equal_ones_are_halved_too)
{
	struct flow_objects objects = {0};

	for (size_t i = 0; i <= FLOW_OBJECTS_MAX; i++) {
		struct interval interval = interrupt(0, 10 * i, 10 * i + 5);

		flow_objects_add(&objects, &none, &interval);
	}
	ck_assert_uint_eq(objects.other.count, FLOW_OBJECTS_MAX / 2 + 1);
	ck_assert_uint_eq(objects.other.left_out, FLOW_OBJECTS_MAX / 2);
	flow_objects_release(&objects);
}
END_TEST

Suite *flow_objects_suite(void)
{
	Suite *suite = suite_create("flow_objects");
	TCase *tests = tcase_create("flow_objects");

	tcase_add_test(tests, rows_are_in_order);
	tcase_add_test(tests, machines_have_rows_of_their_own);
	tcase_add_test(tests, the_longest_are_kept);
	tcase_add_test(tests, equal_ones_are_halved_too);
	suite_add_tcase(suite, tests);
	return suite;
}
