/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "foreign_file.h"
#include "source/source_notes.h"

#define NAME_MAX_BYTES 256
#define STRINGS_MAX    (4u << 20) /* bytes; larger tables, which no kernel has, are skipped */

/* Writes in which part of the head reading failed; returns the cursor's error. */
static int head_fail(const struct cursor *cursor, const char *part, struct buffer *why)
{
	if (cursor->error == -ENODATA)
		buffer_printf(why, "truncated inside %s at byte %llu: nothing can be read; fetch "
		              "the whole file or record again", part,
		              (unsigned long long)cursor->end);
	else if (cursor->error == -EINVAL || cursor->error == -EFBIG)
		buffer_printf(why, "damaged: %s makes no sense near byte %llu; fetch the file "
		              "again or record again", part, (unsigned long long)cursor->offset);
	else
		buffer_printf(why, "cannot read %s: %s", part, strerror(-cursor->error));
	return cursor->error;
}

static int head_reject(struct cursor *cursor, const char *part, struct buffer *why)
{
	if (!cursor->error)
		cursor->error = -EINVAL;
	return head_fail(cursor, part, why);
}

static bool page_size_is_sane(uint32_t bytes)
{
	return bytes >= DATFILE_PAGE_MIN && bytes <= DATFILE_PAGE_MAX && !(bytes & (bytes - 1));
}

static int datfile_read_packing(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	const char *name = cursor_string(cursor, NAME_MAX_BYTES);

	if (!name)
		return head_fail(cursor, "the fixed header", why);
	if (packing_from_name(name, &datfile->packing) < 0) {
		buffer_puts(why, "it is compressed with '");
		buffer_puts_clean(why, name, strlen(name));
		buffer_puts(why, "', and only zlib and zstd can be decompressed; convert it with "
		            "trace-cmd convert --compression none");
		return -ENOTSUP;
	}
	(void)cursor_string(cursor, NAME_MAX_BYTES); /* version of the packer */
	datfile->opening->options_offset = cursor_u64(cursor);
	return cursor->error ? head_fail(cursor, "the fixed header", why) : 0;
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
	const char *version;
	uint8_t is_big_endian, long_bytes;
	uint32_t page_bytes;

	if (!at || memcmp(at, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) != 0)
		return head_refuse(cursor, why);
	version = cursor_string(cursor, NAME_MAX_BYTES);
	if (!version)
		return head_fail(cursor, "the fixed header", why);
	if (strcmp(version, "6") != 0 && strcmp(version, "7") != 0) {
		buffer_puts(why, "a trace.dat of version '");
		buffer_puts_clean(why, version, strlen(version));
		buffer_puts(why, "'; only 6 and 7 can be read; convert it with trace-cmd convert");
		return -ENOTSUP;
	}
	datfile->version = version[0] == '6' ? 6 : 7;
	at = cursor_take(cursor, 2);
	if (!at)
		return head_fail(cursor, "the fixed header", why);
	is_big_endian = at[0];
	long_bytes = at[1];
	if (is_big_endian > 1 || (long_bytes != 4 && long_bytes != 8))
		return head_reject(cursor, "the fixed header", why);
	datfile->source.is_big_endian = is_big_endian;
	datfile->source.long_bytes = long_bytes;
	datfile->is_swapped = cursor->is_swapped = is_big_endian != byte_order_is_big();
	page_bytes = cursor_u32(cursor);
	if (cursor->error || !page_size_is_sane(page_bytes))
		return head_reject(cursor, "the fixed header", why);
	datfile->layout = (struct page_layout){
		.page_bytes = page_bytes,
		.commit_offset = 8,
		.commit_bytes = long_bytes,
		.data_offset = (uint8_t)(8 + long_bytes),
		.is_big_endian = is_big_endian,
	};
	if (datfile->version == 7) {
		int r = datfile_read_packing(datfile, cursor, why);

		if (r < 0)
			return r;
	}
	datfile->opening->header_end = cursor->offset;
	return 0;
}

/* The number after `key` in a line such as "field: local_t commit;\toffset:8;\tsize:8;". */
static bool line_number(const char *line, const char *end, const char *key, uint32_t *ret)
{
	const char *at = memmem(line, (size_t)(end - line), key, strlen(key));
	uint32_t number = 0;

	if (!at)
		return false;
	at += strlen(key);
	if (at == end || *at < '0' || *at > '9')
		return false;
	for (; at < end && *at >= '0' && *at <= '9' && number < 1u << 24; at++)
		number = number * 10 + (uint32_t)(*at - '0');
	*ret = number;
	return true;
}

/* Offset and size of one field of the text of header_page. */
static bool page_field(const char *text, size_t length, const char *name, uint32_t *ret_offset,
                       uint32_t *ret_size)
{
	const char *at = memmem(text, length, name, strlen(name));
	const char *end = text + length, *line_end;

	if (!at)
		return false;
	line_end = memchr(at, '\n', (size_t)(end - at));
	if (!line_end)
		line_end = end;
	return line_number(at, line_end, "offset:", ret_offset) &&
	       line_number(at, line_end, "size:", ret_size);
}

/* False if the text describes no readable page. */
static bool datfile_take_header_page(struct datfile *datfile, const char *text, size_t length)
{
	uint32_t commit, commit_bytes, data, data_bytes;

	if (length == 0) /* before Linux 2.6.31; the defaults hold */
		return true;
	if (!page_field(text, length, " commit;", &commit, &commit_bytes) ||
	    !page_field(text, length, " data;", &data, &data_bytes))
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

int datfile_read_header_info(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint64_t size;
	const uint8_t *text = cursor_sized(cursor, "header_page", &size);

	if (!text)
		return head_fail(cursor, "the page header's description", why);
	if (!datfile_take_header_page(datfile, (const char *)text, (size_t)size))
		return head_reject(cursor, "the page header's description", why);
	if (!cursor_sized(cursor, "header_event", &size))
		return head_fail(cursor, "the event header's description", why);
	return 0;
}

static bool datfile_add_format(struct datfile *datfile, struct cursor *cursor, const char *system)
{
	uint64_t size = cursor_u64(cursor);
	const uint8_t *text = cursor_take(cursor, size);
	struct format_text *format;

	if (!text)
		return false;
	if (datfile->format_count >= DATFILE_FORMATS_MAX ||
	    !text_store_has_room(&datfile->text, (size_t)size)) {
		cursor->error = -EFBIG;
		return false;
	}
	ARRAY_GROW(datfile->formats, datfile->format_count, datfile->format_capacity);
	format = &datfile->formats[datfile->format_count++];
	format->system = system;
	format->length = (size_t)size;
	format->text = text_store_add(&datfile->text, text, format->length);
	return true;
}

int datfile_read_ftrace_formats(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint32_t count = cursor_u32(cursor);

	while (count-- > 0 && !cursor->error)
		(void)datfile_add_format(datfile, cursor, "ftrace");
	return cursor->error ? head_fail(cursor, "the formats of ftrace's own events", why) : 0;
}

/* Formats of one system; false if the cursor failed. */
static bool datfile_read_system(struct datfile *datfile, struct cursor *cursor,
                                const char **ret_system)
{
	const char *name = cursor_string(cursor, NAME_MAX_BYTES);
	uint32_t count;

	*ret_system = NULL;
	if (name && !text_store_has_room(&datfile->text, NAME_MAX_BYTES))
		cursor->error = -EFBIG;
	if (!name || cursor->error)
		return false;
	*ret_system = name = text_store_add(&datfile->text, name, strlen(name));
	count = cursor_u32(cursor);
	while (count-- > 0)
		if (!datfile_add_format(datfile, cursor, name))
			return false;
	return !cursor->error;
}

int datfile_read_event_formats(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint32_t systems = cursor_u32(cursor);
	const char *system = NULL;
	struct buffer part;
	int r;

	while (systems-- > 0 && datfile_read_system(datfile, cursor, &system))
		;
	if (!cursor->error)
		return 0;
	buffer_init(&part, NAME_MAX_BYTES);
	buffer_puts(&part, "the event formats");
	if (system) {
		buffer_puts(&part, " of system ");
		buffer_puts_clean(&part, system, strlen(system));
	}
	r = head_fail(cursor, part.text, why);
	buffer_release(&part);
	return r;
}

int datfile_read_symbol_place(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint32_t size = cursor_u32(cursor);

	datfile->symbols.offset = cursor->offset;
	datfile->symbols.bytes = size;
	cursor_skip(cursor, size);
	if (cursor->error || size > DATFILE_SECTION_MAX)
		datfile->symbols.bytes = 0;
	if (cursor->error)
		return head_fail(cursor, "the kernel's symbols", why);
	if (size > DATFILE_SECTION_MAX)
		source_damage(&datfile->source, &datfile->text,
		              "damaged: the kernel's symbols claim %u bytes, more than any kernel "
		              "has; they are not read", (unsigned)size);
	return 0;
}

int datfile_read_cmdlines(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint64_t size = cursor_u64(cursor);
	const uint8_t *text = cursor_take(cursor, size);

	if (!text)
		return head_fail(cursor, "the saved command lines", why);
	found_notes_take_cmdlines(&datfile->found, (const char *)text, (size_t)size);
	return 0;
}

int datfile_read_strings(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	uint32_t size = cursor_u32(cursor);
	const uint8_t *text;

	if (size > STRINGS_MAX || !text_store_has_room(&datfile->text, size)) {
		cursor_skip(cursor, size);
		return cursor->error ? head_fail(cursor, "the kernel's strings", why) : 0;
	}
	text = cursor_take(cursor, size);
	if (!text)
		return head_fail(cursor, "the kernel's strings", why);
	if (size)
		datfile->source.strings = text_store_add(&datfile->text, text, size);
	return 0;
}

int datfile_read_head(struct datfile *datfile, struct cursor *cursor, struct buffer *why)
{
	int r;

	r = datfile_read_header_info(datfile, cursor, why);
	if (r == 0)
		r = datfile_read_ftrace_formats(datfile, cursor, why);
	if (r == 0)
		r = datfile_read_event_formats(datfile, cursor, why);
	if (r == 0)
		r = datfile_read_symbol_place(datfile, cursor, why);
	if (r == 0)
		r = datfile_read_strings(datfile, cursor, why);
	if (r == 0)
		r = datfile_read_cmdlines(datfile, cursor, why);
	if (r < 0)
		return r;
	datfile->opening->header_cpus = cursor_u32(cursor);
	if (cursor->error)
		return head_fail(cursor, "the CPU count", why);
	if (datfile->opening->header_cpus > DATFILE_CPUS_MAX)
		return head_reject(cursor, "the CPU count", why);
	return 0;
}
