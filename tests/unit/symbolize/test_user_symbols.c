/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbolize/user_symbols.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "suites.h"
#include "symbolize/demangle.h"
#include "symfs_fixture.h"

static void check_all_names(void)
{
	const char *method = demangle_is_able() ? "ns::Class::method" : "_ZN2ns5Class6methodEi";

	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	ck_assert_str_eq(name_of(HEX_ID, 0x1f), "first");
	ck_assert_str_eq(name_of(HEX_ID, 0x20), "hidden");
	ck_assert_str_eq(name_of(HEX_ID, 0x5f), "chosen");
	ck_assert_str_eq(name_of(HEX_ID, 0x70), method);
	ck_assert_ptr_eq(name_of(HEX_ID, 0x71), name_of(HEX_ID, 0x70));
	ck_assert_str_eq(name_of(HEX_ID, 0x88), "-");
	ck_assert_str_eq(name_of(HEX_ID, 0xa9), "assembled");
	ck_assert_str_eq(name_of(HEX_ID, BUILT_TEXT_BYTES - 1), "last");
	ck_assert_str_eq(name_of(HEX_ID, BUILT_TEXT_BYTES), "-");
	ck_assert_str_eq(name_of(HEX_ID, (uint64_t)-1), "-");
	ck_assert_str_eq(name_of(HEX_ID, UINT64_MAX / 2), "-");
	ck_assert_str_eq(lines_reported(), "");
}

/* A program without the layer has names of nothing, and nothing to say. */
START_TEST(test_absent)
{
	if (user_symbols_is_able())
		return;
	ck_assert_str_eq(name_of(NULL, 0), "-");
	ck_assert_str_eq(lines_reported(), "");
	ck_assert_ptr_null(user_symbols_free(NULL));
}
END_TEST

START_TEST(test_symbols)
{
	if (is_skipped("a program"))
		return;
	write_program("bin/prog", &whole_program);
	check_all_names();
}
END_TEST

/* Both classes and byte orders; where bit 0 says that the function is Thumb. */
START_TEST(test_machines)
{
	static const struct {
		uint16_t machine;
		bool is_narrow, is_big, has_mode;
	} machines[] = {{EM_ARM, true, false, true},    {EM_386, true, false, false},
	                {EM_S390, false, true, false},  {EM_PPC, true, true, false},
	                {EM_MIPS, true, true, true},    {EM_AARCH64, false, false, false}};
	struct built_symbol moded[16];
	struct built_program program = whole_program;

	if (is_skipped("programs of other machines"))
		return;
	for (size_t i = 0; i == 0 || whole_symbols[i - 1].name; i++) {
		moded[i] = whole_symbols[i];
		moded[i].address |= machines[_i].has_mode && moded[i].type == STT_FUNC;
	}
	program.symbol = moded;
	program.machine = machines[_i].machine;
	program.is_narrow = machines[_i].is_narrow;
	program.is_big = machines[_i].is_big;
	write_program("bin/prog", &program);
	check_all_names();
}
END_TEST

START_TEST(test_builds)
{
	struct built_program program = whole_program;

	if (is_skipped("build ids"))
		return;
	write_program("bin/prog", &program);
	ck_assert_str_eq(name_of(OTHER_HEX_ID, 0), "-");
	ck_assert_str_eq(lines_reported(),
	                 "/bin/prog: another build than was recorded (build id)\n");
	/* a part of an id is another one */
	ck_assert_str_eq(name_of("3031", 0), "-");
	ck_assert_str_eq(name_of("303132333435363738396162636465666768696A", 0), "first");
	symbols_again(symfs_folder);
	ck_assert_str_eq(name_of(NULL, 0), "first");
	ck_assert_str_eq(lines_reported(), "/bin/prog: named, but not known to be the build that "
	                         "was recorded\n");
	program.build_id = NULL;
	write_program("bin/prog", &program);
	symbols_again(symfs_folder);
	ck_assert_str_eq(name_of(HEX_ID, 0), "-");
	ck_assert_str_eq(lines_reported(), "/bin/prog: has no build id, but the one that was recorded had\n");
}
END_TEST

/* What is no id is none that was recorded. */
START_TEST(test_ids_that_are_none)
{
	static const char *const ids[] = {
		"", "3", "30", "zz31", "303132333435363738396162636465666768696a0",
		("303132333435363738396162636465666768696a303132333435363738396162636465666768696a"
		 "303132333435363738396162636465666768696a303132333435363738396162636465666768696a")};

	if (is_skipped("ids that are none"))
		return;
	write_program("bin/prog", &whole_program);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		ck_assert_str_eq(name_of(ids[i], 0), "first");
	ck_assert_ptr_nonnull(strstr(lines_reported(), "named, but not known"));
}
END_TEST

START_TEST(test_stripped)
{
	if (is_skipped("a stripped program"))
		return;
	write_program("bin/prog", &stripped_program);
	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	ck_assert_str_eq(lines_reported(), "");
	ck_assert_str_eq(name_of(HEX_ID, 0x20), "-");
	ck_assert_str_eq(name_of(HEX_ID, 0x21), "-");
	ck_assert_str_eq(lines_reported(), "/bin/prog: stripped, without debug symbols: 2 addresses in no "
	                         "exported function\n");
}
END_TEST

static const char *const debug_places[] = {
	".build-id/" ID_PATH, "usr/lib/debug/.build-id/" ID_PATH, "bin/prog.debug",
	"bin/.debug/prog.debug", "usr/lib/debug/bin/prog.debug"};

START_TEST(test_debug_file)
{
	struct built_program other = debug_file_program;

	if (is_skipped("a separate debug file"))
		return;
	write_program("bin/prog", &stripped_program);
	write_program(debug_places[_i], &debug_file_program);
	check_all_names();
	other.build_id = "another build's id..";
	write_program(debug_places[_i], &other);
	symbols_again(symfs_folder);
	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	ck_assert_str_eq(name_of(HEX_ID, 0x20), "-");
}
END_TEST

/* A program without a build id leads to its debug file by a checksum. */
START_TEST(test_debug_link_crc)
{
	struct built_program program = stripped_program, separate = debug_file_program;
	struct buffer bytes;

	if (is_skipped("a debug link"))
		return;
	separate.build_id = NULL;
	program.build_id = NULL;
	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	elf_build(&separate, &bytes);
	program.crc = (uint32_t)crc32(0, (const Bytef *)bytes.text, (uInt)bytes.length);
	buffer_release(&bytes);
	write_program("bin/prog", &program);
	write_program("bin/prog.debug", &separate);
	ck_assert_str_eq(name_of(NULL, 0x20), "hidden");
	program.crc++;
	write_program("bin/prog", &program);
	symbols_again(symfs_folder);
	ck_assert_str_eq(name_of(NULL, 0x20), "-");
}
END_TEST

/* A link is a name, not a way. */
START_TEST(test_debug_link_out_of_folder)
{
	static const char *const links[] = {"../prog.debug", "/prog.debug", "..", ".", ""};
	struct built_program program = stripped_program;

	if (is_skipped("debug links that lead elsewhere"))
		return;
	program.link = links[_i];
	write_program("bin/prog", &program);
	write_program("./prog.debug", &debug_file_program);
	ck_assert_str_eq(name_of(HEX_ID, 0), "first");
	ck_assert_str_eq(name_of(HEX_ID, 0x20), "-");
}
END_TEST

/* Where in the program its functions are it does not say: its offsets are its own. */
START_TEST(test_debug_file_alone)
{
	if (is_skipped("a debug file alone"))
		return;
	write_program(".build-id/" ID_PATH, &debug_file_program);
	ck_assert_str_eq(name_of(HEX_ID, 0), "-");
	ck_assert_str_eq(lines_reported(), "/bin/prog: only its debug file was found, which is not "
	                                   "enough\n");
	/* one that says it, as eu-strip makes them */
	write_program(".build-id/" ID_PATH, &whole_program);
	symbols_again(symfs_folder);
	check_all_names();
}
END_TEST

START_TEST(test_mini_debug_info)
{
	struct built_program program = stripped_program;
	struct buffer bytes, packed;

	if (is_skipped("MiniDebugInfo"))
		return;
	buffer_init(&bytes, BUFFER_LIMIT_DEFAULT);
	buffer_init(&packed, BUFFER_LIMIT_DEFAULT);
	elf_build(&debug_file_program, &bytes);
	program.packed = &packed;
	if (pack_bytes(bytes.text, bytes.length, &packed)) {
		write_program("bin/prog", &program);
		check_all_names();
		/* cut anywhere it is none */
		while (packed.length) {
			packed.length -= packed.length < 7 ? packed.length : 7;
			write_program("bin/prog", &program);
			symbols_again(symfs_folder);
			ck_assert_str_eq(name_of(HEX_ID, 0), "first");
			ck_assert_str_eq(name_of(HEX_ID, 0x20), "-");
		}
	} else {
		printf("SKIP user_symbols, MiniDebugInfo: no liblzma or no xz\n");
	}
	buffer_release(&bytes);
	buffer_release(&packed);
}
END_TEST

START_TEST(test_deleted)
{
	const char *path = "/bin/prog (deleted)";

	if (is_skipped("a deleted file"))
		return;
	write_program("bin/prog", &whole_program);
	ck_assert_str_eq(user_symbols_find(symbols, path, HEX_ID, BUILT_TEXT_OFFSET), "first");
	ck_assert_ptr_null(user_symbols_find(symbols, path, OTHER_HEX_ID, BUILT_TEXT_OFFSET));
	ck_assert_ptr_null(user_symbols_find(symbols, path, NULL, BUILT_TEXT_OFFSET));
	ck_assert_str_eq(lines_reported(), "/bin/prog (deleted): another build than was recorded (build id)\n"
	                         "/bin/prog (deleted): not used, because its build id was not recorded\n");
	/* one that has this name */
	write_program("bin/prog (deleted)", &whole_program);
	symbols_again(symfs_folder);
	ck_assert_str_eq(user_symbols_find(symbols, path, HEX_ID, BUILT_TEXT_OFFSET), "first");
}
END_TEST

/* What is mapped need not be a file. */
START_TEST(test_no_files)
{
	static const char *const none[] = {"", "[heap]", "[stack]", "//anon", "anon_inode:x", "bin/prog",
	                                   "[vdso", "[vsyscall]", "bin/prog (deleted)", " (deleted)"};

	if (is_skipped("what is no file"))
		return;
	write_program("bin/prog", &whole_program);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		ck_assert_ptr_null(user_symbols_find(symbols, none[i], HEX_ID, BUILT_TEXT_OFFSET));
	ck_assert_str_eq(lines_reported(), "//anon: not found below --symfs\n");
}
END_TEST

/* As in a root of its own, where openat2 has it so; older kernels, and qemu, find nothing there. */
START_TEST(test_above_the_root)
{
	if (is_skipped("what is above the root"))
		return;
	write_program("bin/prog", &(struct built_program){.build_id = ID});
	ck_assert_ptr_null(user_symbols_find(symbols, "/../bin/prog", HEX_ID, 0x8000));
	ck_assert_str_eq(lines_reported(), "/../bin/prog: no symbols: it is stripped, and no debug "
	                                   "file was found\n");
}
END_TEST

START_TEST(test_reasons)
{
	_cleanup_(freep) char *command = NULL;

	if (is_skipped("reasons"))
		return;
	command = xasprintf("mkdir -p %s/bin/folder && mkfifo %s/bin/fifo && echo text > %s/bin/text",
	                    symfs_folder, symfs_folder, symfs_folder);
	ck_assert_int_eq(system(command), 0);
	write_program("bin/prog", &(struct built_program){.build_id = ID});
	ck_assert_ptr_null(user_symbols_find(symbols, "/bin/prog", HEX_ID, BUILT_TEXT_OFFSET));
	ck_assert_ptr_null(user_symbols_find(symbols, "/bin/folder", HEX_ID, 0));
	ck_assert_ptr_null(user_symbols_find(symbols, "/bin/fifo", NULL, 0));
	ck_assert_ptr_null(user_symbols_find(symbols, "/bin/text", NULL, 0));
	ck_assert_ptr_null(user_symbols_find(symbols, "/bin/odd\x1b[2J", NULL, 0));
	ck_assert_str_eq(lines_reported(), "/bin/prog: no symbols: it is stripped, and no debug "
	                         "file was found\n"
	                         "/bin/folder: not a regular file\n"
	                         "/bin/fifo: not a regular file\n"
	                         "/bin/text: not an ELF program, or damaged\n"
	                         "/bin/odd\\x1b[2J: not found below --symfs\n");
	symbols_again(NULL);
	ck_assert_ptr_null(user_symbols_find(symbols, "/dev/zero", NULL, 0));
	ck_assert_ptr_null(user_symbols_find(symbols, "/no/such/file", NULL, 0));
	ck_assert_str_eq(lines_reported(), "/dev/zero: not a regular file\n"
	                         "/no/such/file: not found; --symfs DIR says where files are\n");
}
END_TEST

START_TEST(test_no_symfs)
{
	struct user_symbols_setup setup = {.symfs = ""};

	if (is_skipped("no folder"))
		return;
	errno = 0;
	ck_assert_ptr_null(user_symbols_new(&setup));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_null(user_symbols_free(NULL));
}
END_TEST

Suite *user_symbols_suite(void)
{
	Suite *suite = suite_create("user_symbols");
	TCase *tcase = tcase_create("user_symbols"), *kernel = tcase_create("kernel");

	tcase_add_checked_fixture(tcase, symfs_begin, symfs_end);
	tcase_add_test(tcase, test_absent);
	tcase_add_test(tcase, test_symbols);
	tcase_add_loop_test(tcase, test_machines, 0, 6);
	tcase_add_test(tcase, test_builds);
	tcase_add_test(tcase, test_ids_that_are_none);
	tcase_add_test(tcase, test_stripped);
	tcase_add_loop_test(tcase, test_debug_file, 0, (int)ARRAY_SIZE(debug_places));
	tcase_add_test(tcase, test_debug_link_crc);
	tcase_add_loop_test(tcase, test_debug_link_out_of_folder, 0, 5);
	tcase_add_test(tcase, test_debug_file_alone);
	tcase_add_test(tcase, test_mini_debug_info);
	tcase_add_test(tcase, test_deleted);
	tcase_add_test(tcase, test_no_files);
	tcase_add_test(tcase, test_reasons);
	tcase_add_test(tcase, test_no_symfs);
	suite_add_tcase(suite, tcase);
	tcase_set_tags(kernel, "kernel");
	tcase_add_checked_fixture(kernel, symfs_begin, symfs_end);
	tcase_add_test(kernel, test_above_the_root);
	suite_add_tcase(suite, kernel);
	return suite;
}
