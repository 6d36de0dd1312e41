/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small writes, each made durable: whoever the writer waits for directly (the device, a journal
 * thread, a worker), most of its critical path must end at the disk.
 */
#include <fcntl.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

/* No disk makes a block durable faster. */
#define DISK_WRITE_NS 10000u

int main(void)
{
	int fd = disk_file_open(O_RDWR);
	void *block = disk_block_new();
	uint64_t begin = truth_now();

	for (unsigned i = 0; i < TRUTH_ROUNDS; i++) {
		off_t at = (off_t)(i * 7919u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES;

		truth_must(pwrite(fd, block, DISK_BLOCK_BYTES, at) == DISK_BLOCK_BYTES, "pwrite");
		truth_must(fsync(fd) == 0, "fsync");
	}
	truth_add("path tid=%d begin=%ju end=%ju least=%u kind=disk\n", truth_tid(), begin,
	          truth_now(), TRUTH_ROUNDS * DISK_WRITE_NS);
	truth_add("wait tid=%d begin=%ju end=%ju least=1 kind=disk|task|work\n", truth_tid(), begin,
	          truth_now());
	return truth_print();
}
