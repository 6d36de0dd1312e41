/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf_image.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/file/elf_file.h"
#include "unxz.h"

#define HEADERS_MAX      4096u
#define NOTE_BYTES_MAX   (1u << 20) /* limit on all notes together */
#define SECTION_NAMES_BYTES_MAX (1u << 20)
#define SYMBOL_BYTES_MAX (256u << 20)
#define NAME_BYTES_MAX   (512u << 20)
#define MINI_BYTES_MAX   (64u << 20)

static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

bool build_id_parse(const char *text, struct build_id *ret)
{
	struct build_id id = {0};

	for (; text[0]; text += 2) {
		int high = digit_value(text[0]), low = high < 0 ? -1 : digit_value(text[1]);

		if (low < 0 || id.length == BUILD_ID_BYTES_MAX)
			return false;
		id.byte[id.length++] = (uint8_t)(high << 4 | low);
	}
	if (id.length < 2)
		return false;
	*ret = id;
	return true;
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->length == b->length && memcmp(a->byte, b->byte, a->length) == 0;
}

/* Whether the counts are in the header. Counts that are too large for it are stored elsewhere and
   may have any value, and libelf would allocate for them; no real program has such counts. */
static bool is_plain_header(const uint8_t *bytes, size_t size)
{
	struct elf_file elf = {0};
	Elf64_Ehdr header;

	return elf_head_load(&elf, bytes, size, &header) && header.e_phnum != PN_XNUM &&
	       (header.e_shnum != 0 || header.e_shoff == 0);
}

static bool build_id_of_notes(Elf_Data *notes, struct build_id *ret)
{
	size_t at = 0, next, name, content;
	GElf_Nhdr header;

	for (; notes && notes->d_size && (next = gelf_getnote(notes, at, &header, &name, &content));
	     at = next) {
		if (header.n_type != NT_GNU_BUILD_ID || header.n_namesz != sizeof("GNU") ||
		    memcmp((char *)notes->d_buf + name, "GNU", sizeof("GNU")) != 0 ||
		    header.n_descsz == 0 || header.n_descsz > BUILD_ID_BYTES_MAX)
			continue;
		ret->length = header.n_descsz;
		memcpy(ret->byte, (char *)notes->d_buf + content, ret->length);
		return true;
	}
	return false;
}

static bool elf_image_id_of_sections(struct elf_image *image, uint64_t room)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE ||
		    header.sh_size > room)
			continue;
		room -= header.sh_size;
		if (build_id_of_notes(elf_getdata(section, NULL), &image->id))
			return true;
	}
	return false;
}

static void elf_image_id_of_parts(struct elf_image *image, uint64_t room)
{
	size_t count = 0;
	GElf_Phdr part;

	(void)elf_getphdrnum(image->elf, &count);
	for (size_t i = 0; i < count && i < HEADERS_MAX; i++) {
		Elf_Data *notes;

		if (!gelf_getphdr(image->elf, (int)i, &part) || part.p_type != PT_NOTE ||
		    part.p_filesz > room || part.p_offset > INT64_MAX)
			continue;
		room -= part.p_filesz;
		notes = elf_getdata_rawchunk(image->elf, (int64_t)part.p_offset,
		                             (size_t)part.p_filesz,
		                             part.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (build_id_of_notes(notes, &image->id))
			return;
	}
}

static bool elf_image_read_header(struct elf_image *image)
{
	GElf_Ehdr header;

	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
	    !gelf_getehdr(image->elf, &header) ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN)) {
		elf_image_close(image);
		return false;
	}
	image->machine = header.e_machine;
	/* the program headers are tried, too, as sections may be cut off; in a separate debug file
	   they point to nothing */
	if (!elf_image_id_of_sections(image, NOTE_BYTES_MAX))
		elf_image_id_of_parts(image, NOTE_BYTES_MAX);
	return true;
}

/* The file is read, never mapped: access to a mapped file that is truncated raises SIGBUS. */
bool elf_image_open(struct elf_image *image, int fd)
{
	uint8_t header[sizeof(Elf64_Ehdr)];
	ssize_t got = pread(fd, header, sizeof(header), 0);

	*image = (struct elf_image){.fd = fd};
	(void)elf_version(EV_CURRENT);
	if (got > 0 && is_plain_header(header, (size_t)got))
		image->elf = elf_begin(fd, ELF_C_READ, NULL);
	return elf_image_read_header(image);
}

bool elf_image_open_memory(struct elf_image *image, void *memory, size_t size)
{
	*image = (struct elf_image){.fd = -1, .owned = memory};
	(void)elf_version(EV_CURRENT);
	if (is_plain_header(memory, size))
		image->elf = elf_memory(memory, size);
	return elf_image_read_header(image);
}

void elf_image_close(struct elf_image *image)
{
	if (image->elf)
		(void)elf_end(image->elf);
	if (image->fd >= 0)
		(void)close(image->fd);
	free(image->owned);
	*image = ELF_IMAGE_NONE;
}

size_t elf_image_code_parts(struct elf_image *image, struct code_part ret[static CODE_PARTS_MAX])
{
	size_t count = 0, found = 0;
	GElf_Phdr part;

	(void)elf_getphdrnum(image->elf, &count);
	for (size_t i = 0; i < count && i < HEADERS_MAX && found < CODE_PARTS_MAX; i++) {
		if (gelf_getphdr(image->elf, (int)i, &part) && elf_has_code(&part))
			ret[found++] = (struct code_part){part.p_offset, part.p_filesz,
			                                  part.p_vaddr};
	}
	return found;
}

static Elf_Data *section_data(Elf_Scn *section, const GElf_Shdr *header, size_t limit)
{
	/* no usual tool makes a table of symbols that is compressed */
	if (header->sh_type == SHT_NOBITS || header->sh_size > limit ||
	    header->sh_flags & SHF_COMPRESSED)
		return NULL;
	return elf_getdata(section, NULL);
}

/* False: the symbol's section is not known. */
static bool section_of_symbol(struct elf_image *image, const GElf_Sym *symbol, GElf_Shdr *ret)
{
	return symbol->st_shndx < SHN_LORESERVE &&
	       gelf_getshdr(elf_getscn(image->elf, symbol->st_shndx), ret) &&
	       elf_section_holds(ret, symbol);
}

/* The address at which the function begins: on machines with two instruction sets, bit 0 of the
   symbol's value selects one of these. */
static uint64_t symbol_begin(const struct elf_image *image, const GElf_Sym *symbol)
{
	return image->machine == EM_ARM || image->machine == EM_MIPS ? symbol->st_value & ~1ull
	                                                             : symbol->st_value;
}

static bool is_function(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx != SHN_ABS && symbol->st_value != 0;
}

static void elf_image_add_symbols(struct elf_image *image, Elf_Data *symbols, const Elf_Data *names,
                                  const struct symbol_tables *to)
{
	GElf_Sym symbol;

	for (int i = 0; gelf_getsym(symbols, i, &symbol); i++) {
		struct function_to_add added;
		GElf_Shdr section;
		bool is_code = is_function(&symbol);
		bool is_within = section_of_symbol(image, &symbol, &section);

		if (symbol.st_name >= names->d_size ||
		    !(is_code || (is_within && elf_is_variable(&symbol, &section))))
			continue;
		added.begin = is_code ? symbol_begin(image, &symbol) : symbol.st_value;
		added.size = symbol.st_size;
		added.end = is_within ? section.sh_addr + section.sh_size : UINT64_MAX;
		added.binding = elf_symbol_binding(&symbol);
		added.name = (const char *)names->d_buf + symbol.st_name;
		added.name_length = strnlen(added.name, names->d_size - symbol.st_name);
		function_table_add(is_code ? to->functions : to->variables, &added);
	}
}

/* The first section of that type; NULL: there is none. */
static Elf_Scn *section_of_type(Elf *elf, uint32_t type, GElf_Shdr *ret_header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, ret_header) && ret_header->sh_type == type)
			return section;
	return NULL;
}

bool elf_image_symbols(struct elf_image *image, uint32_t type, Elf_Data **ret_symbols,
                       Elf_Data **ret_names)
{
	GElf_Shdr header, name_header;
	Elf_Scn *section = section_of_type(image->elf, type, &header);
	Elf_Scn *name_section;

	if (!section)
		return false;
	name_section = elf_getscn(image->elf, header.sh_link);
	if (!gelf_getshdr(name_section, &name_header) || name_header.sh_type != SHT_STRTAB)
		return false;
	*ret_symbols = section_data(section, &header, SYMBOL_BYTES_MAX);
	*ret_names = section_data(name_section, &name_header, NAME_BYTES_MAX);
	return *ret_symbols && *ret_names && (*ret_symbols)->d_buf && (*ret_names)->d_buf;
}

bool elf_image_add_names(struct elf_image *image, uint32_t type, const struct symbol_tables *to)
{
	Elf_Data *symbols, *names;

	if (!elf_image_symbols(image, type, &symbols, &names))
		return false;
	elf_image_add_symbols(image, symbols, names, to);
	return true;
}

static bool is_text(const Elf_Data *texts, size_t at, const char *wanted)
{
	size_t bytes = strlen(wanted) + 1;

	return at < texts->d_size && texts->d_size - at >= bytes &&
	       memcmp((const char *)texts->d_buf + at, wanted, bytes) == 0;
}

static Elf_Data *elf_image_section(struct elf_image *image, const char *wanted, size_t limit)
{
	Elf_Scn *section = NULL;
	size_t names_index;
	Elf_Data *names, *data;
	GElf_Shdr header;

	if (elf_getshdrstrndx(image->elf, &names_index) != 0 ||
	    !gelf_getshdr(elf_getscn(image->elf, names_index), &header))
		return NULL;
	names = section_data(elf_getscn(image->elf, names_index), &header, SECTION_NAMES_BYTES_MAX);
	if (!names || !names->d_buf)
		return NULL;
	while ((section = elf_nextscn(image->elf, section))) {
		if (!gelf_getshdr(section, &header) || !is_text(names, header.sh_name, wanted))
			continue;
		data = section_data(section, &header, limit);
		return data && data->d_buf ? data : NULL;
	}
	return NULL;
}

bool elf_image_debug_link(struct elf_image *image, struct debug_link *ret)
{
	Elf_Data *data = elf_image_section(image, ".gnu_debuglink",
	                                   DEBUG_LINK_BYTES_MAX + 2 * sizeof(uint32_t));
	const char *ident = elf_getident(image->elf, NULL);
	size_t length, crc_at;

	if (!data || !ident)
		return false;
	length = strnlen(data->d_buf, data->d_size);
	crc_at = (length + sizeof(uint32_t)) & ~(sizeof(uint32_t) - 1);
	if (length == 0 || length >= DEBUG_LINK_BYTES_MAX ||
	    crc_at + sizeof(uint32_t) > data->d_size || memchr(data->d_buf, '/', length))
		return false;
	memcpy(ret->name, data->d_buf, length);
	ret->name[length] = '\0';
	ret->crc = load_u32((const uint8_t *)data->d_buf + crc_at,
	                    (ident[EI_DATA] == ELFDATA2MSB) != byte_order_is_big());
	return strcmp(ret->name, ".") != 0 && strcmp(ret->name, "..") != 0;
}

bool elf_image_open_mini(struct elf_image *image, struct elf_image *ret)
{
	Elf_Data *data = elf_image_section(image, ".gnu_debugdata", MINI_BYTES_MAX);
	uint8_t *unpacked;
	size_t size;

	return data && unxz(data->d_buf, data->d_size, MINI_BYTES_MAX, &unpacked, &size) == 0 &&
	       elf_image_open_memory(ret, unpacked, size);
}
