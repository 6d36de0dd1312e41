/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_file.h"

#include <errno.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/file_read.h"

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

uint64_t elf_word(const struct elf_file *elf, const uint8_t *bytes, size_t at32, size_t at64)
{
	return elf->is_64 ? load_u64(bytes + at64, elf->is_swapped)
	                  : load_u32(bytes + at32, elf->is_swapped);
}

uint16_t elf_half(const struct elf_file *elf, const uint8_t *bytes, size_t at32, size_t at64)
{
	return load_u16(bytes + (elf->is_64 ? at64 : at32), elf->is_swapped);
}

int elf_read_head(struct elf_file *elf, uint8_t head[static sizeof(Elf64_Ehdr)])
{
	int r = elf_read(elf, head, sizeof(Elf32_Ehdr), 0);

	if (r < 0)
		return r;
	if (memcmp(head, ELFMAG, SELFMAG) != 0 ||
	    (head[EI_CLASS] != ELFCLASS32 && head[EI_CLASS] != ELFCLASS64) ||
	    (head[EI_DATA] != ELFDATA2LSB && head[EI_DATA] != ELFDATA2MSB))
		return -EINVAL;
	elf->is_64 = head[EI_CLASS] == ELFCLASS64;
	elf->is_swapped = (head[EI_DATA] == ELFDATA2MSB) != byte_order_is_big();
	return elf->is_64 ? elf_read(elf, head, sizeof(Elf64_Ehdr), 0) : 0;
}

int elf_segments(const struct elf_file *elf, const uint8_t *head, struct elf_table *ret)
{
	*ret = (struct elf_table){
		.at = elf_word(elf, head, offsetof(Elf32_Ehdr, e_phoff),
		               offsetof(Elf64_Ehdr, e_phoff)),
		.step = elf_half(elf, head, offsetof(Elf32_Ehdr, e_phentsize),
		                 offsetof(Elf64_Ehdr, e_phentsize)),
		.count = elf_half(elf, head, offsetof(Elf32_Ehdr, e_phnum),
		                  offsetof(Elf64_Ehdr, e_phnum)),
	};
	if (ret->step < (elf->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)) ||
	    ret->count > ELF_SEGMENTS_MAX)
		return -EINVAL;
	return 0;
}
