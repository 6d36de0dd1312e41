/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream with regions is made in memory, and its own file becomes the trace.dat that a copy of it
 * would be, however often that is interrupted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/xalloc.h"
#include "head_builder.h"
#include "recorder/drain/page_packer.h"
#include "recorder/file/datfile_settle.h"
#include "recorder/file/datfile_writer.h"
#include "recorder/file/stream_index.h"
#include "recorder/file/stream_writer.h"
#include "source/source.h"
#include "suites.h"

#define PAGE   HEAD_PAGE_BYTES
#define CPUS   3
#define FRONT  (UINT64_C(2) << 20)
#define ROOM   (UINT64_C(4) << 20)
/* More than is moved in one step, by a piece of it. */
#define LARGE  (UINT64_C(3) << 20)

static const char *const formats[] = {"switch", "waking"};
static const struct settle_options plain;
static struct stream_layout layout;
static struct stream_writer writer;
static struct buffer head, why;
static int fd, copy_fd;
static uint64_t large;
static struct page_packer *packing; /* of the stream; NULL: none */

static void layout_make(void)
{
	layout = (struct stream_layout){.cpu_count = CPUS, .count = 2 * CPUS};
	layout.region = xcalloc(layout.count, sizeof(*layout.region));
	layout.first[1] = SIZE_MAX;
	layout.first[2] = CPUS;
	for (uint32_t i = 0; i < layout.count; i++)
		layout.region[i].row = (struct stream_region){
			.cpu = i % CPUS,
			.buffer = i < CPUS ? 0 : 2,
			.offset = FRONT + i * ROOM,
			.bytes = ROOM,
		};
}

static void setup(void)
{
	head_make(&head, "a format of the kernel", formats, ARRAY_SIZE(formats));
	buffer_init(&why, 1000);
	large = LARGE;
	fd = memfd_create("test", 0);
	copy_fd = memfd_create("copy", 0);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(copy_fd, 0);
	layout_make();
}

static void teardown(void)
{
	buffer_release(&head);
	buffer_release(&why);
	stream_layout_release(&layout);
	(void)close(fd);
	(void)close(copy_fd);
}

static void put_pages(unsigned id, char fill, uint64_t bytes)
{
	char *pages = xmalloc((size_t)bytes);

	for (uint64_t at = 0; at < bytes; at += PAGE)
		memset(pages + at, fill + (char)(at / PAGE % 3), PAGE);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_PAGES, id, pages, (size_t)bytes), 0);
	free(pages);
}

/* CPU 0: much; CPU 1: nothing; CPU 2: some; of the last buffer CPU 1: some. */
static void stream_make(bool is_ended)
{
	struct buffer regions;

	ck_assert_int_eq(ftruncate(fd, 0), 0);
	for (size_t i = 0; i < layout.count; i++)
		layout.region[i].used = layout.region[i].chunks = 0;
	buffer_init(&regions, 10000);
	stream_layout_describe(&layout, &regions);
	ck_assert_int_eq(stream_writer_begin_layout(&writer, fd, &layout), 0);
	writer.packer = packing;
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_REGIONS, 0, regions.text,
	                                     regions.length), 0);
	put_pages(0, 'a', 3 * PAGE);
	put_pages(STREAM_ID(2, 1), 's', 2 * PAGE);
	put_pages(2, 'k', 5 * PAGE);
	put_pages(0, 'd', large);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_CMDLINES, 0, "5 new\n", 6), 0);
	if (is_ended)
		ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	buffer_release(&regions);
}

static uint64_t size_of(int of)
{
	struct stat file;

	ck_assert_int_eq(fstat(of, &file), 0);
	return (uint64_t)file.st_size;
}

/* The file is the trace.dat that a copy gives. */
static void check_same(void)
{
	size_t bytes = (size_t)size_of(fd);
	char *one, *other;

	ck_assert_uint_eq(bytes, size_of(copy_fd));
	one = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	other = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, copy_fd, 0);
	ck_assert(one != MAP_FAILED && other != MAP_FAILED);
	ck_assert_mem_eq(one, "\x17\x08\x44tracing", 10);
	ck_assert(memcmp(one, other, bytes) == 0);
	(void)munmap(one, bytes);
	(void)munmap(other, bytes);
}

static void copy_make(void)
{
	ck_assert_int_eq(ftruncate(copy_fd, 0), 0);
	ck_assert_int_eq(lseek(copy_fd, 0, SEEK_SET), 0);
	ck_assert_msg(datfile_convert(fd, copy_fd, "x", NULL, 0, &why) >= 0, "%s", why.text);
}

START_TEST(its_own_file_becomes_what_a_copy_is)
{
	struct stat file;

	stream_make(true);
	copy_make();
	ck_assert_msg(datfile_settle(fd, "x", &plain, &why) == 0, "%s", why.text);
	check_same();
	ck_assert_int_eq(fstat(fd, &file), 0);
	ck_assert_int_le(file.st_blocks * 512, file.st_size + PAGE);
	ck_assert_int_eq(datfile_settle(fd, "x", &plain, &why), -EALREADY);
}
END_TEST

START_TEST(one_without_an_end_is_distinguished)
{
	stream_make(false);
	copy_make();
	ck_assert_int_eq(datfile_settle(fd, "x", &plain, &why), 1);
	check_same();
}
END_TEST

struct interrupter {
	atomic_int interrupts;
	int calls, at;
	uint64_t room_most;
};

static void on_progress(void *state, uint64_t done, uint64_t total)
{
	struct interrupter *interrupter = state;
	struct stat file;

	ck_assert_uint_le(done, total);
	ck_assert_int_eq(fstat(fd, &file), 0);
	if ((uint64_t)file.st_blocks * 512 > interrupter->room_most)
		interrupter->room_most = (uint64_t)file.st_blocks * 512;
	if (interrupter->calls++ == interrupter->at)
		interrupter->interrupts = 2;
}

/* What a reader sees of CPU 0 must be what was written, wherever its pieces are now. */
static void check_readable(void)
{
	struct stream_index index;
	uint64_t bytes = 0;

	ck_assert_msg(stream_index_read(fd, "x", &index, &why) == 0, "%s", why.text);
	ck_assert(index.is_ended);
	for (size_t i = 0; i < index.run_count; i++) {
		char first, last;

		if (index.run[i].buffer != 0 || index.run[i].cpu != 0)
			continue;
		ck_assert_int_eq(file_read_all_at(fd, &first, 1, index.run[i].offset), 0);
		ck_assert_int_eq(file_read_all_at(fd, &last, 1, index.run[i].offset +
		                                  index.run[i].size - 1), 0);
		if (bytes == 0)
			ck_assert_int_eq(first, 'a');
		bytes += index.run[i].size;
		ck_assert_int_eq(last, bytes < 3 * PAGE + LARGE
		                       ? 'd' + (char)((bytes / PAGE - 4) % 3)
		                       : 'd' + (char)((LARGE / PAGE - 1) % 3));
	}
	ck_assert_uint_eq(bytes, 3 * PAGE + LARGE);
	stream_index_release(&index);
}

START_TEST(whatever_interrupts_it_can_go_on)
{
	int r = -EINTR, rounds = 0;

	stream_make(true);
	copy_make();
	for (int at = 0; r == -EINTR; at++, rounds++) {
		struct interrupter interrupter = {.at = at};
		const struct settle_options options = {
			.interrupts = &interrupter.interrupts,
			.interrupt_limit = 2,
			.on_progress = on_progress,
			.state = &interrupter,
		};

		stream_make(true);
		r = datfile_settle(fd, "x", &options, &why);
		ck_assert_uint_le(interrupter.room_most, LARGE + (UINT64_C(1) << 20));
		if (r == -EINTR) {
			check_readable();
			ck_assert_int_eq(datfile_settle(fd, "x", &plain, &why), 0);
		}
		ck_assert_msg(r == 0 || r == -EINTR, "%d %s", r, why.text);
		check_same();
	}
	ck_assert_int_ge(rounds, 4);
}
END_TEST

START_TEST(a_region_that_is_full_is_reported)
{
	char page[PAGE] = {1};

	stream_make(false);
	layout.region[1].used = ROOM;
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_PAGES, 1, page, PAGE), -EFBIG);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_PAGES, CPUS, page, PAGE), -EINVAL);
}
END_TEST

START_TEST(a_page_that_is_cut_off_is_left_out)
{
	struct stream_index index;

	stream_make(false);
	ck_assert_int_eq(ftruncate(fd, (off_t)(FRONT + 4 * ROOM + PAGE + 100)), 0);
	ck_assert_int_eq(stream_index_read(fd, "x", &index, &why), 0);
	ck_assert_uint_eq(index.run_count, 3);
	ck_assert_uint_eq(index.run[2].size, PAGE);
	stream_index_release(&index);
}
END_TEST

/* Somebody copied it with what knows no holes: their end is looked for, not read for. */
START_TEST(zeros_instead_of_a_hole_are_no_pages)
{
	const uint64_t used = 5 * PAGE;
	char *zeros = xcalloc(1, ROOM);
	struct stream_index index;

	large = 2 * PAGE;
	stream_make(true);
	ck_assert_int_eq(pwrite(fd, zeros, ROOM - used, (off_t)(FRONT + used)),
	                 (ssize_t)(ROOM - used));
	ck_assert_int_eq(pwrite(fd, zeros, ROOM, (off_t)(FRONT + ROOM)), (ssize_t)ROOM);
	ck_assert_int_eq(stream_index_read(fd, "x", &index, &why), 0);
	ck_assert_uint_eq(index.run_count, 3);
	ck_assert_uint_eq(index.run[0].size, used);
	ck_assert_uint_eq(index.run[1].size, 5 * PAGE);
	stream_index_release(&index);
	free(zeros);
}
END_TEST

/* Whatever the table of regions claims: no crash, and no trace.dat of what is not there. */
START_TEST(a_damaged_table_is_survived)
{
	const uint64_t table = LAYOUT_JOURNAL_AT + 2 * sizeof(struct stream_block) + head.length;
	const uint64_t bytes = sizeof(struct stream_regions) +
	                       layout.count * sizeof(struct stream_region);
	static const uint8_t values[] = {0x81};

	large = 2 * PAGE;
	for (uint64_t at = 0; at < bytes; at++)
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			stream_make(true);
			buffer_clear(&why);
			ck_assert_int_eq(pwrite(fd, &values[i], 1, (off_t)(table + at)), 1);
			(void)datfile_settle(fd, "x", &plain, &why);
			(void)ftruncate(copy_fd, 0);
			(void)datfile_convert(fd, copy_fd, "x", NULL, 0, &why);
		}
}
END_TEST

START_TEST(a_plan_has_a_region_for_each)
{
	static const bool has_buffer[STREAM_BUFFERS] = {true, false, true};
	struct stream_layout planned;

	ck_assert_int_eq(stream_layout_plan(fd, 5, has_buffer, &planned), 0);
	ck_assert_uint_eq(size_of(fd), 0);
	ck_assert_uint_eq(planned.count, 10);
	ck_assert_ptr_nonnull(stream_layout_find(&planned, 4));
	ck_assert_ptr_null(stream_layout_find(&planned, 5));
	ck_assert_ptr_null(stream_layout_find(&planned, STREAM_ID(1, 0)));
	ck_assert_ptr_null(stream_layout_find(&planned, STREAM_ID(9, 0)));
	ck_assert_uint_eq(stream_layout_find(&planned, STREAM_ID(2, 3))->row.cpu, 3);
	for (size_t i = 1; i < planned.count; i++)
		ck_assert_uint_ge(planned.region[i].row.offset,
		                  planned.region[i - 1].row.offset +
		                          planned.region[i - 1].row.bytes);
	stream_layout_release(&planned);
	ck_assert_int_lt(stream_layout_plan(-1, 5, has_buffer, &planned), 0);
}
END_TEST

/* Version 7, with the chunks of each CPU; what a copy of it gives but for how much is padded. */
START_TEST(packed_pages_become_version_7)
{
	struct page_packer *packer = page_packer_new();
	struct stream_index index;
	struct settle_options options = {.on_progress = NULL};
	char path[64];
	struct source *source;

	layout.packing = STREAM_PACKED_ZSTD;
	packing = packer;
	stream_make(true);
	ck_assert_int_eq(stream_index_read(fd, "x", &index, &why), 0);
	ck_assert_uint_eq(index.run_count, 3);
	ck_assert_uint_eq(index.regions.packing, STREAM_PACKED_ZSTD);
	stream_index_release(&index);
	ck_assert_uint_eq(layout.region[0].chunks, 2);
	ck_assert_uint_lt(layout.region[0].used, LARGE / 10);
	ck_assert_uint_eq(page_packer_sums(packer).from_bytes, LARGE + 10 * PAGE);
	copy_make();
	ck_assert_msg(datfile_settle(fd, "x", &options, &why) == 0, "%s", why.text);
	check_same();
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	ck_assert_uint_eq(source->stream_count, 2 * CPUS);
	ck_assert_str_eq(source->clock, "local");
	(void)source_close(source);
	packing = NULL;
	page_packer_free(packer);
}
END_TEST

Suite *datfile_settle_suite(void)
{
	Suite *suite = suite_create("datfile_settle");
	TCase *tests = tcase_create("datfile_settle");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, its_own_file_becomes_what_a_copy_is);
	tcase_add_test(tests, one_without_an_end_is_distinguished);
	tcase_add_test(tests, whatever_interrupts_it_can_go_on);
	tcase_add_test(tests, a_region_that_is_full_is_reported);
	tcase_add_test(tests, a_page_that_is_cut_off_is_left_out);
	tcase_add_test(tests, zeros_instead_of_a_hole_are_no_pages);
	tcase_add_test(tests, a_damaged_table_is_survived);
	tcase_add_test(tests, packed_pages_become_version_7);
	tcase_add_test(tests, a_plan_has_a_region_for_each);
	suite_add_tcase(suite, tests);
	return suite;
}
