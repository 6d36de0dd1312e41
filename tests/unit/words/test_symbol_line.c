/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/symbol_line.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "suites.h"

#define ANY_KIND (SYMBOL_FUNCTION | SYMBOL_OBJECT)

static bool is_of(const char *text, unsigned kinds)
{
	struct symbol_line line;

	return symbol_line_parse(text, text + strlen(text), kinds, &line);
}

static bool is_function(const char *text)
{
	return is_of(text, SYMBOL_FUNCTION);
}

START_TEST(parts_are_found)
{
	static const char text[] = "ffffffffc0a81f10 t ext4_open\t[ext4]\nffff";
	const char *end = strchr(text, '\n');
	struct symbol_line line;

	ck_assert(symbol_line_parse(text, end, ANY_KIND, &line));
	ck_assert_uint_eq(line.address, 0xffffffffc0a81f10);
	ck_assert_int_eq(line.kind, SYMBOL_FUNCTION);
	ck_assert_int_eq(line.type, 't');
	ck_assert_uint_eq(line.name_length, strlen("ext4_open"));
	ck_assert_mem_eq(line.name, "ext4_open", line.name_length);
	ck_assert_ptr_eq(line.end, end);

	/* the text may end anywhere */
	ck_assert(symbol_line_parse(text, strchr(text, '_'), ANY_KIND, &line));
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
		ck_assert_msg(!symbol_line_parse(texts[i], texts[i] + strlen(texts[i]), ANY_KIND,
		                                 &line),
		              "taken: %s", texts[i]);
		ck_assert_int_eq(line.type, '?');
	}
}
END_TEST

START_TEST(functions_are_reported)
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

START_TEST(noise_is_reported)
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

	ck_assert(!symbol_line_parse(text, text + sizeof(text) - 1, ANY_KIND, &line));
}
END_TEST

START_TEST(kinds_are_distinguished)
{
	static const char *const variables[] = {
		"ffffffff81000000 D jiffies", "ffffffff81000000 d local", "00001000 b zeros\t[module]",
		"1 B zeros", "ffffffff81000000 d L1TF", "ffffffff81000000 D .data",
		"ffffffff81000000 d __pi_$d",
	};
	static const char *const others[] = {
		"ffffffff81000000 r __func__.7", "ffffffff81000000 A absolute",
		"0000000000000000 D hidden", "ffffffff81000000 d __UNIQUE_ID_ddebug_773.6",
		"ffffffff81000000 d $d", "ffffffff81000000 d .LC0", "ffffffff81000000 d L0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
		ck_assert_msg(is_of(variables[i], SYMBOL_OBJECT), "not taken: %s", variables[i]);
		ck_assert_msg(!is_of(variables[i], SYMBOL_FUNCTION), "taken: %s", variables[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		ck_assert_msg(!is_of(others[i], ANY_KIND), "taken: %s", others[i]);
	ck_assert(!is_of("ffffffff81000000 T schedule", SYMBOL_OBJECT));
}
END_TEST

/* An address of each length, with each byte that there is at each place of it. */
START_TEST(digits_are_reported)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t length = 1; length <= sizeof(digits); length++) {
		char text[32];

		for (size_t at = 0; at < length; at++) {
			for (unsigned byte = 1; byte < 256; byte++) {
				uint64_t value = 0;
				struct symbol_line line;
				bool is_good;

				(void)snprintf(text, sizeof(text), "%.*s T f", (int)length,
				               "fedcba9876543210f");
				text[at] = (char)byte;
				for (size_t i = 0; i < length; i++) {
					const char *digit = strchr(digits, text[i]);

					value = value << 4 |
					        (uint64_t)(digit ? digit - digits : 0);
				}
				is_good = strchr(digits, (char)byte) && length < sizeof(digits) &&
				          value;
				ck_assert_msg(is_of(text, SYMBOL_FUNCTION) == is_good, "%s", text);
				if (symbol_line_parse(text, text + strlen(text), SYMBOL_FUNCTION,
				                      &line))
					ck_assert_uint_eq(line.address, value);
			}
		}
	}
}
END_TEST

/* Names of all lengths, ended by whatever ends one. */
START_TEST(names_end)
{
	static const char name[] = "a_name\x89of\xa0some.length_or_other";
	static const char *const ends[] = {"", "\t[module]", " ", " \t[module]", "\t "};

	for (size_t length = 1; length < sizeof(name); length++) {
		for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
			struct symbol_line line;
			char text[80];

			(void)snprintf(text, sizeof(text), "c0400000 T %.*s%s", (int)length, name,
			               ends[i]);
			ck_assert(symbol_line_parse(text, text + strlen(text), ANY_KIND, &line));
			ck_assert_uint_eq(line.name_length, length);
		}
	}
}
END_TEST

Suite *symbol_line_suite(void)
{
	Suite *suite = suite_create("symbol_line");
	TCase *tests = tcase_create("symbol_line");

	tcase_add_test(tests, parts_are_found);
	tcase_add_test(tests, other_text_is_no_line);
	tcase_add_test(tests, functions_are_reported);
	tcase_add_test(tests, noise_is_reported);
	tcase_add_test(tests, nul_is_no_type);
	tcase_add_test(tests, kinds_are_distinguished);
	tcase_add_test(tests, digits_are_reported);
	tcase_add_test(tests, names_end);
	suite_add_tcase(suite, tests);
	return suite;
}
