/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instance_cpus.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define CPUS_MAX      65536u
#define CPUS_PER_WORD 32u /* of a mask */

int instance_cpus_count(const char *dir, unsigned *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/per_cpu", dir);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		uint64_t cpu;

		if (strncmp(entry->d_name, "cpu", 3) == 0 &&
		    parse_u64(entry->d_name + 3, &cpu) == 0 && cpu < CPUS_MAX && cpu >= count)
			count = (unsigned)cpu + 1;
	}
	*ret = count;
	return count > 0 ? 0 : -ENOENT;
}

void instance_cpus_mask_append(const char *dir, struct buffer *to)
{
	unsigned count = 0, rest;

	(void)instance_cpus_count(dir, &count);
	rest = count % CPUS_PER_WORD;
	if (rest)
		buffer_printf(to, "%x", (1u << rest) - 1);
	for (unsigned word = 0; word < count / CPUS_PER_WORD; word++)
		buffer_printf(to, "%sffffffff", rest || word ? "," : "");
}
