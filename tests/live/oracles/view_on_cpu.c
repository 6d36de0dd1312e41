/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs in its program, then in system calls, then reads from a disk, and knows how
 * long each of them took and how often it was taken off its CPU: --on-cpu must say the same. Its
 * CPU never idles, as 6.18 leaves out switches away from idle.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

#define USER_NS    150000000u
#define SYSTEM_NS  100000000u
#define READS      200
#define ZERO_BYTES (1u << 22)

/* Of a part: how long it took, and how much of that the thread ran, or was not awake. */
struct part {
	uint64_t time, ran, asleep;
};

static struct part part_begin(void)
{
	return (struct part){truth_now(), truth_cpu_time(), truth_awake()};
}

static void part_end(struct part *part)
{
	uint64_t awake = truth_awake() - part->asleep;

	part->ran = truth_cpu_time() - part->ran;
	part->time = truth_now() - part->time;
	part->asleep = part->time > awake ? part->time - awake : 0;
}

static atomic_bool is_over;

/* Runs where nobody else does. */
static void *fill_cpu(void *unused)
{
	const struct sched_param none = {0};

	truth_may(sched_setscheduler(0, SCHED_IDLE, &none) == 0, "SCHED_IDLE");
	while (!atomic_load(&is_over))
		;
	return unused;
}

static uint64_t switches(void)
{
	struct rusage usage;

	truth_must(getrusage(RUSAGE_THREAD, &usage) == 0, "getrusage");
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static struct part run_in_program(void)
{
	struct part part = part_begin();

	truth_spin(USER_NS);
	part_end(&part);
	return part;
}

static struct part run_in_calls(void)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char *zeros = malloc(ZERO_BYTES);
	struct part part;
	uint64_t end;

	truth_must(fd >= 0 && zeros && read(fd, zeros, ZERO_BYTES) == ZERO_BYTES, "/dev/zero");
	part = part_begin();
	end = truth_now() + SYSTEM_NS;
	while (truth_now() < end)
		truth_must(read(fd, zeros, ZERO_BYTES) == ZERO_BYTES, "/dev/zero");
	part_end(&part);
	free(zeros);
	(void)close(fd);
	return part;
}

static struct part read_disk(int fd)
{
	void *block = disk_block_new();
	struct part part = part_begin();

	for (unsigned i = 0; i < READS; i++)
		truth_must(pread(fd, block, DISK_BLOCK_BYTES,
		                 (off_t)(i * 2654435761u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES) ==
		                   DISK_BLOCK_BYTES, "pread");
	part_end(&part);
	free(block);
	return part;
}

int main(void)
{
	int fd = disk_file_open(O_RDONLY | O_DIRECT);
	bool is_pinned = truth_pin(0); /* the other thread is, too */
	pthread_t filler = truth_thread(fill_cpu, NULL);
	uint64_t switched = switches(), begin = truth_now(), end;
	struct part user = run_in_program(), system = run_in_calls(), disk = read_disk(fd);
	/* the tick of the kernel's clock, other interrupts, and what lies between two calls */
	uint64_t slack = (user.time + system.time + disk.time) / 20;
	const struct {
		const char *what;
		uint64_t least, most;
	} facts[] = {
		{"user_ns", user.ran / 20 * 19, user.time + slack},
		{"system_ns", system.ran / 20 * 19, system.time + disk.ran + slack},
		{"user_ns+system_ns", user.ran + system.ran, user.time + system.time + disk.time},
		{"io_wait_ns", disk.asleep / 10 * 8, disk.time},
		{"runs.count", switches() - switched - 1, switches() - switched + 1},
	};

	end = truth_now();
	atomic_store(&is_over, true);
	(void)pthread_join(filler, NULL);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		truth_add("row list=on_cpu.tasks is=task.tid:%d what=%s least=%" PRIu64
		          " most=%" PRIu64 " begin=%" PRIu64 " end=%" PRIu64 "\n", truth_tid(),
		          facts[i].what, facts[i].least, facts[i].most, begin, end);
	truth_may(is_pinned, "CPU 0");
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}
