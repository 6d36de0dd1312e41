/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/timeline/cause_note.h"
#include "views/lock/lock_list.h"

#include "suites.h"

static struct lock_list list;
static struct intern names;

static void setup(void)
{
	lock_list_init(&list);
	intern_init(&names);
}

static void teardown(void)
{
	lock_list_release(&list);
	intern_release(&names);
}

/* The caller that a stack of the program shows; "": none. */
static const char *caller_of(int32_t process, const char *stack)
{
	const struct lock lock = {.address = 0x1000, .process = process, .kind = LOCK_FUTEX};

	lock_list_note_user_place(&list, &names, &lock, intern_adds(&names, stack));
	return intern_text(&names, lock_list_caller(&list, &lock));
}

START_TEST(callers_of_futexes)
{
	ck_assert_str_eq(caller_of(1, "__lll_lock_wait;pthread_mutex_lock;cache_get;worker"),
	                 "cache_get");
	ck_assert_str_eq(caller_of(2, "__GI___lll_lock_wait;___pthread_mutex_lock;"
	                              "__gthread_mutex_lock;std::mutex::lock;put;main"), "put");
	/* which function called the innermost one is not on the stack */
	ck_assert_str_eq(caller_of(3, "__lll_lock_wait;worker;start_thread"), "");
	ck_assert_str_eq(caller_of(4, "syscall;my_lock;worker"), "");
	ck_assert_str_eq(caller_of(5, "__lll_lock_wait;pthread_mutex_lock;prog+0x12ab"), "");
	ck_assert_str_eq(caller_of(6, "__lll_lock_wait"), "");
	ck_assert_str_eq(caller_of(7, "[not mapped]"), "");
	/* the first one stays; another process has another lock there */
	ck_assert_str_eq(caller_of(1, "__lll_lock_wait;pthread_mutex_lock;other"), "cache_get");
	ck_assert_str_eq(caller_of(3, "__lll_lock_wait;pthread_mutex_lock;other"), "other");
}
END_TEST

START_TEST(callers_of_locks_of_the_kernel)
{
	const struct lock lock = {.address = 0x1000, .kind = LOCK_MUTEX};

	lock_list_note_place(&list, &names, &lock,
	                     intern_adds(&names, "__mutex_lock;mutex_lock;do_thing;entry"));
	ck_assert_str_eq(intern_text(&names, lock_list_caller(&list, &lock)), "do_thing");
	ck_assert_str_eq(caller_of(1, "syscall"), "");
}
END_TEST

/* One address of two kernels is two locks. */
START_TEST(machines_have_locks_of_their_own)
{
	struct contention here = {
		.lock = {.address = 0x1000, .kind = LOCK_MUTEX},
		.owner = TRACK_NONE,
		.begin = 10,
		.length = 5,
	};
	struct contention there = here;

	there.lock.machine = 1;
	there.waiter = 1;
	lock_list_add(&list, &here);
	lock_list_add(&list, &there);
	lock_list_add(&list, &here);
	ck_assert_uint_eq(list.lock_count, 2);
	ck_assert_uint_eq(list.share[0].figures.length.count, 2);
	ck_assert_uint_eq(list.known[list.share[1].lock].lock.machine, 1);
	lock_list_note_place(&list, &names, &here.lock, intern_adds(&names, "mutex_lock;here"));
	lock_list_note_place(&list, &names, &there.lock, intern_adds(&names, "mutex_lock;there"));
	ck_assert_str_eq(intern_text(&names, lock_list_caller(&list, &here.lock)), "here");
	ck_assert_str_eq(intern_text(&names, lock_list_caller(&list, &there.lock)), "there");
}
END_TEST

Suite *lock_list_suite(void)
{
	Suite *suite = suite_create("lock_list");
	TCase *tests = tcase_create("lock_list");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, callers_of_futexes);
	tcase_add_test(tests, callers_of_locks_of_the_kernel);
	tcase_add_test(tests, machines_have_locks_of_their_own);
	suite_add_tcase(suite, tests);
	return suite;
}
