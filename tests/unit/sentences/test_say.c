/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sentences/say.h"

#include <string.h>

#include "suites.h"

#define MS 1000000u

static struct timeline timeline;
static struct buffer line;

static void say_setup(void)
{
	static const char hostile[] = "e\033[2Jl";
	uint32_t sh, evil;

	timeline_init(&timeline, /* keep_segments= */ false);
	sh = timeline_add_track(&timeline, 17);
	evil = timeline_add_track(&timeline, 9);
	timeline_add_name(&timeline, sh, 0, "sh", 2);
	timeline_add_name(&timeline, evil, 0, hostile, sizeof(hostile) - 1);
}

static void say_teardown(void)
{
	buffer_release(&line);
	timeline_release(&timeline);
}

#define SAYS(said, ...)                                                                            \
	do {                                                                                       \
		buffer_clear(&line);                                                               \
		say(&line, &timeline, __VA_ARGS__);                                                \
		ck_assert_str_eq(line.text, (said));                                               \
	} while (0)

START_TEST(words_are_said_by_kind)
{
	SAYS("sh[17] waited 3.000 ms for sh, 7.1 of 98 %",
	     "{task} waited {time} for {name}, {decimal} of {share}", TASK(0), TIME(3 * MS),
	     NAME(timeline_name_at(&timeline.track[0], NSEC_NEVER)), DECIMAL(7.1), SHARE(0.98));
	SAYS("1,234 or 1234, 1.5 KiB", "{count} or {number}, {size}", COUNT(1234), NUMBER(1234),
	     SIZE(1536));
	SAYS("at 0.003000 of 254,0", "at {seconds} of {device}", SECONDS(3 * MS),
	     DEVICE(254u << 20));
	SAYS("1 lost | 2", "{number} lost | {number}", NUMBER(1), NUMBER(2));
	SAYS("see --critical-path=17 --from 0.000000 --to 0.003000", "see {path}",
	     PATH(0, 0, 3 * MS));
	SAYS("sh[17] (RT 50)", "{ranked}", RANKED_AT(0, 49));
	SAYS("2.5 is 2.50", "{decimal} is {hundredths}", DECIMAL(2.5), HUNDREDTHS(2.5));
	SAYS("port 80", "port {machine}{number}", MACHINE(0), NUMBER(80));
}
END_TEST

START_TEST(hostile_names_are_cleaned)
{
	SAYS("e\\x1b[2Jl[9]", "{task}", TASK(1));
	SAYS("e\\x1b[2Jl", "{name}", NAME(timeline_name_at(&timeline.track[1], NSEC_NEVER)));
	SAYS("e\\x1b[2Jl", "{foreign}[ or {foreign}]", FOREIGN("e\033[2Jl"), FOREIGN(NULL));
}
END_TEST

START_TEST(clauses_are_left_out_with_their_words)
{
	const char *none = NULL;

	SAYS("a, at 3.000 ms, z", "{text}[, at {time}], z", TEXT("a"), WHEN(true, TIME(3 * MS)));
	SAYS("a, z", "{text}[, at {time}], z", TEXT("a"), WHEN(false, TIME(3 * MS)));
	SAYS(", z", "[{text}], z", TEXT(none));
	SAYS(", z", "[by {text}], z", TEXT(""));
	/* an absent word outside of clauses says nothing */
	SAYS("a", "a{text}", TEXT(none));
	SAYS("by sh[17]", "by [{task}|nobody]", TASK(0));
	SAYS("by nobody", "by [{task}|nobody]", TASK(TRACK_NONE));
}
END_TEST

START_TEST(first_whole_clause_is_said)
{
	SAYS("b 2", "[a {number}|b {number}|c]", ABSENT, NUMBER(2));
	SAYS("a 1", "[a {number}|b {number}|c]", NUMBER(1), NUMBER(2));
	SAYS("c", "[a {number}|b {number}|c]", ABSENT, ABSENT);
	SAYS("", "[a {number}|b {number}]", ABSENT, ABSENT);
	SAYS("it ran.", "it [{if}ran|slept].", IF(true));
	SAYS("it slept.", "it [{if}ran|slept].", IF(false));
}
END_TEST

/* A task that is none is behind an absent word, or in a clause behind the one that is said. */
START_TEST(words_of_other_clauses_are_passed_over)
{
	SAYS("a 1", "a[ {if}of {task}][ {number}|{task}]", IF(false), TASK(TRACK_NONE), NUMBER(1),
	     TASK(TRACK_NONE));
	SAYS("1", "[{if}x[{task}|{task}]]{number}", IF(false), TASK(TRACK_NONE), TASK(TRACK_NONE),
	     NUMBER(1));
}
END_TEST

/* What an outer clause has said is dropped with it; what follows gets its own words. */
START_TEST(clauses_nest)
{
	SAYS("x (1 of 2) 3", "x[ ({number}[ of {number}])] {number}", NUMBER(1), NUMBER(2),
	     NUMBER(3));
	SAYS("x (1) 3", "x[ ({number}[ of {number}])] {number}", NUMBER(1), ABSENT, NUMBER(3));
	SAYS("x 3", "x[ ({number}[ of {number}])] {number}", ABSENT, NUMBER(2), NUMBER(3));
}
END_TEST

START_TEST(plurals_go_by_the_latest_count)
{
	SAYS("1 try, 2 tries", "{count} tr{y|ies}, {number} tr{y|ies}", COUNT(1), NUMBER(2));
	SAYS("0 CPUs", "{count} CPU{|s}", COUNT(0));
	SAYS("they are", "{many}{it is|they are}", MANY(7));
}
END_TEST

START_TEST(elements_of_a_list_are_separated)
{
	buffer_clear(&line);
	for (unsigned i = 0; i < 3; i++)
		say(&line, NULL, "{,}{number}", NUMBER(i));
	ck_assert_str_eq(line.text, "0, 1, 2");
}
END_TEST

/* The text of a cut buffer ends at its limit. */
START_TEST(buffer_limit_holds)
{
	struct buffer cut = {.limit = 4};

	say(&cut, NULL, "abc[def {number}]{text}", ABSENT, TEXT("ghi"));
	ck_assert_str_eq(cut.text, "abcg");
	buffer_release(&cut);
}
END_TEST

Suite *say_suite(void)
{
	Suite *suite = suite_create("say");
	TCase *tests = tcase_create("say");

	tcase_add_checked_fixture(tests, say_setup, say_teardown);
	tcase_add_test(tests, words_are_said_by_kind);
	tcase_add_test(tests, hostile_names_are_cleaned);
	tcase_add_test(tests, clauses_are_left_out_with_their_words);
	tcase_add_test(tests, first_whole_clause_is_said);
	tcase_add_test(tests, words_of_other_clauses_are_passed_over);
	tcase_add_test(tests, clauses_nest);
	tcase_add_test(tests, plurals_go_by_the_latest_count);
	tcase_add_test(tests, elements_of_a_list_are_separated);
	tcase_add_test(tests, buffer_limit_holds);
	suite_add_tcase(suite, tests);
	return suite;
}
