/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream of small blocks, each with a number, is kept in rings of several sizes. */
#include "flight/stream_ring.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "suites.h"

#define SECOND UINT64_C(1000000000)

static struct stream_ring ring;
static struct buffer stream; /* that was not taken yet */
static unsigned number;      /* of the next block of pages */

static void begin(nsec_t time_max, uint64_t bytes_max, int fd)
{
	number = 0;
	buffer_init(&stream, 4u << 20);
	buffer_append(&stream, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	stream_ring_init(&ring, time_max, bytes_max, fd);
}

static void end(void)
{
	buffer_release(&stream);
	stream_ring_release(&ring);
}

static void put(enum stream_block_type type, const void *payload, size_t size)
{
	const struct stream_block block = {
		.mark = STREAM_BLOCK_MARK, .type = type, .cpu = type == STREAM_PAGES ? 3 : 0,
		.buffer = type == STREAM_PAGES, .size = size,
	};

	buffer_append(&stream, &block, sizeof(block));
	buffer_append(&stream, payload, size);
}

/* Pages that begin with their number. */
static void put_pages(size_t size)
{
	static char pages[1u << 20];

	ck_assert_uint_le(size, sizeof(pages));
	memcpy(pages, &number, sizeof(number));
	number++;
	put(STREAM_PAGES, pages, size);
}

/* In pieces of `piece` bytes. */
static void take(size_t piece)
{
	for (size_t at = 0; at < stream.length; at += piece)
		stream_ring_take(&ring, stream.text + at,
		                 stream.length - at < piece ? stream.length - at : piece);
	buffer_clear(&stream);
}

static void reach(nsec_t time)
{
	struct buffer version, cmdlines;

	put(STREAM_REACHED, &time, sizeof(time));
	take(4096);
	if (!stream_ring_is_due(&ring, time))
		return;
	buffer_init(&version, 100);
	buffer_init(&cmdlines, 100);
	buffer_printf(&version, "at %u\n", (unsigned)(time / SECOND));
	stream_ring_turn(&ring, time, &version, &cmdlines);
}

struct found {
	unsigned first, next, others;
};

static int on_block(void *state, const struct stream_block *block, const void *payload)
{
	struct found *found = state;
	unsigned numbered;

	if (block->type != STREAM_PAGES) {
		found->others++;
		return 0;
	}
	ck_assert_uint_eq(block->cpu, 3);
	memcpy(&numbered, payload, sizeof(numbered));
	if (found->next == 0)
		found->first = numbered;
	else
		ck_assert_uint_eq(numbered, found->next);
	found->next = numbered + 1;
	return 0;
}

static struct found look(void)
{
	struct found found = {0};

	ck_assert_int_eq(stream_ring_read(&ring, on_block, &found), 0);
	return found;
}

START_TEST(the_preface_stays_and_marks_of_time_go)
{
	struct found found;

	begin(NSEC_NEVER, 1u << 20, -1);
	put(STREAM_HEAD, "head", 4);
	put(STREAM_OPTIONS, "options", 7);
	put_pages(8192);
	put(STREAM_CMDLINES, "1 init\n", 7);
	put(STREAM_SYMBOLS, "symbols", 7);
	take((size_t)_i);
	reach(SECOND);
	put(STREAM_OPTIONS, "later", 5);
	put_pages(4096);
	take((size_t)_i);
	ck_assert_uint_eq(ring.preface.length, 3 * sizeof(struct stream_block) + 4 + 7 + 7);
	found = look();
	ck_assert_uint_eq(found.first, 0);
	ck_assert_uint_eq(found.next, 2);
	ck_assert_uint_eq(found.others, 1);
	ck_assert(!ring.has_buffer[0] && ring.has_buffer[1] && !ring.has_buffer[2]);
	ck_assert_uint_eq(stream_ring_begin(&ring), 0);
	end();
}
END_TEST

START_TEST(as_much_time_as_asked_for_is_kept)
{
	begin(16 * SECOND, 1u << 30, -1);
	for (unsigned second = 1; second <= 100; second++) {
		nsec_t now = (nsec_t)second * SECOND;

		put_pages(4096);
		reach(now);
		if (second <= 16) {
			ck_assert_uint_eq(look().first, 0);
			continue;
		}
		ck_assert_uint_le(stream_ring_begin(&ring), now - 16 * SECOND);
		ck_assert_uint_ge(stream_ring_begin(&ring) + 18 * SECOND, now);
		/* block N comes between second N and N + 1; the chapter has one more */
		ck_assert_uint_eq(look().first + 1, stream_ring_begin(&ring) / SECOND);
		ck_assert_uint_eq(look().next, number);
	}
	ck_assert(!ring.is_short);
	ck_assert_uint_eq(ring.count, 9);
	end();
}
END_TEST

START_TEST(the_oldest_chapter_begins_with_its_tasks)
{
	char expected[32];

	begin(8 * SECOND, 1u << 30, -1);
	for (unsigned second = 1; second <= 30; second++) {
		put_pages(4096);
		reach((nsec_t)second * SECOND);
	}
	(void)snprintf(expected, sizeof(expected), "at %u\n",
	               (unsigned)(stream_ring_begin(&ring) / SECOND));
	ck_assert_str_eq(ring.chapter[0].version.text, expected);
	end();
}
END_TEST

START_TEST(no_more_bytes_than_allowed_are_kept)
{
	begin(_i ? 1000 * SECOND : NSEC_NEVER, 4u << 20, -1);
	for (unsigned second = 1; second <= 200; second++) {
		put_pages(100u << 10);
		put_pages(300u << 10);
		reach((nsec_t)second * SECOND);
		ck_assert_uint_le(ring.bytes, 4u << 20);
		if (second > 20)
			ck_assert_uint_ge(ring.bytes, 5u << 19);
		ck_assert_uint_eq(look().next, number);
	}
	ck_assert(ring.is_short == (_i != 0));
	ck_assert_uint_le(ring.store.count * (uint64_t)CHUNK_BYTES, 8u << 20);
	end();
}
END_TEST

START_TEST(a_gap_empties_the_ring)
{
	begin(100 * SECOND, 1u << 30, memfd_create("test", 0));
	put_pages(4096);
	reach(SECOND);
	put_pages(4096);
	reach(30 * SECOND);
	ck_assert_uint_eq(look().first, 0);
	ring.error = -ENOSPC;
	put_pages(4096);
	reach(31 * SECOND);
	ck_assert_int_eq(ring.error, 0);
	ck_assert_uint_eq(stream_ring_begin(&ring), 31 * SECOND);
	put_pages(4096);
	reach(32 * SECOND);
	ck_assert_uint_eq(look().first, 3);
	end();
}
END_TEST

Suite *stream_ring_suite(void)
{
	Suite *suite = suite_create("stream_ring");
	TCase *tests = tcase_create("stream_ring");

	tcase_add_loop_test(tests, the_preface_stays_and_marks_of_time_go, 1, 60);
	tcase_add_test(tests, as_much_time_as_asked_for_is_kept);
	tcase_add_test(tests, the_oldest_chapter_begins_with_its_tasks);
	tcase_add_loop_test(tests, no_more_bytes_than_allowed_are_kept, 0, 2);
	tcase_add_test(tests, a_gap_empties_the_ring);
	suite_add_tcase(suite, tests);
	return suite;
}
