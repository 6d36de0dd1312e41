/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_variables.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "symbol_lists.h"

#define SYMBOL_BYTES_MAX (64u << 20)
#define CHUNK_BYTES      65536u

/* One reading of a file. */
struct reading {
	struct elf_file elf;
	struct elf_variables *variables;
	Elf64_Shdr *section; /* owned */
	size_t section_count;
	uint64_t *wanted; /* addresses in the terms of the file, ascending; owned */
	size_t wanted_count;
	size_t found;     /* symbols around them */
};

/* The parts with code. */
static int parts_read(struct reading *reading, const Elf64_Ehdr *head)
{
	struct elf_variables *variables = reading->variables;
	struct elf_table segments;
	int r = elf_segments(&reading->elf, head, &segments);

	for (uint16_t i = 0; r == 0 && i < segments.count; i++) {
		Elf64_Phdr part;

		r = elf_segment_read(&reading->elf, &segments, i, &part);
		if (r == 0 && elf_has_code(&part) && variables->part_count < CODE_PARTS_MAX)
			variables->part[variables->part_count++] = (struct code_part){
				part.p_offset, part.p_filesz, part.p_vaddr};
	}
	return r;
}

static int sections_read(struct reading *reading, const Elf64_Ehdr *head)
{
	struct elf_table table;
	int r = elf_sections(&reading->elf, head, &table);

	if (r < 0)
		return r;
	reading->section = xcalloc(table.count + 1u, sizeof(*reading->section));
	for (; r == 0 && reading->section_count < table.count; reading->section_count++)
		r = elf_section_read(&reading->elf, &table, (uint16_t)reading->section_count,
		                     &reading->section[reading->section_count]);
	return r;
}

static bool is_wanted(const struct reading *reading, const Elf64_Sym *symbol)
{
	size_t at = array_lower_bound_u64(reading->wanted, reading->wanted_count,
	                                  sizeof(*reading->wanted), symbol->st_value);

	return at < reading->wanted_count &&
	       reading->wanted[at] - symbol->st_value < symbol->st_size;
}

static void symbol_take(struct reading *reading, const Elf64_Shdr *names, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *in = symbol->st_shndx < reading->section_count
	                               ? &reading->section[symbol->st_shndx]
	                               : NULL;
	struct function_to_add added = {.begin = symbol->st_value, .size = symbol->st_size};
	char name[FUNCTION_NAME_BYTES_MAX + 2];
	int64_t got;

	if (!in || !elf_is_variable(symbol, in) || !is_wanted(reading, symbol) ||
	    symbol->st_name >= names->sh_size || reading->found++ >= ELF_VARIABLES_MAX)
		return;
	got = reading->elf.read_at(reading->elf.state, name, sizeof(name),
	                           names->sh_offset + symbol->st_name);
	if (got <= 0)
		return;
	added.end = in->sh_addr + in->sh_size;
	added.binding = elf_symbol_binding(symbol);
	added.name = name;
	added.name_length = strnlen(name, (size_t)got);
	function_table_add(&reading->variables->table, &added);
}

/* False if the table is not all read. */
static bool symbols_read(struct reading *reading, const Elf64_Shdr *table)
{
	const Elf64_Shdr *names = table->sh_link < reading->section_count
	                                  ? &reading->section[table->sh_link]
	                                  : NULL;
	size_t size = elf_symbol_bytes(&reading->elf), chunk = CHUNK_BYTES / size * size;
	_cleanup_(freep) uint8_t *bytes = xmalloc(chunk);
	uint64_t at = 0;

	if (!names || names->sh_type != SHT_STRTAB || table->sh_size > SYMBOL_BYTES_MAX ||
	    (table->sh_flags | names->sh_flags) & SHF_COMPRESSED)
		return false;
	while (at < table->sh_size) {
		size_t wanted = table->sh_size - at < chunk ? (size_t)(table->sh_size - at) : chunk;
		Elf64_Sym symbol;

		if (elf_read(&reading->elf, bytes, wanted, table->sh_offset + at) < 0)
			return false;
		for (size_t i = 0; i + size <= wanted; i += size) {
			elf_symbol_load(&reading->elf, bytes + i, &symbol);
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
	addresses_sort(reading->wanted, reading->wanted_count);
}

static int reading_run(struct reading *reading, const struct user_place *place, size_t count)
{
	Elf64_Ehdr head;
	int r = elf_read_head(&reading->elf, &head);

	if (r == 0)
		r = parts_read(reading, &head);
	if (r == 0)
		r = sections_read(reading, &head);
	if (r < 0)
		return r;
	places_want(reading, place, count);
	for (size_t i = 0; i < reading->section_count; i++) {
		const Elf64_Shdr *section = &reading->section[i];

		if (section->sh_type == SHT_SYMTAB)
			reading->variables->has_all |= symbols_read(reading, section);
		else if (section->sh_type == SHT_DYNSYM)
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
	free(reading.section);
	free(reading.wanted);
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
