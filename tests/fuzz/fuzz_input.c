/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz_input.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/xalloc.h"

uint8_t *fuzz_input_read(const char *path, size_t *ret_size)
{
	_cleanup_(fclosep) FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t size = 0, got;

	if (!file)
		return NULL;
	do {
		bytes = xrealloc(bytes, size + 65536);
		got = fread(bytes + size, 1, 65536, file);
		size += got;
	} while (got > 0);
	*ret_size = size;
	return bytes;
}

unsigned fuzz_input_each(const char *path, void (*take)(const char *path))
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	if (!folder) {
		take(path);
		return 1;
	}
	while ((entry = readdir(folder))) {
		_cleanup_(freep) char *inside = xasprintf("%s/%s", path, entry->d_name);

		if (entry->d_name[0] == '.')
			continue;
		take(inside);
		count++;
	}
	(void)closedir(folder);
	return count;
}
