/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symfs_fixture.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "suites.h"
#include "symbolize/unxz.h"

char symfs_folder[64];
struct user_symbols *symbols;
static struct buffer lines;

const struct built_symbol whole_symbols[] = {
	{"first", BUILT_TEXT_ADDRESS, 0x20, STT_FUNC, STB_GLOBAL, false},
	{"hidden", BUILT_TEXT_ADDRESS + 0x20, 0x20, STT_FUNC, STB_LOCAL, false},
	{"chosen", BUILT_TEXT_ADDRESS + 0x40, 0x20, STT_GNU_IFUNC, STB_GLOBAL, false},
	{"_ZN2ns5Class6methodEi", BUILT_TEXT_ADDRESS + 0x60, 0x20, STT_FUNC, STB_WEAK, false},
	{"variable", BUILT_TEXT_ADDRESS + 0x80, 0x20, STT_OBJECT, STB_GLOBAL, false},
	{"$x", BUILT_TEXT_ADDRESS + 0x82, 0, STT_NOTYPE, STB_LOCAL, false},
	{"assembled", BUILT_TEXT_ADDRESS + 0xa0, 0, STT_FUNC, STB_GLOBAL, false},
	{"imported", BUILT_TEXT_ADDRESS + 0xa8, 0x10, STT_FUNC, STB_GLOBAL, true},
	{"last", BUILT_TEXT_ADDRESS + 0xff0, 0x100, STT_FUNC, STB_GLOBAL, false},
	{0},
};
static const struct built_symbol exported[] = {
	{"first", BUILT_TEXT_ADDRESS, 0x20, STT_FUNC, STB_GLOBAL, false},
	{0},
};
const struct built_program whole_program = {
	.machine = EM_X86_64, .build_id = ID, .symbol = whole_symbols, .exported = exported};
const struct built_program stripped_program = {
	.machine = EM_X86_64, .build_id = ID, .exported = exported, .link = "prog.debug"};
const struct built_program debug_file_program = {
	.machine = EM_X86_64, .build_id = ID, .symbol = whole_symbols, .is_debug_file = true};

void symfs_begin(void)
{
	struct user_symbols_setup setup = {.symfs = symfs_folder};

	(void)strcpy(symfs_folder, "/tmp/ftwait-symfs.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(symfs_folder));
	symbols = user_symbols_new(&setup);
	ck_assert_ptr_nonnull(symbols);
	buffer_init(&lines, BUFFER_LIMIT_DEFAULT);
}

void symfs_end(void)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf %s", symfs_folder);

	symbols = user_symbols_free(symbols);
	buffer_release(&lines);
	ck_assert_int_eq(system(command), 0);
}

void symbols_again(const char *symfs)
{
	struct user_symbols_setup setup = {.symfs = symfs};

	user_symbols_free(symbols);
	symbols = user_symbols_new(&setup);
	ck_assert_ptr_nonnull(symbols);
}

void write_bytes(const char *name, const char *bytes, size_t length)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", symfs_folder, name);
	FILE *file = fopen(path, "w");

	ck_assert_msg(file != NULL, "%s", path);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

void write_program(const char *name, const struct built_program *program)
{
	_cleanup_(freep) char *command =
		xasprintf("mkdir -p %s/%.*s", symfs_folder, (int)(strrchr(name, '/') - name), name);
	struct buffer bytes;

	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	elf_build(program, &bytes);
	ck_assert_int_eq(system(command), 0);
	write_bytes(name, bytes.text, bytes.length);
	buffer_release(&bytes);
}

const char *name_of(const char *build_id, uint64_t offset)
{
	const char *name =
		user_symbols_find(symbols, "/bin/prog", build_id, BUILT_TEXT_OFFSET + offset);

	return name ? name : "-";
}

static void add_line(void *context, const char *line)
{
	buffer_printf(context, "%s\n", line);
}

const char *lines_reported(void)
{
	buffer_clear(&lines);
	user_symbols_report(symbols, add_line, &lines);
	return lines.text ? lines.text : "";
}

bool is_skipped(const char *what)
{
	if (!user_symbols_is_able())
		printf("SKIP user_symbols, %s: built without libelf\n", what);
	return !user_symbols_is_able();
}

bool pack_bytes(const char *bytes, size_t length, struct buffer *to)
{
	_cleanup_(freep) char *command = xasprintf("xz -0 %s/unpacked 2> /dev/null", symfs_folder);
	_cleanup_(freep) char *path = xasprintf("%s/unpacked.xz", symfs_folder);
	uint8_t *unpacked = NULL;
	size_t size;
	char piece[4096];
	size_t got;
	FILE *file;

	if (unxz("", 0, 0, &unpacked, &size) == -ENOTSUP)
		return false;
	write_bytes("unpacked", bytes, length);
	if (system(command) != 0)
		return false;
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	buffer_clear(to);
	while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
		buffer_append(to, piece, got);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(unlink(path), 0);
	return true;
}

