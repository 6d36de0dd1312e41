/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "process_search.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "peek.h"
#include "task_snapshot.h"
#include "text_file.h"
#include "words/kernel/control_group_name.h"

#define PROGRAM_NAME      "ftwait"
#define STATUS_BYTES_MAX  (64u << 10)
#define COMMAND_BYTES_MAX (64u << 10)

/* Whether any option of the recorder begins with one of the words; `is_whole`: is one. */
static bool cmdline_has(const char *cmdline, size_t size, const char *const words[], size_t count,
                        bool is_whole)
{
	const char *at = cmdline, *end = cmdline + size;

	while (at < end && strnlen(at, (size_t)(end - at)) < (size_t)(end - at)) {
		/* what follows belongs to COMMAND */
		if (strcmp(at, "--") == 0)
			return false;
		for (size_t i = 0; i < count; i++)
			if (strncmp(at, words[i], strlen(words[i])) == 0 &&
			    (!is_whole || !at[strlen(words[i])]))
				return true;
		at += strlen(at) + 1;
	}
	return false;
}

bool flight_cmdline_matches(const char *cmdline, size_t size)
{
	static const char *const words[] = {"--trigger", "--ring="};

	return cmdline_has(cmdline, size, words, ARRAY_SIZE(words), false);
}

bool flight_cmdline_is_quiet(const char *cmdline, size_t size)
{
	static const char *const words[] = {"-q", "--quiet"};

	return cmdline_has(cmdline, size, words, ARRAY_SIZE(words), true);
}

bool flight_status_matches(const char *status)
{
	uint64_t caught;

	return text_number(status, "\nSigCgt:", 16, &caught) && (caught >> (SIGUSR2 - 1) & 1);
}

/* Appends its command line, with a NUL behind each argument, as far as there is room; false: it is
   not known. Does not wait for ever (peek.h). */
static bool command_read(int32_t pid, struct buffer *to)
{
	struct peek peek;
	int r;

	peek_init(&peek, PEEK_PATIENCE_NS);
	r = peek_text(&peek, pid, PROC_PATH("/proc/%d/cmdline", pid), to);
	peek_release(&peek);
	return r == 0;
}

bool is_flight_recorder(int32_t pid)
{
	_cleanup_(buffer_release) struct buffer cmdline = buffer_of(COMMAND_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer status = buffer_of(STATUS_BYTES_MAX);
	char comm[16];

	comm_of_process(pid, comm, sizeof(comm));
	return strcmp(comm, PROGRAM_NAME) == 0 &&
	       text_file_read(PROC_PATH("/proc/%d/status", pid), &status) == 0 &&
	       flight_status_matches(status.text) && command_read(pid, &cmdline) &&
	       flight_cmdline_matches(cmdline.text, cmdline.length);
}

bool flight_recorder_is_quiet(int32_t pid)
{
	_cleanup_(buffer_release) struct buffer cmdline = buffer_of(COMMAND_BYTES_MAX);

	return command_read(pid, &cmdline) &&
	       flight_cmdline_is_quiet(cmdline.text, cmdline.length);
}

size_t flight_recorders_find(int32_t **ret)
{
	size_t count = processes_find_named(PROGRAM_NAME, ret), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (is_flight_recorder((*ret)[i]))
			(*ret)[kept++] = (*ret)[i];
	if (kept == 0) {
		free(*ret);
		*ret = NULL;
	}
	return kept;
}

#define COMM_BYTES 15
#define NAME_BYTES_MAX 256
#define GROUPS_BYTES_MAX (64u << 10) /* of /proc/PID/cgroup */
#define FAMILY_MAX 65536

void comm_of_process(int32_t pid, char *ret, size_t size)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(NAME_BYTES_MAX);
	size_t length;

	ret[0] = '\0';
	if (text_file_read(PROC_PATH("/proc/%d/comm", pid), &text) < 0 || text.length == 0)
		return;
	length = text.length - (text.text[text.length - 1] == '\n');
	if (length >= size)
		length = size - 1;
	memcpy(ret, text.text, length);
	ret[length] = '\0';
}

/* The processes that fulfil the condition, except this one. */
static size_t processes_find(bool (*is_meant)(int32_t pid, const void *what), const void *what,
                             int32_t **ret)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	size_t count = 0, capacity = 0;
	int32_t pid;

	*ret = NULL;
	while (folder_next_pid(processes, &pid)) {
		if (pid == getpid() || !is_meant(pid, what))
			continue;
		ARRAY_ADD(*ret, count, capacity) = pid;
	}
	return count;
}

static bool process_is_called(int32_t pid, const void *comm)
{
	char name[COMM_BYTES + 1];

	comm_of_process(pid, name, sizeof(name));
	return name[0] && strncmp(name, comm, COMM_BYTES) == 0;
}

size_t processes_find_named(const char *comm, int32_t **ret)
{
	return processes_find(process_is_called, comm, ret);
}

/* The program's file, and who looks at those of processes. */
struct program_search {
	struct peek *peek;
	struct stat program;
};

static int file_stat(const void *path, size_t size, struct buffer *reply)
{
	struct stat file;

	(void)size;
	if (stat(path, &file) < 0)
		return -errno;
	buffer_append(reply, &file, sizeof(file));
	return 0;
}

static bool process_executes(int32_t pid, const void *what)
{
	const struct program_search *search = what;
	const char *link = PROC_PATH("/proc/%d/exe", pid);
	_cleanup_(buffer_release) struct buffer reply = buffer_of(sizeof(struct stat));
	struct stat own;

	if (peek_call(search->peek, (uint64_t)pid, file_stat, link, strlen(link) + 1, &reply) < 0 ||
	    reply.length < sizeof(own))
		return false;
	memcpy(&own, reply.text, sizeof(own));
	return own.st_dev == search->program.st_dev && own.st_ino == search->program.st_ino;
}

size_t processes_find_executing(const char *path, int32_t **ret)
{
	struct peek peek;
	struct program_search search = {.peek = &peek};
	size_t count;

	*ret = NULL;
	if (stat(path, &search.program) < 0)
		return 0;
	peek_init(&peek, PEEK_DISK_NS);
	count = processes_find(process_executes, &search, ret);
	peek_release(&peek);
	return count;
}

static bool process_is_in_group(int32_t pid, const void *glob)
{
	_cleanup_(freep) char *path = NULL;
	_cleanup_(buffer_release) struct buffer text = buffer_of(GROUPS_BYTES_MAX);
	struct control_group_line line;

	if (text_file_read(PROC_PATH("/proc/%d/cgroup", pid), &text) < 0 ||
	    !group_notes_choose(text.text, &line))
		return false;
	path = xstrndup(line.path, line.length);
	return control_group_matches(path, glob);
}

size_t processes_find_in_group(const char *glob, int32_t **ret)
{
	return processes_find(process_is_in_group, glob, ret);
}

/* A process and its parent. */
struct family_link {
	int32_t pid, parent;
};

/* All processes; the caller frees the array. */
static struct family_link *links_read(size_t *ret_count)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	struct family_link *link = NULL;
	size_t count = 0, capacity = 0;
	int32_t pid;

	while (folder_next_pid(processes, &pid)) {
		struct task_stat stat;

		if (!task_stat_read(PROC_PATH("/proc/%d/status", pid), &stat))
			continue;
		ARRAY_ADD(link, count, capacity) = (struct family_link){pid, stat.parent};
	}
	*ret_count = count;
	return link;
}

size_t processes_find_family(const int32_t *pid, size_t pid_count, int32_t **ret)
{
	size_t link_count = 0, count = 0, capacity = 0;
	_cleanup_(freep) struct family_link *link = pid_count ? links_read(&link_count) : NULL;
	struct map is_taken;

	map_init(&is_taken);
	*ret = NULL;
	for (size_t i = 0; i < pid_count; i++) {
		ARRAY_ADD(*ret, count, capacity) = pid[i];
		map_put(&is_taken, (uint32_t)pid[i], 1);
	}
	for (bool is_more = true; is_more;) {
		is_more = false;
		for (size_t i = 0; i < link_count && count < FAMILY_MAX; i++) {
			if (map_get(&is_taken, (uint32_t)link[i].parent) == MAP_NONE ||
			    map_get(&is_taken, (uint32_t)link[i].pid) != MAP_NONE ||
			    link[i].pid == getpid())
				continue;
			map_put(&is_taken, (uint32_t)link[i].pid, 1);
			ARRAY_ADD(*ret, count, capacity) = link[i].pid;
			is_more = true;
		}
	}
	map_release(&is_taken);
	return count;
}
