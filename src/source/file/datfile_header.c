/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "foreign_file.h"
#include "source/source_notes.h"

#define NAME_MAX_BYTES 256
#define PAGE_NUMBER_MAX (1 << 24)
#define STRINGS_MAX    (4u << 20) /* bytes; larger tables, which no kernel has, are skipped */

static void cursor_reject(struct cursor *cursor)
{
	if (!cursor->error)
		cursor->error = -EINVAL;
}

/* Writes in which part of the head reading failed; returns the cursor's error. */
static int head_fail(struct datfile *datfile, const struct cursor *cursor, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer part = {0};
	const char *system = datfile->opening->system;

	buffer_puts(&part, datfile->opening->part);
	if (system) {
		buffer_puts(&part, " of system ");
		buffer_puts_clean(&part, system, strlen(system));
	}
	if (cursor->error == -ENODATA)
		buffer_printf(why, "truncated inside %s at byte %llu: nothing can be read; fetch "
		              "the whole file or record again", part.text,
		              (unsigned long long)cursor->end);
	else if (cursor->error == -EINVAL || cursor->error == -EFBIG)
		buffer_printf(why, "damaged: %s makes no sense near byte %llu; fetch the file "
		              "again or record again", part.text,
		              (unsigned long long)cursor->offset);
	else
		buffer_printf(why, "cannot read %s: %s", part.text, strerror(-cursor->error));
	return cursor->error;
}

static int datfile_read_packing(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	const char *name = cursor_string(cursor, NAME_MAX_BYTES);

	if (!name)
		return head_fail(datfile, cursor, why);
	if (packing_from_name(name, &datfile->packing) < 0) {
		buffer_puts(why, "it is compressed with '");
		buffer_puts_clean(why, name, strlen(name));
		buffer_puts(why, "', and only zlib and zstd can be decompressed; convert it with "
		            "trace-cmd convert --compression none");
		return -ENOTSUP;
	}
	(void)cursor_string(cursor, NAME_MAX_BYTES); /* version of the packer */
	datfile->opening->options_offset = cursor_u64(cursor);
	return cursor->error ? head_fail(datfile, cursor, why) : 0;
}

/* The file begins with something else; writes what. */
static int head_refuse(const struct cursor *cursor, struct buffer *why)
{
	uint8_t head[FOREIGN_HEAD_BYTES];
	int64_t got = 0;

	if (cursor->file)
		got = input_file_read_some(cursor->file, 0, head, sizeof(head));
	return datfile_refuse_magic(head, got > 0 ? (size_t)got : 0, why);
}

int datfile_read_magic(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	const uint8_t *at = cursor_take(cursor, DATFILE_MAGIC_BYTES);
	struct page_layout *layout = &datfile->layout;
	const char *version;
	int r = 0;

	if (!at || memcmp(at, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) != 0)
		return head_refuse(cursor, why);
	datfile->opening->part = "the fixed header";
	version = cursor_string(cursor, NAME_MAX_BYTES);
	if (!version)
		return head_fail(datfile, cursor, why);
	if (strcmp(version, "6") != 0 && strcmp(version, "7") != 0) {
		buffer_puts(why, "a trace.dat of version '");
		buffer_puts_clean(why, version, strlen(version));
		buffer_puts(why, "'; only 6 and 7 can be read; convert it with trace-cmd convert");
		return -ENOTSUP;
	}
	datfile->version = version[0] == '6' ? 6 : 7;
	at = cursor_take(cursor, 2);
	if (at && at[0] <= 1 && (at[1] == 4 || at[1] == 8)) {
		*layout = (struct page_layout){
			.commit_offset = 8,
			.commit_bytes = at[1],
			.data_offset = (uint8_t)(8 + at[1]),
			.is_big_endian = at[0],
		};
		datfile->source.is_big_endian = at[0];
		datfile->source.long_bytes = at[1];
		datfile->is_swapped = cursor->is_swapped = at[0] != byte_order_is_big();
		layout->page_bytes = cursor_u32(cursor);
	}
	if (!page_size_is_sane(layout->page_bytes)) {
		cursor_reject(cursor);
		return head_fail(datfile, cursor, why);
	}
	if (datfile->version == 7)
		r = datfile_read_packing(datfile, cursor, why);
	datfile->opening->header_end = cursor->offset;
	return r;
}

/* The number after `key` in a line such as "field: local_t commit;\toffset:8;\tsize:8;". */
static bool line_number(struct text_line line, const char *key, uint32_t *ret)
{
	const char *at = memmem(line.at, line_length(line), key, strlen(key));
	int64_t number = -1;

	line.at = at ? at + strlen(key) : line.end;
	number = word_number(line_until(line, ';'), PAGE_NUMBER_MAX);
	*ret = (uint32_t)number;
	return number >= 0;
}

/* Offset and size of one field of the text of header_page. */
static bool page_field(struct text_line text, const char *name, uint32_t *ret_offset,
                       uint32_t *ret_size)
{
	text.at = memmem(text.at, line_length(text), name, strlen(name));
	if (!text.at)
		return false;
	text = line_until(text, '\n');
	return line_number(text, "offset:", ret_offset) && line_number(text, "size:", ret_size);
}

/* False if the text describes no readable page. */
static bool datfile_take_header_page(struct datfile *datfile, struct text_line text)
{
	uint32_t commit, commit_bytes, data, data_bytes;

	if (text.at == text.end) /* before Linux 2.6.31; the defaults hold */
		return true;
	if (!page_field(text, " commit;", &commit, &commit_bytes) ||
	    !page_field(text, " data;", &data, &data_bytes))
		return false;
	if ((commit_bytes != 4 && commit_bytes != 8) || commit != 8 ||
	    data < commit + commit_bytes || data > 64)
		return false;
	datfile->layout.commit_offset = (uint8_t)commit;
	datfile->layout.commit_bytes = (uint8_t)commit_bytes;
	datfile->layout.data_offset = (uint8_t)data;
	datfile->source.long_bytes = commit_bytes;
	/* Sub-buffers may be larger than the page size in the fixed header. */
	if (page_size_is_sane(data + data_bytes))
		datfile->layout.page_bytes = data + data_bytes;
	return true;
}

static const uint8_t *cursor_sized(struct cursor *cursor, const char *name, uint64_t *ret_size)
{
	size_t length = strlen(name) + 1;
	const uint8_t *at = cursor_take(cursor, length);

	if (at && memcmp(at, name, length) != 0)
		cursor->error = -EINVAL;
	*ret_size = cursor_u64(cursor);
	return cursor_take(cursor, *ret_size);
}

static void datfile_read_header_info(struct datfile *datfile, struct cursor *cursor)
{
	uint64_t size;
	const char *text = (const char *)cursor_sized(cursor, "header_page", &size);

	if (text && !datfile_take_header_page(datfile, (struct text_line){text, text + size}))
		cursor_reject(cursor);
	if (!cursor->error)
		datfile->opening->part = "the event header's description";
	(void)cursor_sized(cursor, "header_event", &size);
}

static bool datfile_add_format(struct datfile *datfile, struct cursor *cursor, const char *system)
{
	uint64_t size = cursor_u64(cursor);
	const uint8_t *text = cursor_take(cursor, size);

	if (!text)
		return false;
	if (datfile->source.format_count >= DATFILE_FORMATS_MAX ||
	    !text_store_has_room(&datfile->text, (size_t)size)) {
		cursor->error = -EFBIG;
		return false;
	}
	LIST_ADD(datfile->source.formats, struct format_text) = (struct format_text){
		.system = system,
		.text = text_store_add(&datfile->text, text, (size_t)size),
		.length = (size_t)size,
	};
	return true;
}

static void datfile_read_ftrace_formats(struct datfile *datfile, struct cursor *cursor)
{
	uint32_t count = cursor_u32(cursor);

	while (count-- > 0 && datfile_add_format(datfile, cursor, "ftrace"))
		;
}

/* Formats of one system; false if the cursor failed. */
static bool datfile_read_system(struct datfile *datfile, struct cursor *cursor)
{
	const char *name = cursor_string(cursor, NAME_MAX_BYTES);
	uint32_t count;

	datfile->opening->system = NULL;
	if (name && !text_store_has_room(&datfile->text, NAME_MAX_BYTES))
		cursor->error = -EFBIG;
	if (!name || cursor->error)
		return false;
	datfile->opening->system = name = text_store_add(&datfile->text, name, strlen(name));
	count = cursor_u32(cursor);
	while (count-- > 0)
		if (!datfile_add_format(datfile, cursor, name))
			return false;
	return !cursor->error;
}

static void datfile_read_event_formats(struct datfile *datfile, struct cursor *cursor)
{
	uint32_t systems = cursor_u32(cursor);

	while (systems-- > 0 && datfile_read_system(datfile, cursor))
		;
	if (!cursor->error)
		datfile->opening->system = NULL;
}

static void datfile_read_symbol_place(struct datfile *datfile, struct cursor *cursor)
{
	uint32_t size = cursor_u32(cursor);

	datfile->symbols.offset = cursor->offset;
	cursor_skip(cursor, size);
	datfile->symbols.bytes = cursor->error || size > DATFILE_SECTION_MAX ? 0 : size;
	if (!cursor->error && size > DATFILE_SECTION_MAX)
		DATFILE_DAMAGE(datfile, "damaged: the kernel's symbols claim %u bytes, more than "
		               "any kernel has; they are not read", (unsigned)size);
}

static void datfile_read_strings(struct datfile *datfile, struct cursor *cursor)
{
	uint32_t size = cursor_u32(cursor);
	const uint8_t *text = NULL;

	if (size > STRINGS_MAX || !text_store_has_room(&datfile->text, size))
		cursor_skip(cursor, size);
	else
		text = cursor_take(cursor, size);
	if (text && size)
		datfile->source.strings = text_store_add(&datfile->text, text, size);
}

static void datfile_read_cmdlines(struct datfile *datfile, struct cursor *cursor)
{
	uint64_t size = cursor_u64(cursor);
	const uint8_t *text = cursor_take(cursor, size);

	if (text)
		found_notes_take_cmdlines(&datfile->found, (const char *)text, (size_t)size);
}

const struct datfile_part datfile_parts[DATFILE_PARTS] = {
	{"the page header's description", datfile_read_header_info},
	{"the formats of ftrace's own events", datfile_read_ftrace_formats},
	{"the event formats", datfile_read_event_formats},
	{"the kernel's symbols", datfile_read_symbol_place},
	{"the kernel's strings", datfile_read_strings},
	{"the saved command lines", datfile_read_cmdlines},
};

int datfile_read_head(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	struct datfile_opening *opening = datfile->opening;

	for (size_t i = 0; i < DATFILE_PARTS && !cursor->error; i++) {
		opening->part = datfile_parts[i].what;
		datfile_parts[i].read(datfile, cursor);
	}
	if (!cursor->error) {
		opening->part = "the CPU count";
		opening->header_cpus = cursor_u32(cursor);
	}
	if (opening->header_cpus > DATFILE_CPUS_MAX)
		cursor_reject(cursor);
	return cursor->error ? head_fail(datfile, cursor, why) : 0;
}

void datfile_note_head(struct datfile *datfile, const struct cursor *cursor)
{
	DATFILE_DAMAGE(datfile, "damaged: the head makes no sense near byte %llu; formats and "
	               "names that stand behind it are missing",
	               (unsigned long long)cursor->offset);
}

int datfile_refuse_latency(struct buffer *why)
{
	buffer_puts(why, "it holds the text of a latency tracer, no events; record it with events "
	                 "enabled");
	return -ENOTSUP;
}
