/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "../source/page_builder.h"
#include "base/byte_order.h"
#include "base/data/array.h"
#include "head_builder.h"
#include "recorder/drain/page_census.h"
#include "suites.h"

#define STACK 4
#define TIMER 466
#define OTHER 7
#define USER_STACK 13
#define EXEC 300
#define FUTEX 522
#define CALL 443

static const char stack_format[] =
	"name: kernel_stack\nID: 4\nformat:\n"
	"\tfield:unsigned long caller[8];\toffset:8;\tsize:64;\tsigned:0;\n\n"
	"print fmt: \"%ps %ps\", (void *)REC->caller[0], (void *)REC->caller[1]\n";

static const char *const formats[] = {
	("name: timer_start\nID: 466\nformat:\n"
	 "\tfield:void * timer;\toffset:8;\tsize:8;\tsigned:0;\n"
	 "\tfield:void * function;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	 "print fmt: \"%p %ps\", REC->timer, REC->function\n"),
	("name: user_stack\nID: 13\nformat:\n"
	 "\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n"
	 "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n"
	 "print fmt: \"%ps %ps\", (void *)REC->caller[0], (void *)REC->caller[1]\n"),
	("name: sched_process_exec\nID: 300\nformat:\n"
	 "\tfield:__data_loc char[] filename;\toffset:12;\tsize:4;\tsigned:0;\n"
	 "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
	 "print fmt: \"%d\", REC->pid\n"),
	("name: sys_enter_futex\nID: 522\nformat:\n"
	 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	 "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	 "\tfield:u32 * uaddr;\toffset:16;\tsize:8;\tsigned:0;\n\n"
	 "print fmt: \"uaddr: 0x%08lx\", REC->uaddr\n"),
	("name: sys_enter\nID: 443\nformat:\n"
	 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	 "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
	 "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\n"
	 "print fmt: \"NR %ld\", REC->id\n"),
	("name: other\nID: 7\nformat:\n\n"
	 "print fmt: \"%p\", REC->timer\n"),
};

static struct page_census census;
static struct page_builder builder;
static struct buffer head;

static void setup(void)
{
	head_make(&head, stack_format, formats, ARRAY_SIZE(formats));
	ck_assert_int_eq(page_census_init(&census, head.text, head.length), 0);
	ck_assert_uint_eq(census.layout.data_offset, 16);
}

static void teardown(void)
{
	page_census_release(&census);
	buffer_release(&head);
}

/* A record of that id: 8 bytes in common, then the words. */
static void put(uint16_t id, const uint64_t *word, size_t count, uint32_t delta)
{
	uint8_t payload[8 + 64 * 8] = {0};

	memcpy(payload, &id, sizeof(id));
	memcpy(payload + 8, word, count * 8);
	page_builder_record_of(&builder, delta, payload, 8 + count * 8);
}

/* The same, of a thread. */
static void put_of(uint16_t id, uint32_t tid, const uint64_t *word, size_t count)
{
	uint8_t payload[8 + 64 * 8] = {0};

	memcpy(payload, &id, sizeof(id));
	memcpy(payload + 4, &tid, sizeof(tid));
	memcpy(payload + 8, word, count * 8);
	page_builder_record_of(&builder, 0, payload, 8 + count * 8);
}

static void check_addresses(const uint64_t *expected, size_t count)
{
	size_t found;
	uint64_t *address = page_census_addresses(&census, &found);

	ck_assert_uint_eq(found, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(address[i], expected[i]);
	free(address);
}

START_TEST(events_are_counted_and_dated)
{
	static const uint64_t words[] = {1, 2, 3};

	page_builder_begin(&builder, &census.layout, 1000);
	put(OTHER, words, 1, 5);
	put(TIMER, words, 2, 10);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	page_builder_begin(&builder, &census.layout, 500);
	put(OTHER, words, 1, 1);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 2, builder.page, HEAD_PAGE_BYTES);
	ck_assert_uint_eq(census.events, 3);
	ck_assert_uint_eq(page_census_events_of(&census, 0), 2);
	ck_assert_uint_eq(page_census_events_of(&census, 1), 0);
	ck_assert_uint_eq(page_census_events_of(&census, 2), 1);
	ck_assert_uint_eq(page_census_events_of(&census, 3), 0);
	ck_assert_uint_eq(census.first, 501);
	ck_assert_uint_eq(census.last, 1015);
}
END_TEST

static void add_page_after_loss(uint64_t flags, uint64_t lost)
{
	static const uint64_t words[] = {1, 2, 3};

	page_builder_begin(&builder, &census.layout, 1000);
	put(OTHER, words, 1, 5);
	page_builder_end(&builder, flags, lost);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
}

START_TEST(losses_are_counted)
{
	add_page_after_loss(3u << 30, 5);
	add_page_after_loss(0, 0);
	add_page_after_loss(3u << 30, 7);
	ck_assert_uint_eq(census.lost, 12);
	ck_assert(!census.is_lost_more);
	add_page_after_loss(1u << 31, 0);
	ck_assert_uint_eq(census.lost, 12);
	ck_assert(census.is_lost_more);
}
END_TEST

START_TEST(functions_are_collected_once)
{
	static const uint64_t a[] = {0xdead, 0xffff0010}, b[] = {0xbeef, 0xffff0020};

	page_builder_begin(&builder, &census.layout, 1000);
	put(TIMER, b, 2, 0);
	put(TIMER, a, 2, 0);
	put(OTHER, b, 2, 0);
	put(TIMER, b, 2, 0);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	check_addresses((const uint64_t[]){0xffff0010, 0xffff0020}, 2);
}
END_TEST

START_TEST(a_stack_is_taken_to_its_end)
{
	/* the address to return to may be the begin of the next function; a mark may end it */
	static const uint64_t stack[] = {0x1000, 0x2000, 0, UINT64_MAX};

	page_builder_begin(&builder, &census.layout, 1000);
	put(STACK, stack, 4, 0);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	check_addresses((const uint64_t[]){0xfff, 0x1000, 0x1fff, 0x2000, UINT64_MAX - 1}, 5);
}
END_TEST

struct reported {
	int32_t tgid;
	uint64_t stack[8];
	size_t count;
	nsec_t exec_time;
};

static void on_user_stack(void *state, int32_t tgid, const uint64_t *address, size_t count)
{
	struct reported *reported = state;

	reported->tgid = tgid;
	reported->count = count;
	memcpy(reported->stack, address, count * sizeof(*address));
}

static void on_exec(void *state, int32_t tgid, nsec_t time)
{
	struct reported *reported = state;

	reported->tgid = tgid;
	reported->exec_time = time;
}

/* A word that begins with a number of 32 bits. */
static uint64_t word_of(uint32_t number)
{
	const uint32_t halves[] = {number, 0};
	uint64_t word;

	memcpy(&word, halves, sizeof(word));
	return word;
}

/* Addresses of programs are told of, and are no functions of the kernel's. */
START_TEST(stacks_of_programs_are_reported)
{
	const uint64_t stack[] = {word_of(77), 0x1000, 0x2000, 0, 0x3000}, exec[] = {word_of(78)};
	struct reported reported = {0};

	census.listener = (struct census_listener){
		.on_user_stack = on_user_stack,
		.on_exec = on_exec,
		.state = &reported,
	};
	page_builder_begin(&builder, &census.layout, 1000);
	put(USER_STACK, stack, 5, 0);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	check_addresses(NULL, 0);
	ck_assert_int_eq(reported.tgid, 77);
	ck_assert_uint_eq(reported.count, 2);
	ck_assert_uint_eq(reported.stack[1], 0x2000);
	page_builder_begin(&builder, &census.layout, 2000);
	put(USER_STACK, stack, 0, 0); /* too short for a process */
	put(EXEC, exec, 0, 0);
	put(EXEC, exec, 1, 5);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	ck_assert_int_eq(reported.tgid, 78);
	ck_assert_uint_eq(reported.exec_time, 2005);
}
END_TEST

static void on_futex(void *state, int32_t tid, uint64_t address)
{
	struct reported *reported = state;

	reported->tgid = tid;
	reported->stack[reported->count++] = address;
}

/* By the event of the call itself, and by that of any call; other calls name no futex. */
START_TEST(futexes_are_reported)
{
#ifdef __NR_futex
	const uint64_t futex = __NR_futex;
#else
	const uint64_t futex = __NR_futex_time64;
#endif
	const uint64_t own[] = {futex, 0x7000}, any[] = {futex, 0x8000, 1};
	const uint64_t other[] = {futex + 1, 0x9000};
	struct reported reported = {0};

	census.listener = (struct census_listener){.on_futex = on_futex, .state = &reported};
	page_builder_begin(&builder, &census.layout, 1000);
	put(FUTEX, own, 2, 0);
	put(FUTEX, own, 1, 0); /* too short */
	put(CALL, other, 2, 0);
	put(CALL, any, 1, 0);
	put(USER_STACK, any, 3, 0); /* nobody listens */
	put_of(CALL, 4711, any, 3);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	ck_assert_uint_eq(reported.count, 2);
	ck_assert_uint_eq(reported.stack[0], 0x7000);
	ck_assert_uint_eq(reported.stack[1], 0x8000);
	ck_assert_int_eq(reported.tgid, 4711);
}
END_TEST

START_TEST(a_short_record_has_no_field)
{
	static const uint64_t word[] = {1};

	page_builder_begin(&builder, &census.layout, 1000);
	put(TIMER, word, 1, 0);
	page_builder_end(&builder, 0, 0);
	page_census_add(&census, 0, builder.page, HEAD_PAGE_BYTES);
	ck_assert_uint_eq(census.events, 1);
	check_addresses(NULL, 0);
}
END_TEST

START_TEST(what_is_no_page_counts_nothing)
{
	uint8_t *noise = malloc(HEAD_PAGE_BYTES);

	memset(noise, 0xff, HEAD_PAGE_BYTES);
	page_census_add(&census, 0, noise, HEAD_PAGE_BYTES);
	page_census_add(&census, 0, noise, HEAD_PAGE_BYTES - 1);
	ck_assert_uint_eq(census.events, 0);
	free(noise);
}
END_TEST

START_TEST(a_head_that_is_none_is_refused)
{
	struct page_census other;

	for (size_t length = 0; length < head.length; length++) {
		ck_assert_int_eq(page_census_init(&other, head.text, length), -EINVAL);
		page_census_add(&other, 3, builder.page, HEAD_PAGE_BYTES);
		page_census_release(&other);
	}
}
END_TEST

Suite *page_census_suite(void)
{
	Suite *suite = suite_create("page_census");
	TCase *tests = tcase_create("page_census");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, events_are_counted_and_dated);
	tcase_add_test(tests, losses_are_counted);
	tcase_add_test(tests, functions_are_collected_once);
	tcase_add_test(tests, a_stack_is_taken_to_its_end);
	tcase_add_test(tests, stacks_of_programs_are_reported);
	tcase_add_test(tests, futexes_are_reported);
	tcase_add_test(tests, a_short_record_has_no_field);
	tcase_add_test(tests, what_is_no_page_counts_nothing);
	tcase_add_test(tests, a_head_that_is_none_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
