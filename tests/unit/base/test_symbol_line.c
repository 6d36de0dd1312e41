/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/symbol_line.h"

#include <string.h>

#include "base/array.h"
#include "suites.h"

static bool is_function(const char *text)
{
	struct symbol_line line;

	ck_assert_msg(symbol_line_parse(text, text + strlen(text), &line), "no line: %s", text);
	return symbol_line_is_function(&line);
}

START_TEST(parts_are_found)
{
	static const char text[] = "ffffffffc0a81f10 t ext4_open\t[ext4]\nffff";
	const char *end = strchr(text, '\n');
	struct symbol_line line;

	ck_assert(symbol_line_parse(text, end, &line));
	ck_assert_uint_eq(line.address, 0xffffffffc0a81f10);
	ck_assert_int_eq(line.type, 't');
	ck_assert_uint_eq(line.name_length, strlen("ext4_open"));
	ck_assert_mem_eq(line.name, "ext4_open", line.name_length);
	ck_assert_ptr_eq(line.end, end);

	/* the text may end anywhere */
	ck_assert(symbol_line_parse(text, strchr(text, '_'), &line));
	ck_assert_uint_eq(line.name_length, strlen("ext4"));
}
END_TEST

START_TEST(other_text_is_no_line)
{
	static const char *const texts[] = {
		"", "\n", "ffffffff81000000", "ffffffff81000000 ", "ffffffff81000000 T",
		"ffffffff81000000 T ", "ffffffff81000000 T \t[module]", " T name", "T name",
		"xyz T name", "ffffffff81000000 TT name", "ffffffff81000000\tT name",
		"0ffffffff81000000 T name", "FFFFFFFF81000000 T name",
	};
	struct symbol_line line = {.type = '?'};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		ck_assert_msg(!symbol_line_parse(texts[i], texts[i] + strlen(texts[i]), &line),
		              "taken: %s", texts[i]);
		ck_assert_int_eq(line.type, '?');
	}
}
END_TEST

START_TEST(functions_are_told)
{
	static const char *const texts[] = {
		"ffffffff81000000 T schedule",
		"ffffffff81000000 t schedule_timeout.part.0",
		"ffffffff81000000 t ext4_open\t[ext4]",
		"ffffffff81000000 W weak_function",
		"00000000001176e8 t smp_add_core.part.0.constprop.0",
		"ffffffff81000000 t bpf_prog_6deef7357e7b4530_sd_fw_ingress\t[bpf]",
		"c0400000 T __turn_mmu_on",
		"c000000000b3a3c0 T .schedule", /* 64-bit PowerPC */
		"ffff800010010000 T __pi_memcpy",
		"ffff800010010000 T __kvm_nvhe_memcpy",
		"ffffffff81000000 T L1TF_check",
		"ffffffff81000000 T L",
		"ffffffff81000000 t dollar$a",
		"ffffffff81000000 t __pf",
		"ffffffff81000000 T __pi_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_msg(is_function(texts[i]), "not taken: %s", texts[i]);
}
END_TEST

START_TEST(noise_is_told)
{
	static const char *const texts[] = {
		"ffffffff80002068 t .L0 ", /* riscv64: the name ends in a blank */
		"ffffffff80002068 t .L0 \t[virtio_net]",
		"ffffffff80002068 t .L11\001",
		"ffffffff80002068 t .Lpcrel_hi0",
		"ffffffff80002068 t .LVL12",
		"ffffffff01a02068 t $x\t[virtio_net]",
		"ffffffff01a02068 t $xrv64i2p1_m2p0_a2p1\t[virtio_net]",
		"9000000000200000 t L0\001", /* loongarch64 */
		"9000000000200000 t L12\002",
		"9000000000200000 t L0",
		"bf100000 t $a\t[module]",
		"bf100000 t $t\t[module]",
		"bf100010 t $d.7\t[module]",
		"ffffffc000b10000 t __efistub_$x",
		"ffff800010010000 t __pi_.L0 ",
		"ffff800010010000 t __kvm_nvhe_$d.12",
		"ffffffff81000000 T __pfx_schedule",
		"ffffffff81000000 T __pi___pfx_memcpy",
		"ffffffff81000000 t __cfi_schedule",
		"ffffffff9fb232e8 t __UNIQUE_ID_ddebug_773.6",
		"ffffffff81000000 D jiffies",
		"ffffffff81000000 r __func__.7",
		"0000000000001000 A cpu_debug_store",
		"0000000000000000 T schedule", /* hidden address */
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		ck_assert_msg(!is_function(texts[i]), "taken: %s", texts[i]);
}
END_TEST

/* A NUL is found in every string, but is no type of a symbol. */
START_TEST(nul_is_no_type)
{
	static const char text[] = "ffffffff81000010 \0 first";
	struct symbol_line line;

	ck_assert(symbol_line_parse(text, text + sizeof(text) - 1, &line));
	ck_assert(!symbol_line_is_function(&line));
}
END_TEST

Suite *symbol_line_suite(void)
{
	Suite *suite = suite_create("symbol_line");
	TCase *tests = tcase_create("symbol_line");

	tcase_add_test(tests, parts_are_found);
	tcase_add_test(tests, other_text_is_no_line);
	tcase_add_test(tests, functions_are_told);
	tcase_add_test(tests, noise_is_told);
	tcase_add_test(tests, nul_is_no_type);
	suite_add_tcase(suite, tests);
	return suite;
}
