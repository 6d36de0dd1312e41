/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that claim more than they hold: the claim is told as damage and takes no memory. Most are
 * sparse files, gigabytes long and a few kilobytes on disk.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory_peak.h"
#include "page_builder.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

#define GIB (UINT64_C(1) << 30)

static struct trace_builder builder;
static struct drained drained;
static struct buffer why;

static void begin(enum packing packing)
{
	trace_builder_init(&builder, &page_layouts[0]);
	buffer_init(&why, 4096);
	builder.packing = packing;
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_add_pages(&builder, 1, 2, 30);
}

static void end(void)
{
	trace_builder_release(&builder);
	buffer_release(&why);
}

/* What was built, opened as a file of `size` bytes: behind it there is a hole. */
static struct source *open_sparse(uint64_t size)
{
	char *path = trace_builder_write(builder.file.text, builder.file.length);
	struct source *source = NULL;

	ck_assert_int_eq(truncate(path, (off_t)size), 0);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	(void)unlink(path);
	free(path);
	return source;
}

static void store(size_t at, size_t bytes, uint64_t value)
{
	page_builder_store(&builder.layout, (uint8_t *)builder.file.text + at, bytes, value);
}

/* Where the packed section of that number begins. */
static size_t find_section(unsigned id)
{
	const uint8_t head[] = {(uint8_t)id, 0, 1, 0, 0, 0, 0, 0};
	char *at = memmem(builder.file.text, builder.file.length, head, sizeof(head));

	ck_assert_ptr_nonnull(at);
	return (size_t)(at - builder.file.text);
}

static bool has_note(const struct source *source, const char *text)
{
	for (size_t i = 0; i < source->health.note_count; i++)
		if (strstr(source->health.notes[i], text))
			return true;
	return false;
}

static void check_claim(struct source *source, const char *note)
{
	size_t before = memory_peak_mib();
	char symbols[100];

	source_drain(source, 0, &drained);
	(void)source_read_symbols(source, 0, symbols, sizeof(symbols));
	ck_assert(source->health.damaged);
	ck_assert_msg(has_note(source, note), "%s", source->health.notes[0]);
	source_close(source);
	memory_check(before, 100u);
}

/* 4 GiB of packed bytes are said to be a page of text; most of them are a hole. */
START_TEST(test_packed_bytes_of_sections)
{
	static const struct {
		unsigned id;
		const char *note;
	} sections[] = {
		{16, "the page header's description at byte"}, {18, "the event formats at byte"},
		{19, "the kernel's symbols at byte"}, {21, "the saved command lines at byte"},
	};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		size_t before = memory_peak_mib();
		struct source *source;
		size_t at;

		begin((enum packing)_i);
		trace_builder_v7(&builder);
		at = find_section(sections[i].id);
		store(at + 8, 8, 4 * GIB + 8);
		store(at + 16, 4, UINT32_MAX);
		source = open_sparse(5 * GIB);
		memory_check(before, 100u);
		check_claim(source, sections[i].note);
		end();
	}
}
END_TEST

/* A few bytes are said to hold all that a section may have. */
START_TEST(test_text_of_sections)
{
	struct source *source;
	size_t at;

	begin((enum packing)_i);
	trace_builder_v7(&builder);
	at = find_section(19);
	store(at + 20, 4, 60u << 20);
	source = open_sparse(builder.file.length);
	check_claim(source, "the kernel's symbols at byte");
	end();
}
END_TEST

START_TEST(test_pages_of_chunks)
{
	struct source *source;

	begin((enum packing)_i);
	trace_builder_v7(&builder);
	store(builder.data_begin + 8, 4, 7u << 20);
	source = open_sparse(builder.file.length);
	check_claim(source, "cpu 0: a packed chunk claims more than it can hold at byte");
	ck_assert_uint_eq(drained.records, 60);
	end();
}
END_TEST

/* Nearly 4 GiB of symbols, and the rest of the head behind them. */
START_TEST(test_symbols_of_v6)
{
	struct source *source = NULL;
	size_t text, rest;
	char *path, *at;
	int fd;

	begin(PACKING_NONE);
	trace_builder_v6(&builder);
	at = memmem(builder.file.text, builder.file.length, " T _text", 8);
	ck_assert_ptr_nonnull(at);
	text = (size_t)(at - builder.file.text) - 16;
	rest = text + (uint8_t)builder.file.text[text - 4];
	store(text - 4, 4, UINT32_MAX);
	path = trace_builder_write(builder.file.text, builder.file.length);
	fd = open(path, O_WRONLY);
	ck_assert_int_gt(pwrite(fd, builder.file.text + rest, builder.data_begin - rest,
	                        (off_t)text + (off_t)UINT32_MAX), 0);
	(void)close(fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	check_claim(source, "the kernel's symbols claim 4294967295 bytes");
	ck_assert_uint_eq(drained.records, 160);
	(void)unlink(path);
	free(path);
	end();
}
END_TEST

/* Pages in a hole hold nothing, as those of zeros; what is between two holes is read. */
START_TEST(test_holes)
{
	uint32_t page = page_layouts[0].page_bytes;
	struct trace_builder last;
	struct source *source;
	size_t table, at;
	char *path;
	int fd;

	begin(PACKING_NONE);
	trace_builder_v6(&builder);
	trace_builder_init(&last, &page_layouts[0]);
	trace_builder_add_pages(&last, 0, 1, 7);
	table = (size_t)((char *)memmem(builder.file.text, builder.file.length, "flyrecord", 10) -
	                 builder.file.text) + 10;
	at = builder.file.length - 2 * page;
	store(table + 24, 8, 64 * GIB + page / 2);
	path = trace_builder_write(builder.file.text, builder.file.length);
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(ftruncate(fd, (off_t)(at + 64 * GIB + page / 2)), 0);
	ck_assert_int_eq(pwrite(fd, last.pages[0].text, page, (off_t)(at + 32 * GIB)), page);
	(void)close(fd);
	ck_assert_msg(source_open(path, &source, &why) == 0, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160 + 7);
	ck_assert_uint_eq(drained.losses, 0);
	ck_assert(source->health.damaged);
	ck_assert_uint_eq(source->health.note_count, 1);
	ck_assert_msg(strstr(source->health.notes[0], " pages of cpu 1 are zeros") != NULL, "%s",
	              source->health.notes[0]);
	source_close(source);
	(void)unlink(path);
	free(path);
	trace_builder_release(&last);
	end();
}
END_TEST

/* As many CPUs as nobody has, each with a page: before any is merged all are begun. */
START_TEST(test_streams)
{
	uint32_t page = page_layouts[0].page_bytes;
	unsigned cpus = 3500;
	struct record_batch batch;
	struct source *source;
	size_t table, data, before;

	begin(PACKING_NONE);
	trace_builder_v6(&builder);
	table = (size_t)((char *)memmem(builder.file.text, builder.file.length, "flyrecord", 10) -
	                 builder.file.text) + 10;
	data = (table + 16 * cpus + page) & ~((size_t)page - 1);
	store((size_t)((char *)memmem(builder.file.text, builder.file.length, "options  ", 10) -
	               builder.file.text) - 4, 4, cpus);
	builder.file.length = table;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		trace_builder_put(&builder, 8, data + (size_t)cpu * page);
		trace_builder_put(&builder, 8, page);
	}
	while (builder.file.length < data)
		buffer_putc(&builder.file, '\0');
	for (unsigned cpu = 0; cpu < cpus; cpu++)
		buffer_append(&builder.file, builder.pages[0].text, page);
	source = open_sparse(builder.file.length);
	ck_assert_uint_eq(source->stream_count, cpus);
	before = memory_peak_mib();
	for (size_t stream = 0; stream < cpus; stream++)
		ck_assert(source_next_batch(source, stream, &batch) == PULL_ITEM);
	memory_check(before, cpus * page / (1u << 20) + 10u);
	source_drain(source, 0, &drained);
	ck_assert(!source->health.damaged);
	source_close(source);
	end();
}
END_TEST

Suite *claims_suite(void)
{
	Suite *suite = suite_create("claims");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_packed_bytes_of_sections, PACKING_ZLIB, PACKING_ZSTD + 1);
	tcase_add_loop_test(all, test_text_of_sections, PACKING_ZLIB, PACKING_ZSTD + 1);
	tcase_add_loop_test(all, test_pages_of_chunks, PACKING_ZLIB, PACKING_ZSTD + 1);
	tcase_add_test(all, test_symbols_of_v6);
	tcase_add_test(all, test_holes);
	tcase_add_test(all, test_streams);
	suite_add_tcase(suite, all);
	return suite;
}
