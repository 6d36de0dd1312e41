/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipe_flow producer|consumer: which end of a pipe is slow. A slow producer lets the consumer wait
 * for the producer's sleep; a slow consumer lets the producer wait, the pipe being full, for the
 * consumer's.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "truth.h"

#define PIPE_BYTES 4096

static int ends[2];
static bool is_producer_slow;
static int slow_tid, fast_tid;
static struct truth_wait waits[TRUTH_ROUNDS]; /* of the fast one */
static struct truth_wait naps[TRUTH_ROUNDS]; /* of the slow one */
static uint64_t end[TRUTH_ROUNDS];           /* of these */

/* A whole pipe at once, so that no more than one round fits in. */
static void pipe_move(bool is_producer)
{
	char bytes[PIPE_BYTES] = {0};

	if (is_producer)
		truth_must(write(ends[1], bytes, PIPE_BYTES) == PIPE_BYTES, "write");
	else
		truth_must(read(ends[0], bytes, PIPE_BYTES) == PIPE_BYTES, "read");
}

static void *slow_run(void *unused)
{
	slow_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_nap(&naps[i]);
		end[i] = truth_now();
		pipe_move(is_producer_slow);
	}
	return unused;
}

static void *fast_run(void *unused)
{
	fast_tid = truth_tid();
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		truth_wait_begin(&waits[i]);
		pipe_move(!is_producer_slow);
		truth_wait_end(&waits[i]);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t slow, fast;

	is_producer_slow = argc < 2 || strcmp(argv[1], "consumer") != 0;
	truth_must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
	truth_must(fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES) == PIPE_BYTES, "F_SETPIPE_SZ");
	slow = truth_thread(slow_run, NULL);
	fast = truth_thread(fast_run, NULL);
	(void)pthread_join(slow, NULL);
	(void)pthread_join(fast, NULL);
	/* a slow consumer's first round only makes room for what the second one waits to write */
	for (int i = 1; i < TRUTH_ROUNDS; i++) {
		int round = is_producer_slow ? i : i - 1;
		uint64_t least = truth_wait_least(&waits[i], end[round]);

		if (!least)
			continue;
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=task waker=%d\n", fast_tid,
		          waits[i].begin, end[round], least, slow_tid);
		truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d depth=1 state=waiting "
		          "kind=timer own=true\n",
		          fast_tid, waits[i].begin, end[round],
		          truth_wait_nap_least(&waits[i], &naps[round]), slow_tid);
	}
	return truth_print();
}
