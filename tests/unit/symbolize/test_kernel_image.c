/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbolize/kernel_image.h"

#include <elf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "elf_builder.h"
#include "suites.h"

static const struct built_symbol kernel_symbols[] = {
	{.name = "entry", .address = BUILT_TEXT_ADDRESS, .type = STT_NOTYPE, .binding = STB_GLOBAL},
	{.name = "weak", .address = BUILT_TEXT_ADDRESS + 16, .size = 8, .type = STT_FUNC,
	 .binding = STB_WEAK},
	{.name = "own", .address = BUILT_TEXT_ADDRESS + 32, .size = 8, .type = STT_FUNC,
	 .binding = STB_LOCAL},
	{.name = "elsewhere", .type = STT_FUNC, .binding = STB_GLOBAL, .is_undefined = true},
	{.name = "source.c", .address = BUILT_TEXT_ADDRESS, .type = STT_FILE, .binding = STB_LOCAL},
	{0},
};

static struct buffer lines, id;

static bool image_read(const struct built_program *program)
{
	_cleanup_(buffer_release) struct buffer bytes = {0};
	int fd = memfd_create("vmlinux", MFD_CLOEXEC);

	buffer_init(&bytes, 1 << 20);
	elf_build(program, &bytes);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes.text, bytes.length), (ssize_t)bytes.length);
	buffer_init(&lines, 1 << 20);
	buffer_init(&id, 1000);
	return kernel_image_read(fd, &lines, &id);
}

START_TEST(symbols_become_lines)
{
	static const struct {
		uint16_t machine;
		bool is_narrow, is_big;
	} machines[] = {{EM_X86_64, false, false}, {EM_386, true, false},
	                {EM_S390, false, true}, {EM_PPC, true, true}};
	const struct built_program program = {
		.machine = machines[_i].machine,
		.is_narrow = machines[_i].is_narrow,
		.is_big = machines[_i].is_big,
		.build_id = "0123456789abcdefghij",
		.symbol = kernel_symbols,
	};

	if (!kernel_image_is_able()) {
		(void)puts("SKIP: built without libelf");
		return;
	}
	ck_assert(image_read(&program));
	ck_assert_str_eq(lines.text, "0000000000401200 T entry\n0000000000401210 W weak\n"
	                             "0000000000401220 t own\n");
	ck_assert_str_eq(id.text, "303132333435363738396162636465666768696a");
	buffer_release(&lines);
	buffer_release(&id);
}
END_TEST

START_TEST(stripped_ones_have_none)
{
	const struct built_program program = {.machine = EM_X86_64, .build_id = "0123456789abcdefghij"};

	ck_assert(!image_read(&program));
	buffer_release(&lines);
	buffer_release(&id);
}
END_TEST

Suite *kernel_image_suite(void)
{
	Suite *suite = suite_create("kernel_image");
	TCase *tests = tcase_create("kernel_image");

	tcase_add_loop_test(tests, symbols_become_lines, 0, 4);
	tcase_add_test(tests, stripped_ones_have_none);
	suite_add_tcase(suite, tests);
	return suite;
}
