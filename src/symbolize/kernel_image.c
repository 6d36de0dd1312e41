/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel_image.h"

#include <gelf.h>
#include <inttypes.h>
#include <string.h>

#include "elf_image.h"

#define NAME_LENGTH_MAX 512

bool kernel_image_is_able(void)
{
	return true;
}

/* The letter of nm(1) for a function or variable; '\0': it is neither. Symbols of assembler code
   often have no type. */
static char symbol_letter(struct elf_image *image, const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);
	bool is_local = bind == STB_LOCAL;
	GElf_Shdr section;

	if ((type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) ||
	    symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE ||
	    !gelf_getshdr(elf_getscn(image->elf, symbol->st_shndx), &section) ||
	    !(section.sh_flags & SHF_ALLOC))
		return '\0';
	if (section.sh_flags & SHF_EXECINSTR)
		return bind == STB_WEAK ? 'W' : is_local ? 't' : 'T';
	return !(section.sh_flags & SHF_WRITE) ? '\0' : is_local ? 'd' : 'D';
}

static void symbols_append(struct elf_image *image, Elf_Data *symbols, const Elf_Data *names,
                           struct buffer *to)
{
	GElf_Sym symbol;

	for (int i = 0; gelf_getsym(symbols, i, &symbol); i++) {
		char letter = symbol_letter(image, &symbol);
		const char *name = (const char *)names->d_buf + symbol.st_name;

		if (!letter || symbol.st_name >= names->d_size || !name[0] ||
		    strnlen(name, names->d_size - symbol.st_name) > NAME_LENGTH_MAX)
			continue;
		buffer_printf(to, "%016" PRIx64 " %c %s\n",
		              image->machine == EM_ARM && letter != 'd' && letter != 'D'
		                      ? symbol.st_value & ~UINT64_C(1) : symbol.st_value,
		              letter, name);
	}
}

bool kernel_image_read(int fd, struct buffer *to, struct buffer *build_id)
{
	struct elf_image image;
	Elf_Data *symbols, *names;
	bool has_any = false;

	if (!elf_image_open(&image, fd)) {
		elf_image_close(&image);
		return false;
	}
	for (size_t i = 0; i < image.id.length; i++)
		buffer_printf(build_id, "%02x", image.id.byte[i]);
	if (elf_image_symbols(&image, SHT_SYMTAB, &symbols, &names)) {
		symbols_append(&image, symbols, names, to);
		has_any = to->length > 0;
	}
	elf_image_close(&image);
	return has_any;
}
