/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream is made in memory from a small head, cut at every length, and converted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "head_builder.h"
#include "recorder/file/datfile_writer.h"
#include "recorder/file/stream_index.h"
#include "recorder/file/stream_writer.h"
#include "source/source.h"
#include "source/stream/page_reader.h"
#include "suites.h"

#define PAGE HEAD_PAGE_BYTES
#define CLOCK_TEXT "local [mono] boot"

static const char *const formats[] = {"switch", "waking"};
static struct buffer head, why;
static int stream_fd, out_fd;

static int memory_file(void)
{
	int fd = memfd_create("test", 0);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void setup(void)
{
	head_make(&head, "a format of the kernel", formats, ARRAY_SIZE(formats));
	buffer_init(&why, 1000);
	stream_fd = memory_file();
	out_fd = memory_file();
}

static void teardown(void)
{
	buffer_release(&head);
	buffer_release(&why);
	(void)close(stream_fd);
	(void)close(out_fd);
}

static void put_pages(struct stream_writer *writer, unsigned cpu, char fill, size_t count)
{
	char *pages = xmalloc(count * PAGE);

	memset(pages, fill, count * PAGE);
	ck_assert_int_eq(stream_writer_block(writer, STREAM_PAGES, cpu, pages, count * PAGE), 0);
	free(pages);
}

/* CPU 0: a, c, c; CPU 2: b; CPU 1: none. Returns the bytes of the stream. */
static uint64_t stream_make(void)
{
	struct stream_writer writer;
	struct buffer options;

	buffer_init(&options, 1000);
	stream_option_append(&options, 4, CLOCK_TEXT, sizeof(CLOCK_TEXT));
	ck_assert_int_eq(stream_writer_begin(&writer, stream_fd), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_OPTIONS, 0, options.text,
	                                     options.length), 0);
	put_pages(&writer, 0, 'a', 1);
	put_pages(&writer, 2, 'b', 1);
	put_pages(&writer, 7, 'x', 1); /* no such CPU */
	put_pages(&writer, 0, 'c', 2);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_CMDLINES, 0, "5 new\n", 6), 0);
	ck_assert_int_eq(stream_writer_block(&writer, (enum stream_block_type)99, 0, "future", 6), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	buffer_release(&options);
	return writer.bytes;
}

static char *file_map(int fd, size_t *ret_bytes)
{
	struct stat file;
	char *bytes;

	ck_assert_int_eq(fstat(fd, &file), 0);
	*ret_bytes = (size_t)file.st_size;
	bytes = mmap(NULL, *ret_bytes + 1, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert(bytes != MAP_FAILED);
	return bytes;
}

static uint64_t u64_at(const char *bytes)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

/* The second one has a table of its own behind the first one's, of which an option tells. */
START_TEST(second_buffer_has_its_table)
{
	struct stream_writer writer;
	size_t bytes;
	char *file, *option, *table;

	ck_assert_int_eq(stream_writer_begin(&writer, stream_fd), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	put_pages(&writer, STREAM_ID(STREAM_BUFFER_CALLS, 0), 'm', 2);
	put_pages(&writer, 0, 'a', 1);
	put_pages(&writer, STREAM_ID(STREAM_BUFFER_CALLS, 2), 'n', 1);
	put_pages(&writer, STREAM_ID(STREAM_BUFFERS, 0), 'x', 1); /* of a later version */
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	file = file_map(out_fd, &bytes);
	option = memmem(file, bytes, STREAM_CALLS_NAME, sizeof(STREAM_CALLS_NAME));
	ck_assert_ptr_nonnull(option);
	table = file + u64_at(option - 8);
	ck_assert_mem_eq(table, "flyrecord", 10);
	table += 10;
	ck_assert_uint_eq(u64_at(table + 8), 2 * PAGE);
	ck_assert_uint_eq(u64_at(table + 24), 0);
	ck_assert_uint_eq(u64_at(table + 40), PAGE);
	ck_assert_uint_eq(u64_at(table + 32) + PAGE, bytes);
	ck_assert_int_eq(file[u64_at(table)], 'm');
	ck_assert_int_eq(file[bytes - 1], 'n');
	table = (char *)memmem(file, bytes, "flyrecord", 10) + 10;
	ck_assert_uint_eq(u64_at(table + 8), PAGE);
	ck_assert_int_eq(file[u64_at(table)], 'a');
}
END_TEST

/* Each has its table, and one without pages none. */
START_TEST(third_buffer_has_its_table)
{
	static const unsigned buffers[][2] = {{STREAM_BUFFER_CALLS, STREAM_BUFFER_STACKS},
	                                      {STREAM_BUFFER_STACKS, STREAM_BUFFER_STACKS}};
	const unsigned *buffer = buffers[_i];
	struct stream_writer writer;
	size_t bytes;
	char *file;

	ck_assert_int_eq(stream_writer_begin(&writer, stream_fd), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	put_pages(&writer, 0, 'a', 1);
	put_pages(&writer, STREAM_ID(buffer[1], 1), 's', 1);
	if (buffer[0] != buffer[1])
		put_pages(&writer, STREAM_ID(buffer[0], 0), 'm', 1);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	file = file_map(out_fd, &bytes);
	for (size_t i = 0; i < 2; i++) {
		const char *name = stream_buffer_name(buffer[i]);
		char *option = memmem(file, bytes, name, strlen(name) + 1);
		unsigned cpu = buffer[i] == STREAM_BUFFER_STACKS;
		char *row;

		ck_assert_ptr_nonnull(option);
		ck_assert_mem_eq(file + u64_at(option - 8), "flyrecord", 10);
		row = file + u64_at(option - 8) + 10 + (size_t)16 * cpu;
		ck_assert_uint_eq(u64_at(row + 8), PAGE);
		ck_assert_int_eq(file[u64_at(row)], cpu ? 's' : 'm');
	}
	if (buffer[0] == buffer[1])
		ck_assert_ptr_null(memmem(file, bytes, STREAM_CALLS_NAME, 9));
}
END_TEST

START_TEST(pages_are_sorted_by_cpu)
{
	size_t bytes;
	char *file, *table;

	(void)stream_make();
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	file = file_map(out_fd, &bytes);
	ck_assert_uint_eq(bytes % PAGE, 0);
	table = memmem(file, bytes, "flyrecord", 10);
	ck_assert_ptr_nonnull(table);
	table += 10;
	ck_assert_uint_eq(u64_at(table) % PAGE, 0);
	ck_assert_uint_eq(u64_at(table + 8), 3 * PAGE);
	ck_assert_uint_eq(u64_at(table + 24), 0);
	ck_assert_uint_eq(u64_at(table + 32), bytes - PAGE);
	ck_assert_uint_eq(u64_at(table + 40), PAGE);
	ck_assert_uint_eq(u64_at(table + 48), 6);
	ck_assert_mem_eq(table + 56, "[mono]", 6);
	file += u64_at(table);
	ck_assert_int_eq(file[0], 'a');
	ck_assert_int_eq(file[PAGE], 'c');
	ck_assert_int_eq(file[3 * PAGE - 1], 'c');
	ck_assert_int_eq(file[3 * PAGE], 'b');
}
END_TEST

START_TEST(late_command_lines_join_the_head)
{
	struct datfile_head parts;
	size_t bytes;
	char *file, *options;

	(void)stream_make();
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	file = file_map(out_fd, &bytes);
	options = memmem(file, bytes, "options  ", 10);
	ck_assert_ptr_nonnull(options);
	ck_assert_int_eq(datfile_head_parse(file, (size_t)(options - file), &parts), 0);
	ck_assert_uint_eq(parts.cmdlines_bytes, strlen("1 init\n5 new\n"));
	ck_assert_mem_eq(file + parts.cmdlines_at + 8, "1 init\n5 new\n", parts.cmdlines_bytes);
	ck_assert_uint_eq(parts.cpu_count, 3);
}
END_TEST

static void put_version(struct stream_writer *writer, const char *text)
{
	struct buffer options;

	buffer_init(&options, 1000);
	stream_option_append(&options, DATFILE_OPTION_VERSION, text, strlen(text) + 1);
	ck_assert_int_eq(stream_writer_block(writer, STREAM_OPTIONS, 0, options.text,
	                                     options.length), 0);
	buffer_release(&options);
}

static void check_stolen(int fd, bool has_steal, nsec_t steal)
{
	char path[64];
	struct source *source;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	ck_assert_int_eq(source->notes.command.pid, 7);
	ck_assert(source->notes.machine.is_guest);
	ck_assert_int_eq(source->notes.machine.has_steal, has_steal);
	ck_assert_uint_eq(source->notes.machine.steal_ns, steal);
	(void)source_close(source);
}

/* What record writes at its begin and end is read from the stream, cut or whole, and the file. */
START_TEST(stolen_time_is_read_back)
{
	struct stream_writer writer;

	ck_assert_int_eq(stream_writer_begin(&writer, stream_fd), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	put_version(&writer, "ftwait 1\ncommand 7\nguest\n");
	check_stolen(stream_fd, false, 0);
	put_version(&writer, "ftwait 1\nsteal 0 20000000\nsteal 2 10000000\n");
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	check_stolen(stream_fd, true, 30000000);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	check_stolen(out_fd, true, 30000000);
}
END_TEST

/* Wherever a recorder was killed: whole pages survive, and nothing else is read. */
START_TEST(a_stream_may_end_anywhere)
{
	uint64_t whole = stream_make();
	uint64_t head_end = STREAM_MAGIC_BYTES + sizeof(struct stream_block) + head.length;

	for (uint64_t cut = whole; cut-- > 0;) {
		struct stream_index index;
		int r;

		ck_assert_int_eq(ftruncate(stream_fd, (off_t)cut), 0);
		buffer_clear(&why);
		r = stream_index_read(stream_fd, "x", &index, &why);
		if (cut < head_end) {
			ck_assert_int_eq(r, -EINVAL);
			continue;
		}
		ck_assert_int_eq(r, 0);
		ck_assert(!index.is_ended);
		ck_assert_uint_le(index.run_count, 3);
		for (size_t i = 0; i < index.run_count; i++) {
			ck_assert_uint_eq(index.run[i].size % PAGE, 0);
			ck_assert_uint_le(index.run[i].offset + index.run[i].size, cut);
		}
		stream_index_release(&index);
	}
}
END_TEST

START_TEST(a_stream_without_an_end_is_distinguished)
{
	uint64_t whole = stream_make();

	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	ck_assert_int_eq(ftruncate(stream_fd, (off_t)whole - 1), 0);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 1);
}
END_TEST

/* Whether readers of the file are told of damage with these words. */
static bool is_reported(int fd, const char *words)
{
	struct source *source;
	bool is_there = false;
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	for (size_t i = 0; i < source->health.note_count; i++)
		is_there = is_there || strstr(source->health.notes[i], words);
	is_there = is_there && source->health.damaged;
	source_close(source);
	return is_there;
}

/* Nothing but the stream's missing end told that half of a recording is missing. */
START_TEST(what_a_stream_lacks_stays_in_the_file)
{
	uint64_t whole = stream_make();

	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	ck_assert(!is_reported(out_fd, "did not end cleanly"));
	ck_assert_int_eq(ftruncate(stream_fd, (off_t)whole - 1), 0);
	ck_assert_int_eq(ftruncate(out_fd, 0), 0);
	ck_assert_int_eq(lseek(out_fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 1);
	ck_assert(is_reported(out_fd, "did not end cleanly"));
}
END_TEST

/* Pages whose heads make sense. */
static void put_real_pages(struct stream_writer *writer, uint64_t time, size_t count)
{
	char *pages = xcalloc(count, PAGE);

	for (size_t i = 0; i < count; i++) {
		const uint64_t page_head[] = {time + i, 0};

		memcpy(pages + i * PAGE, page_head, sizeof(page_head));
	}
	ck_assert_int_eq(stream_writer_block(writer, STREAM_PAGES, 0, pages, count * PAGE), 0);
	free(pages);
}

/* They cost the page that they may stand in, and the next one tells of the loss. */
START_TEST(bytes_of_others_are_left_out)
{
	struct stream_writer writer;
	uint32_t commit;
	size_t bytes;
	char *file, *table;

	ck_assert_int_eq(stream_writer_begin(&writer, stream_fd), 0);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_HEAD, 0, head.text, head.length), 0);
	put_real_pages(&writer, 10, 3);
	ck_assert_int_eq(write(stream_fd, "hello\n", 6), 6);
	put_real_pages(&writer, 20, 1);
	put_real_pages(&writer, 30, 1);
	ck_assert_int_eq(stream_writer_block(&writer, STREAM_END, 0, "", 0), 0);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", NULL, 0, &why), 0);
	file = file_map(out_fd, &bytes);
	table = (char *)memmem(file, bytes, "flyrecord", 10) + 10;
	ck_assert_uint_eq(u64_at(table + 8), 4 * PAGE);
	for (size_t i = 0; i < 4; i++) {
		const char *page = file + u64_at(table) + i * PAGE;

		ck_assert_uint_eq(u64_at(page), i < 2 ? 10 + i : 10 * i);
		memcpy(&commit, page + (byte_order_is_big() ? 12 : 8), sizeof(commit));
		ck_assert_uint_eq(commit, i == 2 ? PAGE_COMMIT_LOST : 0);
	}
	ck_assert(is_reported(out_fd, ": 6 bytes in 1 place, from byte "));
	ck_assert(is_reported(out_fd, "lost by it: 1 page of events (cpu 0: 1)"));
}
END_TEST

START_TEST(a_head_cut_short_is_refused)
{
	struct datfile_head parts;

	ck_assert_int_eq(datfile_head_parse(head.text, head.length, &parts), 0);
	for (size_t length = 0; length < head.length; length++)
		ck_assert_int_eq(datfile_head_parse(head.text, length, &parts), -EINVAL);
}
END_TEST

/* A length whose low half is right: a 32-bit program must not take that half for it. */
START_TEST(a_length_beyond_memory_is_refused)
{
	struct datfile_head parts;
	uint64_t bytes;

	ck_assert_int_eq(datfile_head_parse(head.text, head.length, &parts), 0);
	bytes = parts.cmdlines_bytes + (UINT64_C(1) << 32);
	memcpy(head.text + parts.cmdlines_at, &bytes, sizeof(bytes));
	ck_assert_int_eq(datfile_head_parse(head.text, head.length, &parts), -EINVAL);
}
END_TEST

START_TEST(torn_blocks_end_the_index)
{
	struct stream_index index;
	uint64_t first = STREAM_MAGIC_BYTES + sizeof(struct stream_block) + head.length;

	(void)stream_make();
	ck_assert_int_eq(pwrite(stream_fd, "????", 4, (off_t)first), 4);
	ck_assert_int_eq(stream_index_read(stream_fd, "x", &index, &why), 0);
	ck_assert_uint_eq(index.run_count, 0);
	stream_index_release(&index);
}
END_TEST

START_TEST(interrupts_end_the_copy)
{
	atomic_int interrupts = 2;

	(void)stream_make();
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, "x", &interrupts, 2, &why), -EINTR);
}
END_TEST

START_TEST(a_full_disk_leaves_the_stream)
{
	char path[] = "/tmp/ftwait-full.XXXXXX";
	size_t bytes;
	char *before, *after;

	(void)close(stream_fd);
	stream_fd = mkstemp(path);
	ck_assert_int_ge(stream_fd, 0);
	(void)stream_make();
	before = file_map(stream_fd, &bytes);
	(void)close(out_fd);
	out_fd = open("/dev/full", O_WRONLY);
	ck_assert_int_eq(datfile_convert(stream_fd, out_fd, path, NULL, 0, &why), -ENOSPC);
	after = file_map(stream_fd, &bytes);
	ck_assert_mem_eq(before, after, bytes);
	ck_assert_int_eq(datfile_repair(path, &why), 0);
	ck_assert_int_eq(datfile_repair(path, &why), -EALREADY);
	ck_assert_int_eq(unlink(path), 0);
}
END_TEST

Suite *datfile_writer_suite(void)
{
	Suite *suite = suite_create("datfile_writer");
	TCase *tests = tcase_create("datfile_writer");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, pages_are_sorted_by_cpu);
	tcase_add_test(tests, second_buffer_has_its_table);
	tcase_add_loop_test(tests, third_buffer_has_its_table, 0, 2);
	tcase_add_test(tests, late_command_lines_join_the_head);
	tcase_add_test(tests, stolen_time_is_read_back);
	tcase_add_test(tests, a_stream_may_end_anywhere);
	tcase_add_test(tests, a_stream_without_an_end_is_distinguished);
	tcase_add_test(tests, what_a_stream_lacks_stays_in_the_file);
	tcase_add_test(tests, bytes_of_others_are_left_out);
	tcase_add_test(tests, a_head_cut_short_is_refused);
	tcase_add_test(tests, a_length_beyond_memory_is_refused);
	tcase_add_test(tests, torn_blocks_end_the_index);
	tcase_add_test(tests, interrupts_end_the_copy);
	tcase_add_test(tests, a_full_disk_leaves_the_stream);
	suite_add_tcase(suite, tests);
	return suite;
}
