/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/file/unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "packed_builder.h"
#include "suites.h"

#define TEXT_BYTES 20000

static const enum stream_packer packers[] = {PACKER_GZIP, PACKER_ZSTD};
static char text[TEXT_BYTES];

/* What is given out bit by bit. */
struct feed {
	const char *bytes;
	size_t left, piece;
	int error; /* at the end, instead of it */
};

static ssize_t feed_read(void *state, uint8_t *to, size_t size)
{
	struct feed *feed = state;

	size = size < feed->piece ? size : feed->piece;
	size = size < feed->left ? size : feed->left;
	if (size == 0 && feed->error)
		return feed->error;
	memcpy(to, feed->bytes, size);
	feed->bytes += size;
	feed->left -= size;
	return (ssize_t)size;
}

/* All that comes of `packed`, in steps; returns the last result, and in `damage` what is said. */
static ssize_t unpack_all(enum stream_packer packer, struct feed feed, size_t step,
                          struct buffer *to, struct buffer *damage)
{
	struct unpack_stream *stream = unpack_stream_new(packer, feed_read, &feed);
	uint8_t *piece = malloc(step);
	ssize_t got;

	buffer_clear(to);
	buffer_clear(damage);
	while ((got = unpack_stream_read(stream, piece, step)) > 0)
		buffer_append(to, piece, (size_t)got);
	ck_assert_int_eq(unpack_stream_read(stream, piece, step), got < 0 ? got : 0);
	if (!unpack_stream_damage(stream, damage))
		ck_assert_uint_eq(damage->length, 0);
	free(piece);
	ck_assert_ptr_null(unpack_stream_free(stream));
	return got;
}

static struct buffer packed, back, damage;

static void setup(void)
{
	uint32_t random = 1;

	buffer_init(&packed, 1u << 20);
	buffer_init(&back, 1u << 20);
	buffer_init(&damage, 1000);
	for (size_t i = 0; i < sizeof(text); i++) {
		random = random * 1664525 + 1013904223;
		text[i] = (char)(random >> 24 & 0x0f);
	}
}

static void teardown(void)
{
	buffer_release(&packed);
	buffer_release(&back);
	buffer_release(&damage);
}

static struct feed feed_of(size_t size, size_t piece)
{
	return (struct feed){packed.text, size, piece, 0};
}

static void check_is_text(size_t times)
{
	ck_assert_uint_eq(back.length, times * sizeof(text));
	for (size_t i = 0; i < times; i++)
		ck_assert_int_eq(memcmp(back.text + i * sizeof(text), text, sizeof(text)), 0);
}

START_TEST(beginnings_show_the_packer)
{
	ck_assert_int_eq(stream_packer_detect("\037\213\010\0", 4), PACKER_GZIP);
	ck_assert_int_eq(stream_packer_detect("\037\213\007\0", 4), PACKER_NONE);
	ck_assert_int_eq(stream_packer_detect("\050\265\057\375", 4), PACKER_ZSTD);
	ck_assert_int_eq(stream_packer_detect("\057\052\115\030", 4), PACKER_NONE);
	ck_assert_int_eq(stream_packer_detect("\137\052\115\030", 4), PACKER_ZSTD);
	ck_assert_int_eq(stream_packer_detect("\050\265\057\375", 3), PACKER_NONE);
	ck_assert_int_eq(stream_packer_detect("\027\010\104tracing", 10), PACKER_NONE);
}
END_TEST

START_TEST(pieces_of_any_size)
{
	static const size_t sizes[] = {1, 7, 4096, 1u << 20};

	packed_append(&packed, packers[_i], text, sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t j = 0; j < ARRAY_SIZE(sizes); j++) {
			ck_assert_int_eq(unpack_all(packers[_i], feed_of(packed.length, sizes[i]),
			                            sizes[j], &back, &damage), 0);
			check_is_text(1);
			ck_assert_str_eq(damage.text, "");
		}
}
END_TEST

/* cat a.zst b.zst; with nothing in one of them. */
START_TEST(several_one_after_the_other)
{
	packed_append(&packed, packers[_i], text, sizeof(text));
	packed_append(&packed, packers[_i], text, 0);
	packed_append(&packed, packers[_i], text, sizeof(text));
	ck_assert_int_eq(unpack_all(packers[_i], feed_of(packed.length, 1000), 4096, &back,
	                            &damage), 0);
	check_is_text(2);
	ck_assert_str_eq(damage.text, "");
}
END_TEST

/* Of what is cut anywhere the first part comes, and it is said. */
START_TEST(cut_anywhere)
{
	packed_append(&packed, packers[_i], text, sizeof(text));
	for (size_t size = 4; size < packed.length; size += size < 100 ? 1 : 97) {
		ck_assert_int_eq(unpack_all(packers[_i], feed_of(size, 4096), 4096, &back,
		                            &damage), 0);
		ck_assert_uint_le(back.length, sizeof(text));
		ck_assert_int_eq(memcmp(back.text, text, back.length), 0);
		ck_assert_msg(strstr(damage.text, "cut short: its "), "%zu: %s", size,
		              damage.text);
	}
}
END_TEST

/* A byte that is another one: it ends, and of both packers the sums tell that it is damaged. */
START_TEST(changed_anywhere)
{
	packed_append(&packed, packers[_i], text, sizeof(text));
	for (size_t at = 20; at < packed.length; at += 61) {
		packed.text[at] ^= 0x55;
		ck_assert_int_eq(unpack_all(packers[_i], feed_of(packed.length, 4096), 4096, &back,
		                            &damage), 0);
		ck_assert_uint_gt(damage.length, 0);
		packed.text[at] ^= 0x55;
	}
}
END_TEST

/* gzip pads, and so may tapes; zstd does not. */
START_TEST(what_follows)
{
	packed_append(&packed, packers[_i], text, sizeof(text));
	buffer_append(&packed, "\0\0\0\0\0\0\0\0", 8);
	ck_assert_int_eq(unpack_all(packers[_i], feed_of(packed.length, 4096), 4096, &back,
	                            &damage), 0);
	check_is_text(1);
	if (packers[_i] == PACKER_GZIP)
		ck_assert_str_eq(damage.text, "");
	else
		ck_assert_ptr_nonnull(strstr(damage.text, "damaged: its zstd data make no sense"));
}
END_TEST

START_TEST(frames_to_be_skipped)
{
	buffer_append(&packed, "\120\052\115\030\3\0\0\0abc", 11);
	packed_append(&packed, PACKER_ZSTD, text, sizeof(text));
	buffer_append(&packed, "\137\052\115\030\0\0\0\0", 8);
	ck_assert_int_eq(unpack_all(PACKER_ZSTD, feed_of(packed.length, 5), 4096, &back, &damage),
	                 0);
	check_is_text(1);
	ck_assert_str_eq(damage.text, "");
}
END_TEST

START_TEST(errors_of_the_read_are_passed_on)
{
	struct feed feed;

	packed_append(&packed, packers[_i], text, sizeof(text));
	feed = feed_of(packed.length / 2, 100);
	feed.error = -EIO;
	ck_assert_int_eq(unpack_all(packers[_i], feed, 4096, &back, &damage), -EIO);
}
END_TEST

/* Zeros without end, as a file that is made to fill a disk has them. */
static ssize_t zeros_read(void *state, uint8_t *to, size_t size)
{
	struct feed *feed = state;

	if (feed->left == 0)
		*feed = feed_of(packed.length, SIZE_MAX);
	return feed_read(state, to, size);
}

START_TEST(bombs_end)
{
	static char zeros[4u << 20];
	static uint8_t piece[1u << 20];
	struct feed feed = {.piece = SIZE_MAX};
	struct unpack_stream *stream;
	uint64_t given = 0;
	ssize_t got;

	packed_append(&packed, packers[_i], zeros, sizeof(zeros));
	/* gzip makes a thousand and some of one byte, zstd more */
	stream = unpack_stream_new(packers[_i], zeros_read, &feed);
	while ((got = unpack_stream_read(stream, piece, sizeof(piece))) > 0) {
		given += (uint64_t)got;
		ck_assert_uint_lt(given, UINT64_C(1) << 30);
	}
	ck_assert_int_eq(got, 0);
	ck_assert(unpack_stream_damage(stream, &damage));
	ck_assert_ptr_nonnull(strstr(damage.text, "more than 1000 times their size"));
	(void)unpack_stream_free(stream);
}
END_TEST

/* A frame that says it refers 256 MiB back. */
START_TEST(windows_have_a_bound)
{
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 18 << 3, 1, 0, 0};

	buffer_append(&packed, frame, sizeof(frame));
	ck_assert_int_eq(unpack_all(PACKER_ZSTD, feed_of(packed.length, 100), 4096, &back,
	                            &damage), 0);
	ck_assert_uint_eq(back.length, 0);
	ck_assert_ptr_nonnull(strstr(damage.text, "more than 128 MiB of memory"));
	packed.text[5] = (char)(17u << 3);
	ck_assert_int_eq(unpack_all(PACKER_ZSTD, feed_of(packed.length, 100), 4096, &back,
	                            &damage), 0);
	ck_assert_str_eq(damage.text, "");
}
END_TEST

Suite *unpack_stream_suite(void)
{
	Suite *suite = suite_create("unpack_stream");
	TCase *tests = tcase_create("unpack_stream");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, beginnings_show_the_packer);
	tcase_add_loop_test(tests, pieces_of_any_size, 0, 2);
	tcase_add_loop_test(tests, several_one_after_the_other, 0, 2);
	tcase_add_loop_test(tests, cut_anywhere, 0, 2);
	tcase_add_loop_test(tests, changed_anywhere, 0, 2);
	tcase_add_loop_test(tests, what_follows, 0, 2);
	tcase_add_test(tests, frames_to_be_skipped);
	tcase_add_loop_test(tests, errors_of_the_read_are_passed_on, 0, 2);
	tcase_add_loop_test(tests, bombs_end, 0, 2);
	tcase_add_test(tests, windows_have_a_bound);
	suite_add_tcase(suite, tests);
	return suite;
}
