/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FIFOs stand in for the files of the ring buffers: CPU 0's is filled as fast as it is emptied,
 * CPU 1's gets a page a round. The output is slow, so that there is always more of CPU 0. Who is
 * served when is read off the stream.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "recorder/drain/draining.h"
#include "recorder/drain/ring_reader.h"
#include "suites.h"

#define PAGE       4096u
#define BUFFER     (4u << 20)
#define RUN_MAX    (1u << 20) /* what CPU 0 may take until CPU 1's turn */
#define ROUNDS     150
#define SLOW_PAGES 1000
#define SLOW_TRIES 30000

static char folder[] = "/tmp/ftwait-ring.XXXXXX";
static struct capture_session session = {
	.dir = folder,
	.cpu_count = 2,
	.page_bytes = PAGE,
	.buffer_bytes = BUFFER,
};
static int fifo[2], output[2];
static atomic_bool is_over;

static void fifo_make(unsigned cpu)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu%u", folder, cpu);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", folder, cpu);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	fifo[cpu] = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fifo[cpu], 0);
}

static void setup(void)
{
	char path[64];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/per_cpu", folder);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	fifo_make(0);
	fifo_make(1);
	ck_assert_int_eq(pipe2(output, O_CLOEXEC), 0);
}

static void teardown(void)
{
	char command[128];

	(void)close(fifo[0]);
	(void)close(fifo[1]);
	(void)close(output[0]);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void *feed(void *state)
{
	char *page = xcalloc(1, PAGE);

	(void)state;
	while (!is_over)
		(void)!write(fifo[0], page, PAGE);
	free(page);
	return NULL;
}

static bool output_read(void *to, size_t size)
{
	for (size_t have = 0; have < size;) {
		ssize_t got = read(output[0], (char *)to + have, size - have);

		if (got <= 0)
			return false;
		have += (size_t)got;
	}
	return true;
}

/* The most bytes of CPU 0 between two blocks of CPU 1. */
static void *consume(void *state)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	char *pages = xmalloc(BUFFER);
	struct stream_block block;
	uint64_t *most = state, run = 0;

	(void)output_read(pages, STREAM_MAGIC_BYTES);
	while (output_read(&block, sizeof(block)) && output_read(pages, (size_t)block.size)) {
		run = block.cpu == 0 ? run + block.size : 0;
		if (run > *most)
			*most = run;
		(void)nanosleep(&pause, NULL);
	}
	free(pages);
	return NULL;
}

static struct stream_writer writer;
static struct ring_reader *reader;
static struct page_queue *queue;
static pthread_t consumer;
static uint64_t most;

static void drain_begin(void)
{
	const struct page_queue_options options = {.page_bytes = PAGE, .bytes_max = 0};
	struct buffer why;

	buffer_init(&why, 1000);
	ck_assert_int_eq(ring_reader_open(&session, &reader, &why), 0);
	buffer_release(&why);
	ck_assert_int_eq(stream_writer_begin(&writer, output[1]), 0);
	ck_assert_int_eq(page_queue_begin(&writer, &options, &queue), 0);
	ck_assert_int_eq(pthread_create(&consumer, NULL, consume, &most), 0);
}

static void drain_end(void)
{
	ck_assert_int_eq(page_queue_end(queue), 0);
	(void)close(output[1]);
	ck_assert_int_eq(pthread_join(consumer, NULL), 0);
	reader = ring_reader_close(reader);
}

START_TEST(a_busy_cpu_does_not_keep_the_others_waiting)
{
	char *page = xcalloc(1, PAGE);
	pthread_t feeder;

	drain_begin();
	is_over = false;
	ck_assert_int_eq(pthread_create(&feeder, NULL, feed, NULL), 0);
	for (int i = 0; i < ROUNDS; i++) {
		ck_assert_int_eq(write(fifo[1], page, PAGE), PAGE);
		ck_assert_int_eq(ring_reader_drain(reader, queue), 0);
	}
	is_over = true;
	ck_assert_int_eq(pthread_join(feeder, NULL), 0);
	drain_end();
	ck_assert_uint_lt(most, RUN_MAX);
	free(page);
}
END_TEST

/* Fills CPU 1's buffer several times over: returns once all of that was drained. */
static int on_slow_call(void *state)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	char *page = state;

	for (int written = 0, tries = 0; written < SLOW_PAGES; tries++) {
		if (tries == SLOW_TRIES)
			return -ETIMEDOUT;
		if (write(fifo[1], page, PAGE) == PAGE)
			written++;
		else
			(void)nanosleep(&pause, NULL);
	}
	return SLOW_PAGES;
}

START_TEST(a_slow_call_does_not_keep_the_buffers_waiting)
{
	char *page = xcalloc(1, PAGE);

	drain_begin();
	ck_assert_int_eq(drain_while(reader, queue, on_slow_call, page), SLOW_PAGES);
	drain_end();
	free(page);
}
END_TEST

Suite *ring_reader_suite(void)
{
	Suite *suite = suite_create("ring_reader");
	TCase *tests = tcase_create("ring_reader");

	/* locks that inherit priority are the kernel's to read, in its own byte order */
	tcase_set_tags(tests, "kernel");
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_busy_cpu_does_not_keep_the_others_waiting);
	tcase_add_test(tests, a_slow_call_does_not_keep_the_buffers_waiting);
	suite_add_tcase(suite, tests);
	return suite;
}
