/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbolize/demangle.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "suites.h"

static struct buffer reported;

static void reported_begin(void)
{
	buffer_init(&reported, 1000);
}

static void reported_end(void)
{
	buffer_release(&reported);
}

static bool is_skipped(const char *what)
{
	if (!demangle_is_able())
		printf("SKIP demangle, %s: built without libiberty\n", what);
	return !demangle_is_able();
}

static const char *const names[][2] = {
	/* C++: no parameters, no return type, arguments of templates */
	{"_Z4waitv", "wait"},
	{"_ZN2ns5Class6methodEi", "ns::Class::method"},
	{"_ZNK2ns5Class6methodEi", "ns::Class::method"},
	{"_ZN2ns5ClassC1Ev", "ns::Class::Class"},
	{"_ZN2ns5ClassD2Ev", "ns::Class::~Class"},
	{"_ZN2ns4PairIiE4swapERS1_", "ns::Pair<int>::swap"},
	{"_Z3maxIiET_S0_S0_", "max<int>"},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back"},
	{"_ZN1AplERKS_", "A::operator+"},
	{"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()"},
	{"_ZN12_GLOBAL__N_16hiddenEv", "(anonymous namespace)::hidden"},
	{"_Z4waitv.cold", "wait"},
	/* Rust, legacy and v0: without hash */
	{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
	{"_ZN51_$LT$pool..Queue$LT$T$GT$$u20$as$u20$pool..Take$GT$4take17h0123456789abcdefE",
         "<pool::Queue<T> as pool::Take>::take"},
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
	{"_RNvNtCs1234_7mycrate6module3foo", "mycrate::module::foo"},
};

START_TEST(test_languages)
{
	if (is_skipped("names of C++ and Rust"))
		return;
	demangle(names[_i][0], &reported);
	ck_assert_str_eq(reported.text, names[_i][1]);
}
END_TEST

/* Names of C, and what only looks like others. */
static const char *const plain[] = {"main", "_start", "__libc_start_main", "_Z", "_ZN", "_R", "_ZN4co",
                                    "_", "", "Z4waitv", "foo.constprop.0", "_RNvCs1234_7mycr"};

START_TEST(test_plain)
{
	buffer_puts(&reported, "before ");
	demangle(plain[_i], &reported);
	ck_assert_ptr_eq(strstr(reported.text, "before "), reported.text);
	ck_assert_str_eq(reported.text + strlen("before "), plain[_i]);
}
END_TEST

/* Each level has the one before it twice: 2^60 words. */
START_TEST(test_exponential)
{
	struct buffer name;

	if (is_skipped("a name that doubles"))
		return;
	buffer_init(&name, 4000);
	buffer_puts(&name, "_Z1fI1AIiiE");
	for (int i = 1; i < 60; i++) {
		static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
		const char *high = i < 36 ? "" : "1";

		/* S0_ is A, S1_ is A<int, int>, S2_ is A<S1_, S1_> ... */
		buffer_printf(&name, "S0_IS%s%c_S%s%c_E", high, digits[i % 36], high, digits[i % 36]);
	}
	buffer_puts(&name, "Evv");
	demangle(name.text, &reported);
	ck_assert(reported.is_cut);
	ck_assert_uint_eq(reported.length, 1000);
	ck_assert_ptr_eq(strstr(reported.text, "f<A<int, int>, A<A<int, int>, A<int, int> >"), reported.text);
	buffer_release(&name);
}
END_TEST

/* libiberty's room on the stack is the product of the two. */
START_TEST(test_scopes_and_templates)
{
	struct buffer name;

	buffer_init(&name, 8000);
	buffer_puts(&name, "_Z1fI");
	for (int i = 0; i < 200; i++)
		buffer_puts(&name, "RT_");
	while (name.length < (size_t)(_i * 1000))
		buffer_puts(&name, "1AIRT_E");
	buffer_puts(&name, "Evv");
	demangle(name.text, &reported);
	ck_assert_uint_gt(reported.length, 0);
	buffer_release(&name);
}
END_TEST

/* Bytes at random after what begins names; also under sanitizers. */
START_TEST(test_damaged)
{
	static const char bytes[] = "_ZNRSTIEKCDLlJjvi0123456789$.aAuUtxXdspR\xff\x01";
	unsigned seed = 20240611;

	for (int run = 0; run < 20000; run++) {
		const char *begin = names[(unsigned)rand_r(&seed) % ARRAY_SIZE(names)][0];
		char name[256];
		size_t length = strlen(begin);

		memcpy(name, begin, length + 1);
		for (int i = rand_r(&seed) % 6; i >= 0; i--)
			name[2 + (size_t)rand_r(&seed) % (length - 2)] =
				bytes[(size_t)rand_r(&seed) % (sizeof(bytes) - 1)];
		buffer_clear(&reported);
		demangle(name, &reported);
		ck_assert(reported.length > 0);
	}
}
END_TEST

Suite *demangle_suite(void)
{
	Suite *suite = suite_create("demangle");
	TCase *tcase = tcase_create("demangle");

	tcase_add_checked_fixture(tcase, reported_begin, reported_end);
	tcase_add_loop_test(tcase, test_languages, 0, (int)ARRAY_SIZE(names));
	tcase_add_loop_test(tcase, test_plain, 0, (int)ARRAY_SIZE(plain));
	tcase_add_test(tcase, test_exponential);
	tcase_add_loop_test(tcase, test_scopes_and_templates, 1, 8);
	tcase_add_test(tcase, test_damaged);
	suite_add_tcase(suite, tcase);
	return suite;
}
