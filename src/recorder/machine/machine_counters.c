/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_counters.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "control_group.h"
#include "text_file.h"

uint64_t ring_memory_limit(void)
{
	_cleanup_(control_group_release) struct control_group_limits limits;
	uint64_t free = free_memory_bytes();

	control_group_read(&limits);
	if (free == 0 || free > limits.memory_bytes)
		free = limits.memory_bytes;
	free = free < SIZE_MAX / 2 ? free : SIZE_MAX / 2;
	return free / 2;
}

uint64_t free_memory_parse(const char *meminfo)
{
	static const char key[] = "MemAvailable:";
	const char *line = strstr(meminfo, key);
	uint64_t kib;

	if (!line || (line != meminfo && line[-1] != '\n') ||
	    sscanf(line + sizeof(key) - 1, "%" SCNu64 " kB", &kib) != 1 || kib > UINT64_MAX / 1024)
		return 0;
	return kib * 1024;
}

uint64_t free_memory_bytes(void)
{
	struct sysinfo memory;
	struct buffer text;
	uint64_t bytes = 0;

	buffer_init(&text, 64u << 10);
	if (text_file_read("/proc/meminfo", &text) == 0)
		bytes = free_memory_parse(text.text);
	buffer_release(&text);
	if (bytes == 0 && sysinfo(&memory) == 0)
		bytes = ((uint64_t)memory.freeram + memory.bufferram) * memory.mem_unit;
	return bytes;
}

#define STAT_BYTES_MAX    (16u << 20)
#define CPUINFO_BYTES_MAX (32u << 10) /* the first CPUs are enough */
#define NSEC_PER_SECOND   1000000000u
#define TICKS_USUAL       100u

void steal_counters_release(struct steal_counters *counters)
{
	free(counters->ticks);
	*counters = (struct steal_counters){0};
}

static void counters_set(struct steal_counters *counters, unsigned cpu, uint64_t ticks)
{
	if (cpu >= STEAL_CPUS_MAX)
		return;
	while (counters->cpu_count <= cpu) {
		ARRAY_GROW(counters->ticks, counters->cpu_count, counters->capacity);
		counters->ticks[counters->cpu_count++] = STEAL_UNKNOWN;
	}
	counters->ticks[cpu] = ticks;
}

/*
 * Reads "cpu3 user nice system idle iowait irq softirq steal ...", one line for each CPU that is
 * online: steal is the 8th figure. Skips "cpu  user ...", their sum.
 */
void steal_counters_parse(char *text, struct steal_counters *ret)
{
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		unsigned cpu;
		uint64_t ticks;

		if (strncmp(line, "cpu", 3) == 0 && isdigit((unsigned char)line[3]) &&
		    sscanf(line, "cpu%u %*s %*s %*s %*s %*s %*s %*s %" SCNu64, &cpu, &ticks) == 2)
			counters_set(ret, cpu, ticks);
	}
}

void steal_counters_read(struct steal_counters *ret)
{
	struct buffer text;

	buffer_init(&text, STAT_BYTES_MAX);
	/* a cut text loses only interrupt counts, which follow the CPUs */
	(void)text_file_read("/proc/stat", &text);
	steal_counters_parse(text.text, ret);
	buffer_release(&text);
}

nsec_t steal_tick(void)
{
	long per_second = sysconf(_SC_CLK_TCK);

	return NSEC_PER_SECOND / (per_second > 0 ? (nsec_t)per_second : TICKS_USUAL);
}

void steal_counters_describe(const struct steal_counters *before,
                             const struct steal_counters *after, nsec_t tick, struct buffer *to)
{
	for (size_t cpu = 0; cpu < before->cpu_count && cpu < after->cpu_count; cpu++) {
		uint64_t from = before->ticks[cpu], until = after->ticks[cpu];

		if (from == STEAL_UNKNOWN || until == STEAL_UNKNOWN)
			continue;
		/* a migrated guest may restart lower on its new host */
		buffer_printf(to, "steal %zu %" PRIu64 "\n", cpu,
		              until > from ? (until - from) * tick : 0);
	}
}

bool cpuinfo_is_guest(const char *text)
{
	static const char word[] = " hypervisor";
	const char *flags = strstr(text, "\nflags\t"), *end;

	if (!flags)
		return false;
	end = strchr(flags + 1, '\n');
	for (const char *at = flags; (at = strstr(at, word)) && (!end || at < end); at++)
		if (strchr(" \n", at[sizeof(word) - 1]))
			return true;
	return false;
}

bool machine_is_guest(void)
{
	struct buffer text;
	bool is_guest;

	buffer_init(&text, CPUINFO_BYTES_MAX);
	is_guest = text_file_read("/sys/hypervisor/type", &text) == 0 && text.length > 0;
	buffer_clear(&text);
	(void)text_file_read("/proc/cpuinfo", &text);
	is_guest |= cpuinfo_is_guest(text.text);
	buffer_release(&text);
	return is_guest;
}
