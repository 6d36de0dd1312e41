/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/symbols.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "suites.h"

/* The kallsyms of the source under test. */
static struct buffer text;

static int64_t text_read(struct source *source, uint64_t offset, char *to, size_t size)
{
	size_t left = offset < text.length ? text.length - (size_t)offset : 0;
	size_t given = left < size ? left : size;

	(void)source;
	memcpy(to, text.text + text.length - left, given);
	return (int64_t)given;
}

static const struct source_ops text_ops = {.name = "text", .read_symbols = text_read};
static struct source text_source = {.ops = &text_ops};

static void text_begin(void)
{
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
}

static void text_end(void)
{
	buffer_release(&text);
}

static void text_repeat(char c, size_t count)
{
	while (count-- > 0)
		buffer_putc(&text, c);
}

START_TEST(test_names)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "ffffffff81000000 T first\nffffffff81000010 t second\t[module]\n"
	                   "ffffffff81000020 D variable\n0000000000000000 T hidden\n"
	                   "ffffffff81000010 t alias\nffffffff81000030 W last\n");
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000000), "first");
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000010), "second");
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000031), "last"); /* Thumb */
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000020));
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000004));
	ck_assert_ptr_null(symbols_find(symbols, 0));
	symbols_free(symbols);
}
END_TEST

START_TEST(test_objects)
{
	struct symbols *symbols = symbols_new(&text_source);

	symbols_keep_objects(symbols);
	buffer_puts(&text, "ffffffff81000000 T function\nffffffff82000010 B second\n"
	                   "ffffffff82000000 d first\t[module]\nffffffff82000020 A absolute\n"
	                   "0000000000000000 D hidden\n");
	ck_assert_str_eq(symbols_find_object(symbols, 0xffffffff82000000), "first");
	ck_assert_str_eq(symbols_find_object(symbols, 0xffffffff82000010), "second");
	ck_assert_ptr_null(symbols_find_object(symbols, 0xffffffff82000001));
	ck_assert_ptr_null(symbols_find_object(symbols, 0xffffffff82000020));
	ck_assert_ptr_null(symbols_find_object(symbols, 0xffffffff81000000));
	ck_assert_ptr_null(symbols_find_object(symbols, 0));
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000000), "function");
	ck_assert_ptr_null(symbols_find_within(symbols, 0xffffffff82000010));
	symbols_free(symbols);
}
END_TEST

START_TEST(test_within)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "ffffffff81000000 T first\nffffffff81000010 t second\n"
	                   "ffffffff81000010 t alias\nffffffff81000030 W last\n");
	ck_assert_ptr_null(symbols_find_within(symbols, 0xffffffff80ffffff));
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff81000000), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff8100000f), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff81000010), "second");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff8100002f), "second");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff81000030), "last");
	ck_assert_ptr_null(symbols_find_within(symbols, 0xffffffff91000030));
	ck_assert_ptr_null(symbols_find_within(symbols, UINT64_MAX));
	symbols_free(symbols);
}
END_TEST

/* The kernel's own in order, then those of modules as they come: below, between, at the same. */
START_TEST(test_order)
{
	struct symbols *symbols = symbols_new(&text_source);
	char name[16];

	symbols_keep_objects(symbols);
	for (unsigned i = 0; i < 100; i++) {
		buffer_printf(&text, "%08x T k%u\n", 0x1000 + i * 0x20, i);
		buffer_printf(&text, "%08x D d%u\n", 0x8000 + i * 0x20, i);
	}
	for (unsigned i = 0; i < 150; i++) {
		unsigned at = i * 37 % 150; /* all of them, out of order */

		buffer_printf(&text, "%08x t m%u\t[module]\n", 0x810 + at * 0x20, at);
		buffer_printf(&text, "%08x t _m%u\t[module]\n", 0x810 + at * 0x20, at);
		buffer_printf(&text, "%08x t late%u\t[module]\n", 0x1000 + at % 100 * 0x20, at);
		buffer_printf(&text, "%08x d late%u\t[module]\n", 0x7000 + at * 0x20, at);
	}
	for (unsigned i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "k%u", i);
		ck_assert_str_eq(symbols_find(symbols, 0x1000 + i * 0x20), name);
		ck_assert_str_eq(symbols_find_within(symbols, 0x100f + i * 0x20), name);
		(void)snprintf(name, sizeof(name), "d%u", i);
		/* of equals the first one */
		ck_assert_str_eq(symbols_find_object(symbols, 0x8000 + i * 0x20), name);
	}
	for (unsigned i = 0; i < 150; i++) {
		(void)snprintf(name, sizeof(name), "m%u", i);
		ck_assert_str_eq(symbols_find(symbols, 0x810 + i * 0x20), name);
		ck_assert_str_eq(symbols_find_within(symbols, 0x81f + i * 0x20), name);
	}
	symbols_free(symbols);
}
END_TEST

/* ARM and RISC-V mark where code, Thumb code and constants begin; modules show these marks. */
START_TEST(test_marks)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "bf100000 t $a\t[module]\nbf100000 t first\t[module]\n"
	                   "bf100010 t $d\t[module]\nbf100018 t $x.7\t[module]\n"
	                   "bf100020 t $t\t[module]\nbf100020 t second\t[module]\n"
	                   "bf100030 t dollar$a\t[module]\n");
	ck_assert_str_eq(symbols_find(symbols, 0xbf100000), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xbf10001c), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xbf100024), "second");
	ck_assert_str_eq(symbols_find_within(symbols, 0xbf100034), "dollar$a");
	ck_assert_ptr_null(symbols_find(symbols, 0xbf100018));
	symbols_free(symbols);
}
END_TEST

/* RISC-V keeps labels of its assembler, several a function; x86 tells the padding before one. */
START_TEST(test_labels)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "ffffffff80002000 T first\nffffffff80002008 t .L0 \n"
	                   "ffffffff80002010 t .L11\001\nffffffff80002020 t .L0 \n"
	                   "ffffffff80002020 T second\nffffffff80002030 T __pfx_third\n"
	                   "ffffffff80002040 T third\n");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff8000200c), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff80002014), "first");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff80002024), "second");
	/* where a call that never returns, the last of its function, would return to */
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff80002030), "second");
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff80002020), "second");
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff80002008));
	symbols_free(symbols);
}
END_TEST

/* ARM's entry lays the begin of ret_fast_syscall on the stack; nothing is called from before it. */
START_TEST(test_address_behind_a_mark)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "c04000ac T __entry_text_start\nc04000ac T __idmap_text_end\n"
	                   "c04000c0 t ret_fast_syscall\nc04000c0 t __ret_fast_syscall\n"
	                   "c04000dc t slow_work_pending\n");
	ck_assert_str_eq(symbols_find_within(symbols, 0xc04000bf), "ret_fast_syscall");
	ck_assert_str_eq(symbols_find_within(symbols, 0xc04000be), "__entry_text_start");
	ck_assert_str_eq(symbols_find_within(symbols, 0xc04000db), "ret_fast_syscall");
	symbols_free(symbols);
}
END_TEST

/* Names that real kernels have at one address, in any order; the first here is told. */
#define NAMES_MAX 3
static const char *const same_address[][NAMES_MAX] = {
	/* x86 */
	{"T __x64_sys_fork", "t __do_sys_fork", "T __ia32_sys_fork"},
	{"T __ia32_sys_getpid", "t __do_sys_getpid"},
	{"t veth_exit\t[veth]", "t cleanup_module\t[veth]"},
	{"T memcpy", "T __memcpy"},
	{"t common_interrupt_return", "T __irqentry_text_end"},
	{"T sys_ni_syscall", "W compat_sys_ipc", "W sys_ipc"},
	{"t cpu_show_not_affected", "W cpu_show_ghostwrite"},
	/* arm64 */
	{"t gic_handle_irq", "T __exception_text_end", "T __irqentry_text_start"},
	{"W strcmp", "T __pi_strcmp"},
	{"T sys_fsync", "T SyS_fsync"},
	{"t set_reset_devices", "T _sinittext", "T __init_begin"},
	{"t ext4_init_fs\t[ext4]", "t $x\t[ext4]", "t init_module\t[ext4]"},
	/* armhf */
	{"T sys_ptrace", "T __se_sys_ptrace"},
	{"T omap4_secondary_startup", "t hold"},
	/* s390x */
	{"T __s390x_sys_bind", "T __se_sys_bind"},
	{"T __s390x_sys_geteuid", "T __s390_sys_geteuid"},
	/* nothing better there */
	{"T _stext"},
	{"T __pi_clear_page"},
};

static void check_reported(const char *expected)
{
	struct symbols *symbols = symbols_new(&text_source);
	size_t length = strcspn(expected, "\t");
	const char *reported = symbols_find(symbols, 0xffffffff81000000);

	ck_assert_ptr_nonnull(reported);
	ck_assert_uint_eq(strlen(reported), length);
	ck_assert_mem_eq(reported, expected, length);
	ck_assert_ptr_eq(symbols_find_within(symbols, 0xffffffff81000001), reported);
	symbols_free(symbols);
}

START_TEST(test_best_name)
{
	const char *const *names = same_address[_i];

	for (size_t first = 0; first < NAMES_MAX; first++) {
		buffer_clear(&text);
		for (size_t i = 0; i < NAMES_MAX; i++) {
			const char *name = names[(first + i) % NAMES_MAX];

			if (name)
				buffer_printf(&text, "ffffffff81000000 %s\n", name);
		}
		check_reported(names[0] + 2);
	}
}
END_TEST

/* Big-endian 64-bit PowerPC: the name is a descriptor among the data, ".name" the code. */
START_TEST(test_dots_of_functions)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "c000000000000000 T _stext\nc000000000b3a3c0 T .schedule\n"
	                   "c000000000b3a4a0 t .schedule_hrtimeout\n"
	                   "c000000001233d68 D schedule\nc000000001233d80 d schedule_hrtimeout\n");
	ck_assert_str_eq(symbols_find_within(symbols, 0xc000000000b3a3d0), "schedule");
	ck_assert_str_eq(symbols_find(symbols, 0xc000000000b3a4a0), "schedule_hrtimeout");
	symbols_free(symbols);
}
END_TEST

/* Elsewhere (x86, s390x) such a name is a label of hand-written code. */
START_TEST(test_dots_of_labels)
{
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "ffffffff82eb22c0 T copy_mc_fragile\nffffffff82eb22e2 t .E_read_words\n"
	                   "ffffffff82eb2300 T clear_page_erms\n");
	ck_assert_str_eq(symbols_find_within(symbols, 0xffffffff82eb22e4), "copy_mc_fragile");
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff82eb22e2));
	symbols_free(symbols);
}
END_TEST

START_TEST(test_none)
{
	struct symbols *symbols = symbols_new(&text_source);

	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000000));
	symbols_free(symbols);
}
END_TEST

/* No name is that long: such a line, wherever it lies, is left out whole. */
START_TEST(test_long_line)
{
	static const size_t lengths[] = {1100, 40000, 65000, 70000, 200000};
	struct symbols *symbols = symbols_new(&text_source);

	buffer_puts(&text, "ffffffff81000010 T first\nffffffff81000020 T ");
	text_repeat('x', lengths[_i]);
	buffer_puts(&text, "ffffffff81000050 T hidden\nffffffff81000030 T last\n");
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000010), "first");
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000020));
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000050));
	ck_assert_str_eq(symbols_find(symbols, 0xffffffff81000030), "last");
	symbols_free(symbols);
}
END_TEST

/* A NUL is no type of a symbol. */
START_TEST(test_bytes)
{
	static const char line[] = "ffffffff81000010 \0 first\n";
	struct symbols *symbols = symbols_new(&text_source);

	buffer_append(&text, line, sizeof(line) - 1);
	ck_assert_ptr_null(symbols_find(symbols, 0xffffffff81000010));
	symbols_free(symbols);
}
END_TEST

Suite *symbols_suite(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tcase = tcase_create("symbols");

	tcase_add_checked_fixture(tcase, text_begin, text_end);
	tcase_add_test(tcase, test_names);
	tcase_add_test(tcase, test_objects);
	tcase_add_test(tcase, test_within);
	tcase_add_test(tcase, test_order);
	tcase_add_test(tcase, test_marks);
	tcase_add_test(tcase, test_labels);
	tcase_add_test(tcase, test_address_behind_a_mark);
	tcase_add_loop_test(tcase, test_best_name, 0, (int)ARRAY_SIZE(same_address));
	tcase_add_test(tcase, test_dots_of_functions);
	tcase_add_test(tcase, test_dots_of_labels);
	tcase_add_test(tcase, test_none);
	tcase_add_loop_test(tcase, test_long_line, 0, 5);
	tcase_add_test(tcase, test_bytes);
	suite_add_tcase(suite, tcase);
	return suite;
}
