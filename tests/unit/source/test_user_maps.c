/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "source/file/user_maps.h"
#include "suites.h"

static struct user_map_reader reader;
static struct text_store text;
static struct recording_notes notes;

static void setup(void)
{
	reader = (struct user_map_reader){0};
	text = (struct text_store){0};
	notes = (struct recording_notes){0};
}

static void teardown(void)
{
	user_maps_release(&reader);
	text_store_release(&text);
}

/* Lines as in a file, each in memory of its own: who reads beyond it is seen by the sanitizer. */
static void take(const char *lines)
{
	for (const char *at = lines; *at;) {
		size_t length = strcspn(at, "\n");
		char *copy = xmalloc(length + !length);
		struct text_line line = {copy, copy + length}, word;

		memcpy(copy, at, length);
		word = line_word(&line);
		ck_assert(user_maps_take(&reader, &text, word, line));
		free(copy);
		at += length + (at[length] == '\n');
	}
}

START_TEST(lines_become_sets)
{
	take("file 0 0a1b /usr/bin/a b\n"
	     "file 1 - [vdso]\n"
	     "maps 20 500\n"
	     "map 7000 8000 1000 1\n"
	     "map 400 900 0 0\n"
	     "jit 9000 20 late\n"
	     "jit 8800 10 f(int) [x]\n"
	     "maps 10 700\n"
	     "maps 20 300\n"
	     "map 1 2 0 0\n");
	user_maps_finish(&reader, &notes);
	ck_assert_uint_eq(reader.bad, 0);
	ck_assert_uint_eq(notes.user_files.count, 2);
	ck_assert_str_eq(notes.user_files.item[0].path, "/usr/bin/a b");
	ck_assert_str_eq(notes.user_files.item[0].build_id, "0a1b");
	ck_assert_ptr_null(notes.user_files.item[1].build_id);
	ck_assert_uint_eq(notes.user_maps.count, 3);
	ck_assert_int_eq(notes.user_maps.item[0].tgid, 10);
	ck_assert_uint_eq(notes.user_maps.item[0].map_count, 0);
	ck_assert_uint_eq(notes.user_maps.item[1].seen, 300);
	ck_assert_uint_eq(notes.user_maps.item[1].map[0].end, 2);
	ck_assert_uint_eq(notes.user_maps.item[2].map_count, 2);
	ck_assert_uint_eq(notes.user_maps.item[2].map[0].begin, 0x400);
	ck_assert_uint_eq(notes.user_maps.item[2].map[1].offset, 0x1000);
	ck_assert_uint_eq(notes.user_maps.item[2].map[1].file, 1);
	ck_assert_uint_eq(notes.user_maps.item[2].jit_count, 2);
	ck_assert_uint_eq(notes.user_maps.item[2].jit[0].begin, 0x8800);
	ck_assert_uint_eq(notes.user_maps.item[2].jit[0].size, 0x10);
	ck_assert_uint_eq(notes.user_maps.item[2].jit[0].reach, 0x8810);
	ck_assert_str_eq(notes.user_maps.item[2].jit[0].name, "f(int) [x]");
	ck_assert_uint_eq(notes.user_maps.item[2].jit[0].number, 1);
}
END_TEST

START_TEST(variables_are_of_their_set)
{
	const struct user_maps *set;

	take("maps 20 500\n"
	     "variable 7010 10 a\\012b \\134\n"
	     "variable 7000 0 lock\n"
	     "variable 8000 -\n"
	     "variable 9000 0 one\nvariable 9000 0 two\n"
	     "maps 10 700\n"
	     "variable 7000 0 other\n");
	user_maps_finish(&reader, &notes);
	set = &notes.user_maps.item[1];
	ck_assert_int_eq(set->tgid, 20);
	ck_assert_uint_eq(set->variable_count, 3);
	ck_assert_uint_eq(set->variable[0].address, 0x7000);
	ck_assert_uint_eq(set->variable[0].within, 0);
	ck_assert_str_eq(set->variable[0].name, "lock");
	ck_assert_uint_eq(set->variable[1].within, 0x10);
	ck_assert_str_eq(set->variable[1].name, "a\nb \\");
	ck_assert_uint_eq(set->variable[2].address, 0x8000);
	ck_assert_ptr_null(set->variable[2].name);
	ck_assert_uint_eq(notes.user_maps.item[0].variable_count, 1);
	ck_assert_str_eq(notes.user_maps.item[0].variable[0].name, "other");
	ck_assert_uint_eq(reader.bad, 2); /* two names for one address are none */
}
END_TEST

/* Each is left out, and counted. */
START_TEST(nonsense_is_left_out)
{
	static const char *const lines[] = {
		"file 2 - /not/the/next", "file -1 - /x", "file 1 -", "file 1",
		"file", "file 1 0a1 /odd", "file 1 0G /x", "file 1 0A /x", "file x - /x",
		"maps 0 1", "maps -1 1", "maps 1", "maps", "maps 99999999999 1", "maps 1 x",
		"maps 1 1 1", "maps 1 99999999999999999999",
		"map 1 2 0 1", "map 1 2 0 -1", "map 2 1 0 0", "map 2 2 0 0", "map 1 2 0", "map 1 2",
		"map", "map 1 2 0 0 0", "map 0x1 2 0 0", "map 1 2 ffffffffffffffff 0",
		"map 11111111111111111 2 0 0", "map  1 2 0 0",
		"jit 1 0 name", "jit 1 2", "jit 1 2 ", "jit 1", "jit", "jit x 2 name",
		"jit ffffffffffffffff 2 name",
		"variable", "variable 1", "variable 1 2", "variable 1 2 ", "variable x 2 name",
		"variable 1 x name", "variable 0x1 2 name", "variable -",
	};
	bool is_set_line = strncmp(lines[_i], "maps", 4) == 0;

	take("file 0 - /a\nmaps 5 5\nmap 10 20 0 0\n");
	take(lines[_i]);
	ck_assert_uint_eq(reader.bad, 1);
	take("map 30 40 0 0\n");
	user_maps_finish(&reader, &notes);
	ck_assert_uint_eq(notes.user_files.count, 1);
	ck_assert_uint_eq(notes.user_maps.count, 1);
	/* what follows a line of a set that makes no sense is of nobody */
	ck_assert_uint_eq(notes.user_maps.item[0].map_count, is_set_line ? 1 : 2);
	ck_assert_uint_eq(notes.user_maps.item[0].jit_count, 0);
	ck_assert_uint_eq(notes.user_maps.item[0].variable_count, 0);
	ck_assert_uint_eq(reader.bad, is_set_line ? 2 : 1);
}
END_TEST

START_TEST(of_overlapping_maps_the_first_is_kept)
{
	take("file 0 - /a\nmaps 5 5\nmap 10 20 0 0\nmap 18 30 0 0\nmap 20 28 0 0\nmap 8 9 0 0\n");
	user_maps_finish(&reader, &notes);
	ck_assert_uint_eq(notes.user_maps.item[0].map_count, 3);
	ck_assert_uint_eq(notes.user_maps.item[0].map[1].end, 0x20);
	ck_assert_uint_eq(notes.user_maps.item[0].map[2].begin, 0x20);
	ck_assert_uint_eq(reader.bad, 1);
}
END_TEST

START_TEST(a_text_does_not_go_on_in_the_next)
{
	take("file 0 - /a\nmaps 5 5\n");
	user_maps_part(&reader);
	take("map 10 20 0 0\n");
	user_maps_finish(&reader, &notes);
	ck_assert_uint_eq(notes.user_maps.item[0].map_count, 0);
	ck_assert_uint_eq(reader.bad, 1);
}
END_TEST

START_TEST(bytes_in_names_are_kept_but_for_nul)
{
	static const char word[] = "file", nul[] = "0 - /a\0b", control[] = "0 - /a\x1b[31m";
	const struct text_line file = {word, word + sizeof(word) - 1};

	(void)user_maps_take(&reader, &text, file,
	                     (struct text_line){nul, nul + sizeof(nul) - 1});
	ck_assert_uint_eq(reader.bad, 1);
	(void)user_maps_take(&reader, &text, file,
	                     (struct text_line){control, control + sizeof(control) - 1});
	user_maps_finish(&reader, &notes);
	ck_assert_str_eq(notes.user_files.item[0].path, "/a\x1b[31m");
}
END_TEST

Suite *user_maps_suite(void)
{
	Suite *suite = suite_create("user_maps");
	TCase *tests = tcase_create("user_maps");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, lines_become_sets);
	tcase_add_test(tests, variables_are_of_their_set);
	tcase_add_loop_test(tests, nonsense_is_left_out, 0, 36);
	tcase_add_test(tests, of_overlapping_maps_the_first_is_kept);
	tcase_add_test(tests, a_text_does_not_go_on_in_the_next);
	tcase_add_test(tests, bytes_in_names_are_kept_but_for_nul);
	suite_add_tcase(suite, tests);
	return suite;
}
