/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up kernels: text of symbols, and recordings of them by their addresses alone. */
#include "decode/symbols.h"

#include <inttypes.h>
#include <string.h>

#include "base/text/buffer.h"
#include "suites.h"

#define FUNCTIONS 5000
#define SLEEP     1234 /* __schedule() */
#define CALLER    1235 /* schedule() */
#define BASE_64   UINT64_C(0xffffffff81000000)
#define BASE_32   UINT64_C(0xc0008000)

static struct buffer text;
static uint64_t begin[FUNCTIONS];
static struct symbol_evidence evidence;
static uint64_t random_state;

static uint64_t next_random(uint64_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random_state >> 33) % limit;
}

static void kernel_make(uint64_t base, uint64_t build)
{
	uint64_t at = base;

	random_state = build;
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	/* ARM's vectors are far from the code */
	buffer_puts(&text, "00000000ffff1000 t vector_rst\n");
	for (unsigned i = 0; i < FUNCTIONS; i++, at += 16 * (1 + next_random(30))) {
		begin[i] = at;
		if (i == SLEEP)
			buffer_printf(&text, "%08" PRIx64 " t __schedule\n", at);
		else if (i == CALLER)
			buffer_printf(&text, "%08" PRIx64 " T schedule\n", at);
		else
			buffer_printf(&text, "%08" PRIx64 " t function%u\n", at, i);
	}
	evidence = (struct symbol_evidence){0};
}

static void kernel_end(void)
{
	buffer_release(&text);
}

/* Addresses as the moved kernel has them. */
static void record_functions(unsigned count, uint64_t shift)
{
	for (unsigned i = 0; i < count; i++)
		symbol_evidence_add(&evidence, begin[1 + i * (FUNCTIONS / 300)] + shift);
}

static void record_sleeps(unsigned count, uint64_t shift)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t *frame = evidence.sleep[evidence.sleep_count++];

		frame[0] = begin[7] + 5 + shift; /* what wrote the event */
		frame[1] = begin[SLEEP] + 12 + shift;
		frame[2] = begin[CALLER] + 9 + shift;
		frame[3] = begin[100 + i] + 3 + shift;
	}
}

static struct symbol_fit fit_now(void)
{
	const struct symbol_text of = {.text = text.text, .length = text.length};
	struct symbols *symbols = symbols_new_of_text(&of);
	struct symbol_fit fit = symbol_fit_find(symbols, &evidence);

	symbols_free(symbols);
	return fit;
}

static void expect_proven(uint64_t shift)
{
	struct symbol_fit fit = fit_now();

	ck_assert_int_eq((int)fit.kind, FIT_PROVEN);
	ck_assert_uint_eq(fit.shift, shift);
}

static const uint64_t shifts[] = {
	0, UINT64_C(0x200000), UINT64_C(0x1e00000), UINT64_C(0x4000),
	UINT64_C(0) - UINT64_C(0xc00000), /* linked above */
};

START_TEST(functions_prove_the_shift)
{
	kernel_make(_i & 1 ? BASE_32 : BASE_64, 1);
	record_functions(12, shifts[_i / 2]);
	/* functions of modules are elsewhere */
	symbol_evidence_add(&evidence, UINT64_C(0xffffffffc0001230));
	symbol_evidence_add(&evidence, UINT64_C(0xbf001230));
	expect_proven(shifts[_i / 2]);
	kernel_end();
}
END_TEST

START_TEST(sleeps_prove_the_shift)
{
	kernel_make(BASE_64, 1);
	record_sleeps(9, shifts[_i]);
	expect_proven(shifts[_i]);
	kernel_end();
}
END_TEST

/* ARM's unwinder omits the innermost frames, such as __schedule() and schedule(). */
static void record_short_sleeps(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		evidence.sleep[evidence.sleep_count++][0] = begin[100 + i] + 3;
}

START_TEST(stacks_may_begin_at_the_caller_of_schedule)
{
	kernel_make(BASE_32, 1);
	record_functions(12, 0);
	record_short_sleeps(9);
	expect_proven(0);
	kernel_end();
}
END_TEST

START_TEST(another_build_is_refused)
{
	kernel_make(BASE_64, 1);
	record_functions(_i & 1 ? 200 : 9, shifts[_i / 2]);
	record_sleeps(_i & 1 ? 9 : 0, shifts[_i / 2]);
	kernel_end();
	for (uint64_t build = 2; build < 30; build++) {
		const struct symbol_evidence kept = evidence;
		struct symbol_fit fit;

		kernel_make(BASE_64, build);
		evidence = kept;
		fit = fit_now();
		ck_assert_msg(fit.kind != FIT_PROVEN, "build %" PRIu64 ", shift %" PRIx64, build,
		              fit.shift);
		ck_assert(fit.kind != FIT_UNKNOWN);
		kernel_end();
	}
}
END_TEST

START_TEST(little_evidence_proves_no_shift)
{
	struct symbol_fit fit;

	kernel_make(BASE_64, 1);
	record_functions(3, 0x200000);
	fit = fit_now();
	ck_assert_int_eq((int)fit.kind, FIT_AMBIGUOUS);
	/* but that it is not moved */
	evidence = (struct symbol_evidence){0};
	record_functions(3, 0);
	expect_proven(0);
	evidence = (struct symbol_evidence){0};
	record_functions(1, 0);
	fit = fit_now();
	ck_assert_int_eq((int)fit.kind, FIT_UNKNOWN);
	ck_assert_uint_eq(fit.begins, 1);
	evidence = (struct symbol_evidence){0};
	fit = fit_now();
	ck_assert_int_eq((int)fit.kind, FIT_UNKNOWN);
	ck_assert_uint_eq(fit.shift, 0);
	kernel_end();
}
END_TEST

/* An address where no function begins contradicts, one in many does not. */
START_TEST(strays_contradict)
{
	kernel_make(BASE_64, 1);
	record_functions(9, 0);
	symbol_evidence_add(&evidence, begin[9] + 8);
	ck_assert_int_eq((int)fit_now().kind, FIT_WRONG);
	record_functions(100, 0);
	expect_proven(0);
	kernel_end();
}
END_TEST

START_TEST(evidence_is_bounded)
{
	kernel_make(BASE_64, 1);
	symbol_evidence_add(&evidence, 0);
	symbol_evidence_add(&evidence, 5);
	symbol_evidence_add(&evidence, 5);
	ck_assert_uint_eq(evidence.function_count, 1);
	for (uint64_t i = 0; i < 2 * FIT_FUNCTIONS_MAX; i++)
		symbol_evidence_add(&evidence, 0x1000 + i);
	ck_assert_uint_eq(evidence.function_count, FIT_FUNCTIONS_MAX);
	kernel_end();
}
END_TEST

START_TEST(no_symbols_fit_nothing)
{
	buffer_init(&text, 100);
	ck_assert_int_eq((int)fit_now().kind, FIT_WRONG);
	kernel_end();
}
END_TEST

Suite *symbol_fit_suite(void)
{
	Suite *suite = suite_create("symbol_fit");
	TCase *tests = tcase_create("symbol_fit");

	tcase_add_loop_test(tests, functions_prove_the_shift, 0, 10);
	tcase_add_loop_test(tests, sleeps_prove_the_shift, 0, 5);
	tcase_add_test(tests, stacks_may_begin_at_the_caller_of_schedule);
	tcase_add_loop_test(tests, another_build_is_refused, 0, 10);
	tcase_add_test(tests, little_evidence_proves_no_shift);
	tcase_add_test(tests, strays_contradict);
	tcase_add_test(tests, evidence_is_bounded);
	tcase_add_test(tests, no_symbols_fit_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
