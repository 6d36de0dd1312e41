/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads parts of an ELF file of either class and byte order, without libraries, and gives what both
 * classes have as the 64-bit class has it. The file may be anything: the caller that reads a part
 * checks what the file says of its place and size.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code/function_table.h"

#define ELF_SEGMENTS_MAX 1024u
#define ELF_SECTIONS_MAX 4096u

/* Reads up to `size` bytes at `offset`. Returns how many, fewer only at the end, or -errno. */
typedef int64_t (*elf_reader)(void *state, void *to, size_t size, uint64_t offset);

/* One of an open file: `state` points to its descriptor. */
int64_t elf_read_open_file(void *state, void *to, size_t size, uint64_t offset);

struct elf_file {
	elf_reader read_at;
	void *state;
	bool is_swapped, is_64; /* set by elf_head_load() */
};

/* Headers of segments or sections, as the header of the file has them. */
struct elf_table {
	uint64_t at;          /* in the file */
	uint16_t step, count; /* bytes from one to the next */
};

/* Returns 0 if all bytes were read, or -errno: -EINVAL if the file ends before. */
int elf_read(const struct elf_file *elf, void *to, size_t size, uint64_t offset);
/* The header at the begin of `bytes`: its members about tables. False: it is that of no ELF file.
   Uses and sets the class and byte order alone. */
bool elf_head_load(struct elf_file *elf, const uint8_t *bytes, size_t size, Elf64_Ehdr *ret);
/* Reads it from the file. -EINVAL: no ELF file. */
int elf_read_head(struct elf_file *elf, Elf64_Ehdr *ret);
/* -EINVAL: they are too small, or more than ELF_SEGMENTS_MAX, ELF_SECTIONS_MAX. */
int elf_segments(const struct elf_file *elf, const Elf64_Ehdr *head, struct elf_table *ret);
int elf_sections(const struct elf_file *elf, const Elf64_Ehdr *head, struct elf_table *ret);
/* Reads one of these headers; of a section, all but what its entries are. */
int elf_segment_read(const struct elf_file *elf, const struct elf_table *table, uint16_t number,
		     Elf64_Phdr *ret);
int elf_section_read(const struct elf_file *elf, const struct elf_table *table, uint16_t number,
		     Elf64_Shdr *ret);
/* A symbol in a table of them, and how many bytes each takes there. */
size_t elf_symbol_bytes(const struct elf_file *elf);
void elf_symbol_load(const struct elf_file *elf, const uint8_t *bytes, Elf64_Sym *ret);

enum function_binding elf_symbol_binding(const Elf64_Sym *symbol);

/* Whether the segment is a part of the program with code. */
static inline bool elf_has_code(const Elf64_Phdr *segment)
{
	return segment->p_type == PT_LOAD && segment->p_flags & PF_X && segment->p_filesz;
}

static inline bool elf_section_holds(const Elf64_Shdr *section, const Elf64_Sym *symbol)
{
	return symbol->st_value >= section->sh_addr &&
	       symbol->st_value - section->sh_addr < section->sh_size;
}

/* Whether the symbol, of that section, is a variable in memory that the program may write, as a
   lock is. */
static inline bool elf_is_variable(const Elf64_Sym *symbol, const Elf64_Shdr *section)
{
	/* both classes have the same types in the same bits */
	return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size != 0 &&
	       symbol->st_shndx != SHN_UNDEF && section->sh_flags & SHF_WRITE &&
	       elf_section_holds(section, symbol);
}
