/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "field_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/data/array.h"
#include "ftwait/stream.h"

#define MAGIC_BYTES     10u
#define WORD_BYTES      10u
#define OPTION_BUFFER   3u
#define OPTION_CPUS     8u
#define SECTIONS_MAX    64u
#define CPUS_MAX        4096u
#define PAGES_MAX       4u  /* of one run */
#define PAGE_EVENTS_MAX 4u
#define CHUNKS_MAX      4u
#define FORMATS_MAX     3u /* of a system */

/* Reads on while there is something; what it reads is mapped under a name. */
struct mapper {
	struct field_map *map;
	const uint8_t *bytes;
	uint64_t size, at;
	bool is_swapped, is_packed, has_failed;
	unsigned long_bytes, cpus;
	uint64_t page_bytes;
};

static bool mapper_has(struct mapper *mapper, uint64_t bytes)
{
	if (mapper->at > mapper->size || bytes > mapper->size - mapper->at)
		mapper->has_failed = true;
	return !mapper->has_failed;
}

static void mapper_skip(struct mapper *mapper, uint64_t bytes)
{
	if (mapper_has(mapper, bytes))
		mapper->at += bytes;
}

static void map_add_field(struct field_map *map, const struct field *field)
{
	ARRAY_GROW(map->field, map->field_count, map->field_capacity);
	map->field[map->field_count++] = *field;
}

static void map_add_piece(struct field_map *map, uint64_t begin, uint64_t end, const char *name)
{
	if (end <= begin)
		return;
	ARRAY_GROW(map->piece, map->piece_count, map->piece_capacity);
	map->piece[map->piece_count++] = (struct piece){begin, end - begin, name};
}

static uint64_t mapper_load(const struct mapper *mapper, uint64_t at, unsigned bytes)
{
	const uint8_t *from = mapper->bytes + at;

	switch (bytes) {
	case 1:
		return *from;
	case 2:
		return load_u16(from, mapper->is_swapped);
	case 4:
		return load_u32(from, mapper->is_swapped);
	default:
		return load_u64(from, mapper->is_swapped);
	}
}

static uint64_t mapper_take(struct mapper *mapper, unsigned bytes, enum field_kind kind,
                            const char *name)
{
	uint64_t number;

	if (!mapper_has(mapper, bytes))
		return 0;
	map_add_field(mapper->map, &(struct field){mapper->at, (uint8_t)bytes, kind, name});
	number = mapper_load(mapper, mapper->at, bytes);
	mapper->at += bytes;
	return number;
}

static uint64_t take(struct mapper *mapper, unsigned bytes, const char *name)
{
	return mapper_take(mapper, bytes, FIELD_TABLE, name);
}

/* A text that ends with a NUL; its first byte is a field. */
static void take_text(struct mapper *mapper, const char *name)
{
	const uint8_t *end;

	if (!mapper_has(mapper, 1))
		return;
	end = memchr(mapper->bytes + mapper->at, 0, mapper->size - mapper->at);
	map_add_field(mapper->map, &(struct field){mapper->at, 1, FIELD_TABLE, name});
	mapper_skip(mapper, end ? (uint64_t)(end - mapper->bytes) - mapper->at + 1 : 1);
}

/* A page: its head, and the heads of its first events. */
static void map_page(struct mapper *mapper)
{
	uint64_t begin = mapper->at, commit, end;

	(void)mapper_take(mapper, 8, FIELD_EVENTS, "page time");
	commit = mapper_take(mapper, mapper->long_bytes, FIELD_EVENTS, "page commit") & 0x7ffffff;
	end = mapper->at + (commit < mapper->page_bytes ? commit : 0);
	for (unsigned i = 0; i < PAGE_EVENTS_MAX && mapper->at + 8 <= end; i++) {
		uint64_t head = mapper_take(mapper, 4, FIELD_EVENTS, "event head");
		uint64_t type = mapper->map->is_big ? head >> 27 : head & 31;

		if (type > 0 && type <= 28)
			mapper_skip(mapper, type * 4);
		else if (type == 0)
			mapper_skip(mapper, mapper_take(mapper, 4, FIELD_EVENTS, "event length") - 4);
		else
			(void)mapper_take(mapper, 4, FIELD_EVENTS, "event time");
	}
	mapper->has_failed = false;
	mapper->at = begin;
}

static void map_pages(struct mapper *mapper, uint64_t offset, uint64_t bytes)
{
	uint64_t page = mapper->page_bytes;

	for (uint64_t i = 0; i < PAGES_MAX && (i + 1) * page <= bytes &&
	                     offset + (i + 1) * page <= mapper->size; i++) {
		mapper->at = offset + i * page;
		map_page(mapper);
	}
	if (bytes >= page && offset <= mapper->size && bytes <= mapper->size - offset) {
		map_add_piece(mapper->map, offset, offset + page, "first page");
		map_add_piece(mapper->map, offset + bytes - page, offset + bytes, "last page");
		map_add_piece(mapper->map, offset, offset + bytes, "pages of a CPU");
	}
}

static void map_chunks(struct mapper *mapper, uint64_t offset)
{
	uint64_t count;

	mapper->at = offset;
	count = take(mapper, 4, "chunk count");
	for (uint64_t i = 0; i < count && i < CHUNKS_MAX && !mapper->has_failed; i++) {
		uint64_t begin = mapper->at, packed = take(mapper, 4, "chunk's packed size");

		(void)take(mapper, 4, "chunk's size");
		(void)take(mapper, 4, "chunk's first bytes");
		mapper_skip(mapper, packed - 4);
		if (!mapper->has_failed)
			map_add_piece(mapper->map, begin, mapper->at, "chunk");
	}
	mapper->has_failed = false;
}

/* Where the pages of a CPU stand; goes on behind the row. */
static void map_extent(struct mapper *mapper)
{
	uint64_t offset = take(mapper, 8, "offset of a CPU's pages");
	uint64_t bytes = take(mapper, 8, "size of a CPU's pages");
	uint64_t next = mapper->at;

	if (mapper->has_failed || bytes == 0)
		return;
	if (mapper->is_packed)
		map_chunks(mapper, offset);
	else
		map_pages(mapper, offset, bytes);
	mapper->at = next;
}

static void map_sized(struct mapper *mapper, unsigned bytes, const char *name)
{
	uint64_t begin = mapper->at;

	mapper_skip(mapper, take(mapper, bytes, name));
	if (!mapper->has_failed)
		map_add_piece(mapper->map, begin, mapper->at, name);
}

static void map_header_info(struct mapper *mapper)
{
	take_text(mapper, "header_page");
	map_sized(mapper, 8, "size of header_page");
	take_text(mapper, "header_event");
	map_sized(mapper, 8, "size of header_event");
}

static void map_formats(struct mapper *mapper, const char *name)
{
	uint64_t count = take(mapper, 4, name);

	for (uint64_t i = 0; i < count && !mapper->has_failed; i++) {
		if (i < FORMATS_MAX)
			map_sized(mapper, 8, "size of a format");
		else if (mapper_has(mapper, 8))
			mapper_skip(mapper, 8 + mapper_load(mapper, mapper->at, 8));
	}
}

static void map_systems(struct mapper *mapper)
{
	uint64_t count = take(mapper, 4, "count of systems");

	for (uint64_t i = 0; i < count && !mapper->has_failed; i++) {
		uint64_t begin = mapper->at;

		take_text(mapper, "name of a system");
		map_formats(mapper, "count of a system's formats");
		if (!mapper->has_failed)
			map_add_piece(mapper->map, begin, mapper->at, "formats of a system");
	}
}

/* From the magic to where version 6 and 7 part. Returns the version; 0 where it is none. */
static unsigned map_begin(struct mapper *mapper)
{
	unsigned version;

	if (!mapper_has(mapper, MAGIC_BYTES + 2) ||
	    memcmp(mapper->bytes + mapper->at, "\x17\x08\x44tracing", MAGIC_BYTES) != 0)
		return 0;
	(void)take(mapper, 1, "magic");
	mapper->at += MAGIC_BYTES - 1;
	version = (unsigned)(mapper->bytes[mapper->at] - '0');
	take_text(mapper, "version");
	mapper->map->is_big = take(mapper, 1, "byte order") != 0;
	mapper->is_swapped = mapper->map->is_big != byte_order_is_big();
	mapper->long_bytes = (unsigned)take(mapper, 1, "size of long") == 4 ? 4 : 8;
	mapper->page_bytes = take(mapper, 4, "page size");
	return mapper->page_bytes >= 1024 && !mapper->has_failed ? version : 0;
}

/* The head of version 6, which streams have, too. */
static void map_head(struct mapper *mapper)
{
	map_header_info(mapper);
	map_formats(mapper, "count of ftrace formats");
	map_systems(mapper);
	map_sized(mapper, 4, "size of kallsyms");
	map_sized(mapper, 4, "size of printk");
	map_sized(mapper, 8, "size of cmdlines");
	mapper->cpus = (unsigned)take(mapper, 4, "count of CPUs");
}

/* Version 7: where a buffer's pages are. Goes on behind the option. */
static void map_buffer_option(struct mapper *mapper, uint64_t end)
{
	uint64_t count;

	(void)take(mapper, 8, "offset of a buffer's section");
	take_text(mapper, "name of a buffer");
	take_text(mapper, "clock of a buffer");
	(void)take(mapper, 4, "page size of a buffer");
	count = take(mapper, 4, "count of a buffer's CPUs");
	while (count-- > 0 && mapper->at + 20 <= end && !mapper->has_failed) {
		uint64_t begin = mapper->at;

		(void)take(mapper, 4, "CPU of a buffer");
		map_extent(mapper);
		map_add_piece(mapper->map, begin, mapper->at, "row of a CPU");
	}
}

/* Of options up to `end`, or, where that is 0, to the option 0. Returns the offset of the next
   options, which version 7 has in the last one. */
static uint64_t map_options(struct mapper *mapper, uint64_t end, uint64_t *section, size_t *count)
{
	uint64_t next = 0;

	while (!mapper->has_failed && (end == 0 || mapper->at + 6 <= end)) {
		uint64_t begin = mapper->at, id = take(mapper, 2, "id of an option"), bytes;

		if (id == 0 && end == 0)
			break;
		bytes = take(mapper, 4, "size of an option");
		if (id == OPTION_CPUS && mapper_has(mapper, 4))
			mapper->cpus = (unsigned)mapper_load(mapper, mapper->at, 4);
		if (id == OPTION_BUFFER && end != 0)
			map_buffer_option(mapper, mapper->at + bytes);
		else if ((id == 0 || id == OPTION_BUFFER || (id >= 16 && id <= 22)) && bytes >= 8)
			next = take(mapper, 8, "offset in an option");
		if (id != 0 && id != OPTION_BUFFER && bytes >= 8 && *count < SECTIONS_MAX &&
		    id >= 16)
			section[(*count)++] = next;
		mapper->at = begin + 6;
		mapper_skip(mapper, bytes);
		map_add_piece(mapper->map, begin, mapper->at, "option");
	}
	return next;
}

static void map_table(struct mapper *mapper)
{
	for (unsigned i = 0; i < mapper->cpus && i < CPUS_MAX && !mapper->has_failed; i++)
		map_extent(mapper);
}

/* Options and tables of version 6: of the main buffer, or of a further one. */
static void map_tables6(struct mapper *mapper)
{
	uint64_t begin = mapper->at, section[SECTIONS_MAX];
	size_t count = 0;

	take_text(mapper, "word before the options");
	mapper->at = begin + WORD_BYTES;
	if (mapper_has(mapper, 0) &&
	    memcmp(mapper->bytes + begin, "options  ", WORD_BYTES) == 0) {
		(void)map_options(mapper, 0, section, &count);
		map_add_piece(mapper->map, begin, mapper->at, "options");
		begin = mapper->at;
		take_text(mapper, "word before the table");
		mapper->at = begin + WORD_BYTES;
	}
	map_table(mapper);
	map_add_piece(mapper->map, begin, mapper->at, "table of CPUs");
}

static uint64_t map_section_head(struct mapper *mapper, uint64_t offset, bool *ret_packed)
{
	uint64_t bytes;

	mapper->at = offset;
	(void)take(mapper, 2, "id of a section");
	*ret_packed = take(mapper, 2, "flags of a section") & 1;
	(void)take(mapper, 4, "name of a section");
	bytes = take(mapper, 8, "size of a section");
	if (*ret_packed && mapper_has(mapper, 12)) {
		(void)take(mapper, 4, "packed size of a section");
		(void)take(mapper, 4, "unpacked size of a section");
		(void)take(mapper, 4, "first packed bytes of a section");
		mapper->at -= 12;
	}
	if (mapper_has(mapper, bytes))
		map_add_piece(mapper->map, offset, mapper->at + bytes, "section");
	return bytes;
}

static void map_section7(struct mapper *mapper, uint64_t offset)
{
	bool is_packed = false;
	uint64_t id = offset + 2 <= mapper->size ? mapper_load(mapper, offset, 2) : 0;

	(void)map_section_head(mapper, offset, &is_packed);
	if (is_packed || mapper->has_failed)
		return;
	if (id == 16)
		map_header_info(mapper);
	else if (id == 17)
		map_formats(mapper, "count of ftrace formats");
	else if (id == 18)
		map_systems(mapper);
	else if (id == 19)
		map_sized(mapper, 4, "size of kallsyms");
	else if (id == 20)
		map_sized(mapper, 4, "size of printk");
	else if (id == 21)
		map_sized(mapper, 8, "size of cmdlines");
}

/* Packed options give no offsets here: their sections stand back to back. */
static void map_sections_in_order(struct mapper *mapper, uint64_t at)
{
	for (unsigned i = 0; i < SECTIONS_MAX && at + 16 <= mapper->size; i++) {
		uint64_t id = mapper_load(mapper, at, 2), bytes = mapper_load(mapper, at + 8, 8);

		if (id > 22 || bytes == 0 || bytes > mapper->size - at - 16)
			return;
		mapper->has_failed = false;
		map_section7(mapper, at);
		if (id == OPTION_BUFFER && mapper->is_packed)
			map_chunks(mapper, at + 16);
		at += 16 + bytes;
	}
}

static void map_datfile7(struct mapper *mapper)
{
	uint64_t offset, section[SECTIONS_MAX], behind;
	size_t count = 0;
	bool is_packed = false;

	mapper->is_packed = mapper_has(mapper, 4) &&
	                    memcmp(mapper->bytes + mapper->at, "none", 4) != 0;
	take_text(mapper, "kind of packing");
	take_text(mapper, "version of packing");
	offset = take(mapper, 8, "offset of the options");
	behind = mapper->at;
	for (unsigned i = 0; i < SECTIONS_MAX && offset != 0 && offset < mapper->size; i++) {
		uint64_t bytes = map_section_head(mapper, offset, &is_packed);

		if (is_packed || mapper->has_failed)
			break;
		offset = map_options(mapper, mapper->at + bytes, section, &count);
	}
	for (size_t i = 0; i < count; i++) {
		mapper->has_failed = false;
		map_section7(mapper, section[i]);
	}
	if (is_packed)
		map_sections_in_order(mapper, behind);
}

static void map_datfile(struct mapper *mapper)
{
	unsigned version = map_begin(mapper);

	if (version == 7) {
		map_datfile7(mapper);
	} else if (version == 6) {
		map_head(mapper);
		map_add_piece(mapper->map, 0, mapper->at, "head");
		map_tables6(mapper);
	}
}

static void map_regions(struct mapper *mapper, uint64_t end)
{
	bool is_settling;

	mapper->is_packed = take(mapper, 4, "packing of regions") != 0;
	is_settling = take(mapper, 4, "regions are settling");
	(void)take(mapper, 8, "regions done");
	(void)take(mapper, 8, "bytes done of a region");
	while (mapper->at + 32 <= end && !mapper->has_failed) {
		uint64_t row = mapper->at, offset, bytes;

		(void)take(mapper, 4, "CPU of a region");
		(void)take(mapper, 4, "buffer of a region");
		offset = take(mapper, 8, "offset of a region");
		bytes = take(mapper, 8, "size of a region");
		(void)take(mapper, 8, "target of a region");
		map_add_piece(mapper->map, row, row + 32, "row of a region");
		if (mapper->is_packed)
			map_chunks(mapper, offset);
		else if (!is_settling)
			map_pages(mapper, offset, bytes);
		mapper->at = row + 32;
	}
}

/* Returns where the next block stands; 0 where none does. */
static uint64_t map_block(struct mapper *mapper, uint64_t at)
{
	uint64_t mark, type, bytes, end;

	mapper->at = at;
	mark = take(mapper, 4, "mark of a block");
	type = take(mapper, 4, "type of a block");
	(void)take(mapper, 4, "CPU of a block");
	(void)take(mapper, 4, "buffer of a block");
	bytes = take(mapper, 8, "size of a block");
	if (mapper->has_failed || mark != STREAM_BLOCK_MARK || !mapper_has(mapper, bytes))
		return 0;
	end = mapper->at + bytes;
	map_add_piece(mapper->map, at, end, "block");
	if (type == STREAM_JUMP)
		end = take(mapper, 8, "where the jump leads");
	else if (type == STREAM_REGIONS)
		map_regions(mapper, end);
	else if (type == STREAM_PAGES)
		map_pages(mapper, mapper->at, bytes);
	else if (type == STREAM_HEAD && map_begin(mapper) == 6)
		map_head(mapper);
	mapper->has_failed = false;
	return end;
}

void field_map_make(struct field_map *map, const uint8_t *bytes, size_t size)
{
	struct mapper mapper = {.map = map, .bytes = bytes, .size = size};

	*map = (struct field_map){.is_big = byte_order_is_big()};
	if (size > STREAM_MAGIC_BYTES && memcmp(bytes, STREAM_MAGIC, STREAM_MAGIC_BYTES) == 0)
		for (uint64_t at = STREAM_MAGIC_BYTES; at != 0 && at < size;)
			at = map_block(&mapper, at);
	else
		map_datfile(&mapper);
}

void field_map_release(struct field_map *map)
{
	free(map->field);
	free(map->piece);
	*map = (struct field_map){0};
}
