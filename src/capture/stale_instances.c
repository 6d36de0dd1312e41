/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stale_instances.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "text_file.h"

/* By "PID (COMM) STATE ...": a zombie, which nobody has reaped yet, is dead. */
static bool is_recorder(const char *stat)
{
	const char *comm = strchr(stat, '('), *end = strrchr(stat, ')');

	if (!comm || !end || end[1] != ' ')
		return false;
	return strncmp(comm + 1, "ftwait", 6) == 0 && !strchr("ZX", end[2]);
}

static bool recorder_lives(int32_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/stat", pid);
	struct buffer stat;
	bool lives;

	/* We have made none yet: a process that had our PID before us did. */
	if (pid == getpid())
		return false;
	buffer_init(&stat, 1024);
	lives = text_file_read(path, &stat) == 0 && is_recorder(stat.text);
	buffer_release(&stat);
	return lives;
}

int stale_instances_remove(const char *dir,
                           void (*on_found)(void *state, const char *name, int error), void *state)
{
	_cleanup_(freep) char *parent = xasprintf("%s/instances", dir);
	_cleanup_(closedirp) DIR *instances = NULL;
	struct dirent *entry;
	int removed = 0;

	instances = opendir(parent);
	if (!instances)
		return -errno;
	while ((entry = readdir(instances))) {
		int32_t pid;
		int error;

		if (strncmp(entry->d_name, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)) != 0 ||
		    parse_pid(entry->d_name + strlen(INSTANCE_PREFIX), &pid) < 0 ||
		    recorder_lives(pid))
			continue;
		error = unlinkat(dirfd(instances), entry->d_name, AT_REMOVEDIR) < 0 ? -errno : 0;
		if (error == 0)
			removed++;
		if (on_found)
			on_found(state, entry->d_name, error);
	}
	return removed;
}
