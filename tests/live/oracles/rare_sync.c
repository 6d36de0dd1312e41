/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare_sync MODE COUNT SEED PERCENT: "writer" writes a block of a file and syncs it, so often. That
 * part of the times, chosen by the seed, somebody is in its way:
 *
 *	disk  the process "dumper" writes much to a file of its own: so the fsync is slow
 *	lock  the thread "filler" does so to the writer's file, of which it has the kernel's lock
 *	      meanwhile: so the pwrite is slow
 *	none  nobody
 *
 * Prints a line for each time: when the call that may be slow began and ended, in ns of
 * CLOCK_MONOTONIC, and MODE, if the other one was at it for at least 20 us of that, or "-".
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"
#include "truth.h"

#define BLOCK    4096u
#define BLOCKS   1024u      /* of the writer's file */
#define FILLED   (1u << 22) /* bytes behind them */
#define DUMPED   (1u << 25)
#define LOST_NS  20000u
#define HELPS    4096u      /* times, at most */
#define PAUSE_NS 200000u

/* Shared with who is in the way. */
static struct helper {
	atomic_int is_ready, is_asked, is_at_it, is_over;
	atomic_size_t count;
	struct {
		uint64_t begin, end;
	} at_it[HELPS];
} *helper;

static int file, direct; /* the same, past the page cache; or the dumper's */
static pthread_t filler;
static char bytes[DUMPED] __attribute__((aligned(BLOCK)));

/* A file of that many bytes, opened twice. */
static void file_open(int *ret, int *ret_direct, size_t length)
{
	char path[] = "/var/tmp/ftwait-sync.XXXXXX";

	*ret = mkostemp(path, O_CLOEXEC);
	truth_must(*ret >= 0, path);
	*ret_direct = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
	truth_may(*ret_direct >= 0, "O_DIRECT");
	(void)unlink(path);
	truth_must(pwrite(*ret, bytes, length, 0) == (ssize_t)length && fsync(*ret) == 0, "pwrite");
}

static void fill(void)
{
	truth_must(pwrite(direct, bytes, FILLED, BLOCKS * BLOCK) == FILLED, "pwrite");
}

static void dump(void)
{
	truth_must(pwrite(direct, bytes, DUMPED, 0) == DUMPED, "pwrite");
}

static void help(void (*do_it)(void))
{
	atomic_store(&helper->is_ready, 1);
	while (!atomic_load(&helper->is_over)) {
		if (atomic_exchange(&helper->is_asked, 0) && helper->count < HELPS) {
			helper->at_it[helper->count].begin = truth_now();
			atomic_store(&helper->is_at_it, 1);
			do_it();
			helper->at_it[atomic_load(&helper->count)].end = truth_now();
			atomic_fetch_add(&helper->count, 1);
			atomic_store(&helper->is_at_it, 0);
		}
		truth_sleep(PLANTED_IDLE);
	}
}

static void *filler_run(void *unused)
{
	(void)prctl(PR_SET_NAME, "filler");
	(void)truth_pin(OTHER_CPU);
	help(fill);
	return unused;
}

static void dumper_begin(void)
{
	pid_t child = fork();

	truth_must(child >= 0, "fork");
	if (child > 0)
		return;
	(void)prctl(PR_SET_NAME, "dumper");
	file_open(&file, &direct, DUMPED);
	(void)truth_pin(OTHER_CPU);
	help(dump);
	_exit(0);
}

/* It is at it, as far as that shows from outside. */
static void ask_helper(void)
{
	size_t count = helper->count;

	atomic_store(&helper->is_asked, 1);
	while (!atomic_load(&helper->is_at_it) && helper->count == count)
		truth_sleep(PLANTED_IDLE / 3);
}

/* Writes and syncs: the unit is one of the two. */
static void write_block(struct planted_unit *unit, bool is_fsync)
{
	off_t at = (off_t)(random_below(BLOCKS) * BLOCK);

	unit->begin = truth_now();
	truth_must(pwrite(file, bytes, BLOCK, at) == BLOCK, "pwrite");
	unit->end = truth_now();
	if (is_fsync)
		unit->begin = unit->end;
	truth_must(fsync(file) == 0, "fsync");
	if (is_fsync)
		unit->end = truth_now();
}

static uint64_t lost(const struct planted_unit *unit)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < helper->count; i++) {
		uint64_t begin = helper->at_it[i].begin, end = helper->at_it[i].end;

		begin = begin > unit->begin ? begin : unit->begin;
		end = end < unit->end ? end : unit->end;
		sum += end > begin ? end - begin : 0;
	}
	return sum;
}

static void print(const struct planted_unit *unit, const char *mode)
{
	printf("%ju %ju %s\n", (uintmax_t)unit->begin, (uintmax_t)unit->end,
	       lost(unit) >= LOST_NS ? mode : "-");
}

static void helper_begin(bool is_thread)
{
	helper = truth_shared(sizeof(*helper));
	file_open(&file, &direct, is_thread ? BLOCKS * BLOCK + FILLED : BLOCKS * BLOCK);
	if (is_thread)
		filler = truth_thread(filler_run, NULL);
	else
		dumper_begin();
	while (!atomic_load(&helper->is_ready))
		truth_sleep(PLANTED_IDLE);
}

static void helper_end(bool is_thread)
{
	atomic_store(&helper->is_over, 1);
	if (is_thread)
		(void)pthread_join(filler, NULL);
	while (wait(NULL) > 0)
		;
}

static void blocks_write(struct planted_unit *unit, size_t count, uint64_t part, bool is_fsync)
{
	for (size_t i = 0; i < count; i++) {
		while (atomic_load(&helper->is_at_it))
			truth_sleep(PLANTED_IDLE);
		if (random_below(10000) < part)
			ask_helper();
		write_block(&unit[i], is_fsync);
		truth_sleep(PAUSE_NS);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "none";
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 800;
	uint64_t part = (uint64_t)((argc > 4 ? strtod(argv[4], NULL) : 1.5) * 100);
	bool is_lock = strcmp(mode, "lock") == 0, is_none = strcmp(mode, "none") == 0;
	struct planted_unit *unit = calloc(count, sizeof(*unit));

	truth_must(unit != NULL, "memory");
	truth_must(is_lock || is_none || strcmp(mode, "disk") == 0, "there is no such mode");
	random_begin(argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
	helper_begin(is_lock);
	(void)prctl(PR_SET_NAME, "writer");
	(void)truth_pin(WORK_CPU);
	blocks_write(unit, count, is_none ? 0 : part, !is_lock);
	helper_end(is_lock);
	for (size_t i = 0; i < count; i++)
		print(&unit[i], mode);
	free(unit);
	return 0;
}
