/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_file.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "file_io.h"

/* A member of 2 bytes, of 4, and of as many as an address has, in `bytes` of the file. */
#define HALF(type, member) load_u16(bytes + PLACE(type, member), elf->is_swapped)
#define WORD(type, member) load_u32(bytes + PLACE(type, member), elf->is_swapped)
#define ADDRESS(type, member)                                                                      \
	(elf->is_64 ? load_u64(bytes + PLACE(type, member), elf->is_swapped)                       \
		    : load_u32(bytes + PLACE(type, member), elf->is_swapped))
#define PLACE(type, member)                                                                        \
	(elf->is_64 ? offsetof(Elf64_##type, member) : offsetof(Elf32_##type, member))
#define BYTES(type) (elf->is_64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

int64_t elf_read_open_file(void *state, void *to, size_t size, uint64_t offset)
{
	return file_read_at(*(const int *)state, to, size, offset);
}

int elf_read(const struct elf_file *elf, void *to, size_t size, uint64_t offset)
{
	int64_t got = elf->read_at(elf->state, to, size, offset);

	if (got < 0)
		return (int)got;
	return (uint64_t)got == size ? 0 : -EINVAL;
}

bool elf_head_load(struct elf_file *elf, const uint8_t *bytes, size_t size, Elf64_Ehdr *ret)
{
	if (size < EI_NIDENT || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
	    (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64) ||
	    (bytes[EI_DATA] != ELFDATA2LSB && bytes[EI_DATA] != ELFDATA2MSB))
		return false;
	elf->is_64 = bytes[EI_CLASS] == ELFCLASS64;
	elf->is_swapped = (bytes[EI_DATA] == ELFDATA2MSB) != byte_order_is_big();
	if (size < BYTES(Ehdr))
		return false;
	*ret = (Elf64_Ehdr){
		.e_phoff = ADDRESS(Ehdr, e_phoff),
		.e_phentsize = HALF(Ehdr, e_phentsize),
		.e_phnum = HALF(Ehdr, e_phnum),
		.e_shoff = ADDRESS(Ehdr, e_shoff),
		.e_shentsize = HALF(Ehdr, e_shentsize),
		.e_shnum = HALF(Ehdr, e_shnum),
	};
	return true;
}

int elf_read_head(struct elf_file *elf, Elf64_Ehdr *ret)
{
	uint8_t bytes[sizeof(Elf64_Ehdr)];
	int64_t got = elf->read_at(elf->state, bytes, sizeof(bytes), 0);

	if (got < 0)
		return (int)got;
	return elf_head_load(elf, bytes, (size_t)got, ret) ? 0 : -EINVAL;
}

int elf_segments(const struct elf_file *elf, const Elf64_Ehdr *head, struct elf_table *ret)
{
	*ret = (struct elf_table){head->e_phoff, head->e_phentsize, head->e_phnum};
	return ret->step < BYTES(Phdr) || ret->count > ELF_SEGMENTS_MAX ? -EINVAL : 0;
}

int elf_sections(const struct elf_file *elf, const Elf64_Ehdr *head, struct elf_table *ret)
{
	*ret = (struct elf_table){head->e_shoff, head->e_shentsize, head->e_shnum};
	return (ret->count && ret->step < BYTES(Shdr)) || ret->count > ELF_SECTIONS_MAX ? -EINVAL
											: 0;
}

/* Reads the first bytes of one of the table's headers. */
static int table_read(const struct elf_file *elf, const struct elf_table *table, uint16_t number,
		      uint8_t *to, size_t size)
{
	return elf_read(elf, to, size, table->at + (uint64_t)number * table->step);
}

int elf_segment_read(const struct elf_file *elf, const struct elf_table *table, uint16_t number,
		     Elf64_Phdr *ret)
{
	uint8_t bytes[sizeof(Elf64_Phdr)];
	int r = table_read(elf, table, number, bytes, BYTES(Phdr));

	if (r < 0)
		return r;
	*ret = (Elf64_Phdr){
		.p_type = WORD(Phdr, p_type),
		.p_flags = WORD(Phdr, p_flags),
		.p_offset = ADDRESS(Phdr, p_offset),
		.p_vaddr = ADDRESS(Phdr, p_vaddr),
		.p_filesz = ADDRESS(Phdr, p_filesz),
		.p_align = ADDRESS(Phdr, p_align),
	};
	return 0;
}

int elf_section_read(const struct elf_file *elf, const struct elf_table *table, uint16_t number,
		     Elf64_Shdr *ret)
{
	uint8_t bytes[sizeof(Elf64_Shdr)];
	int r = table_read(elf, table, number, bytes, BYTES(Shdr));

	if (r < 0)
		return r;
	*ret = (Elf64_Shdr){
		.sh_type = WORD(Shdr, sh_type),
		.sh_flags = ADDRESS(Shdr, sh_flags),
		.sh_addr = ADDRESS(Shdr, sh_addr),
		.sh_offset = ADDRESS(Shdr, sh_offset),
		.sh_size = ADDRESS(Shdr, sh_size),
		.sh_link = WORD(Shdr, sh_link),
	};
	return 0;
}

size_t elf_symbol_bytes(const struct elf_file *elf)
{
	return BYTES(Sym);
}

void elf_symbol_load(const struct elf_file *elf, const uint8_t *bytes, Elf64_Sym *ret)
{
	*ret = (Elf64_Sym){
		.st_name = WORD(Sym, st_name),
		.st_info = bytes[PLACE(Sym, st_info)],
		.st_shndx = HALF(Sym, st_shndx),
		.st_value = ADDRESS(Sym, st_value),
		.st_size = ADDRESS(Sym, st_size),
	};
}

enum function_binding elf_symbol_binding(const Elf64_Sym *symbol)
{
	/* both classes have it in the same bits */
	switch (ELF64_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return FUNCTION_LOCAL;
	case STB_WEAK:
		return FUNCTION_WEAK;
	default:
		return FUNCTION_GLOBAL;
	}
}
