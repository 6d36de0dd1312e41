/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/page_reader.h"

#include <string.h>

#include "page_builder.h"
#include "suites.h"

#define LOST        (UINT64_C(1) << 31)
#define LOST_STORED (UINT64_C(1) << 30)

static uint8_t pages[8 * 4096];
static struct page_builder builder;
static struct page_stream stream;
static struct record_batch batch;

/* Hands over `pages` up to *left, all at once. */
static bool next_block(void *left, const uint8_t **ret_block, size_t *ret_bytes)
{
	*ret_block = pages;
	*ret_bytes = *(size_t *)left;
	*(size_t *)left = 0;
	return *ret_bytes > 0;
}

static void put_page(unsigned at, unsigned records, uint64_t flags, uint64_t lost)
{
	page_builder_begin(&builder, &page_layouts[0], 1000 * at);
	for (unsigned i = 0; i < records; i++)
		page_builder_record(&builder, 1, 8);
	page_builder_end(&builder, flags, lost);
	memcpy(pages + (size_t)at * 4096, builder.page, 4096);
}

static void expect(size_t *left, size_t count, uint64_t lost)
{
	ck_assert_int_eq(page_stream_next(&stream, next_block, left, &batch), PULL_ITEM);
	ck_assert_uint_eq(batch.count, count);
	ck_assert_uint_eq(batch.lost_events, lost);
}

START_TEST(test_losses_reach_the_next_record)
{
	size_t left = 5 * 4096;

	put_page(0, 3, 0, 0);
	put_page(1, 0, LOST | LOST_STORED, 10); /* nothing stands in it: the loss waits */
	put_page(2, 2, LOST | LOST_STORED, 5);
	put_page(3, 0, LOST, 0);
	put_page(4, 1, LOST | LOST_STORED, 5);
	page_stream_init(&stream, &page_layouts[0]);
	expect(&left, 3, 0);
	expect(&left, 2, 15);
	expect(&left, 1, LOST_UNCOUNTED);
	ck_assert_int_eq(page_stream_next(&stream, next_block, &left, &batch), PULL_END);
	ck_assert_uint_eq(batch.lost_events, 0);
	ck_assert_uint_eq(stream.damaged_count, 0);
	page_stream_release(&stream);
}
END_TEST

START_TEST(test_loss_behind_the_last_record)
{
	size_t left = 2 * 4096;

	put_page(0, 3, 0, 0);
	put_page(1, 0, LOST | LOST_STORED, 10);
	page_stream_init(&stream, &page_layouts[0]);
	expect(&left, 3, 0);
	ck_assert_int_eq(page_stream_next(&stream, next_block, &left, &batch), PULL_END);
	ck_assert_uint_eq(batch.count, 0);
	ck_assert_uint_eq(batch.lost_events, 10);
	page_stream_release(&stream);
}
END_TEST

START_TEST(test_damage_is_a_loss)
{
	size_t left = 3 * 4096;

	put_page(0, 3, 0, 0);
	put_page(1, 4, 0, 0);
	memset(pages + 4096 + 16 + 12, 0, 12); /* its second record: a length of 0 */
	put_page(2, 2, 0, 0);
	page_stream_init(&stream, &page_layouts[0]);
	expect(&left, 3, 0);
	expect(&left, 1, 0);
	expect(&left, 2, LOST_UNCOUNTED);
	ck_assert_int_eq(page_stream_next(&stream, next_block, &left, &batch), PULL_END);
	ck_assert_uint_eq(stream.damaged_count, 1);
	ck_assert_uint_eq(stream.damaged_first, 1);
	ck_assert_int_eq(stream.damage, PAGE_LENGTH);
	page_stream_release(&stream);
}
END_TEST

static void put_page_of(unsigned at, uint64_t time)
{
	page_builder_begin(&builder, &page_layouts[0], time);
	page_builder_record(&builder, 1, 8);
	page_builder_end(&builder, 0, 0);
	memcpy(pages + (size_t)at * 4096, builder.page, 4096);
}

/* A bit of a page's time is wrong: all that follows would look late. */
START_TEST(test_time_that_steps_back)
{
	size_t left = 4 * 4096;

	put_page_of(0, 1000000000);
	put_page_of(1, 1001000000 + (UINT64_C(1) << 33));
	put_page_of(2, 1002000000);
	put_page_of(3, 1001990000); /* a little is no damage */
	page_stream_init(&stream, &page_layouts[0]);
	for (unsigned i = 0; i < 4; i++)
		expect(&left, 1, 0);
	ck_assert_int_eq(page_stream_next(&stream, next_block, &left, &batch), PULL_END);
	ck_assert_uint_eq(stream.damaged_count, 1);
	ck_assert_uint_eq(stream.damaged_first, 2);
	ck_assert_int_eq(stream.damage, PAGE_BACK);
	page_stream_release(&stream);
}
END_TEST

/* A high bit of a page's time is wrong: its records would stretch the recording over years. */
START_TEST(test_time_far_ahead)
{
	static const struct {
		uint64_t time[3];
		uint64_t lost[3]; /* before the page's record; 1: the page is not read */
		uint64_t lost_behind;
	} cases[] = {
		{{1000, 2000 + (UINT64_C(1) << 57), 3000}, {0, 1, LOST_UNCOUNTED}, 0},
		{{1000 + (UINT64_C(1) << 57), 2000, 3000}, {1, LOST_UNCOUNTED, 0}, 0},
		{{1000, 2000, 3000 + (UINT64_C(1) << 57)}, {0, 0, 1}, LOST_UNCOUNTED},
		/* both pages behind the step have it */
		{{1000, 1u << 30 | UINT64_C(1) << 57, 1u << 31 | UINT64_C(1) << 57}, {0, 0, 0}, 0},
	};
	size_t left = 3 * 4096;

	for (unsigned i = 0; i < 3; i++)
		put_page_of(i, cases[_i].time[i]);
	page_stream_init(&stream, &page_layouts[0]);
	for (unsigned i = 0; i < 3; i++)
		if (cases[_i].lost[i] != 1)
			expect(&left, 1, cases[_i].lost[i]);
	ck_assert_int_eq(page_stream_next(&stream, next_block, &left, &batch), PULL_END);
	ck_assert_uint_eq(batch.lost_events, cases[_i].lost_behind);
	ck_assert_uint_eq(stream.damaged_count, _i < 3);
	ck_assert_int_eq(stream.damage, _i < 3 ? PAGE_TIME : PAGE_GOOD);
	page_stream_release(&stream);
}
END_TEST

START_TEST(test_lost_block)
{
	size_t left = 4096;

	put_page(0, 3, 0, 0);
	page_stream_init(&stream, &page_layouts[0]);
	page_stream_lose(&stream);
	expect(&left, 3, LOST_UNCOUNTED);
	page_stream_release(&stream);
}
END_TEST

Suite *page_stream_suite(void)
{
	Suite *suite = suite_create("page_stream");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_losses_reach_the_next_record);
	tcase_add_test(all, test_loss_behind_the_last_record);
	tcase_add_test(all, test_damage_is_a_loss);
	tcase_add_test(all, test_time_that_steps_back);
	tcase_add_loop_test(all, test_time_far_ahead, 0, 4);
	tcase_add_test(all, test_lost_block);
	suite_add_tcase(suite, all);
	return suite;
}
