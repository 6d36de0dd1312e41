/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small ELF programs for tests, of any class and byte order: a build id, a section of code, tables
 * of symbols, and what leads to others.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

#define BUILT_TEXT_OFFSET  0x200u
#define BUILT_TEXT_BYTES   0x1000u /* in memory; in the file there are zeros */
#define BUILT_TEXT_ADDRESS 0x401200u

struct built_symbol {
	const char *name;
	uint64_t address, size;
	unsigned type, binding; /* STT_*, STB_* */
	bool is_undefined;
};

struct built_program {
	bool is_narrow, is_big; /* ELF32; most significant byte first */
	uint16_t machine;
	const char *build_id;                /* its bytes are the text's; NULL: none */
	const struct built_symbol *symbol;   /* up to one without a name; NULL: no .symtab */
	const struct built_symbol *exported; /* of .dynsym */
	const char *link;                    /* .gnu_debuglink; NULL: none */
	uint32_t crc;
	const struct buffer *packed;         /* .gnu_debugdata; NULL: none */
	bool is_writable;                    /* the section of code has variables, too */
	bool is_debug_file;                  /* which has the code's address, but not the code */
};

/* Appends the file's bytes. */
void elf_build(const struct built_program *program, struct buffer *to);
