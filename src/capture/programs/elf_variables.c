/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_variables.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/xalloc.h"

#define SECTIONS_MAX     4096u
#define SYMBOL_BYTES_MAX (64u << 20)
#define CHUNK_BYTES      65536u

struct section {
	uint32_t type, link;
	uint64_t flags, address, offset, size;
};

/* One reading of a file. */
struct reading {
	struct elf_file elf;
	struct elf_variables *variables;
	struct section *section; /* owned */
	size_t section_count;
	uint64_t *wanted; /* addresses in the terms of the file, ascending; owned */
	size_t wanted_count;
	size_t found;     /* symbols around them */
};

/* A symbol of a table. */
struct symbol {
	uint32_t name;
	uint8_t info;
	uint16_t section;
	uint64_t value, size;
};

static void reading_release(struct reading *reading)
{
	free(reading->section);
	free(reading->wanted);
}

static int u64_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint32_t u32_at(const struct elf_file *elf, const uint8_t *bytes, size_t at32, size_t at64)
{
	return load_u32(bytes + (elf->is_64 ? at64 : at32), elf->is_swapped);
}

/* The parts with code. */
static int parts_read(struct reading *reading, const uint8_t *head)
{
	struct elf_variables *variables = reading->variables;
	const struct elf_file *elf = &reading->elf;
	struct elf_table segments;
	int r = elf_segments(elf, head, &segments);

	for (uint16_t i = 0; r == 0 && i < segments.count; i++) {
		uint8_t bytes[sizeof(Elf64_Phdr)];
		struct code_part part;

		r = elf_read(elf, bytes, elf->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr),
		             elf_table_at(&segments, i));
		if (r < 0 || u32_at(elf, bytes, offsetof(Elf32_Phdr, p_type),
		                    offsetof(Elf64_Phdr, p_type)) != PT_LOAD)
			continue;
		part.offset = elf_word(elf, bytes, offsetof(Elf32_Phdr, p_offset),
		                       offsetof(Elf64_Phdr, p_offset));
		part.size = elf_word(elf, bytes, offsetof(Elf32_Phdr, p_filesz),
		                     offsetof(Elf64_Phdr, p_filesz));
		part.address = elf_word(elf, bytes, offsetof(Elf32_Phdr, p_vaddr),
		                        offsetof(Elf64_Phdr, p_vaddr));
		if (u32_at(elf, bytes, offsetof(Elf32_Phdr, p_flags),
		           offsetof(Elf64_Phdr, p_flags)) & PF_X &&
		    part.size && variables->part_count < CODE_PARTS_MAX)
			variables->part[variables->part_count++] = part;
	}
	return r;
}

static int sections_read(struct reading *reading, const uint8_t *head)
{
	const struct elf_file *elf = &reading->elf;
	const struct elf_table table = {
		elf_word(elf, head, offsetof(Elf32_Ehdr, e_shoff), offsetof(Elf64_Ehdr, e_shoff)),
		elf_half(elf, head, offsetof(Elf32_Ehdr, e_shentsize),
		         offsetof(Elf64_Ehdr, e_shentsize)),
		elf_half(elf, head, offsetof(Elf32_Ehdr, e_shnum), offsetof(Elf64_Ehdr, e_shnum)),
	};
	size_t size = elf->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (table.count > SECTIONS_MAX || (table.count && table.step < size))
		return -EINVAL;
	reading->section = xcalloc(table.count + 1u, sizeof(*reading->section));
	for (uint16_t i = 0; i < table.count; i++) {
		uint8_t bytes[sizeof(Elf64_Shdr)];
		int r = elf_read(elf, bytes, size, elf_table_at(&table, i));

		if (r < 0)
			return r;
		reading->section[reading->section_count++] = (struct section){
			.type = u32_at(elf, bytes, offsetof(Elf32_Shdr, sh_type),
			               offsetof(Elf64_Shdr, sh_type)),
			.link = u32_at(elf, bytes, offsetof(Elf32_Shdr, sh_link),
			               offsetof(Elf64_Shdr, sh_link)),
			.flags = elf_word(elf, bytes, offsetof(Elf32_Shdr, sh_flags),
			                  offsetof(Elf64_Shdr, sh_flags)),
			.address = elf_word(elf, bytes, offsetof(Elf32_Shdr, sh_addr),
			                    offsetof(Elf64_Shdr, sh_addr)),
			.offset = elf_word(elf, bytes, offsetof(Elf32_Shdr, sh_offset),
			                   offsetof(Elf64_Shdr, sh_offset)),
			.size = elf_word(elf, bytes, offsetof(Elf32_Shdr, sh_size),
			                 offsetof(Elf64_Shdr, sh_size)),
		};
	}
	return 0;
}

static void symbol_load(const struct elf_file *elf, const uint8_t *bytes, struct symbol *ret)
{
	ret->name = u32_at(elf, bytes, offsetof(Elf32_Sym, st_name), offsetof(Elf64_Sym, st_name));
	ret->info = bytes[elf->is_64 ? offsetof(Elf64_Sym, st_info) : offsetof(Elf32_Sym, st_info)];
	ret->section = elf_half(elf, bytes, offsetof(Elf32_Sym, st_shndx),
	                        offsetof(Elf64_Sym, st_shndx));
	ret->value = elf_word(elf, bytes, offsetof(Elf32_Sym, st_value),
	                      offsetof(Elf64_Sym, st_value));
	ret->size = elf_word(elf, bytes, offsetof(Elf32_Sym, st_size),
	                     offsetof(Elf64_Sym, st_size));
}

/* The section in which the symbol is a variable of the program that it may write; NULL: none. */
static const struct section *symbol_section(const struct reading *reading,
                                            const struct symbol *symbol)
{
	const struct section *in;

	/* both classes have the same types in the same bits */
	if (ELF64_ST_TYPE(symbol->info) != STT_OBJECT || !symbol->size ||
	    symbol->section == SHN_UNDEF || symbol->section >= reading->section_count)
		return NULL;
	in = &reading->section[symbol->section];
	return in->flags & SHF_WRITE && symbol->value - in->address < in->size ? in : NULL;
}

static bool is_wanted(const struct reading *reading, const struct symbol *symbol)
{
	size_t at = array_lower_bound_u64(reading->wanted, reading->wanted_count,
	                                  sizeof(*reading->wanted), symbol->value);

	return at < reading->wanted_count && reading->wanted[at] - symbol->value < symbol->size;
}

static void symbol_take(struct reading *reading, const struct section *names,
                        const struct symbol *symbol)
{
	const struct section *in = symbol_section(reading, symbol);
	struct function_to_add added = {.begin = symbol->value, .size = symbol->size};
	char name[FUNCTION_NAME_BYTES_MAX + 2];
	int64_t got;

	if (!in || !is_wanted(reading, symbol) || symbol->name >= names->size ||
	    reading->found++ >= ELF_VARIABLES_MAX)
		return;
	got = reading->elf.read_at(reading->elf.state, name, sizeof(name),
	                           names->offset + symbol->name);
	if (got <= 0)
		return;
	added.end = in->address + in->size;
	added.binding = ELF64_ST_BIND(symbol->info) == STB_LOCAL  ? FUNCTION_LOCAL
	                : ELF64_ST_BIND(symbol->info) == STB_WEAK ? FUNCTION_WEAK
	                                                          : FUNCTION_GLOBAL;
	added.name = name;
	added.name_length = strnlen(name, (size_t)got);
	function_table_add(&reading->variables->table, &added);
}

/* False if the table is not all read. */
static bool symbols_read(struct reading *reading, const struct section *table)
{
	const struct section *names = table->link < reading->section_count
	                                      ? &reading->section[table->link]
	                                      : NULL;
	size_t size = reading->elf.is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	size_t chunk = CHUNK_BYTES / size * size;
	_cleanup_(freep) uint8_t *bytes = xmalloc(chunk);
	uint64_t at = 0;

	if (!names || names->type != SHT_STRTAB || table->size > SYMBOL_BYTES_MAX ||
	    (table->flags | names->flags) & SHF_COMPRESSED)
		return false;
	while (at < table->size) {
		size_t wanted = table->size - at < chunk ? (size_t)(table->size - at) : chunk;
		struct symbol symbol;

		if (elf_read(&reading->elf, bytes, wanted, table->offset + at) < 0)
			return false;
		for (size_t i = 0; i + size <= wanted; i += size) {
			symbol_load(&reading->elf, bytes + i, &symbol);
			symbol_take(reading, names, &symbol);
		}
		at += wanted;
	}
	return reading->found < ELF_VARIABLES_MAX;
}

static void places_want(struct reading *reading, const struct user_place *place, size_t count)
{
	const struct elf_variables *variables = reading->variables;

	reading->wanted = xreallocarray(NULL, count + 1, sizeof(*reading->wanted));
	for (size_t i = 0; i < count; i++) {
		const struct code_part *part = code_part_find(
			variables->part, variables->part_count, place[i].offset);

		if (part)
			reading->wanted[reading->wanted_count++] =
				code_part_address(part, &place[i]);
	}
	array_sort(reading->wanted, reading->wanted_count, sizeof(*reading->wanted), u64_compare);
}

static int reading_run(struct reading *reading, const struct user_place *place, size_t count)
{
	uint8_t head[sizeof(Elf64_Ehdr)];
	int r = elf_read_head(&reading->elf, head);

	if (r == 0)
		r = parts_read(reading, head);
	if (r == 0)
		r = sections_read(reading, head);
	if (r < 0)
		return r;
	places_want(reading, place, count);
	for (size_t i = 0; i < reading->section_count; i++) {
		const struct section *section = &reading->section[i];

		if (section->type == SHT_SYMTAB)
			reading->variables->has_all |= symbols_read(reading, section);
		else if (section->type == SHT_DYNSYM)
			(void)symbols_read(reading, section);
	}
	function_table_sort(&reading->variables->table);
	return 0;
}

int elf_variables_read(struct elf_variables *variables, elf_reader read_at, void *state,
                       const struct user_place *place, size_t count)
{
	struct reading reading = {
		.elf = {.read_at = read_at, .state = state},
		.variables = variables,
	};
	int r;

	*variables = (struct elf_variables){0};
	function_table_init(&variables->table, ELF_VARIABLES_MAX);
	r = reading_run(&reading, place, count);
	reading_release(&reading);
	return r;
}

void elf_variables_release(struct elf_variables *variables)
{
	function_table_release(&variables->table);
}

const char *elf_variables_name(const struct elf_variables *variables,
                               const struct user_place *place, uint64_t *ret_within)
{
	const struct code_part *part =
		code_part_find(variables->part, variables->part_count, place->offset);
	uint64_t address = part ? code_part_address(part, place) : 0;
	const struct function *found =
		part ? function_table_find(&variables->table, address) : NULL;

	if (!found)
		return NULL;
	*ret_within = address - found->begin;
	return function_table_name(&variables->table, found);
}
