/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_read [busy]: direct reads from a disk. The reader waits for the disk; with "busy" every CPU
 * spins meanwhile, so that interrupts hit the spinners, which must never be named.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

#define READS 200
#define SPINNERS_MAX 64

static atomic_bool is_over;
static atomic_int spinner_tids[SPINNERS_MAX];

static void *spinner_run(void *cpu)
{
	unsigned index = (unsigned)(uintptr_t)cpu;

	atomic_store(&spinner_tids[index], truth_tid());
	(void)truth_pin(index);
	while (!atomic_load(&is_over))
		;
	return NULL;
}

static unsigned spinners_begin(pthread_t *spinners)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned count = cpus > SPINNERS_MAX ? SPINNERS_MAX : (unsigned)cpus;

	for (unsigned i = 0; i < count; i++)
		truth_must(pthread_create(&spinners[i], NULL, spinner_run,
		                          (void *)(uintptr_t)i) == 0,
		           "pthread_create");
	truth_sleep(TRUTH_PAUSE_NS);
	return count;
}

int main(int argc, char **argv)
{
	int fd = disk_file_open(O_RDONLY | O_DIRECT);
	void *block = disk_block_new();
	pthread_t spinners[SPINNERS_MAX];
	unsigned count = argc > 1 && strcmp(argv[1], "busy") == 0 ? spinners_begin(spinners) : 0;
	uint64_t begin = truth_now(), end;

	for (unsigned i = 0; i < READS; i++) {
		off_t at = (off_t)(i * 2654435761u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES;

		truth_must(pread(fd, block, DISK_BLOCK_BYTES, at) == DISK_BLOCK_BYTES, "pread");
	}
	end = truth_now();
	atomic_store(&is_over, true);
	truth_add("wait tid=%d begin=%ju end=%ju least=1 kind=disk\n", truth_tid(), begin, end);
	for (unsigned i = 0; i < count; i++) {
		(void)pthread_join(spinners[i], NULL);
		truth_add("wait tid=%d begin=%ju end=%ju least=1 kind=disk not_waker=%d\n",
		          truth_tid(), begin, end, atomic_load(&spinner_tids[i]));
	}
	return truth_print();
}
