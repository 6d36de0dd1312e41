/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "own_cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "truth.h"

static bool text_write(const char *folder, const char *name, const char *text)
{
	char path[256];
	bool is_fine;
	int fd;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	is_fine = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	return close(fd) == 0 && is_fine;
}

bool own_cgroup_new(const char *template, const char *file, const char *limit,
                    char ret[OWN_CGROUP_BYTES])
{
	(void)snprintf(ret, OWN_CGROUP_BYTES, "%s", template);
	if (!mkdtemp(ret))
		return false;
	if (text_write(ret, file, limit))
		return true;
	(void)rmdir(ret);
	return false;
}

void own_cgroup_join(const char *cgroup)
{
	truth_may(text_write(cgroup, "cgroup.procs", "0"), "cgroup.procs");
}
