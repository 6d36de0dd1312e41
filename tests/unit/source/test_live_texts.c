/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a live source takes from the texts of a stream. test_live_source.c has its pages. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ftwait/stream.h"
#include "merge/merger.h"
#include "page_builder.h"
#include "source/stream/live_source.h"
#include "suites.h"
#include "trace_builder.h"

#define EACH  20u /* events a page, of CPU 0 */
#define PAGES 3u
#define TIMES 8
#define TICK  100u

static struct trace_builder builder;
static struct buffer why;

/* What came out. */
static struct followed {
	struct source *source;
	uint64_t records;
	nsec_t reached[TIMES];
	int32_t waiting[TIMES]; /* the only task that was seen waiting; 0: none */
	size_t count;
	unsigned pauses;
} followed;

static nsec_t page_time(unsigned page)
{
	return 1000000 + (nsec_t)page * EACH * TICK;
}

static void begin(void)
{
	followed = (struct followed){.source = NULL};
	trace_builder_init(&builder, &page_layouts[0]);
	buffer_init(&why, 4096);
	trace_builder_add_pages(&builder, 0, PAGES, EACH);
}

static void end(void)
{
	source_close(followed.source);
	trace_builder_release(&builder);
	buffer_release(&why);
}

static void put_page(unsigned page)
{
	size_t bytes = builder.layout.page_bytes;

	trace_builder_block(&builder, STREAM_PAGES, 0, builder.pages[0].text + page * bytes, bytes);
}

static bool on_reached(void *state, nsec_t reached)
{
	struct recording_notes *notes = &followed.source->notes;

	(void)state;
	ck_assert_uint_lt(followed.count, TIMES);
	ck_assert_uint_le(notes->open_waits.count, 1);
	followed.waiting[followed.count] =
		notes->open_waits.count ? notes->open_waits.item[0].tid : 0;
	followed.reached[followed.count++] = reached;
	return true;
}

/* Nothing more comes: the second time this is said. */
static bool on_pause(void *state)
{
	(void)state;
	return ++followed.pauses < 2;
}

/* The stream as far as it was built, through a pipe that stays open. */
static void follow(void)
{
	struct live_source_setup setup = {
		.control_fd = -1, .on_reached = on_reached, .on_pause = on_pause};
	struct merged_run run;
	struct merger *merger;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_uint_lt(builder.file.length, 65536); /* what a pipe holds */
	ck_assert_int_eq(write(ends[1], builder.file.text, builder.file.length),
	                 (ssize_t)builder.file.length);
	setup.fd = ends[0];
	ck_assert_msg(live_source_open(&setup, &followed.source, &why) == 0, "%s", why.text);
	merger = merger_new(followed.source);
	while (merger_next(merger, &run))
		followed.records += run.records ? run.count : 0;
	merger_free(merger);
	ck_assert(!followed.source->health.damaged);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static const struct known_task *known_task(int32_t tid)
{
	for (size_t i = 0; i < followed.source->notes.tasks.count; i++)
		if (followed.source->notes.tasks.item[i].tid == tid)
			return &followed.source->notes.tasks.item[i];
	return NULL;
}

/* With a clock other than mono tasks are read before the recording begins: the source opens with
   the first options, and needs no time. */
START_TEST(test_early_snapshot)
{
	trace_builder_add_text(&builder, 4, "[boot]");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ntask 104 104 S - delta\n");
	trace_builder_begin_stream(&builder);
	put_page(0);
	trace_builder_reached(&builder, page_time(1));
	put_page(1);
	follow();
	ck_assert_uint_eq(followed.records, 2 * EACH);
	ck_assert_uint_eq(followed.count, 1);
	ck_assert_uint_eq(followed.reached[0], page_time(1));
	ck_assert_ptr_nonnull(known_task(104));
	ck_assert_int_eq(known_task(104)->state, 'S');
}
END_TEST

/* With mono it comes later, and its names after it, for which the source waits. */
START_TEST(test_late_snapshot)
{
	static const char options[] = {
		9, 0, 0, 0, 0, 0, /* id, size */
	};
	static const char text[] = "ftwait 0.1.0\nread 1000001\ntask 104 104 S - delta\n";
	char block[sizeof(options) + sizeof(text)];

	memcpy(block, options, sizeof(options));
	block[2] = sizeof(text);
	memcpy(block + sizeof(options), text, sizeof(text));
	trace_builder_add_text(&builder, 4, "[mono]");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ncommand 77\n");
	trace_builder_begin_stream(&builder);
	put_page(0);
	trace_builder_reached(&builder, page_time(1));
	trace_builder_block(&builder, STREAM_OPTIONS, 0, block, sizeof(block));
	trace_builder_block(&builder, STREAM_CMDLINES, 0, "105 epsilon\n", 12);
	put_page(1);
	trace_builder_reached(&builder, page_time(2));
	follow();
	ck_assert_uint_eq(followed.count, 2);
	ck_assert_uint_eq(followed.reached[1], page_time(2));
	ck_assert_ptr_nonnull(known_task(104));
	ck_assert_ptr_nonnull(known_task(105));
	ck_assert_str_eq(known_task(105)->comm, "epsilon");
}
END_TEST

static void put_waits(int32_t tid, nsec_t seen)
{
	char line[100];
	int length = snprintf(line, sizeof(line), "waits %d 1 %" PRIu64 " S - - child 9\n", tid,
	                      seen);

	trace_builder_block(&builder, STREAM_WAITS, 0, line, (size_t)length);
}

static void begin_waits(void)
{
	trace_builder_add_text(&builder, 4, "[mono]");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\n");
	trace_builder_begin_stream(&builder);
	trace_builder_block(&builder, STREAM_CMDLINES, 0, "104 delta\n", 10);
}

/* What tasks wait for is there once the stream has reached that time, once. */
START_TEST(test_waits)
{
	begin_waits();
	put_waits(7, page_time(1) - 1);
	put_page(0);
	trace_builder_reached(&builder, page_time(1));
	put_waits(8, page_time(2) + 1);
	put_waits(9, page_time(2));
	put_page(1);
	trace_builder_reached(&builder, page_time(2));
	put_page(2);
	trace_builder_reached(&builder, page_time(3));
	trace_builder_reached(&builder, page_time(3) + 1);
	follow();
	ck_assert_uint_eq(followed.records, 3 * EACH);
	ck_assert_uint_eq(followed.count, 4);
	ck_assert_int_eq(followed.waiting[0], 7);
	ck_assert_int_eq(followed.waiting[1], 9);
	ck_assert_int_eq(followed.waiting[2], 8);
	ck_assert_int_eq(followed.waiting[3], 0);
}
END_TEST

/* What is written before there is any record is kept. */
START_TEST(test_waits_before_records)
{
	begin_waits();
	put_waits(7, page_time(0) - 2);
	trace_builder_reached(&builder, page_time(0) - 1);
	put_page(0);
	trace_builder_reached(&builder, page_time(1));
	follow();
	ck_assert_uint_eq(followed.count, 1);
	ck_assert_int_eq(followed.waiting[0], 7);
}
END_TEST

Suite *live_texts_suite(void)
{
	Suite *suite = suite_create("live_texts");
	TCase *tests = tcase_create("live_texts");

	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_early_snapshot);
	tcase_add_test(tests, test_late_snapshot);
	tcase_add_test(tests, test_waits);
	tcase_add_test(tests, test_waits_before_records);
	suite_add_tcase(suite, tests);
	return suite;
}
