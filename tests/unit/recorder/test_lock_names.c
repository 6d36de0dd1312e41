/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Futexes of this process, by the symbols of this program. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "recorder/machine/seen_process.h"
#include "recorder/programs/lock_names.h"
#include "recorder/programs/program_file.h"
#include "suites.h"

static volatile uint32_t noted_locks[4];

static struct lock_names names;
static struct map_table table;
static struct peek peek;
static struct buffer text;

static void setup(void)
{
	lock_names_init(&names);
	map_table_init(&table);
	peek_init(&peek, PEEK_DISK_NS);
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
}

static void teardown(void)
{
	lock_names_release(&names);
	map_table_release(&table);
	peek_release(&peek);
	buffer_release(&text);
}

/* Takes the code of this program; NULL: the id that it has. */
static void take_self(const char *build_id)
{
	_cleanup_(fclosep) FILE *maps = fopen("/proc/self/maps", "re");
	_cleanup_(closep) int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char line[4096], hex[BUILD_ID_HEX_BYTES];
	struct maps_line found;

	ck_assert_ptr_nonnull(maps);
	ck_assert_int_eq(build_id_read(fd, hex), 0);
	while (fgets(line, sizeof(line), maps)) {
		struct mapping mapping;

		line[strcspn(line, "\n")] = '\0';
		if (!maps_line_parse(line, &found) || !found.is_executable ||
		    (uintptr_t)take_self - found.begin >= found.end - found.begin)
			continue;
		mapping = (struct mapping){found.begin, found.end, found.offset,
		                           map_table_file(&table, build_id ? build_id : hex,
		                                          found.path)};
		map_table_add(&table, getpid(), 100, &mapping);
	}
	map_table_keep(&table, getpid());
}

static void see_all(void)
{
	lock_names_take_thread(&names, 999999, getpid());
	lock_names_see(&names, 999999, (uintptr_t)&noted_locks[1]);
	lock_names_see(&names, 999999, (uintptr_t)&noted_locks[1]);
	lock_names_see(&names, getpid(), (uintptr_t)&noted_locks[1]);
	lock_names_see(&names, getpid(), (uintptr_t)&noted_locks[0]);
	lock_names_see(&names, 999998, (uintptr_t)&noted_locks[2]); /* of no process */
	lock_names_see(&names, getpid(), 0);
}

static const char *found(void)
{
	lock_names_find(&names, &peek, &table);
	lock_names_append(&names, map_table_find(&table, getpid()), 0, &text);
	return text.length ? text.text : "";
}

START_TEST(each_futex_has_its_variable)
{
	_cleanup_(freep) char *expected =
		xasprintf("variable %" PRIxPTR " 0 noted_locks\nvariable %" PRIxPTR " 4 noted_locks\n",
			  (uintptr_t)&noted_locks[0], (uintptr_t)&noted_locks[1]);

	take_self(NULL);
	see_all();
	ck_assert_str_eq(found(), expected);
}
END_TEST

START_TEST(what_is_no_variable_is_noted)
{
	_cleanup_(freep) char *expected =
		xasprintf("variable %" PRIxPTR " -\n", (uintptr_t)&expected);

	take_self(NULL);
	lock_names_see(&names, getpid(), (uintptr_t)&expected);
	ck_assert_str_eq(found(), expected);
}
END_TEST

/* No name is better than a wrong one. */
START_TEST(of_another_build_nothing_is_known)
{
	take_self(_i ? "0123456789abcdef" : "-");
	see_all();
	ck_assert_str_eq(found(), "");
}
END_TEST

START_TEST(there_are_bounds)
{
	for (uint64_t i = 1; i <= LOCK_NAMES_SEEN_MAX + 10; i++)
		lock_names_see(&names, getpid(), i * 8);
	ck_assert_uint_eq(names.seen_count, LOCK_NAMES_SEEN_MAX);
	take_self(NULL);
	(void)found();
	ck_assert_uint_le(names.named_count, LOCK_NAMES_MAX);
}
END_TEST

Suite *lock_names_suite(void)
{
	Suite *suite = suite_create("lock_names");
	TCase *tests = tcase_create("lock_names");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, each_futex_has_its_variable);
	tcase_add_test(tests, what_is_no_variable_is_noted);
	tcase_add_loop_test(tests, of_another_build_nothing_is_known, 0, 2);
	tcase_add_test(tests, there_are_bounds);
	suite_add_tcase(suite, tests);
	return suite;
}
