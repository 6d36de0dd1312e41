/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"

#define NOTES_BYTES_MAX 65536u
#define NOTE_HEAD_BYTES 12u
#define OWNER           "GNU"

/* Finds the build id in the notes in `bytes`. */
static int notes_find(const struct elf_file *elf, const uint8_t *bytes,
                      const Elf64_Phdr *segment,
                      char ret_hex[static BUILD_ID_HEX_BYTES])
{
	const size_t round = segment->p_align == 8 ? 7 : 3, size = (size_t)segment->p_filesz;
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

static int segment_find(const struct elf_file *elf, const Elf64_Phdr *segment,
                        char ret_hex[static BUILD_ID_HEX_BYTES])
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	int r;

	if (segment->p_type != PT_NOTE || segment->p_filesz > NOTES_BYTES_MAX)
		return -ENOENT;
	bytes = xmalloc((size_t)segment->p_filesz + 1);
	r = elf_read(elf, bytes, (size_t)segment->p_filesz, segment->p_offset);
	return r < 0 ? r : notes_find(elf, bytes, segment, ret_hex);
}

int build_id_find(elf_reader read_at, void *state, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	struct elf_file elf = {.read_at = read_at, .state = state};
	struct elf_table segments = {0};
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	int r = elf_read_head(&elf, &head);

	if (r == 0)
		r = elf_segments(&elf, &head, &segments);
	if (r < 0)
		return r;
	for (uint16_t i = 0; i < segments.count; i++)
		if (elf_segment_read(&elf, &segments, i, &segment) == 0 &&
		    segment_find(&elf, &segment, ret_hex) == 0)
			return 0;
	return -ENOENT;
}

int build_id_read(int fd, char ret_hex[static BUILD_ID_HEX_BYTES])
{
	return build_id_find(elf_read_open_file, &fd, ret_hex);
}

void build_id_format(const uint8_t *bytes, size_t size, char *ret_hex)
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
	Elf64_Phdr notes = {0};
	size_t size = 0;
	ssize_t got;

	/* a read of sysfs returns at most a page, and stat(2) does not know the size */
	while (size < NOTES_BYTES_MAX &&
	       (got = read(fd, bytes + size, NOTES_BYTES_MAX - size)) != 0) {
		if (got < 0)
			return -errno;
		size += (size_t)got;
	}
	notes.p_filesz = size;
	return notes_find(&elf, bytes, &notes, ret_hex);
}

bool mapped_file_name(struct mapped_file *file, const char *path)
{
	return path[0] == '/' &&
	       snprintf(file->path, sizeof(file->path), "%s", path) < (int)sizeof(file->path);
}

int mapped_file_open(const struct mapped_file *file, mapped_file_test *test, const void *wanted)
{
	_cleanup_(freep) char *inside = xasprintf("/proc/%d/root%s", (int)file->tgid, file->path);
	const char *const paths[] = {
		PROC_PATH("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, file->tgid, file->begin,
		          file->end),
		inside, file->path};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		struct stat status;

		if (fd < 0)
			continue;
		if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && test(fd, &status, wanted))
			return fd;
		(void)close(fd);
	}
	return -ENOENT;
}
