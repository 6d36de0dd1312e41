/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads parts of an ELF file of either class and byte order, without libraries. The file may be
 * anything: the caller that reads a part checks what the file says of its place and size.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_SEGMENTS_MAX 1024u

/* Reads up to `size` bytes at `offset`. Returns how many, fewer only at the end, or -errno. */
typedef int64_t (*elf_reader)(void *state, void *to, size_t size, uint64_t offset);

/* One of an open file: `state` points to its descriptor. */
int64_t elf_read_open_file(void *state, void *to, size_t size, uint64_t offset);

struct elf_file {
	elf_reader read_at;
	void *state;
	bool is_swapped, is_64; /* set by elf_read_head() */
};

/* Headers of segments or sections, as the header of the file has them. */
struct elf_table {
	uint64_t at;          /* in the file */
	uint16_t step, count; /* bytes from one to the next */
};

/* Returns 0 if all bytes were read, or -errno: -EINVAL if the file ends before. */
int elf_read(const struct elf_file *elf, void *to, size_t size, uint64_t offset);
/* Reads the header; of the 32-bit class, its first bytes alone are set. -EINVAL: no ELF file. */
int elf_read_head(struct elf_file *elf, uint8_t head[static sizeof(Elf64_Ehdr)]);
/* A number that stands at one of these places in `bytes`, by the file's class: of 4 bytes in the
   32-bit class and 8 in the other; of 2 bytes in both. */
uint64_t elf_word(const struct elf_file *elf, const uint8_t *bytes, size_t at32, size_t at64);
uint16_t elf_half(const struct elf_file *elf, const uint8_t *bytes, size_t at32, size_t at64);
/* -EINVAL: they are too small, or more than ELF_SEGMENTS_MAX. */
int elf_segments(const struct elf_file *elf, const uint8_t *head, struct elf_table *ret);

static inline uint64_t elf_table_at(const struct elf_table *table, uint16_t number)
{
	return table->at + (uint64_t)number * table->step;
}
