/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "free_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
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
