/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/page_reader.h"

#include <stdlib.h>

#include <kbuffer.h>

#include "page_builder.h"
#include "suites.h"

#define LOST        (1u << 31)
#define LOST_STORED (1u << 30)

static struct page_builder builder;
static struct page_reader reader;
static struct record records[PAGE_BATCH_RECORDS];

static size_t read_page(size_t bytes)
{
	page_reader_begin(&reader, &builder.layout, builder.page, bytes);
	return page_reader_next(&reader, records, PAGE_BATCH_RECORDS);
}

START_TEST(test_short_and_long_records)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_record(&builder, 5, 4);
	page_builder_record(&builder, 6, 112);
	page_builder_record(&builder, 7, 200);
	page_builder_long_record(&builder, 8, 9);
	page_builder_record(&builder, 9, 0);
	page_builder_end(&builder, 0, 0);

	ck_assert_uint_eq(read_page(4096), 5);
	ck_assert_uint_eq(reader.damage, PAGE_GOOD);
	ck_assert_uint_eq(reader.lost_events, 0);
	ck_assert_uint_eq(records[0].time, 1005);
	ck_assert_uint_eq(records[0].length, 4);
	ck_assert_uint_eq(records[0].payload[3], 4);
	ck_assert_uint_eq(records[1].time, 1011);
	ck_assert_uint_eq(records[1].length, 112);
	ck_assert_uint_eq(records[2].time, 1018);
	ck_assert_uint_eq(records[2].length, 200);
	ck_assert_uint_eq(records[2].payload[0], 1);
	ck_assert_uint_eq(records[3].time, 1026);
	ck_assert_uint_eq(records[3].length, 12);
	ck_assert_uint_eq(records[4].time, 1035);
	ck_assert_uint_eq(records[4].length, 0);
	ck_assert_uint_eq(page_reader_next(&reader, records, PAGE_BATCH_RECORDS), 0);
}
END_TEST

START_TEST(test_padding)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_discarded(&builder, 10, 24);
	page_builder_record(&builder, 5, 8);
	page_builder_head(&builder, 29, 0);
	page_builder_record(&builder, 1, 8);
	page_builder_end(&builder, 0, 0);

	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(records[0].time, 1015);
	ck_assert_uint_eq(reader.damage, PAGE_GOOD);
}
END_TEST

START_TEST(test_time_extend_and_stamp)
{
	uint64_t wrap = (UINT64_C(1) << 59) * 4, stamp = UINT64_C(1) << 40;

	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_extend(&builder, UINT64_C(1) << 40);
	page_builder_record(&builder, 1, 4);
	page_builder_stamp(&builder, stamp + 5000);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, 0, 0);
	ck_assert_uint_eq(read_page(4096), 2);
	ck_assert_uint_eq(records[0].time, stamp + 1001);
	ck_assert_uint_eq(records[1].time, stamp + 5001);

	/* The upper bits come from the time so far... */
	page_builder_begin(&builder, &page_layouts[_i], wrap - 2000);
	page_builder_stamp(&builder, (wrap - 1000) & ((UINT64_C(1) << 59) - 1));
	page_builder_record(&builder, 1, 4);
	/* ...and one more where the 59 bits wrapped. */
	page_builder_stamp(&builder, 500);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, 0, 0);
	ck_assert_uint_eq(read_page(4096), 2);
	ck_assert_uint_eq(records[0].time, wrap - 999);
	ck_assert_uint_eq(records[1].time, wrap + 501);
}
END_TEST

START_TEST(test_time_too_far_ahead)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_record(&builder, 1, 4);
	page_builder_extend(&builder, UINT64_C(1) << 57);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, 0, 0);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_int_eq(reader.damage, PAGE_TIME);
}
END_TEST

START_TEST(test_lost_events)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, LOST, 0);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(reader.lost_events, LOST_UNCOUNTED);

	page_builder_end(&builder, LOST | LOST_STORED, 1234);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(reader.lost_events, 1234);

	/* The count has no meaning without the flag, and no room where the page is full. */
	page_builder_end(&builder, LOST_STORED, 1234);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(reader.lost_events, 0);
	page_builder_end(&builder, LOST | LOST_STORED, 1234);
	ck_assert_uint_eq(read_page(builder.used), 1);
	ck_assert_uint_eq(reader.lost_events, LOST_UNCOUNTED);
}
END_TEST

START_TEST(test_empty_page)
{
	page_builder_begin(&builder, &page_layouts[_i], 0);
	ck_assert_uint_eq(read_page(4096), 0);
	ck_assert_uint_eq(reader.damage, PAGE_GOOD);
}
END_TEST

START_TEST(test_bad_commit)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_record(&builder, 1, 4);
	page_builder_commit(&builder, 4096);
	ck_assert_uint_eq(read_page(4096), 0);
	ck_assert_uint_eq(reader.damage, PAGE_COMMIT);
}
END_TEST

START_TEST(test_record_beyond_data)
{
	page_builder_begin(&builder, &page_layouts[_i], 1000);
	page_builder_record(&builder, 1, 4);
	page_builder_record(&builder, 1, 16);
	page_builder_end(&builder, 0, 0);
	page_builder_commit(&builder, builder.used - builder.layout.data_offset - 4);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(reader.damage, PAGE_LENGTH);
}
END_TEST

START_TEST(test_bad_long_length)
{
	static const uint32_t lengths[] = {0, 3, 21, 4096, UINT32_MAX};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		page_builder_begin(&builder, &page_layouts[_i], 1000);
		page_builder_record(&builder, 1, 4);
		page_builder_head(&builder, 0, 1);
		page_builder_word(&builder, lengths[i]);
		page_builder_word(&builder, 0);
		page_builder_word(&builder, 0);
		page_builder_word(&builder, 0);
		page_builder_word(&builder, 0);
		page_builder_end(&builder, 0, 0);
		ck_assert_uint_eq(read_page(4096), 1);
		ck_assert_uint_eq(reader.damage, PAGE_LENGTH);
	}
}
END_TEST

START_TEST(test_times_beyond_reason)
{
	page_builder_begin(&builder, &page_layouts[_i], PAGE_TIME_MAX + 1);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, 0, 0);
	ck_assert_uint_eq(read_page(4096), 0);
	ck_assert_uint_eq(reader.damage, PAGE_TIME);

	page_builder_begin(&builder, &page_layouts[_i], PAGE_TIME_MAX - 10);
	page_builder_record(&builder, 1, 4);
	page_builder_extend(&builder, UINT64_C(1) << 50);
	page_builder_record(&builder, 1, 4);
	page_builder_end(&builder, 0, 0);
	ck_assert_uint_eq(read_page(4096), 1);
	ck_assert_uint_eq(reader.damage, PAGE_TIME);
}
END_TEST

/* A random page of every kind of entry; returns how many records it holds. */
static size_t build_random(const struct page_layout *layout)
{
	size_t count = 0;

	page_builder_begin(&builder, layout, (uint64_t)rand() << 10);
	while (page_builder_has_room(&builder, 420)) {
		uint32_t delta = (uint32_t)rand() >> 5;
		int kind = rand() % 16;

		if (kind == 0)
			page_builder_extend(&builder, (uint64_t)rand() << 6);
		else if (kind == 1)
			page_builder_discarded(&builder, delta | 1, (size_t)(rand() % 20 + 1) * 4);
		else if (kind == 2)
			page_builder_long_record(&builder, delta, (size_t)(rand() % 400));
		else
			page_builder_record(&builder, delta, (size_t)(rand() % 60) * 4);
		count += kind > 1;
	}
	page_builder_end(&builder, rand() % 2 ? LOST : 0, 0);
	return count;
}

/* Every prefix of a page gives a prefix of its records, and says that it is cut. */
START_TEST(test_cut_anywhere)
{
	struct record whole[PAGE_BATCH_RECORDS];
	size_t count, all, before = 0;

	srand(7);
	count = build_random(&page_layouts[_i]);
	all = read_page(4096);
	ck_assert_uint_eq(all, count);
	for (size_t i = 0; i < count; i++)
		whole[i] = records[i];
	for (size_t bytes = 0; bytes < builder.used; bytes++) {
		size_t got = read_page(bytes);

		ck_assert_uint_eq(reader.damage, PAGE_CUT);
		ck_assert_uint_ge(got, before);
		ck_assert_uint_le(got, count);
		for (size_t i = before; i < got; i++)
			ck_assert(records[i].time == whole[i].time &&
			          records[i].payload == whole[i].payload &&
			          records[i].length == whole[i].length);
		before = got;
	}
	ck_assert_uint_ge(before + 1, count);
}
END_TEST

START_TEST(test_any_capacity)
{
	srand(11);
	for (size_t capacity = 1; capacity < 30; capacity++) {
		size_t count = build_random(&page_layouts[_i]), at = 0, got;
		struct record few[30];

		ck_assert_uint_eq(read_page(4096), count);
		page_reader_begin(&reader, &builder.layout, builder.page, 4096);
		while ((got = page_reader_next(&reader, few, capacity)) > 0) {
			for (size_t i = 0; i < got; i++, at++)
				ck_assert(few[i].time == records[at].time &&
				          few[i].payload == records[at].payload);
		}
		ck_assert_uint_eq(at, count);
	}
}
END_TEST

/* libtraceevent's kbuffer is the reference on good pages. */
START_TEST(test_equals_kbuffer)
{
	const struct page_layout *layout = &page_layouts[_i];
	struct kbuffer *kbuffer = kbuffer_alloc(
		layout->commit_bytes == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
		layout->is_big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);

	srand(3);
	for (int round = 0; round < 500; round++) {
		size_t count = build_random(layout);
		unsigned long long time;
		void *payload;

		ck_assert_uint_eq(read_page(4096), count);
		ck_assert_int_eq(kbuffer_load_subbuffer(kbuffer, builder.page), 0);
		/* Not the reverse: kbuffer forgets the loss where a page begins with a marker. */
		ck_assert(!kbuffer_missed_events(kbuffer) || reader.lost_events);
		payload = kbuffer_read_event(kbuffer, &time);
		for (size_t i = 0; i < count; i++) {
			ck_assert_ptr_eq(payload, records[i].payload);
			ck_assert_uint_eq(time, records[i].time);
			ck_assert_int_eq(kbuffer_event_size(kbuffer), (int)records[i].length);
			payload = kbuffer_next_event(kbuffer, &time);
		}
		ck_assert_ptr_null(payload);
	}
	kbuffer_free(kbuffer);
}
END_TEST

Suite *page_reader_suite(void)
{
	Suite *suite = suite_create("page_reader");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_short_and_long_records, 0, 4);
	tcase_add_loop_test(all, test_padding, 0, 4);
	tcase_add_loop_test(all, test_time_extend_and_stamp, 0, 4);
	tcase_add_loop_test(all, test_time_too_far_ahead, 0, 4);
	tcase_add_loop_test(all, test_lost_events, 0, 4);
	tcase_add_loop_test(all, test_empty_page, 0, 4);
	tcase_add_loop_test(all, test_bad_commit, 0, 4);
	tcase_add_loop_test(all, test_record_beyond_data, 0, 4);
	tcase_add_loop_test(all, test_bad_long_length, 0, 4);
	tcase_add_loop_test(all, test_times_beyond_reason, 0, 4);
	tcase_add_loop_test(all, test_cut_anywhere, 0, 4);
	tcase_add_loop_test(all, test_any_capacity, 0, 4);
	tcase_add_loop_test(all, test_equals_kbuffer, 0, 4);
	suite_add_tcase(suite, all);
	return suite;
}
