/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight/stream_ring.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "suites.h"

static struct chunk_store store;

/* In memory, and in a file. */
static void begin(int kind)
{
	int fd = kind ? memfd_create("test", 0) : -1;

	chunk_store_init(&store, fd);
}

static uint32_t take(void)
{
	uint32_t chunk = UINT32_MAX;

	ck_assert_int_eq(chunk_store_take(&store, &chunk), 0);
	return chunk;
}

static void put(uint32_t chunk, size_t at, const char *text)
{
	ck_assert_int_eq(chunk_store_write(&store, chunk, at, text, strlen(text)), 0);
}

static void expect(uint32_t chunk, size_t at, const char *text)
{
	char found[64];

	ck_assert_int_eq(chunk_store_read(&store, chunk, at, found, strlen(text)), 0);
	ck_assert_mem_eq(found, text, strlen(text));
}

START_TEST(chunks_keep_what_is_written)
{
	uint32_t one, other;

	begin(_i);
	one = take();
	other = take();
	ck_assert_uint_ne(one, other);
	put(one, 0, "abc");
	put(other, CHUNK_BYTES - 3, "xyz");
	put(one, 3, "def");
	expect(one, 0, "abcdef");
	expect(other, CHUNK_BYTES - 3, "xyz");
	chunk_store_release(&store);
}
END_TEST

START_TEST(chunks_are_used_again_but_for_a_hold)
{
	uint32_t one, other;

	begin(_i);
	one = take();
	chunk_store_give_back(&store, one);
	ck_assert_uint_eq(take(), one);
	chunk_store_hold(&store, true);
	if (_i)
		put(one, 0, "held");
	chunk_store_give_back(&store, one);
	other = take();
	ck_assert_uint_ne(other, one);
	put(other, 0, "else");
	if (_i)
		expect(one, 0, "held");
	chunk_store_hold(&store, false);
	ck_assert_uint_eq(take(), one);
	ck_assert_uint_eq(store.count, 2);
	chunk_store_release(&store);
}
END_TEST

START_TEST(a_full_file_has_no_more_chunks)
{
	const struct rlimit limit = {CHUNK_BYTES + 1, CHUNK_BYTES + 1};
	uint32_t chunk;

	begin(1);
	(void)signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	chunk = take();
	ck_assert_int_eq(chunk_store_take(&store, &chunk), -EFBIG);
	ck_assert_uint_eq(store.count, 1);
	chunk_store_release(&store);
}
END_TEST

/* Whether the kernel has any memory there: mincore() fails of an address without. */
static bool is_mapped(const void *address)
{
	unsigned char first;

	return mincore((void *)(uintptr_t)address, 1, &first) == 0;
}

/* Takes that many chunks, and fills them. */
static void take_many(uint32_t count, uint32_t *ret)
{
	static uint8_t bytes[CHUNK_BYTES];

	memset(bytes, 1, sizeof(bytes));
	for (uint32_t i = 0; i < count; i++) {
		ret[i] = take();
		ck_assert_int_eq(chunk_store_write(&store, ret[i], 0, bytes, sizeof(bytes)), 0);
	}
}

/* The ring shrinks after a burst; its oldest chunks are not the last of the memory. */
START_TEST(memory_goes_back)
{
	enum { CHUNKS = 200 };
	uint32_t chunk[CHUNKS], left = 0;
	const void *memory[CHUNKS];

	begin(0);
	take_many(CHUNKS, chunk);
	for (uint32_t i = 0; i < CHUNKS; i++) {
		memory[i] = store.memory[chunk[i]];
		ck_assert(is_mapped(memory[i]));
	}
	for (uint32_t i = 0; i + 1 < CHUNKS; i++)
		chunk_store_give_back(&store, chunk[i]);
	for (uint32_t i = 0; i < CHUNKS; i++)
		left += is_mapped(memory[i]);
	/* the last one, and what else this process may have mapped since */
	ck_assert_uint_ge(left, 1);
	ck_assert_uint_le(left, CHUNKS / 10);
	chunk_store_release(&store);
}
END_TEST

Suite *chunk_store_suite(void)
{
	Suite *suite = suite_create("chunk_store");
	TCase *tests = tcase_create("chunk_store");

	tcase_add_loop_test(tests, chunks_keep_what_is_written, 0, 2);
	tcase_add_loop_test(tests, chunks_are_used_again_but_for_a_hold, 0, 2);
	tcase_add_test(tests, memory_goes_back);
	tcase_add_test(tests, a_full_file_has_no_more_chunks);
	suite_add_tcase(suite, tests);
	return suite;
}
