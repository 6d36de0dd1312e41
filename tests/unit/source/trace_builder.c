/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_builder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "base/xalloc.h"
#include "ftwait/stream.h"
#include "page_builder.h"

#define FILE_MAX_BYTES (16u << 20)

static const char tick_format[] =
	"name: tick\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"%u\", REC->number\n";

static const char symbols[] = "ffffffff81000000 T _text\nffffffff81000100 T schedule\n";
static const char cmdlines[] = "101 alpha\n102 beta gamma\n103 <...>\n";

void trace_builder_init(struct trace_builder *builder, const struct page_layout *layout)
{
	*builder = (struct trace_builder){.layout = *layout};
	buffer_init(&builder->file, FILE_MAX_BYTES);
	buffer_init(&builder->options, FILE_MAX_BYTES);
	for (unsigned i = 0; i < TRACE_BUILDER_CPUS; i++) {
		buffer_init(&builder->pages[i], FILE_MAX_BYTES);
		builder->cpu[i] = i;
	}
	builder->cpus = 2;
}

void trace_builder_release(struct trace_builder *builder)
{
	buffer_release(&builder->file);
	buffer_release(&builder->options);
	for (unsigned i = 0; i < TRACE_BUILDER_CPUS; i++)
		buffer_release(&builder->pages[i]);
}

static void put(struct buffer *to, const struct page_layout *layout, size_t bytes, uint64_t value)
{
	uint8_t stored[8];

	page_builder_store(layout, stored, bytes, value);
	buffer_append(to, stored, bytes);
}

void trace_builder_put(struct trace_builder *builder, size_t bytes, uint64_t value)
{
	put(&builder->file, &builder->layout, bytes, value);
}

void trace_builder_add_option(struct trace_builder *builder, unsigned id, const void *bytes,
                              size_t size)
{
	put(&builder->options, &builder->layout, 2, id);
	put(&builder->options, &builder->layout, 4, size);
	buffer_append(&builder->options, bytes, size);
}

void trace_builder_add_text(struct trace_builder *builder, unsigned id, const char *text)
{
	trace_builder_add_option(builder, id, text, strlen(text) + 1);
}

void trace_builder_add_pages(struct trace_builder *builder, unsigned index, unsigned pages,
                             unsigned each)
{
	static struct page_builder page;

	for (unsigned p = 0; p < pages; p++) {
		page_builder_begin(&page, &builder->layout,
		                   1000000 + builder->records[index] * 100u);
		for (unsigned i = 0; i < each; i++) {
			uint8_t payload[12] = {0};

			page_builder_store(&builder->layout, payload, 2, 7);
			page_builder_store(&builder->layout, payload + 4, 4, 101);
			page_builder_store(&builder->layout, payload + 8, 4,
			                   builder->records[index]++);
			page_builder_record_of(&page, i ? 100 : 0, payload, sizeof(payload));
		}
		page_builder_end(&page, 0, 0);
		buffer_append(&builder->pages[index], page.page, builder->layout.page_bytes);
	}
}

static void put_sized(struct buffer *to, const struct page_layout *layout, size_t size_bytes,
                      const char *text)
{
	put(to, layout, size_bytes, strlen(text));
	buffer_puts(to, text);
}

static void put_header_info(struct buffer *to, const struct page_layout *layout)
{
	struct buffer text;

	buffer_init(&text, 4096);
	buffer_printf(&text,
	              "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	              "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
	              "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	              "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
	              layout->commit_bytes, layout->data_offset,
	              layout->page_bytes - layout->data_offset);
	buffer_append(to, "header_page", 12);
	put_sized(to, layout, 8, text.text);
	buffer_append(to, "header_event", 13);
	put_sized(to, layout, 8, "# compressed entry header\n");
	buffer_release(&text);
}

static void put_event_formats(struct buffer *to, const struct page_layout *layout)
{
	put(to, layout, 4, 1);
	buffer_append(to, "test", 5);
	put(to, layout, 4, 1);
	put_sized(to, layout, 8, tick_format);
}

static void put_magic(struct trace_builder *builder, const char *version)
{
	buffer_append(&builder->file, "\027\010\104tracing", 10);
	buffer_append(&builder->file, version, 2);
	buffer_putc(&builder->file, (char)builder->layout.is_big_endian);
	buffer_putc(&builder->file, (char)builder->layout.commit_bytes);
	trace_builder_put(builder, 4, builder->layout.page_bytes);
}

static void put_v6_head(struct trace_builder *builder)
{
	put_magic(builder, "6");
	put_header_info(&builder->file, &builder->layout);
	trace_builder_put(builder, 4, 0); /* formats of ftrace's own events */
	put_event_formats(&builder->file, &builder->layout);
	put_sized(&builder->file, &builder->layout, 4, symbols);
	put_sized(&builder->file, &builder->layout, 4, ""); /* printk formats */
	put_sized(&builder->file, &builder->layout, 8, cmdlines);
	trace_builder_put(builder, 4, builder->cpus);
}

static void put_zeros_to(struct buffer *to, size_t length)
{
	while (to->length < length)
		buffer_putc(to, '\0');
}

static size_t round_up(size_t bytes, size_t page)
{
	return (bytes + page - 1) / page * page;
}

void trace_builder_v6(struct trace_builder *builder)
{
	size_t page = builder->layout.page_bytes, at;

	put_v6_head(builder);
	buffer_append(&builder->file, "options  ", 10);
	buffer_append(&builder->file, builder->options.text, builder->options.length);
	trace_builder_put(builder, 2, 0);
	buffer_append(&builder->file, "flyrecord", 10);
	at = builder->data_begin = round_up(builder->file.length + 16 * builder->cpus + 64, page);
	for (unsigned i = 0; i < builder->cpus; i++) {
		trace_builder_put(builder, 8, at);
		trace_builder_put(builder, 8, builder->pages[i].length);
		at += builder->pages[i].length;
	}
	if (builder->table_clock)
		put_sized(&builder->file, &builder->layout, 8, builder->table_clock);
	put_zeros_to(&builder->file, builder->data_begin);
	for (unsigned i = 0; i < builder->cpus; i++)
		buffer_append(&builder->file, builder->pages[i].text, builder->pages[i].length);
}

/* Appends `bytes` packed, with both sizes before them. */
static void put_packed(struct trace_builder *builder, struct buffer *to, const char *bytes,
                       size_t size)
{
	size_t room = ZSTD_compressBound(size) + compressBound(size);
	char *packed = xmalloc(room);
	size_t got = 0;

	if (builder->packing == PACKING_ZSTD) {
		got = ZSTD_compress(packed, room, bytes, size, 3);
	} else {
		uLongf length = room;

		assert(compress((Bytef *)packed, &length, (const Bytef *)bytes, size) == Z_OK);
		got = length;
	}
	put(to, &builder->layout, 4, got);
	put(to, &builder->layout, 4, size);
	buffer_append(to, packed, got);
	free(packed);
}

/* Appends a section; returns where it begins. */
static size_t put_section(struct trace_builder *builder, unsigned id, const struct buffer *content)
{
	bool is_packed = builder->packing != PACKING_NONE && id != 0;
	size_t begin = builder->file.length, end;
	uint8_t size[8];

	trace_builder_put(builder, 2, id);
	trace_builder_put(builder, 2, is_packed);
	trace_builder_put(builder, 4, 0);
	trace_builder_put(builder, 8, content->length);
	if (is_packed)
		put_packed(builder, &builder->file, content->text, content->length);
	else
		buffer_append(&builder->file, content->text, content->length);
	end = builder->file.length;
	page_builder_store(&builder->layout, size, 8, end - begin - 16);
	memcpy(builder->file.text + begin + 8, size, 8);
	return begin;
}

/* The pages of one CPU at the next page border; returns the size that the option tells. */
static size_t put_v7_pages(struct trace_builder *builder, unsigned index)
{
	const struct buffer *pages = &builder->pages[index];
	size_t page = builder->layout.page_bytes, begin;

	put_zeros_to(&builder->file, round_up(builder->file.length, page));
	begin = builder->file.length;
	if (builder->packing == PACKING_NONE || pages->length == 0) {
		buffer_append(&builder->file, pages->text, pages->length);
		return pages->length;
	}
	trace_builder_put(builder, 4, (pages->length + 2 * page - 1) / (2 * page));
	for (size_t at = 0; at < pages->length; at += 2 * page) {
		size_t left = pages->length - at;

		put_packed(builder, &builder->file, pages->text + at,
		           left < 2 * page ? left : 2 * page);
	}
	return builder->file.length - begin - 4;
}

static void put_v7_buffer(struct trace_builder *builder, struct buffer *option)
{
	size_t begin = builder->file.length;
	uint8_t size[8];

	put(option, &builder->layout, 8, begin);
	buffer_append(option, "\0mono", 6); /* the name is empty */
	put(option, &builder->layout, 4, builder->layout.page_bytes);
	put(option, &builder->layout, 4, builder->cpus);
	trace_builder_put(builder, 2, 3);
	trace_builder_put(builder, 2, builder->packing != PACKING_NONE);
	trace_builder_put(builder, 4, 0);
	trace_builder_put(builder, 8, 0);
	builder->data_begin = round_up(builder->file.length, builder->layout.page_bytes);
	for (unsigned i = 0; i < builder->cpus; i++) {
		size_t at = round_up(builder->file.length, builder->layout.page_bytes);
		size_t bytes = put_v7_pages(builder, i);

		put(option, &builder->layout, 4, builder->cpu[i]);
		put(option, &builder->layout, 8, at);
		put(option, &builder->layout, 8, bytes);
	}
	page_builder_store(&builder->layout, size, 8, builder->file.length - begin - 16);
	memcpy(builder->file.text + begin + 8, size, 8);
}

static void put_option(struct trace_builder *builder, struct buffer *to, unsigned id,
                       const struct buffer *bytes)
{
	put(to, &builder->layout, 2, id);
	put(to, &builder->layout, 4, bytes->length);
	buffer_append(to, bytes->text, bytes->length);
}

static void put_place(struct trace_builder *builder, struct buffer *to, unsigned id,
                      uint64_t offset)
{
	put(to, &builder->layout, 2, id);
	put(to, &builder->layout, 4, 8);
	put(to, &builder->layout, 8, offset);
}

static void put_v7_descriptions(struct trace_builder *builder, struct buffer *places)
{
	struct buffer content;

	buffer_init(&content, FILE_MAX_BYTES);
	put_header_info(&content, &builder->layout);
	put_place(builder, places, 16, put_section(builder, 16, &content));
	buffer_clear(&content);
	put_event_formats(&content, &builder->layout);
	put_place(builder, places, 18, put_section(builder, 18, &content));
	buffer_clear(&content);
	put_sized(&content, &builder->layout, 4, symbols);
	put_place(builder, places, 19, put_section(builder, 19, &content));
	buffer_clear(&content);
	put_sized(&content, &builder->layout, 8, cmdlines);
	put_place(builder, places, 21, put_section(builder, 21, &content));
	buffer_release(&content);
}

void trace_builder_v7(struct trace_builder *builder)
{
	static const char *const names[] = {"none", "zlib", "zstd"};
	struct buffer first, second, option;
	size_t start, done, at;

	buffer_init(&first, FILE_MAX_BYTES);
	buffer_init(&second, FILE_MAX_BYTES);
	buffer_init(&option, FILE_MAX_BYTES);
	put_magic(builder, "7");
	buffer_append(&builder->file, names[builder->packing], 5);
	buffer_append(&builder->file, "1", 2);
	start = builder->file.length;
	trace_builder_put(builder, 8, 0);
	put_v7_descriptions(builder, &first);
	buffer_append(&first, builder->options.text, builder->options.length);
	put_place(builder, &first, 0, 0); /* filled in when the next section's place is known */
	at = put_section(builder, 0, &first);
	page_builder_store(&builder->layout, (uint8_t *)builder->file.text + start, 8, at);
	done = builder->file.length - 8;
	put_v7_buffer(builder, &option);
	put_option(builder, &second, 3, &option);
	put_place(builder, &second, 0, 0);
	at = put_section(builder, 0, &second);
	page_builder_store(&builder->layout, (uint8_t *)builder->file.text + done, 8, at);
	buffer_release(&first);
	buffer_release(&second);
	buffer_release(&option);
}

void trace_builder_block(struct trace_builder *builder, enum stream_block_type type, unsigned cpu,
                         const char *bytes, size_t size)
{
	trace_builder_put(builder, 4, STREAM_BLOCK_MARK);
	trace_builder_put(builder, 4, type);
	trace_builder_put(builder, 4, cpu);
	trace_builder_put(builder, 4, 0);
	trace_builder_put(builder, 8, size);
	buffer_append(&builder->file, bytes, size);
}

void trace_builder_reached(struct trace_builder *builder, uint64_t time)
{
	uint8_t bytes[sizeof(uint64_t)];

	page_builder_store(&builder->layout, bytes, sizeof(bytes), time);
	trace_builder_block(builder, STREAM_REACHED, 0, (const char *)bytes, sizeof(bytes));
}

void trace_builder_begin_stream(struct trace_builder *builder)
{
	struct buffer head;

	put_v6_head(builder);
	head = builder->file;
	buffer_init(&builder->file, FILE_MAX_BYTES);
	buffer_append(&builder->file, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	trace_builder_block(builder, STREAM_HEAD, 0, head.text, head.length);
	trace_builder_block(builder, STREAM_OPTIONS, 0, builder->options.text,
	                    builder->options.length);
	buffer_release(&head);
	builder->data_begin = builder->file.length;
}

void trace_builder_stream(struct trace_builder *builder)
{
	size_t page = builder->layout.page_bytes;
	bool is_more = true;

	trace_builder_begin_stream(builder);
	for (size_t at = 0; is_more; at += page) {
		is_more = false;
		for (unsigned i = 0; i < builder->cpus; i++) {
			if (at >= builder->pages[i].length)
				continue;
			trace_builder_block(builder, STREAM_PAGES, builder->cpu[i],
			                    builder->pages[i].text + at, page);
			is_more = true;
		}
	}
	trace_builder_block(builder, (enum stream_block_type)77, 0, "later", 5);
	trace_builder_block(builder, STREAM_CMDLINES, 0, "104 delta\n", 10);
	trace_builder_block(builder, STREAM_END, 0, "", 0);
}

/* Numbers in the file's byte order, into another buffer than the file. */
static void put_numbers(struct trace_builder *builder, struct buffer *to, size_t bytes,
                        const uint64_t *number, size_t count)
{
	struct buffer file = builder->file;

	builder->file = *to;
	for (size_t i = 0; i < count; i++)
		trace_builder_put(builder, bytes, number[i]);
	*to = builder->file;
	builder->file = file;
}

struct region_plan {
	size_t front;      /* where the first region stands */
	bool is_settling;
	size_t moved, gap; /* of the last region, while settling */
};

static void put_regions(struct trace_builder *builder, const struct region_plan *plan,
                        size_t file_bytes)
{
	const uint64_t flags[] = {STREAM_PACKED_NOT, plan->is_settling};
	const uint64_t state[] = {plan->is_settling ? builder->cpus - 1 : 0,
	                          plan->is_settling ? plan->moved : 0};
	size_t target = plan->front;
	struct buffer rows;

	buffer_init(&rows, FILE_MAX_BYTES);
	put_numbers(builder, &rows, 4, flags, 2);
	put_numbers(builder, &rows, 8, state, 2);
	for (unsigned i = 0; i < builder->cpus; i++) {
		bool is_moving = plan->is_settling && i + 1 == builder->cpus;
		size_t at = target + (is_moving ? plan->gap : 0);
		const uint64_t id[] = {builder->cpu[i], 0};
		const uint64_t place[] = {plan->is_settling ? file_bytes - at : at,
		                          builder->pages[i].length, target};

		put_numbers(builder, &rows, 4, id, 2);
		put_numbers(builder, &rows, 8, place, 3);
		target += builder->pages[i].length;
	}
	trace_builder_block(builder, STREAM_REGIONS, 0, rows.text, rows.length);
	buffer_release(&rows);
}

static void put_region_blocks(struct trace_builder *builder, const struct buffer *head,
                              const struct region_plan *plan, size_t file_bytes)
{
	trace_builder_block(builder, STREAM_HEAD, 0, head->text, head->length);
	put_regions(builder, plan, file_bytes);
	trace_builder_block(builder, STREAM_OPTIONS, 0, builder->options.text,
	                    builder->options.length);
	trace_builder_block(builder, STREAM_CMDLINES, 0, "104 delta\n", 10);
	trace_builder_block(builder, STREAM_END, 0, "", 0);
}

static void put_region_pages(struct trace_builder *builder, const struct region_plan *plan)
{
	while (builder->file.length < plan->front)
		buffer_putc(&builder->file, '\0');
	for (unsigned i = 0; i < builder->cpus; i++) {
		const struct buffer *pages = &builder->pages[i];
		size_t moved = plan->is_settling && i + 1 == builder->cpus ? plan->moved
		                                                           : pages->length;
		size_t next = builder->file.length + plan->gap + moved;

		buffer_append(&builder->file, pages->text, moved);
		while (moved < pages->length && builder->file.length < next)
			buffer_putc(&builder->file, '\0');
		buffer_append(&builder->file, pages->text + moved, pages->length - moved);
	}
}

void trace_builder_regions(struct trace_builder *builder, bool is_settling, size_t moved)
{
	const size_t jump_bytes = STREAM_MAGIC_BYTES + sizeof(struct stream_block) +
	                          sizeof(struct stream_jump);
	struct region_plan plan = {.is_settling = is_settling, .moved = moved};
	uint64_t jump[2] = {jump_bytes, is_settling};
	struct buffer head, payload;
	size_t blocks;

	put_v6_head(builder);
	head = builder->file;
	buffer_init(&builder->file, FILE_MAX_BYTES);
	put_region_blocks(builder, &head, &plan, 0);
	blocks = builder->file.length;
	buffer_clear(&builder->file);
	plan.front = jump_bytes + blocks;
	plan.gap = is_settling ? 3 * (size_t)builder->layout.page_bytes : 0;
	if (is_settling)
		jump[0] = blocks;
	buffer_init(&payload, 100);
	put_numbers(builder, &payload, 8, jump, 2);
	buffer_append(&builder->file, STREAM_MAGIC, STREAM_MAGIC_BYTES);
	trace_builder_block(builder, STREAM_JUMP, 0, payload.text, payload.length);
	if (!is_settling)
		put_region_blocks(builder, &head, &plan, 0);
	put_region_pages(builder, &plan);
	if (is_settling)
		put_region_blocks(builder, &head, &plan, builder->file.length + blocks);
	buffer_release(&payload);
	buffer_release(&head);
}

char *trace_builder_write(const void *bytes, size_t size)
{
	const char *folder = getenv("TMPDIR");
	char *path = xasprintf("%s/ftwait-test-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);

	assert(fd >= 0);
	assert(write(fd, bytes, size) == (ssize_t)size);
	(void)close(fd);
	return path;
}
