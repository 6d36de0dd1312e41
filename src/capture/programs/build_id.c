/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build_id.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"

#define NOTES_BYTES_MAX 65536u
#define NOTE_HEAD_BYTES 12u
#define OWNER           "GNU"

/* The place of a note segment in the file. */
struct note_segment {
	uint64_t offset, bytes;
	size_t alignment;
};

/* Finds the build id in the notes in `bytes`. */
static int notes_find(const struct elf_file *elf, const uint8_t *bytes,
                      const struct note_segment *segment,
                      char ret_hex[static BUILD_ID_HEX_BYTES])
{
	const size_t round = segment->alignment - 1, size = (size_t)segment->bytes;
	size_t at = 0;

	while (size - at >= NOTE_HEAD_BYTES) {
		uint32_t name_bytes = load_u32(bytes + at, elf->is_swapped);
		uint32_t value_bytes = load_u32(bytes + at + 4, elf->is_swapped);
		uint32_t type = load_u32(bytes + at + 8, elf->is_swapped);
		size_t value_at;

		at += NOTE_HEAD_BYTES;
		if (name_bytes > size - at)
			return -ENOENT;
		value_at = (at + name_bytes + round) & ~round;
		if (value_at > size || value_bytes > size - value_at)
			return -ENOENT;
		if (type == NT_GNU_BUILD_ID && name_bytes == sizeof(OWNER) &&
		    memcmp(bytes + at, OWNER, sizeof(OWNER)) == 0 && value_bytes > 0 &&
		    value_bytes <= BUILD_ID_BYTES_MAX) {
			build_id_format(bytes + value_at, value_bytes, ret_hex);
			return 0;
		}
		at = (value_at + value_bytes + round) & ~round;
		if (at > size)
			return -ENOENT;
	}
	return -ENOENT;
}

static int segment_find(const struct elf_file *elf, const struct note_segment *segment,
                        char ret_hex[static BUILD_ID_HEX_BYTES])
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	int r;

	if (segment->bytes > NOTES_BYTES_MAX)
		return -ENOENT;
	bytes = xmalloc((size_t)segment->bytes + 1);
	r = elf_read(elf, bytes, (size_t)segment->bytes, segment->offset);
	return r < 0 ? r : notes_find(elf, bytes, segment, ret_hex);
}

/* Reads the program header at `offset`; false unless it is one of notes. */
static bool segment_read(const struct elf_file *elf, uint64_t offset, struct note_segment *ret)
{
	uint8_t bytes[sizeof(Elf64_Phdr)];
	size_t size = elf->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

	if (elf_read(elf, bytes, size, offset) < 0 ||
	    load_u32(bytes, elf->is_swapped) != PT_NOTE)
		return false;
	*ret = (struct note_segment){
		.offset = elf_word(elf, bytes, offsetof(Elf32_Phdr, p_offset),
		                   offsetof(Elf64_Phdr, p_offset)),
		.bytes = elf_word(elf, bytes, offsetof(Elf32_Phdr, p_filesz),
		                  offsetof(Elf64_Phdr, p_filesz)),
		.alignment = 4,
	};
	if (elf_word(elf, bytes, offsetof(Elf32_Phdr, p_align), offsetof(Elf64_Phdr, p_align)) == 8)
		ret->alignment = 8;
	return true;
}

int build_id_find(elf_reader read_at, void *state, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	struct elf_file elf = {.read_at = read_at, .state = state};
	uint8_t head[sizeof(Elf64_Ehdr)];
	struct note_segment segment;
	struct elf_table segments = {0};
	int r = elf_read_head(&elf, head);

	if (r == 0)
		r = elf_segments(&elf, head, &segments);
	if (r < 0)
		return r;
	for (uint16_t i = 0; i < segments.count; i++)
		if (segment_read(&elf, elf_table_at(&segments, i), &segment) &&
		    segment_find(&elf, &segment, ret_hex) == 0)
			return 0;
	return -ENOENT;
}

int build_id_read(int fd, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	return build_id_find(elf_read_open_file, &fd, ret_hex);
}

void build_id_format(const uint8_t *bytes, size_t size, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size && i < BUILD_ID_BYTES_MAX; i++) {
		ret_hex[2 * i] = digits[bytes[i] >> 4];
		ret_hex[2 * i + 1] = digits[bytes[i] & 15];
		ret_hex[2 * i + 2] = '\0';
	}
}

int build_id_read_notes(int fd, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	const struct elf_file elf = {0};
	_cleanup_(freep) uint8_t *bytes = xmalloc(NOTES_BYTES_MAX);
	struct note_segment notes = {.alignment = 4};
	size_t size = 0;
	ssize_t got;

	/* a read of sysfs returns at most a page, and stat(2) does not know the size */
	while (size < NOTES_BYTES_MAX &&
	       (got = read(fd, bytes + size, NOTES_BYTES_MAX - size)) != 0) {
		if (got < 0)
			return -errno;
		size += (size_t)got;
	}
	notes.bytes = size;
	return notes_find(&elf, bytes, &notes, ret_hex);
}
