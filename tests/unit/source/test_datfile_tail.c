/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "page_builder.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

#define RECORDS 160

/* Every kind of file that can stand first, or second. */
static const struct kind {
	void (*build)(struct trace_builder *builder);
	enum packing packing;
} kinds[] = {
	{trace_builder_v6, PACKING_NONE}, {trace_builder_v7, PACKING_NONE},
	{trace_builder_v7, PACKING_ZLIB}, {trace_builder_v7, PACKING_ZSTD},
	{trace_builder_stream, PACKING_NONE},
};

static struct buffer why;
static struct drained drained;

/* Appends a file of that kind, with pages or without. */
static void put_file(struct buffer *to, const struct kind *kind, int layout, bool has_pages)
{
	struct trace_builder builder;

	trace_builder_init(&builder, &page_layouts[layout]);
	builder.packing = kind->packing;
	trace_builder_add_pages(&builder, 0, has_pages ? 5 : 0, 20);
	trace_builder_add_pages(&builder, 1, has_pages ? 2 : 0, 30);
	trace_builder_add_text(&builder, 4, "local global [mono] boot\n");
	kind->build(&builder);
	buffer_append(to, builder.file.text, builder.file.length);
	trace_builder_release(&builder);
}

static void check_notes(const struct buffer *file, uint64_t records, const char *note)
{
	struct source *source;

	buffer_init(&why, 4096);
	source = source_open_bytes(file->text, file->length, &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, records);
	ck_assert_uint_eq(source->health.damaged, note != NULL);
	ck_assert_uint_eq(source->health.note_count, note != NULL);
	if (note)
		ck_assert_msg(strncmp(source->health.notes[0], note, strlen(note)) == 0, "%s",
		              source->health.notes[0]);
	source_close(source);
	buffer_release(&why);
}

/* `cat a.dat b.dat > c.dat` */
START_TEST(test_second_trace)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds) * ARRAY_SIZE(kinds) * 2; i++) {
		const struct kind *first = &kinds[i / 2 / ARRAY_SIZE(kinds)];
		const struct kind *second = &kinds[i / 2 % ARRAY_SIZE(kinds)];
		bool has_pages = i % 2;
		struct buffer file;
		char note[100];

		buffer_init(&file, 1u << 20);
		put_file(&file, first, _i, has_pages);
		check_notes(&file, has_pages ? RECORDS : 0, NULL);
		(void)snprintf(note, sizeof(note),
		               "damaged: another trace begins at byte %zu, and only the first one",
		               file.length);
		put_file(&file, second, _i, true);
		check_notes(&file, has_pages ? RECORDS : 0, note);
		buffer_release(&file);
	}
}
END_TEST

/* Zeros are padding, however many; what follows them is none. */
START_TEST(test_padding)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct buffer file;
		char note[100];

		buffer_init(&file, 1u << 20);
		put_file(&file, &kinds[i], _i, true);
		for (unsigned zeros = 0; zeros < 100000; zeros++)
			buffer_putc(&file, '\0');
		check_notes(&file, RECORDS, NULL);
		(void)snprintf(note, sizeof(note),
		               "damaged: what stands from byte %zu on belongs to no part", file.length);
		buffer_puts(&file, "stray");
		check_notes(&file, RECORDS, note);
		buffer_release(&file);
	}
}
END_TEST

/* A page at time 0 with 520 bytes of events begins as an options section of 520 bytes does; no
   section is there, as none refers to it. */
START_TEST(test_stray_page)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct buffer file;
		uint8_t page[4096] = {0};

		page[8 + (page_layouts[_i].is_big_endian ? 6 : 1)] = 520 >> 8;
		page[8 + (page_layouts[_i].is_big_endian ? 7 : 0)] = 520 & 0xff;
		memset(page + 16, 'x', 520);
		buffer_init(&file, 1u << 20);
		put_file(&file, &kinds[i], _i, true);
		buffer_append(&file, (const char *)page, sizeof(page));
		check_notes(&file, RECORDS, "damaged: what stands from byte ");
		buffer_release(&file);
	}
}
END_TEST

/* The first CPU's row of the table has lost its size: that its pages are there is not lost. */
START_TEST(test_row_without_size)
{
	static const char word[] = "flyrecord";
	struct buffer file;
	char *row;

	buffer_init(&file, 1u << 20);
	put_file(&file, &kinds[0], _i, true);
	row = memmem(file.text, file.length, word, sizeof(word));
	ck_assert_ptr_nonnull(row);
	memset(row + sizeof(word) + 8, 0, 8);
	check_notes(&file, 60, "damaged: the pages at byte ");
	buffer_release(&file);
}
END_TEST

Suite *datfile_tail_suite(void)
{
	Suite *suite = suite_create("datfile_tail");
	TCase *all = tcase_create("all");

	tcase_add_loop_test(all, test_second_trace, 0, 4);
	tcase_add_loop_test(all, test_padding, 0, 4);
	tcase_add_loop_test(all, test_stray_page, 0, 4);
	tcase_add_loop_test(all, test_row_without_size, 0, 4);
	suite_add_tcase(suite, all);
	return suite;
}
