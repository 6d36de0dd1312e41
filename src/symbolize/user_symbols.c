/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/code/function_table.h"
#include "base/data/array.h"
#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "demangle.h"
#include "elf_image.h"
#include "file_tree.h"

/*
 * Separate debug files, in the places where Debian, Fedora and GDB have them. By build id:
 * .build-id/ab/cdef.debug and usr/lib/debug/.build-id/ab/cdef.debug of the tree,
 * /usr/lib/debug/.build-id/ab/cdef.debug of this machine. By the program's debug link: FOLDER/NAME,
 * FOLDER/.debug/NAME, usr/lib/debug/FOLDER/NAME of the tree. A file counts only if its build id is
 * the program's; if the program has no build id, the checksum of the link must be right.
 */

#define PATH_BYTES_MAX 4096
#define READ_BYTES     (256u << 10)
/* Limit on the size of a file of which a checksum is computed. */
#define CHECKED_BYTES_MAX (1u << 30)

static bool has_crc(int fd, uint32_t wanted)
{
	_cleanup_(freep) uint8_t *piece = xmalloc(READ_BYTES);
	uint32_t crc = 0;
	ssize_t got;

	for (off_t at = 0; at < CHECKED_BYTES_MAX; at += got) {
		got = pread(fd, piece, READ_BYTES, at);
		if (got <= 0)
			return got == 0 && crc == wanted;
		crc = (uint32_t)crc32(crc, piece, (uInt)got);
	}
	return false;
}

/* Whether the file is the program's debug file. `link` NULL: only the build id is compared. */
static bool is_wanted(const struct elf_image *file, const struct build_id *id,
                      const struct debug_link *link)
{
	if (id->length)
		return build_id_equal(id, &file->id);
	return link && has_crc(file->fd, link->crc);
}

static bool try_open(const struct file_tree *tree, const char *path, const struct build_id *id,
                     const struct debug_link *link, struct elf_image *ret)
{
	int fd = file_tree_open_file(tree, path);

	if (fd < 0 || !elf_image_open(ret, fd))
		return false;
	if (is_wanted(ret, id, link))
		return true;
	elf_image_close(ret);
	return false;
}

static void put_id_path(struct buffer *to, const char *folder, const struct build_id *id)
{
	buffer_clear(to);
	buffer_printf(to, "%s/.build-id/%02x/", folder, id->byte[0]);
	for (size_t i = 1; i < id->length; i++)
		buffer_printf(to, "%02x", id->byte[i]);
	buffer_puts(to, ".debug");
}

static bool open_by_id(const struct file_tree *tree, const struct build_id *id, struct buffer *path,
                       struct elf_image *ret)
{
	struct file_tree machine;
	bool is_open = false;

	if (id->length < 2)
		return false;
	put_id_path(path, "", id);
	if (try_open(tree, path->text, id, NULL, ret))
		return true;
	put_id_path(path, "/usr/lib/debug", id);
	if (try_open(tree, path->text, id, NULL, ret))
		return true;
	if (file_tree_open(&machine, "/") == 0)
		is_open = try_open(&machine, path->text, id, NULL, ret);
	file_tree_close(&machine);
	return is_open;
}

static bool open_by_link(const struct file_tree *tree, const char *program_path,
                         const struct build_id *id, const struct debug_link *link,
                         struct buffer *path, struct elf_image *ret)
{
	static const struct {
		const char *before, *between;
	} places[] = {{"", "/"}, {"", "/.debug/"}, {"/usr/lib/debug", "/"}};
	const char *slash = strrchr(program_path, '/');

	for (size_t i = 0; slash && i < ARRAY_SIZE(places); i++) {
		buffer_clear(path);
		buffer_puts(path, places[i].before);
		buffer_append(path, program_path, (size_t)(slash - program_path));
		buffer_puts(path, places[i].between);
		buffer_puts(path, link->name);
		if (!path->is_cut && try_open(tree, path->text, id, link, ret))
			return true;
	}
	return false;
}

/* Opens the debug file of the program at `path` that has that build id (length 0: none). `program`
   NULL: the program is missing. Returns false if there is no debug file. */
static bool debug_file_open(const struct file_tree *tree, const char *path,
		const struct build_id *id, struct elf_image *program, struct elf_image *ret)
{
	_cleanup_(buffer_release) struct buffer tried = buffer_of(PATH_BYTES_MAX);
	struct debug_link link;

	return open_by_id(tree, id, &tried, ret) ||
	       (program && elf_image_debug_link(program, &link) &&
	        open_by_link(tree, path, id, &link, &tried, ret));
}

#define LINE_BYTES_MAX (4 * PATH_BYTES_MAX + 256) /* one byte may be written as four characters */

static const char deleted_mark[] = " (deleted)";
static const char vdso_path[] = "[vdso]";

enum file_outcome {
	FILE_HAS_FUNCTIONS,
	FILE_IS_NONE, /* the path names no file */
	FILE_NOT_OPENED,
	FILE_NO_ELF,
	FILE_OTHER_BUILD,
	FILE_NO_ID,          /* the file has no build id, although one was recorded */
	FILE_ID_NOT_KNOWN,   /* a file is used only by its build id, which was not recorded */
	FILE_NO_FUNCTIONS,
	FILE_DEBUG_FILE_ONLY, /* only the debug file was found, which does not show where in the
	                         program's file a function is */
};

struct symbol_file {
	char *path, *build_id; /* as recorded; build_id may be NULL */
	enum file_outcome outcome;
	int error;             /* FILE_NOT_OPENED: errno */
	bool is_asked;         /* a function of it was looked up */
	bool lacks_variables;  /* one was looked up, but the file is not usable */
	bool is_unseen;        /* its build id was not recorded */
	bool is_exported_only;
	uint64_t nameless;     /* number of lookups without a result */
	struct code_part part[CODE_PARTS_MAX];
	size_t part_count;
	struct function_table functions, variables;
};

struct user_symbols {
	struct file_tree tree;
	bool is_symfs;
	struct symbol_file *file;
	size_t count, capacity;
	size_t function_count; /* of all files, with variables */
	bool is_full;          /* further files were left out */
	struct map by_hash;    /* by hash of path and build id */
	struct intern names;   /* demangled */
	struct buffer name;    /* buffer for a name while it is made */
};

bool user_symbols_is_able(void)
{
	return true;
}

struct user_symbols *user_symbols_new(const struct user_symbols_setup *setup)
{
	struct user_symbols *symbols;
	struct file_tree tree;
	int error = file_tree_open(&tree, setup->symfs ? setup->symfs : "/");

	if (error) {
		errno = -error;
		return NULL;
	}
	symbols = xcalloc(1, sizeof(*symbols));
	symbols->tree = tree;
	symbols->is_symfs = setup->symfs != NULL;
	map_init(&symbols->by_hash);
	intern_init(&symbols->names);
	buffer_init(&symbols->name, SYMBOL_NAME_MAX);
	return symbols;
}

struct user_symbols *user_symbols_free(struct user_symbols *symbols)
{
	if (!symbols)
		return NULL;
	for (size_t i = 0; i < symbols->count; i++) {
		free(symbols->file[i].path);
		free(symbols->file[i].build_id);
		function_table_release(&symbols->file[i].functions);
		function_table_release(&symbols->file[i].variables);
	}
	free(symbols->file);
	file_tree_close(&symbols->tree);
	map_release(&symbols->by_hash);
	intern_release(&symbols->names);
	buffer_release(&symbols->name);
	free(symbols);
	return NULL;
}

static bool is_deleted(const char *path, size_t *ret_length)
{
	size_t length = strlen(path), mark = sizeof(deleted_mark) - 1;

	if (length <= mark || strcmp(path + length - mark, deleted_mark) != 0)
		return false;
	*ret_length = length - mark;
	return true;
}

static enum file_outcome open_path(const struct user_symbols *symbols, struct symbol_file *file,
                                   const char *path, struct elf_image *ret)
{
	int fd = file_tree_open_file(&symbols->tree, path);

	if (fd < 0) {
		file->error = -fd;
		return FILE_NOT_OPENED;
	}
	return elf_image_open(ret, fd) ? FILE_HAS_FUNCTIONS : FILE_NO_ELF;
}

/* Limit on its size: it has one page or a few. */
#define VDSO_BYTES_MAX (256u << 10)

/* The size of the vDSO: the table of sections is at its end; 0 if there is none, as the size is not
   known then. */
static size_t vdso_size(const ElfW(Ehdr) *header)
{
	uint64_t end = (uint64_t)header->e_shoff + (uint64_t)header->e_shnum * header->e_shentsize;

	return header->e_shoff && end <= VDSO_BYTES_MAX ? (size_t)end : 0;
}

static bool vdso_open(struct elf_image *ret)
{
	ElfW(Ehdr) header;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the kernel passes it */
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	void *copy;
	size_t size;

	*ret = ELF_IMAGE_NONE;
	if (!vdso)
		return false;
	memcpy(&header, vdso, sizeof(header));
	size = vdso_size(&header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || !size)
		return false;
	copy = xmalloc(size);
	memcpy(copy, vdso, size);
	return elf_image_open_memory(ret, copy, size);
}

/* Opens the file at the recorded path. `id` NULL: the build id was not recorded, so any build is
   accepted. */
static enum file_outcome open_recorded(const struct user_symbols *symbols, struct symbol_file *file,
                                       const struct build_id *id, struct elf_image *ret)
{
	_cleanup_(freep) char *undeleted = NULL;
	enum file_outcome outcome;
	size_t length;

	if (strcmp(file->path, vdso_path) == 0) {
		if (!id)
			return FILE_ID_NOT_KNOWN;
		return vdso_open(ret) ? FILE_HAS_FUNCTIONS : FILE_OTHER_BUILD;
	}
	if (file->path[0] != '/' || strlen(file->path) >= PATH_BYTES_MAX)
		return FILE_IS_NONE;
	outcome = open_path(symbols, file, file->path, ret);
	if (outcome != FILE_NOT_OPENED || file->error != ENOENT || !is_deleted(file->path, &length))
		return outcome;
	if (!id)
		return FILE_ID_NOT_KNOWN;
	undeleted = xstrndup(file->path, length);
	return open_path(symbols, file, undeleted, ret);
}

static enum file_outcome compare_build(const struct elf_image *image, const struct build_id *id)
{
	if (!id || build_id_equal(&image->id, id))
		return FILE_HAS_FUNCTIONS;
	return image->id.length ? FILE_OTHER_BUILD : FILE_NO_ID;
}

/* Adds the program's exported symbols, and those of its table of symbols; if it has no such table,
   the symbols of the debug file or of MiniDebugInfo. */
static void symbol_file_add_names(const struct user_symbols *symbols, struct symbol_file *file,
                                  struct elf_image *image)
{
	const struct symbol_tables to = {&file->functions, &file->variables};
	struct elf_image other;

	(void)elf_image_add_names(image, SHT_DYNSYM, &to);
	if (elf_image_add_names(image, SHT_SYMTAB, &to))
		return;
	if (debug_file_open(&symbols->tree, file->path, &image->id, image, &other) ||
	    elf_image_open_mini(image, &other)) {
		file->is_exported_only =
			!elf_image_add_names(&other, SHT_SYMTAB, &to);
		elf_image_close(&other);
		return;
	}
	file->is_exported_only = true;
}

/* Opens the debug file without the program: the debug files of some strippers contain the program's
   layout. */
static bool symbol_file_open_debug_only(const struct user_symbols *symbols,
                                        struct symbol_file *file, const struct build_id *id,
                                        struct elf_image *ret)
{
	if (!id || !debug_file_open(&symbols->tree, file->path, id, NULL, ret))
		return false;
	file->outcome = FILE_DEBUG_FILE_ONLY;
	return true;
}

static void symbol_file_read(struct user_symbols *symbols, struct symbol_file *file,
                             struct elf_image *image)
{
	size_t room = symbols->function_count < USER_SYMBOLS_FUNCTIONS_ALL_MAX
	                      ? USER_SYMBOLS_FUNCTIONS_ALL_MAX - symbols->function_count
	                      : 0;

	room = room < USER_SYMBOLS_FUNCTIONS_MAX ? room : USER_SYMBOLS_FUNCTIONS_MAX;
	function_table_init(&file->functions, room);
	function_table_init(&file->variables, room / 2);
	file->part_count = elf_image_code_parts(image, file->part);
	symbol_file_add_names(symbols, file, image);
	function_table_sort(&file->functions);
	function_table_sort(&file->variables);
	symbols->function_count += file->functions.count + file->variables.count;
	if (file->functions.count && file->part_count)
		file->outcome = FILE_HAS_FUNCTIONS;
	else if (file->outcome == FILE_HAS_FUNCTIONS)
		file->outcome = FILE_NO_FUNCTIONS;
}

static void symbol_file_load(struct user_symbols *symbols, struct symbol_file *file)
{
	struct elf_image image = ELF_IMAGE_NONE;
	struct build_id recorded, *id = NULL;

	/* an invalid id counts as not recorded */
	if (file->build_id && build_id_parse(file->build_id, &recorded))
		id = &recorded;
	file->outcome = open_recorded(symbols, file, id, &image);
	if (file->outcome == FILE_HAS_FUNCTIONS) {
		file->is_unseen = !id;
		file->outcome = compare_build(&image, id);
	}
	if (file->outcome == FILE_HAS_FUNCTIONS) {
		symbol_file_read(symbols, file, &image);
	} else if (file->outcome != FILE_IS_NONE) {
		elf_image_close(&image);
		if (symbol_file_open_debug_only(symbols, file, id, &image))
			symbol_file_read(symbols, file, &image);
	}
	elf_image_close(&image);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = hash_mix(hash, (unsigned char)*text);
	return hash;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct symbol_file *user_symbols_add_file(struct user_symbols *symbols, const char *path,
                                                 const char *build_id, uint64_t hash)
{
	struct symbol_file *file;

	if (symbols->count >= USER_SYMBOLS_FILES_MAX) {
		symbols->is_full = true;
		return NULL;
	}
	ARRAY_GROW(symbols->file, symbols->count, symbols->capacity);
	map_put(&symbols->by_hash, hash, (uint32_t)symbols->count);
	file = &symbols->file[symbols->count++];
	*file = (struct symbol_file){.path = xstrdup(path)};
	file->build_id = build_id ? xstrdup(build_id) : NULL;
	symbol_file_load(symbols, file);
	return file;
}

/* The file with that path and build id; NULL: there are too many files. */
static struct symbol_file *user_symbols_file(struct user_symbols *symbols, const char *path,
                                             const char *build_id)
{
	uint64_t hash = hash_text(hash_mix(hash_text(0, path), 0), build_id ? build_id : "");
	uint32_t index;

	MAP_HASH_EACH(&symbols->by_hash, hash, index) {
		struct symbol_file *file = &symbols->file[index];

		if (strcmp(file->path, path) == 0 && is_same_text(file->build_id, build_id))
			return file;
	}
	return user_symbols_add_file(symbols, path, build_id, hash);
}

/* The demangled name, which is made at the first request. */
static const char *user_symbols_name(struct user_symbols *symbols,
                                     const struct function_table *functions,
                                     struct function *function)
{
	struct buffer *name = &symbols->name;

	if (!function->name_id) {
		buffer_clear(name);
		symbol_name_append(function_table_name(functions, function), name);
		function->name_id = intern_add(&symbols->names, name->text, name->length);
	}
	return intern_text(&symbols->names, function->name_id);
}

static struct function *symbol_file_find(struct symbol_file *file, uint64_t offset)
{
	for (size_t i = 0; i < file->part_count; i++) {
		const struct code_part *part = &file->part[i];

		if (offset >= part->offset && offset - part->offset < part->size)
			return function_table_find(&file->functions,
			                           part->address + (offset - part->offset));
	}
	return NULL;
}

const char *user_symbols_find(struct user_symbols *symbols, const char *path, const char *build_id,
                              uint64_t offset)
{
	struct symbol_file *file = user_symbols_file(symbols, path, build_id);
	struct function *function = file ? symbol_file_find(file, offset) : NULL;

	if (file)
		file->is_asked = true;
	if (function)
		return user_symbols_name(symbols, &file->functions, function);
	if (file)
		file->nameless++;
	return NULL;
}

const char *user_symbols_find_variable(struct user_symbols *symbols, const char *path,
                                       const char *build_id, const struct user_place *place,
                                       uint64_t *ret_within)
{
	struct symbol_file *file = user_symbols_file(symbols, path, build_id);
	const struct code_part *part =
		file ? code_part_find(file->part, file->part_count, place->offset) : NULL;
	struct function *variable;
	uint64_t address;

	if (file)
		file->lacks_variables = file->path[0] == '/' &&
		                        file->outcome != FILE_HAS_FUNCTIONS &&
		                        file->outcome != FILE_NO_FUNCTIONS;
	if (!part)
		return NULL;
	address = code_part_address(part, place);
	variable = function_table_find(&file->variables, address);
	if (!variable)
		return NULL;
	*ret_within = address - variable->begin;
	return user_symbols_name(symbols, &file->variables, variable);
}

static void put_not_opened(const struct user_symbols *symbols, const struct symbol_file *file,
                           struct buffer *to)
{
	switch (file->error) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
		buffer_puts(to, symbols->is_symfs ? "not found below --symfs"
		                                  : "not found; --symfs DIR says where files are");
		break;
	case EINVAL:
		buffer_puts(to, "not a regular file");
		break;
	default:
		buffer_puts(to, strerror(file->error));
	}
}

static void put_named(const struct symbol_file *file, struct buffer *to)
{
	if (file->is_unseen)
		buffer_puts(to, "named, but not known to be the build that was recorded");
	if (!file->is_exported_only || !file->nameless)
		return;
	if (to->length)
		buffer_puts(to, "; ");
	buffer_printf(to, "stripped, without debug symbols: %s address%s in no exported function",
	              COUNT_TEXT(file->nameless), file->nameless == 1 ? "" : "es");
}

/* Appends why names are missing or may be wrong; nothing if all is well. */
static void put_reason(const struct user_symbols *symbols, const struct symbol_file *file,
                       struct buffer *to)
{
	static const char *const words[] = {
		[FILE_IS_NONE] = "",
		[FILE_NO_ELF] = "not an ELF program, or damaged",
		[FILE_OTHER_BUILD] = "another build than was recorded (build id)",
		[FILE_NO_ID] = "has no build id, but the one that was recorded had",
		[FILE_ID_NOT_KNOWN] = "not used, because its build id was not recorded",
		[FILE_NO_FUNCTIONS] = "no symbols: it is stripped, and no debug file was found",
		[FILE_DEBUG_FILE_ONLY] = "only its debug file was found, which is not enough",
	};

	if (file->outcome == FILE_HAS_FUNCTIONS)
		put_named(file, to);
	else if (file->outcome == FILE_NOT_OPENED)
		put_not_opened(symbols, file, to);
	else
		buffer_puts(to, words[file->outcome]);
}

void user_symbols_report(struct user_symbols *symbols,
                         void (*on_line)(void *context, const char *line), void *context)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer reason = buffer_of(LINE_BYTES_MAX);
	unsigned shown = 0;
	size_t more = 0;

	for (size_t i = 0; i < symbols->count; i++) {
		if (!symbols->file[i].is_asked)
			continue;
		buffer_clear(&reason);
		put_reason(symbols, &symbols->file[i], &reason);
		if (!reason.length)
			continue;
		if (shown == USER_SYMBOLS_LINES_MAX - 1) {
			more++;
			continue;
		}
		buffer_clear(&line);
		buffer_puts_clean(&line, symbols->file[i].path, strlen(symbols->file[i].path));
		buffer_printf(&line, ": %s", reason.text);
		on_line(context, line.text);
		shown++;
	}
	if (more || symbols->is_full) {
		buffer_clear(&line);
		buffer_printf(&line, "%s%zu more file%s without names, or with doubtful ones",
		              symbols->is_full ? "at least " : "", more, format_plural(more));
		on_line(context, line.text);
	}
}

bool user_symbols_report_variables(struct user_symbols *symbols, struct buffer *line)
{
	_cleanup_(buffer_release) struct buffer reason = buffer_of(LINE_BYTES_MAX);
	size_t more = 0;

	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol_file *file = &symbols->file[i];
		bool is_first = reason.length == 0;

		if (!file->lacks_variables || file->is_asked)
			continue;
		if (is_first)
			put_reason(symbols, file, &reason);
		else
			more++;
		if (is_first && reason.length) {
			buffer_puts_clean(line, file->path, strlen(file->path));
			buffer_printf(line, ": %s", reason.text);
		}
	}
	if (more)
		buffer_printf(line, "; and %zu more file%s", more, format_plural(more));
	return reason.length > 0;
}
