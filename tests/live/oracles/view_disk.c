/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_disk [contended]: direct reads, one after the other. --disk must have each of them, with as
 * much time as the reader was blocked, and as many requests of the device as the kernel counted.
 * With "contended" somebody writes large blocks meanwhile, and must be named.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

#define READS        200
#define WRITE_BYTES  (1u << 20)
#define WRITES_MAX   100000
#define SECTORS_A_WRITE (WRITE_BYTES / 512)

/* Of /sys/block/DEVICE/stat; flushes are 0 where it has no such column. */
struct counts {
	uint64_t reads, writes, sectors_written, in_flight, flushes;
};

static char device[DISK_DEVICE_BYTES], window[64];
static atomic_bool is_over;
static int writer_tid;
static struct {
	uint64_t begin, end;
} writes[WRITES_MAX], reads[READS];
/* Of the time of all of them: not blocked, but on a CPU or wanting one. */
static uint64_t writes_awake, reads_awake;
static atomic_uint write_count;

static struct counts counts_now(void)
{
	char path[64];
	struct counts counts = {0};
	FILE *file;

	(void)snprintf(path, sizeof(path), "/sys/dev/block/%s/stat", device);
	file = fopen(path, "re");
	truth_may(file && fscanf(file, "%" SCNu64 " %*u %*u %*u %" SCNu64 " %*u %" SCNu64
	                         " %*u %" SCNu64 " %*u %*u %*u %*u %*u %*u %" SCNu64,
	                         &counts.reads, &counts.writes, &counts.sectors_written,
	                         &counts.in_flight, &counts.flushes) >= 4, path);
	(void)fclose(file);
	return counts;
}

/*
 * Counted when completed, told when issued: those in flight at an end may be on either side. A
 * flush without data is counted as a write, too, and several may become one.
 */
static void device_print(const struct counts at[4])
{
	uint64_t flushes = 2 * (at[3].flushes - at[0].flushes);
	char dev[DISK_DEVICE_BYTES];
	const struct {
		const char *what;
		uint64_t inside, around, unsure;
	} counts[] = {
		{"reads", at[2].reads - at[1].reads, at[3].reads - at[0].reads, at[1].in_flight},
		{"writes", at[2].writes - at[1].writes, at[3].writes - at[0].writes,
		 at[1].in_flight + flushes},
	};

	(void)snprintf(dev, sizeof(dev), "%s", device);
	*strchr(dev, ':') = ',';
	for (size_t i = 0; i < 2; i++)
		truth_add("row list=disk.devices is=dev:%s what=%s least=%ju most=%ju %s\n", dev,
		          counts[i].what,
		          counts[i].inside > counts[i].unsure ? counts[i].inside - counts[i].unsure
		                                              : 0,
		          counts[i].around + at[2].in_flight, window);
}

static uint64_t overlap_of(unsigned read)
{
	uint64_t overlap = 0;

	for (unsigned i = 0; i < write_count; i++) {
		uint64_t begin = reads[read].begin, end = reads[read].end;

		begin = begin > writes[i].begin ? begin : writes[i].begin;
		end = end < writes[i].end ? end : writes[i].end;
		overlap += begin < end ? end - begin : 0;
	}
	return overlap;
}

/* Nearly nobody else wrote there. */
static bool writer_is_alone(const struct counts at[4])
{
	return at[3].sectors_written - at[0].sectors_written < (write_count + 1) * SECTORS_A_WRITE;
}

static void contention_print(uint64_t took, bool is_alone)
{
	uint64_t overlap = 0, awake = reads_awake + writes_awake;
	int tid = truth_tid();

	for (unsigned i = 0; i < READS; i++)
		overlap += overlap_of(i);
	truth_add("row list=disk.contention is=task.tid:%d what=waiting_ns least=%ju most=%ju %s\n",
	          tid, took > reads_awake ? (took - reads_awake) / 10 * 8 : 0, took, window);
	if (is_alone)
		truth_add("row list=disk.contention is=task.tid:%d is=behind.0.task.tid:%d"
		          " what=behind.0.overlap_ns least=%ju most=%ju %s\n", tid, writer_tid,
		          overlap > awake ? (overlap - awake) / 10 * 8 : 1, took, window);
}

static void reads_print(uint64_t took)
{
	uint64_t blocked = took > reads_awake ? took - reads_awake : 0;
	int tid = truth_tid();

	truth_add("row list=disk.requests is=task.tid:%d is=bytes:%u what=rows least=%u most=%u %s\n",
	          tid, DISK_BLOCK_BYTES, READS, READS, window);
	truth_add("row list=disk.requests is=task.tid:%d what=rows least=%u most=%u %s\n", tid, READS,
	          READS, window);
	truth_add("row list=disk.tasks is=task.tid:%d what=reads least=%u most=%u %s\n", tid, READS,
	          READS, window);
	truth_add("row list=disk.tasks is=task.tid:%d what=read_bytes least=%u most=%u %s\n", tid,
	          READS * DISK_BLOCK_BYTES, READS * DISK_BLOCK_BYTES, window);
	truth_add("row list=disk.tasks is=task.tid:%d what=time_ns least=%ju most=%ju %s\n", tid,
	          blocked / 10 * 8, took, window);
	truth_add("row list=disk.requests is=task.tid:%d what=queue_ns+device_ns least=%ju most=%ju"
	          " %s\n", tid, blocked / 10 * 8, took, window);
}

static void *writer_run(void *unused)
{
	int fd = disk_file_open(O_WRONLY | O_DIRECT);
	void *block = NULL;

	writer_tid = truth_tid();
	truth_must(posix_memalign(&block, DISK_BLOCK_BYTES, WRITE_BYTES) == 0, "memory");
	memset(block, 'x', WRITE_BYTES);
	writes_awake = truth_awake();
	for (unsigned i = 0; !atomic_load(&is_over) && i < WRITES_MAX; i++, write_count++) {
		writes[i].begin = truth_now();
		truth_must(pwrite(fd, block, WRITE_BYTES, 0) == WRITE_BYTES, "pwrite");
		writes[i].end = truth_now();
	}
	writes_awake = truth_awake() - writes_awake;
	free(block);
	return unused;
}

/* Returns how long it took. */
static uint64_t read_all(int fd)
{
	void *block = disk_block_new();
	uint64_t begin;

	reads_awake = truth_awake();
	begin = truth_now();
	for (unsigned i = 0; i < READS; i++) {
		off_t at = (off_t)(i * 2654435761u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES;

		reads[i].begin = truth_now();
		truth_must(pread(fd, block, DISK_BLOCK_BYTES, at) == DISK_BLOCK_BYTES, "pread");
		reads[i].end = truth_now();
	}
	begin = truth_now() - begin;
	reads_awake = truth_awake() - reads_awake;
	free(block);
	return begin;
}

int main(int argc, char **argv)
{
	int fd = disk_file_open(O_RDONLY | O_DIRECT);
	bool is_contended = argc > 1 && strcmp(argv[1], "contended") == 0;
	pthread_t writer = pthread_self();
	struct counts at[4];
	uint64_t begin, end, took;

	disk_file_device(fd, device);
	if (is_contended)
		writer = truth_thread(writer_run, NULL);
	while (is_contended && !atomic_load(&write_count))
		truth_sleep(TRUTH_PAUSE_NS);
	at[0] = counts_now();
	begin = truth_now();
	at[1] = counts_now();
	took = read_all(fd);
	at[2] = counts_now();
	end = truth_now();
	at[3] = counts_now();
	atomic_store(&is_over, true);
	if (is_contended)
		(void)pthread_join(writer, NULL);
	(void)snprintf(window, sizeof(window), "begin=%" PRIu64 " end=%" PRIu64, begin, end);
	device_print(at);
	reads_print(took);
	if (is_contended)
		contention_print(took, writer_is_alone(at));
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
