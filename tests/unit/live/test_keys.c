/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/keys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/data/array.h"
#include "property/random.h"
#include "suites.h"

#define KEYS_MAX 64

/* Decodes bytes; returns how many keys they are. */
static size_t keys_of(struct key_decoder *decoder, const char *bytes, size_t length, int *key)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		int got = key_decode(decoder, (unsigned char)bytes[i]);

		if (got == KEY_NONE)
			continue;
		ck_assert(count < KEYS_MAX);
		key[count++] = got;
	}
	return count;
}

static const struct {
	const char *bytes;
	int key; /* KEY_NONE: dropped as a whole */
} sequences[] = {
	{"q", 'q'}, {" ", ' '}, {"~", '~'}, {"[", '['}, {"\r", KEY_ENTER}, {"\n", KEY_ENTER},
	{"\b", KEY_BACKSPACE}, {"\x7f", KEY_BACKSPACE}, {"\x03", KEY_CTRL_C}, {"\x0c", KEY_CTRL_L},
	{"\x01", KEY_NONE}, {"\xc3\xa9", KEY_NONE}, {"\x9b", KEY_NONE},
	{"\033[A", KEY_UP}, {"\033OA", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033OB", KEY_DOWN},
	{"\033[C", KEY_RIGHT}, {"\033OC", KEY_RIGHT}, {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT},
	{"\033[H", KEY_HOME}, {"\033OH", KEY_HOME}, {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME},
	{"\033[F", KEY_END}, {"\033OF", KEY_END}, {"\033[4~", KEY_END}, {"\033[8~", KEY_END},
	{"\033[3~", KEY_DELETE}, {"\033[5~", KEY_PAGE_UP}, {"\033[6~", KEY_PAGE_DOWN},
	{"\033OP", KEY_F1}, {"\033[11~", KEY_F1}, {"\033[[A", KEY_F1}, {"\033[21~", KEY_F10},
	{"\033OM", KEY_ENTER},
	{"\033a", KEY_NONE}, {"\033q", KEY_NONE}, {"\033\r", KEY_NONE},
	{"\033[1;5A", KEY_NONE}, {"\033[2~", KEY_NONE}, {"\033[200~", KEY_NONE},
	{"\033[[B", KEY_NONE}, {"\033OQ", KEY_NONE}, {"\033[12;34R", KEY_NONE},
	{"\033[?1;2c", KEY_NONE}, {"\033[>0;276;0c", KEY_NONE}, {"\033[<0;1;2M", KEY_NONE},
	{"\033[5;5;5;5;5;5;5;5;5;5;5;5;5;5;5~", KEY_NONE},
	{"\033]11;rgb:0000/0000/0000\a", KEY_NONE}, {"\033]0;q\033\\", KEY_NONE},
	{"\033P1$r0m\033\\", KEY_NONE}, {"\033_q\033\\", KEY_NONE},
};

START_TEST(a_sequence_is_one_key_or_none)
{
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++) {
		struct key_decoder decoder = {0};
		size_t length = strlen(sequences[i].bytes), expected = sequences[i].key != KEY_NONE;
		int key[KEYS_MAX];

		ck_assert_msg(keys_of(&decoder, sequences[i].bytes, length, key) == expected,
		              "\"%s\" (%zu)", sequences[i].bytes + (length > 1), i);
		if (expected)
			ck_assert_int_eq(key[0], sequences[i].key);
		ck_assert(!key_is_pending(&decoder));
		/* and what follows it is a key */
		ck_assert_int_eq(key_decode(&decoder, 'x'), 'x');
	}
}
END_TEST

START_TEST(cut_sequences_give_no_letters)
{
	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++)
		for (size_t cut = 1; cut < strlen(sequences[i].bytes); cut++) {
			struct key_decoder decoder = {0};
			int key[KEYS_MAX];

			if (sequences[i].bytes[0] != '\033')
				continue;
			/* the next sequence begins before this one ended */
			ck_assert_uint_le(keys_of(&decoder, sequences[i].bytes, cut, key), 0);
			ck_assert_uint_eq(keys_of(&decoder, "\033[B", 3, key), 1);
			ck_assert_int_eq(key[0], KEY_DOWN);
		}
}
END_TEST

START_TEST(escape_alone_needs_a_pause)
{
	struct key_decoder decoder = {0};

	ck_assert(!key_is_pending(&decoder));
	ck_assert_int_eq(key_timeout(&decoder), KEY_NONE);
	ck_assert_int_eq(key_decode(&decoder, 0x1b), KEY_NONE);
	ck_assert(key_is_pending(&decoder));
	ck_assert_int_eq(key_timeout(&decoder), KEY_ESCAPE);
	ck_assert(!key_is_pending(&decoder));
	ck_assert_int_eq(key_decode(&decoder, 'q'), 'q');
	/* twice in a row is one */
	ck_assert_int_eq(key_decode(&decoder, 0x1b), KEY_NONE);
	ck_assert_int_eq(key_decode(&decoder, 0x1b), KEY_NONE);
	ck_assert_int_eq(key_timeout(&decoder), KEY_ESCAPE);
	ck_assert_int_eq(key_timeout(&decoder), KEY_NONE);
}
END_TEST

START_TEST(a_slow_line_may_pause_in_a_sequence)
{
	struct key_decoder decoder = {0};
	int key[KEYS_MAX];

	ck_assert_uint_eq(keys_of(&decoder, "\033[5", 3, key), 0);
	ck_assert(!key_is_pending(&decoder));
	ck_assert_int_eq(key_timeout(&decoder), KEY_NONE);
	ck_assert_int_eq(key_decode(&decoder, '~'), KEY_PAGE_UP);
	/* a string that never ends, as after Alt with ], ends with a pause */
	ck_assert_uint_eq(keys_of(&decoder, "\033]0;q", 5, key), 0);
	ck_assert(key_is_pending(&decoder));
	ck_assert_int_eq(key_timeout(&decoder), KEY_NONE);
	ck_assert_int_eq(key_decode(&decoder, 'q'), 'q');
}
END_TEST

START_TEST(controls_end_a_sequence)
{
	struct key_decoder decoder = {0};
	int key[KEYS_MAX];

	ck_assert_uint_eq(keys_of(&decoder, "\033[1;\r", 5, key), 1);
	ck_assert_int_eq(key[0], KEY_ENTER);
	ck_assert_uint_eq(keys_of(&decoder, "\033[\x03", 3, key), 1);
	ck_assert_int_eq(key[0], KEY_CTRL_C);
	ck_assert_uint_eq(keys_of(&decoder, "\033O\x03", 3, key), 1);
	ck_assert_int_eq(key[0], KEY_CTRL_C);
	ck_assert_uint_eq(keys_of(&decoder, "\033[[\x03", 4, key), 1);
	ck_assert_int_eq(key[0], KEY_CTRL_C);
}
END_TEST

/* Whatever came before, a pause and two ends of sequences make the keyboard usable again; SEED=...
   in the environment repeats a run. */
START_TEST(noise_does_not_last)
{
	const char *given = getenv("SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
	struct random random = {seed};

	for (int run = 0; run < 2000; run++) {
		struct key_decoder decoder = {0};
		unsigned length = random_below(&random, 60);

		for (unsigned i = 0; i < length; i++)
			(void)key_decode(&decoder, random_chance(&random, 20)
			                                   ? 0x1b
			                                   : (unsigned char)random_next(&random));
		(void)key_timeout(&decoder);
		(void)key_decode(&decoder, 'm'); /* may end a sequence that has begun */
		ck_assert_msg(key_decode(&decoder, 'q') == 'q', "SEED=%" PRIu64 ": run %d", seed,
		              run);
	}
}
END_TEST

Suite *keys_suite(void)
{
	Suite *suite = suite_create("keys");
	TCase *tests = tcase_create("keys");

	tcase_add_test(tests, a_sequence_is_one_key_or_none);
	tcase_add_test(tests, cut_sequences_give_no_letters);
	tcase_add_test(tests, escape_alone_needs_a_pause);
	tcase_add_test(tests, a_slow_line_may_pause_in_a_sequence);
	tcase_add_test(tests, controls_end_a_sequence);
	tcase_add_test(tests, noise_does_not_last);
	suite_add_tcase(suite, tests);
	return suite;
}
