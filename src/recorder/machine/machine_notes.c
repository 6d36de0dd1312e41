/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_notes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/sha256.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "ftwait/source.h"
#include "recorder/file/stream_writer.h"
#include "recorder/programs/program_file.h"
#include "text_file.h"

#define LINE_BYTES_MAX 256

char *boot_line(void)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_BYTES_MAX);

	buffer_puts(&line, "boot ");
	/* ends with a newline */
	return text_file_read("/proc/sys/kernel/random/boot_id", &line) == 0 ? xstrdup(line.text)
	                                                                     : NULL;
}

#define ID_BYTES       16
#define FILE_BYTES_MAX 64

/* As sd_id128_get_machine_app_specific(3) does: the hash of this number, with the ID as its key. */
static const uint8_t ftwait_id[ID_BYTES] = {
	0x6a, 0x98, 0x74, 0x7a, 0x5e, 0xe8, 0x43, 0x02,
	0x9d, 0xda, 0x91, 0x7e, 0x9c, 0xde, 0xcd, 0x34,
};

static int digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 32 digits and perhaps a newline. All of them 0 is no ID. */
static bool id_parse(const char *text, uint8_t ret[ID_BYTES])
{
	static const uint8_t none[ID_BYTES];

	for (unsigned i = 0; i < ID_BYTES; i++) {
		int high = digit_value(text[2 * i]);
		int low = high < 0 ? -1 : digit_value(text[2 * i + 1]);

		if (low < 0)
			return false;
		ret[i] = (uint8_t)(high << 4 | low);
	}
	text += (size_t)2 * ID_BYTES;
	return (*text == '\0' || strcmp(text, "\n") == 0) && memcmp(ret, none, ID_BYTES) != 0;
}

int machine_id_read(const char *path, char ret[MACHINE_ID_DIGITS + 1])
{
	uint8_t id[ID_BYTES], hash[SHA256_BYTES];
	_cleanup_(buffer_release) struct buffer text = buffer_of(FILE_BYTES_MAX);
	int r = text_file_read(path, &text);

	if (r == 0 && !id_parse(text.text, id))
		r = -ENOENT;
	if (r < 0)
		return r;
	hmac_sha256(id, sizeof(id), ftwait_id, sizeof(ftwait_id), hash);
	/* the bits that say that it is a UUID of random numbers */
	hash[6] = (uint8_t)((hash[6] & 0x0f) | 0x40);
	hash[8] = (uint8_t)((hash[8] & 0x3f) | 0x80);
	build_id_format(hash, ID_BYTES, ret);
	return 0;
}

#define NUMBER_BYTES_MAX 32
#define NAME_BYTES_MAX   256

/* "device 253:0 dm-0 vg-root" */
static void device_describe(const char *folder, const char *entry, struct buffer *line)
{
	_cleanup_(freep) char *device = xasprintf("%s/%s", folder, entry);
	_cleanup_(freep) char *name = xstrdup(entry);
	_cleanup_(freep) char *number = text_file_copy_line_at(device, "dev");
	_cleanup_(freep) char *mapped = text_file_copy_line_at(device, "dm/name");

	if (strchr(entry, ' ') || !number || !*number || strlen(number) >= NUMBER_BYTES_MAX)
		return;
	/* sysfs has ! where the name has a slash */
	for (char *at = name; (at = strchr(at, '!'));)
		*at = '/';
	buffer_printf(line, "device %s ", number);
	stream_text_append(line, name);
	if (mapped && *mapped && strlen(mapped) < NAME_BYTES_MAX) {
		buffer_putc(line, ' ');
		stream_text_append(line, mapped);
	}
	buffer_putc(line, '\n');
}

void block_devices_look(struct map *noted, const char *folder, struct buffer *to)
{
	_cleanup_(closedirp) DIR *entries = opendir(folder);
	nsec_t deadline = monotonic_now() + BLOCK_DEVICES_NS;
	struct dirent *entry;

	while (entries && (entry = readdir(entries)) && noted->count < SOURCE_DEVICES_MAX &&
	       monotonic_now() < deadline) {
		_cleanup_(buffer_release) struct buffer line = buffer_of(2048);

		if (entry->d_name[0] == '.')
			continue;
		device_describe(folder, entry->d_name, &line);
		if (line.length == 0 || line.is_cut ||
		    map_get(noted, text_hash(line.text, line.length)) != MAP_NONE)
			continue;
		map_put(noted, text_hash(line.text, line.length), 1);
		buffer_append(to, line.text, line.length);
	}
}

uint64_t ring_memory_limit(void)
{
	uint64_t free = free_memory_bytes(), most = control_group_memory();

	if (free == 0 || free > most)
		free = most;
	return (free < SIZE_MAX / 2 ? free : SIZE_MAX / 2) / 2;
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
	_cleanup_(buffer_release) struct buffer text = buffer_of(64u << 10);
	uint64_t bytes = 0;

	if (text_file_read("/proc/meminfo", &text) == 0)
		bytes = free_memory_parse(text.text);
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
	while (counters->cpu_count <= cpu)
		ARRAY_ADD(counters->ticks, counters->cpu_count, counters->capacity) = STEAL_UNKNOWN;
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
	_cleanup_(buffer_release) struct buffer text = buffer_of(STAT_BYTES_MAX);

	/* a cut text loses only interrupt counts, which follow the CPUs */
	(void)text_file_read("/proc/stat", &text);
	steal_counters_parse(text.text, ret);
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
	_cleanup_(buffer_release) struct buffer text = buffer_of(CPUINFO_BYTES_MAX);
	bool is_guest = text_file_read("/sys/hypervisor/type", &text) == 0 && text.length > 0;

	buffer_clear(&text);
	(void)text_file_read("/proc/cpuinfo", &text);
	is_guest |= cpuinfo_is_guest(text.text);
	return is_guest;
}
