/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF program or library, from a file or from memory: its build id, the places of its parts when
 * it is mapped, its functions and its variables. Only headers, notes and tables of symbols are
 * read, and each only up to a limit, whatever size it claims.
 */
#pragma once

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code/code_part.h"
#include "base/code/function_table.h"

#define BUILD_ID_BYTES_MAX 64
#define DEBUG_LINK_BYTES_MAX 256

/* Length 0: there is no id. */
struct build_id {
	size_t length; /* bytes */
	uint8_t byte[BUILD_ID_BYTES_MAX];
};

struct elf_image {
	Elf *elf;
	int fd;           /* -1: from memory */
	void *owned;      /* that memory */
	unsigned machine; /* EM_* */
	struct build_id id;
};

#define ELF_IMAGE_NONE ((struct elf_image){.fd = -1})

/* Where to find the separate debug file. */
struct debug_link {
	char name[DEBUG_LINK_BYTES_MAX]; /* name of the file, without a folder */
	uint32_t crc;
};

/* The tables to which symbols are added, by their kind; borrowed. */
struct symbol_tables {
	struct function_table *functions;
	struct function_table *variables; /* those in memory that the program may write */
};

/* Converts hexadecimal digits; false: they are no build id. */
bool build_id_parse(const char *text, struct build_id *ret);
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* Takes ownership of the descriptor, or the memory, in any case. False: it is no readable ELF
   file. */
bool elf_image_open(struct elf_image *image, int fd);
bool elf_image_open_memory(struct elf_image *image, void *memory, size_t size);
/* Closes the image and sets it to ELF_IMAGE_NONE, which may be closed again. */
void elf_image_close(struct elf_image *image);

/* Finds the parts with code, at most CODE_PARTS_MAX; returns their number. */
size_t elf_image_code_parts(struct elf_image *image, struct code_part ret[static CODE_PARTS_MAX]);
/* Finds the first symbol table of that type, SHT_SYMTAB or SHT_DYNSYM, and its names. Returns false
   if there is none. The caller must check the offsets of names. */
bool elf_image_symbols(struct elf_image *image, uint32_t type, Elf_Data **ret_symbols,
                       Elf_Data **ret_names);
/* Adds the names in a table of that type, SHT_SYMTAB or SHT_DYNSYM; false: there is none. */
bool elf_image_add_names(struct elf_image *image, uint32_t type, const struct symbol_tables *to);
bool elf_image_debug_link(struct elf_image *image, struct debug_link *ret);
/* Opens the small ELF file (MiniDebugInfo) that the build tools of some distributions pack into
   this one; false: there is none. */
bool elf_image_open_mini(struct elf_image *image, struct elf_image *ret);
