/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_builder.h"

#include <elf.h>
#include <string.h>

#include "base/data/array.h"

enum part {
	PART_NONE,
	PART_NOTE,
	PART_TEXT,
	PART_SYMBOLS,
	PART_SYMBOL_NAMES,
	PART_EXPORTED,
	PART_EXPORTED_NAMES,
	PART_LINK,
	PART_PACKED,
	PART_NAMES,
	PARTS,
};

struct section {
	const char *name;
	uint32_t type, link, entry_bytes;
	uint64_t offset, size, address;
};

struct building {
	const struct built_program *program;
	struct buffer *to;
	struct section section[PARTS];
};

static void put(const struct building *building, unsigned bytes, uint64_t value)
{
	for (unsigned i = 0; i < bytes; i++) {
		unsigned at = building->program->is_big ? bytes - 1 - i : i;

		buffer_putc(building->to, (char)(value >> (8 * at)));
	}
}

/* A word of the class's size. */
static void put_word(const struct building *building, uint64_t value)
{
	put(building, building->program->is_narrow ? 4 : 8, value);
}

static void pad_to(struct buffer *to, size_t length)
{
	while (to->length < length)
		buffer_putc(to, '\0');
}

static void begin(struct building *building, enum part part, const char *name, uint32_t type)
{
	pad_to(building->to, (building->to->length + 7) & ~(size_t)7);
	building->section[part] = (struct section){
		.name = name, .type = type, .offset = building->to->length};
}

static void end(struct building *building, enum part part)
{
	building->section[part].size = building->to->length - building->section[part].offset;
}

static void put_note(struct building *building)
{
	const char *id = building->program->build_id;

	if (!id)
		return;
	begin(building, PART_NOTE, ".note.gnu.build-id", SHT_NOTE);
	put(building, 4, sizeof("GNU"));
	put(building, 4, strlen(id));
	put(building, 4, NT_GNU_BUILD_ID);
	buffer_append(building->to, "GNU", sizeof("GNU"));
	buffer_puts(building->to, id);
	end(building, PART_NOTE);
}

static void put_symbol(const struct building *building, const struct built_symbol *symbol,
                       uint32_t name)
{
	uint8_t info = (uint8_t)(symbol->binding << 4 | symbol->type);
	uint16_t section = symbol->is_undefined ? SHN_UNDEF : PART_TEXT;

	put(building, 4, name);
	if (building->program->is_narrow) {
		put(building, 4, symbol->address);
		put(building, 4, symbol->size);
	}
	put(building, 1, info);
	put(building, 1, 0);
	put(building, 2, section);
	if (!building->program->is_narrow) {
		put(building, 8, symbol->address);
		put(building, 8, symbol->size);
	}
}

/* A table and the names of it, whose section is the next one. */
static void put_symbols(struct building *building, enum part part, uint32_t type,
                        const struct built_symbol *symbols)
{
	static const struct built_symbol none = {0};
	bool is_exported = type == SHT_DYNSYM;
	uint32_t name = 1;

	if (!symbols)
		return;
	begin(building, part, is_exported ? ".dynsym" : ".symtab", type);
	building->section[part].link = part + 1;
	building->section[part].entry_bytes = building->program->is_narrow ? 16 : 24;
	put_symbol(building, &none, 0);
	for (const struct built_symbol *symbol = symbols; symbol->name; symbol++) {
		put_symbol(building, symbol, name);
		name += (uint32_t)strlen(symbol->name) + 1;
	}
	end(building, part);
	begin(building, part + 1, is_exported ? ".dynstr" : ".strtab", SHT_STRTAB);
	buffer_putc(building->to, '\0');
	for (const struct built_symbol *symbol = symbols; symbol->name; symbol++)
		buffer_append(building->to, symbol->name, strlen(symbol->name) + 1);
	end(building, part + 1);
}

static void put_ways(struct building *building)
{
	const struct built_program *program = building->program;

	if (program->link) {
		begin(building, PART_LINK, ".gnu_debuglink", SHT_PROGBITS);
		buffer_append(building->to, program->link, strlen(program->link) + 1);
		pad_to(building->to, (building->to->length + 3) & ~(size_t)3);
		put(building, 4, program->crc);
		end(building, PART_LINK);
	}
	if (program->packed) {
		begin(building, PART_PACKED, ".gnu_debugdata", SHT_PROGBITS);
		buffer_append(building->to, program->packed->text, program->packed->length);
		end(building, PART_PACKED);
	}
}

static void put_names(struct building *building)
{
	begin(building, PART_NAMES, ".shstrtab", SHT_STRTAB);
	buffer_putc(building->to, '\0');
	for (int i = 1; i < PARTS; i++) {
		const char *name = building->section[i].name;

		if (name)
			buffer_append(building->to, name, strlen(name) + 1);
	}
	end(building, PART_NAMES);
}

static void put_section(const struct building *building, const struct section *section,
                        uint32_t name)
{
	put(building, 4, name);
	put(building, 4, section->type);
	put_word(building, section->type == SHT_PROGBITS || section->type == SHT_NOBITS
	                           ? SHF_ALLOC | SHF_EXECINSTR |
	                                     (building->program->is_writable ? SHF_WRITE : 0)
	                           : 0);
	put_word(building, section->address);
	put_word(building, section->offset);
	put_word(building, section->size);
	put(building, 4, section->link);
	put(building, 4, 0);
	put_word(building, section->type == SHT_NOTE ? 4 : 1);
	put_word(building, section->entry_bytes);
}

static void put_sections(struct building *building)
{
	uint32_t name = 1;

	for (int i = 0; i < PARTS; i++) {
		const struct section *section = &building->section[i];

		put_section(building, section, section->name ? name : 0);
		if (section->name)
			name += (uint32_t)strlen(section->name) + 1;
	}
}

static void put_header(const struct building *building, uint64_t sections)
{
	const struct built_program *program = building->program;
	const char ident[EI_NIDENT] = {
		0x7f, 'E', 'L', 'F', program->is_narrow ? ELFCLASS32 : ELFCLASS64,
		program->is_big ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT};

	buffer_append(building->to, ident, sizeof(ident));
	put(building, 2, ET_DYN);
	put(building, 2, program->machine);
	put(building, 4, EV_CURRENT);
	put_word(building, 0);
	put_word(building, program->is_narrow ? 52 : 64);
	put_word(building, sections);
	put(building, 4, 0);
	put(building, 2, program->is_narrow ? 52 : 64);
	put(building, 2, program->is_narrow ? 32 : 56);
	put(building, 2, 1);
	put(building, 2, program->is_narrow ? 40 : 64);
	put(building, 2, PARTS);
	put(building, 2, PART_NAMES);
}

static void put_part(const struct building *building)
{
	const struct built_program *program = building->program;

	put(building, 4, PT_LOAD);
	if (!program->is_narrow)
		put(building, 4, PF_R | PF_X);
	put_word(building, BUILT_TEXT_OFFSET);
	put_word(building, BUILT_TEXT_ADDRESS);
	put_word(building, BUILT_TEXT_ADDRESS);
	put_word(building, program->is_debug_file ? 0 : BUILT_TEXT_BYTES);
	put_word(building, BUILT_TEXT_BYTES);
	if (program->is_narrow)
		put(building, 4, PF_R | PF_X);
	put_word(building, 0x1000);
}

static void put_text(struct building *building)
{
	struct section *text = &building->section[PART_TEXT];
	bool is_absent = building->program->is_debug_file;

	pad_to(building->to, BUILT_TEXT_OFFSET);
	begin(building, PART_TEXT, ".text", is_absent ? SHT_NOBITS : SHT_PROGBITS);
	if (!is_absent)
		pad_to(building->to, BUILT_TEXT_OFFSET + BUILT_TEXT_BYTES);
	text->size = BUILT_TEXT_BYTES;
	text->address = BUILT_TEXT_ADDRESS;
}

/* The header is made last, when it is known where the sections are. */
void elf_build(const struct built_program *program, struct buffer *to)
{
	struct buffer body;
	struct building building = {.program = program, .to = &body};
	uint64_t sections;

	buffer_init(&body, BUFFER_LIMIT_DEFAULT);
	pad_to(&body, 0x100);
	put_note(&building);
	put_text(&building);
	put_symbols(&building, PART_SYMBOLS, SHT_SYMTAB, program->symbol);
	put_symbols(&building, PART_EXPORTED, SHT_DYNSYM, program->exported);
	put_ways(&building);
	put_names(&building);
	pad_to(&body, (body.length + 7) & ~(size_t)7);
	sections = body.length;
	put_sections(&building);
	building.to = to;
	put_header(&building, sections);
	put_part(&building);
	buffer_append(to, body.text + to->length, body.length - to->length);
	buffer_release(&body);
}
