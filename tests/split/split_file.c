/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "split_file.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "builder/datfile.h"
#include "source/file/input_file.h"
#include "source/text/text_line.h"
#include "split_notes.h"

#define MAGIC    "\x17\x08\x44tracing"
#define NAME_MAX_BYTES 256

enum option_id {
	OPTION_DONE = 0,
	OPTION_BUFFER = 3,
	OPTION_UNAME = 5,
	OPTION_OFFSET = 7,
	OPTION_VERSION = 9,
	OPTION_TSC2NSEC = 14,
};

/* What is being written. */
struct output {
	const struct split_file *file;
	const struct schedule *schedule;
	const struct split_clock *clock;
	const char *host;
	struct buffer *to;
	size_t buffer_place[SCHEDULE_BUFFERS_MAX]; /* where the offset of a buffer's table goes */
	unsigned buffer_count;
};

static void skip_sized(struct cursor *cursor, unsigned size_bytes)
{
	cursor_skip(cursor, size_bytes == 8 ? cursor_u64(cursor) : cursor_u32(cursor));
}

static void skip_descriptions(struct cursor *cursor)
{
	uint32_t systems;

	for (int i = 0; i < 2; i++) { /* header_page, header_event */
		(void)cursor_string(cursor, NAME_MAX_BYTES);
		skip_sized(cursor, 8);
	}
	for (uint32_t left = cursor_u32(cursor); left > 0 && !cursor->error; left--)
		skip_sized(cursor, 8);
	systems = cursor_u32(cursor);
	for (; systems > 0 && !cursor->error; systems--) {
		(void)cursor_string(cursor, NAME_MAX_BYTES);
		for (uint32_t left = cursor_u32(cursor); left > 0 && !cursor->error; left--)
			skip_sized(cursor, 8);
	}
	skip_sized(cursor, 4); /* kallsyms */
	skip_sized(cursor, 4); /* printk formats */
	skip_sized(cursor, 8); /* command lines */
	(void)cursor_u32(cursor); /* CPUs */
}

int split_file_open(const uint8_t *bytes, size_t size, struct split_file *ret, struct buffer *why)
{
	size_t head = strlen(MAGIC);
	struct cursor cursor;
	const char *mark;

	if (size < head + 8 || memcmp(bytes, MAGIC, head) != 0 ||
	    memcmp(bytes + head, "6", 2) != 0) {
		buffer_puts(why, "is no trace.dat of version 6");
		return -EINVAL;
	}
	*ret = (struct split_file){bytes, size, (bytes[head + 2] != 0) != byte_order_is_big(), 0};
	cursor_init_memory(&cursor, bytes, size, ret->is_swapped);
	cursor_skip(&cursor, head + 2 + 2 + 4);
	skip_descriptions(&cursor);
	mark = cursor.error ? NULL : (const char *)cursor_take(&cursor, 10);
	ret->options = (size_t)cursor.offset;
	cursor_release(&cursor);
	if (!mark || memcmp(bytes + ret->options - 10, "options  ", 10) != 0) {
		buffer_puts(why, "has no options");
		return -EINVAL;
	}
	return 0;
}

static void put(struct output *output, uint64_t value, unsigned size)
{
	uint8_t bytes[8];

	machine_store(&output->schedule->machine, bytes, value, size);
	buffer_append(output->to, bytes, size);
}

static void put_option(struct output *output, enum option_id id, const void *text, size_t length)
{
	put(output, id, 2);
	put(output, length, 4);
	buffer_append(output->to, text, length);
}

static void put_note(struct output *output, enum option_id id, const uint8_t *bytes, size_t size)
{
	size_t length = strnlen((const char *)bytes, size);
	struct buffer text = {0};

	buffer_init(&text, 1u << 30);
	if (id == OPTION_VERSION)
		split_notes_rewrite((const char *)bytes, length, output->clock, output->host,
		                    &text);
	else
		split_uname_rewrite((const char *)bytes, length, output->host, &text);
	put_option(output, id, text.text, text.length + (length < size));
	buffer_release(&text);
}

/* Times that are written are final: the options that convert stamps end here. */
static void put_one(struct output *output, enum option_id id, const uint8_t *bytes, size_t size)
{
	if (id == OPTION_OFFSET || id == OPTION_TSC2NSEC)
		return;
	if (id == OPTION_VERSION || id == OPTION_UNAME) {
		put_note(output, id, bytes, size);
		return;
	}
	if (id == OPTION_BUFFER && output->buffer_count + 1 < SCHEDULE_BUFFERS_MAX)
		output->buffer_place[++output->buffer_count] = output->to->length + 6;
	put_option(output, id, bytes, size);
}

static void put_options(struct output *output)
{
	const struct split_file *file = output->file;
	struct cursor cursor;

	cursor_init_memory(&cursor, file->bytes, file->size, file->is_swapped);
	cursor_skip(&cursor, file->options);
	for (;;) {
		uint16_t id = cursor_u16(&cursor);
		uint32_t size = id == OPTION_DONE ? 0 : cursor_u32(&cursor);
		const uint8_t *bytes = id == OPTION_DONE ? NULL : cursor_take(&cursor, size);

		if (!bytes)
			break;
		put_one(output, id, bytes, size);
	}
	put(output, OPTION_DONE, 2);
	cursor_release(&cursor);
}

static size_t put_table(struct output *output)
{
	size_t table;

	buffer_append(output->to, "flyrecord", 10);
	table = output->to->length;
	for (unsigned cpu = 0; cpu < output->schedule->cpu_count; cpu++) {
		put(output, 0, 8);
		put(output, 0, 8);
	}
	return table;
}

static void put_pages(struct output *output, unsigned buffer, size_t table)
{
	const struct machine *machine = &output->schedule->machine;
	struct buffer *to = output->to;

	for (unsigned cpu = 0; cpu < output->schedule->cpu_count; cpu++) {
		size_t begin;

		while (to->length % machine->page_bytes)
			buffer_putc(to, '\0');
		begin = to->length;
		pages_build(output->schedule, buffer, cpu, to);
		machine_store(machine, to->text + table + (size_t)cpu * 16, begin, 8);
		machine_store(machine, to->text + table + (size_t)cpu * 16 + 8, to->length - begin,
		              8);
	}
}

void split_file_build(const struct split_file *file, const struct schedule *schedule,
                      const struct split_clock *clock, const char *host, struct buffer *to)
{
	struct output output = {file, schedule, clock, host, to, {0}, 0};
	size_t table[SCHEDULE_BUFFERS_MAX];

	buffer_append(to, file->bytes, file->options);
	put_options(&output);
	for (unsigned i = 0; i <= output.buffer_count; i++) {
		if (i > 0)
			machine_store(&schedule->machine, to->text + output.buffer_place[i],
			              to->length, 8);
		table[i] = put_table(&output);
	}
	for (unsigned i = 0; i <= output.buffer_count; i++)
		put_pages(&output, i, table[i]);
}
