/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/spool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "packed_builder.h"
#include "page_builder.h"
#include "suites.h"
#include "trace_builder.h"

static struct buffer why, damage;
static pid_t writer;

/* The end of a pipe into which a child writes `first`, then `more` again and again. */
static int endless_begin(const void *first, size_t size, const char *more)
{
	static char block[65536];
	int pair[2];

	buffer_init(&why, 1000);
	buffer_init(&damage, 1000);
	ck_assert_int_eq(pipe(pair), 0);
	writer = fork();
	if (writer == 0) {
		(void)close(pair[0]);
		if (write(pair[1], first, size) != (ssize_t)size)
			_exit(1);
		for (size_t at = 0; at < sizeof(block); at += 4)
			memcpy(&block[at], more, 4);
		while (write(pair[1], block, sizeof(block)) == (ssize_t)sizeof(block))
			;
		_exit(1);
	}
	(void)close(pair[1]);
	return pair[0];
}

static void endless_end(int from)
{
	(void)close(from);
	(void)kill(writer, SIGKILL);
	(void)waitpid(writer, NULL, 0);
	buffer_release(&why);
	buffer_release(&damage);
}

/* `yes | ftwait report -` needs no folder at all. */
START_TEST(test_what_is_no_trace_is_not_kept)
{
	int from = endless_begin("y\ny\n", 4, "y\ny\n");

	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	ck_assert_int_eq(spool_fill(from, NULL, &damage, &why), -EINVAL);
	ck_assert_str_eq(why.text, "not a trace.dat: it does not begin as one");
	endless_end(from);
}
END_TEST

/* A pipe into which a child writes the bytes of a trace.dat, so many in all, each the low byte of
   its place but for the first ones. */
static int sized_begin(size_t size)
{
	static uint8_t block[65536] = "\027\010\104tracing";
	int pair[2];

	buffer_init(&why, 1000);
	buffer_init(&damage, 1000);
	for (size_t i = 10; i < sizeof(block); i++)
		block[i] = (uint8_t)i;
	ck_assert_int_eq(pipe(pair), 0);
	writer = fork();
	if (writer == 0) {
		(void)close(pair[0]);
		for (size_t done = 0; done < size; done += sizeof(block))
			if (write(pair[1], block, sizeof(block)) != (ssize_t)sizeof(block))
				_exit(1);
		_exit(0);
	}
	(void)close(pair[1]);
	return pair[0];
}

/* What a slice of a recording on a board without a writable folder is. */
START_TEST(test_small_input_needs_no_folder)
{
	int from = sized_begin(2u << 20), copy;
	struct stat status;

	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	copy = spool_fill(from, NULL, &damage, &why);
	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_int_eq(status.st_size, 2 << 20);
	(void)close(copy);
	endless_end(from);
}
END_TEST

START_TEST(test_large_input_goes_to_a_folder)
{
	int from = sized_begin(9u << 20), copy = spool_fill(from, NULL, &damage, &why);
	uint8_t back[2];
	struct stat status;

	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_int_eq(status.st_size, 9 << 20);
	for (off_t at = 4095; at < 9 << 20; at += 4096) { /* of both parts */
		ck_assert_int_eq(pread(copy, back, 2, at), at + 2 > status.st_size ? 1 : 2);
		ck_assert_uint_eq(back[0], 255);
	}
	(void)close(copy);
	endless_end(from);
}
END_TEST

START_TEST(test_large_input_without_a_folder_is_refused)
{
	int from = sized_begin(9u << 20);

	ck_assert_int_eq(setenv("TMPDIR", "/nonexistent", 1), 0);
	ck_assert_int_lt(spool_fill(from, NULL, &damage, &why), 0);
	ck_assert_ptr_nonnull(strstr(why.text, "set TMPDIR to a directory"));
	endless_end(from);
}
END_TEST

/* What follows the end of a stream, be it endless, is kept only so far as tells that it does. */
START_TEST(test_end_of_stream_ends_it)
{
	struct trace_builder builder;
	struct stat status;
	int from, copy;

	trace_builder_init(&builder, &page_layouts[_i]);
	trace_builder_add_pages(&builder, 0, 50, 20);
	trace_builder_stream(&builder);
	from = endless_begin(builder.file.text, builder.file.length, "more");
	copy = spool_fill(from, NULL, &damage, &why);
	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_uint_ge((uint64_t)status.st_size, builder.file.length + 4);
	ck_assert_uint_le((uint64_t)status.st_size,
	                  builder.file.length + SPOOL_TAIL_BYTES + (256u << 10));
	(void)close(copy);
	endless_end(from);
	trace_builder_release(&builder);
}
END_TEST

static struct spool_progress told;
static unsigned told_count;

static void take_progress(const struct spool_progress *progress)
{
	told = *progress;
	told_count++;
}

/* A stream that is still written says how far it got. */
START_TEST(test_progress_of_a_stream)
{
	struct trace_builder builder;
	int from, copy;

	trace_builder_init(&builder, &page_layouts[_i]);
	trace_builder_begin_stream(&builder);
	trace_builder_reached(&builder, 1000000000);
	trace_builder_reached(&builder, 13500000000);
	trace_builder_reached(&builder, 900000000);
	trace_builder_block(&builder, STREAM_END, 0, "", 0);
	from = endless_begin(builder.file.text, builder.file.length, "more");
	told_count = 0;
	spool_on_progress(take_progress);
	copy = spool_fill(from, NULL, &damage, &why);
	spool_on_progress(NULL);
	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_uint_eq(told_count, 3);
	ck_assert_uint_eq(told.recorded, 12500000000);
	ck_assert_uint_ge(told.bytes, builder.file.length);
	(void)close(copy);
	endless_end(from);
	trace_builder_release(&builder);
}
END_TEST

/* Behind the bytes of others blocks are looked for, but not in what has no end. */
START_TEST(test_endless_junk_ends_it)
{
	struct trace_builder builder;
	struct stat status;
	int from, copy;

	trace_builder_init(&builder, &page_layouts[_i]);
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_stream(&builder);
	builder.file.text[builder.data_begin] ^= 1;
	from = endless_begin(builder.file.text, builder.file.length, "more");
	copy = spool_fill(from, NULL, &damage, &why);
	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_uint_ge((uint64_t)status.st_size, builder.file.length + (16u << 20));
	ck_assert_uint_le((uint64_t)status.st_size, builder.file.length + (17u << 20));
	(void)close(copy);
	endless_end(from);
	trace_builder_release(&builder);
}
END_TEST

/* Without its first block nothing of a stream can be read. */
START_TEST(test_stream_without_a_head_ends_it)
{
	static char nothing[] = "\177ftwait-stream1\0no block at all, but something else";
	struct stat status;
	int from = endless_begin(nothing, sizeof(nothing), "more");
	int copy = spool_fill(from, NULL, &damage, &why);

	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_uint_le((uint64_t)status.st_size, 1u << 20);
	(void)close(copy);
	endless_end(from);
}
END_TEST

/* Pipe full after pipe full of others' bytes between blocks: all behind them is kept. */
START_TEST(test_bytes_of_others_lose_nothing)
{
	struct trace_builder builder;
	struct stat status;
	struct buffer all;
	const size_t junk = (5u << 20) + 1;
	int from, copy;
	char last;

	trace_builder_init(&builder, &page_layouts[_i]);
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_stream(&builder);
	buffer_init(&all, 32u << 20);
	buffer_append(&all, builder.file.text, builder.data_begin);
	for (size_t i = 0; i < 5; i++) { /* more than is kept without a block, in all */
		for (size_t bytes = 0; bytes < junk; bytes++)
			buffer_append(&all, "\n", 1);
		buffer_append(&all, builder.file.text + builder.data_begin,
		              builder.file.length - builder.data_begin);
	}
	buffer_append(&all, "!", 1);
	from = endless_begin(all.text, all.length, "more");
	copy = spool_fill(from, NULL, &damage, &why);
	ck_assert_msg(copy >= 0, "%s", why.text);
	ck_assert_int_eq(fstat(copy, &status), 0);
	ck_assert_uint_ge((uint64_t)status.st_size, all.length);
	ck_assert_int_eq(pread(copy, &last, 1, (off_t)all.length - 1), 1);
	ck_assert_int_eq(last, '!');
	(void)close(copy);
	endless_end(from);
	buffer_release(&all);
	trace_builder_release(&builder);
}
END_TEST

/* The copy is of what it unpacks to; what is missing of it is told. */
START_TEST(test_packed_is_unpacked)
{
	struct buffer packed;
	char back[4];
	struct stat status;
	int pair[2], copy;

	buffer_init(&why, 1000);
	buffer_init(&damage, 1000);
	buffer_init(&packed, 1000);
	packed_append(&packed, _i ? PACKER_ZSTD : PACKER_GZIP, "\027\010\104tracing and more", 19);
	for (size_t cut = 0; cut < 2; cut++) {
		ck_assert_int_eq(pipe(pair), 0);
		ck_assert_int_eq(write(pair[1], packed.text, packed.length - cut),
		                 (int)(packed.length - cut));
		(void)close(pair[1]);
		copy = spool_fill(pair[0], NULL, &damage, &why);
		ck_assert_msg(copy >= 0, "%s", why.text);
		ck_assert_int_eq(fstat(copy, &status), 0);
		ck_assert_int_eq(pread(copy, back, 4, 15), 4);
		ck_assert_int_eq(memcmp(back, "more", 4), 0);
		ck_assert_uint_eq((uint64_t)status.st_size, 19);
		ck_assert_int_eq(damage.length > 0, cut > 0);
		(void)close(copy);
		(void)close(pair[0]);
	}
	buffer_release(&packed);
	buffer_release(&why);
	buffer_release(&damage);
}
END_TEST

START_TEST(test_last_room_is_left)
{
	const uint64_t mib = 1u << 20;

	ck_assert(spool_has_room(mib, 10 * mib));
	ck_assert(!spool_has_room(mib / 2, 10 * mib));
	ck_assert(!spool_has_room(0, 10 * mib));
	ck_assert(!spool_has_room(64 * mib, 1000000 * mib));
	ck_assert(spool_has_room(65 * mib, 1000000 * mib));
	ck_assert(spool_has_room(0, 0));
}
END_TEST

Suite *spool_suite(void)
{
	Suite *suite = suite_create("spool");
	TCase *all = tcase_create("all");

	tcase_add_test(all, test_what_is_no_trace_is_not_kept);
	tcase_add_test(all, test_small_input_needs_no_folder);
	tcase_add_test(all, test_large_input_goes_to_a_folder);
	tcase_add_test(all, test_large_input_without_a_folder_is_refused);
	tcase_add_loop_test(all, test_end_of_stream_ends_it, 0, 4);
	tcase_add_loop_test(all, test_progress_of_a_stream, 0, 4);
	tcase_add_loop_test(all, test_endless_junk_ends_it, 0, 4);
	tcase_add_test(all, test_stream_without_a_head_ends_it);
	tcase_add_loop_test(all, test_bytes_of_others_lose_nothing, 0, 4);
	tcase_add_loop_test(all, test_packed_is_unpacked, 0, 2);
	tcase_add_test(all, test_last_room_is_left);
	suite_add_tcase(suite, all);
	return suite;
}
