/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "recorder/drain/page_queue.h"
#include "suites.h"

#define PAGE   4096u
#define CHUNK  PAGE_QUEUE_CHUNK
#define CHUNKS 8 /* that may wait */

static struct stream_writer writer;
static struct page_queue *queue;
static int ends[2];
static atomic_int interrupts;

static void setup(void)
{
	const struct page_queue_options options = {.page_bytes = PAGE, .bytes_max = CHUNKS * CHUNK};

	interrupts = 0;
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(stream_writer_begin(&writer, ends[1]), 0);
	writer.interrupts = &interrupts;
	writer.interrupt_limit = 2;
	ck_assert_int_eq(page_queue_begin(&writer, &options, &queue), 0);
}

static void teardown(void)
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void read_all(void *to, size_t size)
{
	char *at = to;

	while (size > 0) {
		ssize_t got = read(ends[0], at, size);

		ck_assert(got > 0);
		at += got;
		size -= (size_t)got;
	}
}

/* The next block must be `size` bytes of `fill` of that CPU. */
static void check_block(unsigned cpu, char fill, size_t size)
{
	struct stream_block block;
	char *bytes = xmalloc(size);

	read_all(&block, sizeof(block));
	ck_assert_uint_eq(block.type, STREAM_PAGES);
	ck_assert_uint_eq(block.cpu, cpu);
	ck_assert_uint_eq(block.size, size);
	read_all(bytes, size);
	for (size_t i = 0; i < size; i++)
		ck_assert(bytes[i] == fill);
	free(bytes);
}

static void take(unsigned cpu, char fill, size_t size)
{
	char *pages = xmalloc(size);

	memset(pages, fill, size);
	ck_assert_int_eq(page_queue_take(queue, cpu, pages, size), 0);
	free(pages);
}

static void *end_run(void *state)
{
	*(int *)state = page_queue_end(queue);
	return NULL;
}

/* Nobody reads: the pipe takes 64 KiB, the rest has to wait in memory. */
START_TEST(a_stalled_output_stops_nobody)
{
	char magic[STREAM_MAGIC_BYTES];
	pthread_t thread;
	int ended = 1;

	for (char i = 0; i < CHUNKS; i++)
		take((unsigned)i, (char)('a' + i), CHUNK);
	ck_assert_int_eq(pthread_create(&thread, NULL, end_run, &ended), 0);
	read_all(magic, sizeof(magic));
	for (char i = 0; i < CHUNKS; i++)
		check_block((unsigned)i, (char)('a' + i), CHUNK);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(ended, 0);
	ck_assert_uint_eq(writer.bytes,
	                  STREAM_MAGIC_BYTES + CHUNKS * (CHUNK + sizeof(struct stream_block)));
}
END_TEST

static atomic_bool is_taken;

static void *take_run(void *state)
{
	(void)state;
	for (int i = 0; i < CHUNKS + 2; i++)
		take(0, 'x', CHUNK);
	is_taken = true;
	return NULL;
}

START_TEST(what_waits_is_bounded)
{
	const struct timespec pause = {.tv_nsec = 200000000};
	char magic[STREAM_MAGIC_BYTES];
	pthread_t taker, ender;
	int ended = 1;

	is_taken = false;
	ck_assert_int_eq(pthread_create(&taker, NULL, take_run, NULL), 0);
	(void)nanosleep(&pause, NULL);
	ck_assert(!is_taken);
	read_all(magic, sizeof(magic));
	for (int i = 0; i < CHUNKS + 2; i++)
		check_block(0, 'x', CHUNK);
	ck_assert_int_eq(pthread_join(taker, NULL), 0);
	ck_assert_int_eq(pthread_create(&ender, NULL, end_run, &ended), 0);
	ck_assert_int_eq(pthread_join(ender, NULL), 0);
	ck_assert_int_eq(ended, 0);
}
END_TEST

/* Until the output is closed. */
static void *take_much_run(void *state)
{
	char *pages = xcalloc(1, CHUNK);

	(void)state;
	for (int i = 0; i < 400; i++)
		if (page_queue_take(queue, 0, pages, CHUNK) < 0)
			break;
	free(pages);
	return NULL;
}

static bool memory_is_had(size_t bytes)
{
	void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		return false;
	ck_assert_int_eq(munmap(block, bytes), 0);
	return true;
}

/* The address space of this process in bytes; 0: not known. */
static rlim_t memory_used(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	bool is_read = file && fscanf(file, "%ld", &pages) == 1;

	if (file)
		(void)fclose(file);
	return is_read ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Sets the limit to `bytes` more than what is had now; false: it has no effect here. */
static bool memory_limit(size_t bytes)
{
	rlim_t used = memory_used();
	struct rlimit limit = {.rlim_cur = used + bytes, .rlim_max = used + bytes};

	return used > 0 && setrlimit(RLIMIT_AS, &limit) == 0 && !memory_is_had(bytes * 2);
}

/* The limit is set first: a thread's heap takes address space in advance where it may. */
START_TEST(a_limit_on_memory_is_not_used_up)
{
	const struct page_queue_options options = {.page_bytes = PAGE, .bytes_max = 400 * CHUNK};
	const struct timespec nap = {.tv_nsec = 10000000}, pause = {.tv_nsec = 100000000};
	rlim_t much = memory_used() + (48u << 20), used;
	pthread_t taker;

	if (!memory_limit(64u << 20)) {
		printf("SKIP page_queue, a limit: setrlimit() has no effect here\n");
		return;
	}
	ck_assert_int_eq(page_queue_begin(&writer, &options, &queue), 0);
	ck_assert_int_eq(pthread_create(&taker, NULL, take_much_run, NULL), 0);
	/* as fast as the machine lets it; memory that is had for a try would make it stop sooner */
	while (memory_used() < much)
		(void)nanosleep(&nap, NULL);
	do {
		used = memory_used();
		(void)nanosleep(&pause, NULL);
	} while (memory_used() != used);
	ck_assert(memory_is_had(2u << 20));
}
END_TEST

START_TEST(pages_come_through_a_pipe)
{
	char magic[STREAM_MAGIC_BYTES], pages[3 * PAGE];
	int from[2];

	memset(pages, 'p', sizeof(pages));
	ck_assert_int_eq(pipe(from), 0);
	ck_assert_int_eq(write(from[1], pages, sizeof(pages)), sizeof(pages));
	ck_assert_int_eq(page_queue_take_pipe(queue, 5, from[0], sizeof(pages)), 0);
	read_all(magic, sizeof(magic));
	check_block(5, 'p', sizeof(pages));
	ck_assert_int_eq(page_queue_end(queue), 0);
	(void)close(from[0]);
	(void)close(from[1]);
}
END_TEST

/* Larger than a chunk, and where nothing more may wait. */
START_TEST(other_blocks_stand_between_pages)
{
	size_t size = 2 * CHUNK;
	char magic[STREAM_MAGIC_BYTES], *text = xmalloc(size);
	struct stream_block block;

	memset(text, 't', size);
	for (unsigned i = 0; i < CHUNKS; i++)
		take(i, 'a', CHUNK);
	ck_assert_int_eq(page_queue_take_block(queue, STREAM_OPTIONS, text, size), 0);
	read_all(magic, sizeof(magic));
	for (unsigned i = 0; i < CHUNKS; i++)
		check_block(i, 'a', CHUNK);
	read_all(&block, sizeof(block));
	ck_assert_uint_eq(block.type, STREAM_OPTIONS);
	ck_assert_uint_eq(block.size, size);
	read_all(text, size);
	ck_assert(text[0] == 't' && text[size - 1] == 't');
	take(1, 'b', CHUNK);
	check_block(1, 'b', CHUNK);
	ck_assert_int_eq(page_queue_end(queue), 0);
	free(text);
}
END_TEST

START_TEST(a_failed_write_is_reported)
{
	char *pages = xcalloc(1, CHUNK);
	int r = 0;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)close(ends[0]);
	for (int i = 0; r == 0 && i < 2 * CHUNKS; i++)
		r = page_queue_take(queue, 0, pages, CHUNK);
	ck_assert_int_eq(r, -EPIPE);
	ck_assert_int_eq(page_queue_end(queue), -EPIPE);
	free(pages);
}
END_TEST

/* Of a machine that is so quiet that no more pages come. */
START_TEST(a_failed_write_is_reported_without_more_pages)
{
	const struct timespec nap = {.tv_nsec = 1000000};

	(void)signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(page_queue_check(queue), 0);
	(void)close(ends[0]);
	take(0, 'a', PAGE);
	for (int i = 0; i < 20000 && page_queue_check(queue) == 0; i++)
		(void)nanosleep(&nap, NULL);
	ck_assert_int_eq(page_queue_check(queue), -EPIPE);
	ck_assert_int_eq(page_queue_end(queue), -EPIPE);
}
END_TEST

static void on_signal(int number)
{
	(void)number;
	interrupts++;
}

/* The second signal ends a write that would last for ever, and whoever waits for room. */
START_TEST(a_write_can_be_interrupted)
{
	struct sigaction action = {.sa_handler = on_signal}, before;
	char *pages = xcalloc(1, CHUNK);
	const struct timespec pause = {.tv_nsec = 100000000};

	ck_assert_int_eq(sigaction(SIGUSR1, &action, &before), 0);
	ck_assert_int_eq(page_queue_take(queue, 0, pages, CHUNK), 0);
	(void)nanosleep(&pause, NULL);
	(void)kill(getpid(), SIGUSR1);
	(void)nanosleep(&pause, NULL);
	ck_assert_int_eq(page_queue_take(queue, 0, pages, CHUNK), 0);
	(void)kill(getpid(), SIGUSR1);
	ck_assert_int_eq(page_queue_end(queue), -EINTR);
	ck_assert_int_eq(sigaction(SIGUSR1, &before, NULL), 0);
	free(pages);
}
END_TEST

/* A signal may come between two writes: the next one would not be interrupted any more. */
START_TEST(no_write_begins_after_the_second_signal)
{
	interrupts = 2;
	take(0, 'a', CHUNK);
	ck_assert_int_eq(page_queue_end(queue), -EINTR);
}
END_TEST

Suite *page_queue_suite(void)
{
	Suite *suite = suite_create("page_queue");
	TCase *tests = tcase_create("page_queue");

	/* locks that inherit priority are the kernel's to read, in its own byte order */
	tcase_set_tags(tests, "kernel");
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_stalled_output_stops_nobody);
	tcase_add_test(tests, what_waits_is_bounded);
	tcase_add_test(tests, a_limit_on_memory_is_not_used_up);
	tcase_add_test(tests, pages_come_through_a_pipe);
	tcase_add_test(tests, other_blocks_stand_between_pages);
	tcase_add_test(tests, a_failed_write_is_reported);
	tcase_add_test(tests, a_failed_write_is_reported_without_more_pages);
	tcase_add_test(tests, a_write_can_be_interrupted);
	tcase_add_test(tests, no_write_begins_after_the_second_signal);
	suite_add_tcase(suite, tests);
	return suite;
}
