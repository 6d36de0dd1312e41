/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop_read [cached]: direct reads from a loop device whose file is on a real disk: a worker of
 * the kernel reads that for us. The reader waits for the loop device; where the worker reads
 * through the page cache, it is the worker who waits for the disk, and who completes the read.
 */
#include <fcntl.h>
#include <linux/loop.h>
#include <string.h>
#include <unistd.h>

#include "disk_file.h"
#include "loop_device.h"
#include "truth.h"

#define READS 100u
/* No disk gives a block faster. */
#define DISK_READ_NS 5000u

int main(int argc, char **argv)
{
	bool is_cached = argc > 1 && strcmp(argv[1], "cached") == 0;
	int backing = disk_file_open(is_cached ? O_RDONLY : O_RDONLY | O_DIRECT);
	uint32_t flags = LO_FLAGS_READ_ONLY | (is_cached ? 0 : LO_FLAGS_DIRECT_IO);
	int number, loop = loop_device_open(backing, flags, O_RDONLY | O_DIRECT, &number);
	void *block = disk_block_new();
	uint64_t begin = truth_now(), end;

	(void)posix_fadvise(backing, 0, 0, POSIX_FADV_RANDOM);
	for (unsigned i = 0; i < READS; i++) {
		off_t at = (off_t)(i * 2654435761u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES;

		truth_must(pread(loop, block, DISK_BLOCK_BYTES, at) == DISK_BLOCK_BYTES, "pread");
	}
	end = truth_now();
	truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=disk|task|work\n", truth_tid(),
	          begin, end, READS * DISK_READ_NS);
	truth_add("path tid=%d begin=%ju end=%ju least=%u state=waiting kind=disk\n", truth_tid(),
	          begin, end, READS * DISK_READ_NS);
	/* the worker that reads the file for the device waits for the disk below */
	if (is_cached)
		truth_add("path tid=%d begin=%ju end=%ju least=%u state=waiting kind=disk depth=1\n",
		          truth_tid(), begin, end, READS * DISK_READ_NS);
	return truth_print();
}
