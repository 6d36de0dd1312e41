/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer to a device that may have few dirty pages: the kernel makes it pause, in state D, by a
 * timer of its own. The pauses must be told as that and never as sleep that it had chosen, and they
 * are what its writes took when it neither ran nor stood in a run queue.
 */
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk_file.h"
#include "loop_device.h"
#include "truth.h"

#define DIRTY_BYTES (1u << 20)
#define WRITES      (DISK_FILE_BLOCKS * 4)
#define PAUSES_NS   50000000u /* less is no penalty worth the name */

static void setting_write(int number, const char *name, unsigned value)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/sys/class/bdi/7:%d/%s", number, name);
	file = fopen(path, "we");
	truth_may(file, path);
	truth_may(fprintf(file, "%u\n", value) > 0 && fflush(file) == 0, path);
	(void)fclose(file);
}

int main(void)
{
	int backing = disk_file_open(O_RDWR), number;
	int loop = loop_device_open(backing, 0, O_RDWR, &number);
	void *block = disk_block_new();
	uint64_t begin, took, ran, queued, slept;

	/* max_bytes and strict_limit are there from Linux 6.2 on */
	setting_write(number, "strict_limit", 1);
	setting_write(number, "max_bytes", DIRTY_BYTES);
	begin = truth_now();
	ran = truth_cpu_time();
	queued = truth_run_delay();
	for (unsigned i = 0; i < WRITES; i++)
		truth_must(pwrite(loop, block, DISK_BLOCK_BYTES, (off_t)(i % DISK_FILE_BLOCKS) *
		                  DISK_BLOCK_BYTES) == DISK_BLOCK_BYTES, "pwrite");
	took = truth_now() - begin;
	ran = truth_cpu_time() - ran;
	queued = truth_run_delay() - queued;
	slept = took > ran + queued ? took - ran - queued : 0;
	if (slept < PAUSES_NS)
		truth_skip("nobody is made to pause here");
	truth_add("row list=memory.tasks is=task.tid:%d is=what:throttle what=total_ns least=%ju "
	          "most=%ju\n", truth_tid(), slept / 10 * 7, took - ran);
	truth_add("wait tid=%d begin=%ju end=%ju least=%ju kind=memory state=D\n", truth_tid(),
	          begin, begin + took, slept / 10 * 7);
	return truth_print();
}
