/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracing_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "datfile.h"
#include "event_kind.h"
#include "old_kind.h"

#define PAGES_LIMIT (1u << 26)

/* Makes the folders that the path of a file lies in. */
static int folders_make(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

static int file_write(const char *folder, const char *name, const struct buffer *bytes)
{
	_cleanup_(closep) int fd = -1;
	char path[PATH_MAX];
	int r;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return -ENAMETOOLONG;
	r = folders_make(path);
	if (r < 0)
		return r;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, bytes->text, bytes->length) != (ssize_t)bytes->length)
		return -errno;
	return 0;
}

static int format_write(const struct schedule *schedule, const char *folder,
                        const struct kernel_event *kind)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	char name[256];

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	event_kind_print_format(kind, schedule->machine.long_bytes, &text);
	(void)snprintf(name, sizeof(name), "events/%s/%s/format", kind->system, kind->name);
	return file_write(folder, name, &text);
}

static int pages_write(const struct schedule *schedule, const char *folder, unsigned cpu)
{
	_cleanup_(buffer_release) struct buffer pages = {0};
	char name[64];

	buffer_init(&pages, PAGES_LIMIT);
	pages_build(schedule, /* buffer= */ 0, cpu, &pages);
	(void)snprintf(name, sizeof(name), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	return file_write(folder, name, &pages);
}

int tracing_folder_write(const struct schedule *schedule, const char *folder)
{
	_cleanup_(buffer_release) struct buffer header = {0};
	int r;

	buffer_init(&header, BUFFER_LIMIT_DEFAULT);
	header_page_print(&schedule->machine, &header);
	r = file_write(folder, "events/header_page", &header);
	for (size_t i = 0; r >= 0 && i < event_kind_count; i++) {
		const struct kernel_event *kind =
			event_kinds[i].system ? old_kind_find(schedule->kernel, &event_kinds[i])
			                      : NULL;

		if (kind)
			r = format_write(schedule, folder, kind);
	}
	for (unsigned cpu = 0; r >= 0 && cpu < schedule->cpu_count; cpu++)
		r = pages_write(schedule, folder, cpu);
	return r;
}
