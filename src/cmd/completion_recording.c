/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "completion_recording.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "capture/machine/text_file.h"
#include "ftwait/stream.h"
#include "source/source.h"
#include "source/trace_magic.h"

#define COMM_BYTES 64
#define CPUS_SHOWN 1024

/* Reading would empty a pipe, and a compressed file would be unpacked as a whole. */
static bool file_may_be_opened(const char *path)
{
	char magic[STREAM_MAGIC_BYTES];
	_cleanup_(closep) int fd = -1;
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	       (memcmp(magic, STREAM_MAGIC, sizeof(magic)) == 0 ||
	        memcmp(magic, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) == 0);
}

struct source *completion_recording_open(const char *path)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	struct source *source = NULL;

	if (!path)
		path = "ftwait.dat";
	if (!file_may_be_opened(path))
		return NULL;
	buffer_init(&why, 1000);
	return source_open(path, &source, &why) < 0 ? NULL : source;
}

void completion_recording_closep(struct source **source)
{
	(void)source_close(*source);
}

/*
 * Appends a pattern that matches the name: special characters are escaped, and what cannot be
 * typed, or separates patterns, becomes any byte.
 */
static void comm_append(struct buffer *to, const char *comm)
{
	for (; *comm; comm++) {
		unsigned char c = (unsigned char)*comm;

		if (c < 0x20 || c >= 0x7f || c == ',') {
			buffer_putc(to, '?');
			continue;
		}
		if (strchr("*?[]\\", c))
			buffer_putc(to, '\\');
		buffer_putc(to, (char)c);
	}
}

static void add_comm(struct candidate_list *to, const char *comm)
{
	_cleanup_(buffer_release) struct buffer glob = {0};

	buffer_init(&glob, 4 * COMM_BYTES);
	comm_append(&glob, comm);
	if (glob.length > 0)
		candidate_add(to, glob.text, NULL);
}

static void add_number(struct candidate_list *to, int64_t number, const char *about)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRId64, number);
	candidate_add(to, text, about);
}

void candidates_add_tids(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(completion_recording_closep) struct source *source =
		completion_recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++)
		add_number(to, source->known_tasks[i].tid, source->known_tasks[i].comm);
}

/* Leaders of processes, and tasks that are not known not to be. */
void candidates_add_pids(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(completion_recording_closep) struct source *source =
		completion_recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++) {
		const struct known_task *task = &source->known_tasks[i];

		if (task->tgid < 0 || task->tgid == task->tid)
			add_number(to, task->tid, task->comm);
	}
}

void candidates_add_comms(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(completion_recording_closep) struct source *source =
		completion_recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++)
		add_comm(to, source->known_tasks[i].comm);
}

/* Tids if a number is being typed. */
void candidates_add_tasks(const struct completion_request *request, struct candidate_list *to)
{
	if (*to->beginning >= '0' && *to->beginning <= '9')
		candidates_add_tids(request, to);
	candidates_add_comms(request, to);
}

void candidates_add_cpus(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(completion_recording_closep) struct source *source =
		completion_recording_open(request->recording);

	for (unsigned cpu = 0; source && cpu < source->cpu_count && cpu < CPUS_SHOWN; cpu++)
		add_number(to, cpu, NULL);
}

void candidates_add_processes(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(closedirp) DIR *proc = opendir("/proc");
	const struct dirent *entry;

	(void)request;
	while (proc && (entry = readdir(proc))) {
		_cleanup_(buffer_release) struct buffer comm = {0};
		_cleanup_(freep) char *path = NULL;
		int32_t pid;

		if (parse_pid(entry->d_name, &pid) < 0)
			continue;
		path = xasprintf("/proc/%d/comm", pid);
		buffer_init(&comm, COMM_BYTES);
		(void)text_file_read(path, &comm);
		comm.text[strcspn(comm.text, "\n")] = '\0';
		add_number(to, pid, comm.text);
	}
}
