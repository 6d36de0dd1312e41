/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/stream/stream_source.h"

#include <string.h>

#include "base/byte_order.h"
#include "ftwait/stream.h"
#include "page_builder.h"
#include "source_drain.h"
#include "suites.h"
#include "trace_builder.h"

static struct trace_builder builder;
static struct drained drained;
static struct buffer why;

static void begin(const struct page_layout *layout)
{
	trace_builder_init(&builder, layout);
	buffer_init(&why, 4096);
	builder.cpu[1] = 5;
	trace_builder_add_pages(&builder, 0, 5, 20);
	trace_builder_add_pages(&builder, 1, 2, 30);
	trace_builder_add_text(&builder, 4, "[mono]");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\ncommand 77\nguest\n");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\nfile 0 ab /a\nmaps 7 1\n"
	                                    "map 1000 2000 0 0\njit 9 1 f\ntick 250\n");
	trace_builder_add_text(&builder, 9, "ftwait 0.1.0\nsteal 0 10\nsteal 5 20\n");
	trace_builder_stream(&builder);
}

static void end(void)
{
	trace_builder_release(&builder);
	buffer_release(&why);
}

START_TEST(test_whole)
{
	struct source *source;

	begin(&page_layouts[_i]);
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160);
	ck_assert(!source->health.damaged);
	ck_assert_uint_eq(source->health.note_count, 0);
	ck_assert_uint_eq(source->stream_count, 2);
	ck_assert_uint_eq(source->streams[1].cpu, 5);
	ck_assert_uint_eq(source->notes.tasks.count, 3);
	ck_assert_int_eq(source->notes.command.pid, 77);
	ck_assert(source->notes.machine.is_guest && source->notes.machine.has_steal);
	ck_assert_uint_eq(source->notes.machine.steal_ns, 30);
	ck_assert_str_eq(source->clock, "mono");
	ck_assert_uint_eq(source->notes.user_files.count, 1);
	ck_assert_uint_eq(source->notes.user_maps.count, 1);
	ck_assert_uint_eq(source->notes.user_maps.item[0].map[0].end, 0x2000);
	ck_assert_str_eq(source->notes.user_maps.item[0].jit[0].name, "f");
	ck_assert_uint_eq(source->notes.tick_hz, 250);
	ck_assert_uint_eq(source->stacks_buffer, UINT32_MAX);
	source_close(source);
	end();
}
END_TEST

/* While it is recorded, and at each page of the last region that moves. */
START_TEST(test_regions)
{
	size_t page;

	begin(&page_layouts[_i]);
	page = builder.layout.page_bytes;
	for (size_t moved = 0; moved <= 3; moved++) {
		struct source *source;

		buffer_clear(&builder.file);
		trace_builder_regions(&builder, moved > 0, moved > 0 ? (moved - 1) * page : 0);
		source = source_open_bytes(builder.file.text, builder.file.length, &why);
		ck_assert_msg(source != NULL, "%s", why.text);
		source_drain(source, 0, &drained);
		ck_assert_msg(!source->health.damaged, "%s", source->health.notes[0]);
		ck_assert_uint_eq(drained.records, 160);
		ck_assert_uint_eq(drained.losses, 0);
		ck_assert_uint_eq(source->stream_count, 2);
		ck_assert_uint_eq(source->streams[1].cpu, 5);
		ck_assert_uint_eq(source->notes.tasks.count, 3);
		source_close(source);
	}
	end();
}
END_TEST

/* Cut anywhere it is read as far as it goes; a damaged byte crashes nobody. */
START_TEST(test_regions_damaged)
{
	struct source *source;

	begin(&page_layouts[_i]);
	buffer_clear(&builder.file);
	trace_builder_regions(&builder, _i % 2, 0);
	for (size_t at = STREAM_MAGIC_BYTES; at < builder.file.length; at += 61) {
		source = source_open_bytes(builder.file.text, at, &why);
		if (source)
			source_drain(source, 0, &drained);
		source_close(source);
		builder.file.text[at] ^= (char)0x81;
		source = source_open_bytes(builder.file.text, builder.file.length, &why);
		if (source)
			source_drain(source, 0, &drained);
		source_close(source);
		builder.file.text[at] ^= (char)0x81;
	}
	end();
}
END_TEST

/* Has the pages of that CPU stand in the buffer. */
static void move_to_buffer(unsigned cpu, uint32_t buffer)
{
	bool is_swapped = builder.layout.is_big_endian != byte_order_is_big();
	uint8_t *bytes = (uint8_t *)builder.file.text;
	size_t at = STREAM_MAGIC_BYTES;

	while (at < builder.file.length) {
		uint8_t *block = bytes + at;
		uint8_t *place = block + offsetof(struct stream_block, buffer);

		if (load_u32(block + 4, is_swapped) == STREAM_PAGES &&
		    load_u32(block + 8, is_swapped) == cpu)
			place[builder.layout.is_big_endian ? 3 : 0] = (uint8_t)buffer;
		at += sizeof(struct stream_block) + (size_t)load_u64(block + 16, is_swapped);
	}
}

/* By its number; those of a later version are not read. */
START_TEST(test_buffers)
{
	struct source *source;

	begin(&page_layouts[_i]);
	move_to_buffer(5, STREAM_BUFFER_STACKS);
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	ck_assert_uint_eq(source->stream_count, 2);
	ck_assert_uint_eq(source->stacks_buffer, 1);
	ck_assert_uint_eq(source->streams[1].buffer, source->stacks_buffer);
	source_close(source);
	move_to_buffer(5, STREAM_BUFFERS);
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_msg(source != NULL, "%s", why.text);
	ck_assert_uint_eq(source->stream_count, 1);
	ck_assert_uint_eq(source->stacks_buffer, UINT32_MAX);
	source_close(source);
	end();
}
END_TEST

/* Whole pages of whatever is there, at every cut. */
START_TEST(test_cut_anywhere)
{
	uint64_t before = 0;

	begin(&page_layouts[_i]);
	for (size_t size = 0; size < builder.file.length; size += 31) {
		struct source *source;

		buffer_clear(&why);
		source = source_open_bytes(builder.file.text, size, &why);
		if (!source) {
			ck_assert_uint_lt(size, builder.data_begin);
			continue;
		}
		source_drain(source, 0, &drained);
		ck_assert(source->health.damaged);
		ck_assert_ptr_nonnull(strstr(source->health.notes[0], "cut short"));
		ck_assert_uint_ge(drained.records, before);
		ck_assert_uint_eq(drained.losses, 0);
		before = drained.records;
		source_close(source);
	}
	ck_assert_uint_eq(before, 160);
	end();
}
END_TEST

START_TEST(test_damaged_head)
{
	struct source *source;
	char *at;

	begin(&page_layouts[_i]);
	at = memmem(builder.file.text, builder.file.length, "name: tick", 10);
	memset(at - 8, 0x7f, 8);
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_ptr_nonnull(source);
	source_drain(source, 0, &drained);
	ck_assert_uint_eq(drained.records, 160);
	ck_assert(source->health.damaged);
	ck_assert_str_eq(source->clock, "mono");
	source_close(source);
	end();
}
END_TEST

START_TEST(test_bad_mark)
{
	struct source *source;

	begin(&page_layouts[_i]);
	/* The third block of pages. */
	memset(builder.file.text + builder.data_begin + 2 * (4096 + 24), 'x', 4);
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_ptr_nonnull(source);
	source_drain(source, 0, &drained);
	/* it has 20 of 160 */
	ck_assert_uint_eq(drained.records, 140);
	ck_assert_uint_eq(drained.losses, 1);
	ck_assert(source->health.damaged);
	ck_assert_ptr_nonnull(strstr(source->health.notes[0],
	                             "lost by it: 1 page of events (cpu 0: 1)"));
	source_close(source);
	end();
}
END_TEST

START_TEST(test_no_more_blocks)
{
	struct source *source;

	begin(&page_layouts[_i]);
	/* all from the third block of pages on */
	memset(builder.file.text + builder.data_begin + 2 * (4096 + 24), 'x',
	       builder.file.length - builder.data_begin - 2 * (4096 + 24));
	source = source_open_bytes(builder.file.text, builder.file.length, &why);
	ck_assert_ptr_nonnull(source);
	source_drain(source, 0, &drained);
	/* nobody knows whether what follows stands within the second one */
	ck_assert_uint_eq(drained.records, 20);
	ck_assert(source->health.damaged);
	ck_assert_ptr_nonnull(strstr(source->health.notes[1], "no block stands"));
	source_close(source);
	end();
}
END_TEST

/* The stream with `size` bytes of somebody else at `at`. */
static struct source *open_with_foreign(size_t at, size_t size)
{
	struct source *source;
	struct buffer file;

	buffer_init(&file, 1 << 20);
	buffer_append(&file, builder.file.text, at);
	while (file.length < at + size)
		buffer_puts(&file, "hello, world, 1 is \"one\"\n");
	file.length = at + size;
	buffer_append(&file, builder.file.text + at, builder.file.length - at);
	source = source_open_bytes(file.text, file.length, &why);
	buffer_release(&file);
	return source;
}

/* Whether the mark of a block lies around `at`: headers are written in one piece. */
static bool is_in_mark(size_t at)
{
	for (size_t i = 1; i < sizeof(uint32_t); i++)
		if (memcmp(builder.file.text + at - i, "FBlk", 4) == 0 ||
		    memcmp(builder.file.text + at - i, "klBF", 4) == 0)
			return true;
	return false;
}

/* Wherever somebody else writes, what he writes costs one block at most, and is told. */
START_TEST(test_foreign_bytes)
{
	static const size_t sizes[] = {1, 6, 24, 4096, 4120};

	begin(&page_layouts[_i / 5]);
	for (size_t at = builder.data_begin; at < builder.file.length; at += 37) {
		struct source *source = open_with_foreign(at, sizes[_i % 5]);

		ck_assert_msg(source != NULL, "%s", why.text);
		source_drain(source, 0, &drained);
		ck_assert_uint_le(drained.records, 160);
		ck_assert_uint_ge(drained.records, is_in_mark(at) ? 100 : 130);
		ck_assert(source->health.damaged);
		ck_assert_ptr_nonnull(strstr(source->health.notes[0], "damaged: "));
		/* never what was not recorded */
		ck_assert_uint_eq(drained.by_id[7], drained.records);
		source_close(source);
	}
	end();
}
END_TEST

Suite *stream_source_suite(void)
{
	Suite *suite = suite_create("stream_source");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	tcase_add_loop_test(all, test_whole, 0, 4);
	tcase_add_loop_test(all, test_regions, 0, 4);
	tcase_add_loop_test(all, test_regions_damaged, 0, 4);
	tcase_add_loop_test(all, test_buffers, 0, 4);
	tcase_add_loop_test(all, test_cut_anywhere, 0, 4);
	tcase_add_loop_test(all, test_damaged_head, 0, 4);
	tcase_add_loop_test(all, test_bad_mark, 0, 4);
	tcase_add_loop_test(all, test_no_more_blocks, 0, 4);
	tcase_add_loop_test(all, test_foreign_bytes, 0, 20);
	suite_add_tcase(suite, all);
	return suite;
}
