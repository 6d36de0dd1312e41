/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process_search.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "text_file.h"

#define COMM_BYTES 15
#define NAME_BYTES_MAX 256

void comm_of_process(int32_t pid, char *ret, size_t size)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/comm", pid);
	_cleanup_(buffer_release) struct buffer text = {0};
	size_t length;

	buffer_init(&text, NAME_BYTES_MAX);
	ret[0] = '\0';
	if (text_file_read(path, &text) < 0 || text.length == 0)
		return;
	length = text.length - (text.text[text.length - 1] == '\n');
	if (length >= size)
		length = size - 1;
	memcpy(ret, text.text, length);
	ret[length] = '\0';
}

size_t processes_find_named(const char *comm, int32_t **ret)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	size_t count = 0, capacity = 0;
	struct dirent *entry;
	char name[COMM_BYTES + 1];
	int32_t pid;

	*ret = NULL;
	while (processes && (entry = readdir(processes))) {
		if (parse_pid(entry->d_name, &pid) < 0 || pid == getpid())
			continue;
		comm_of_process(pid, name, sizeof(name));
		if (!name[0] || strncmp(name, comm, COMM_BYTES) != 0)
			continue;
		ARRAY_GROW(*ret, count, capacity);
		(*ret)[count++] = pid;
	}
	return count;
}
