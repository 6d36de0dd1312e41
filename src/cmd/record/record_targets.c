/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record_targets.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/machine/control_group.h"
#include "recorder/machine/process_search.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"

#define MOUNTS_BYTES_MAX (256u << 10)
#define COMM_BYTES       16
#define PIDS_CHECKED     64 /* for zombies: of a control group with thousands, only the first */

static void pids_add(struct number_list *pids, const int32_t *pid, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ARRAY_GROW(pids->number, pids->count, pids->capacity);
		pids->number[pids->count++] = pid[i];
	}
}

/* A script runs as its interpreter, under its own name. */
static bool file_is_script(const char *path)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char magic[2];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, "#!", sizeof(magic)) == 0;
}

/* The processes of that name, which may have a slash, as ksoftirqd/0; or else of the program with
   that path. */
static size_t processes_find_meant(const char *what, int32_t **ret)
{
	const char *slash = strrchr(what, '/');
	size_t count = processes_find_named(what, ret);

	if (count > 0 || !slash)
		return count;
	return file_is_script(what) ? processes_find_named(slash + 1, ret)
	                            : processes_find_executing(what, ret);
}

static void complain_none(const char *what)
{
	int error = access(what, F_OK) < 0 ? errno : 0;
	_cleanup_(freep) char *mend =
		error == 0 && access(what, X_OK) < 0
			? xasprintf("; for a recording: ftwait report %s", what)
			: xstrdup("");

	if (!strchr(what, '/') || (error && *what != '/' && *what != '.'))
		message_error("no process is called %s; a name is that of ps -e, at most 15 "
		              "bytes%s", *what ? what : "\"\"", mend);
	else if (error)
		message_error("no process runs %s: %s", what, strerror(error));
	else
		message_error("no process%s runs %s; those that there are: ps -e%s",
		              geteuid() == 0 ? "" : " that this user may look at", what, mend);
}

bool record_target_add(const char *what, struct number_list *pids)
{
	_cleanup_(freep) int32_t *found = NULL;
	size_t count;
	int32_t pid;

	if (parse_pid(what, &pid) == 0) {
		if (pid <= 0 || (kill(pid, 0) < 0 && errno == ESRCH)) {
			message_error("there is no process %d; those that there are: ps -e", pid);
			return false;
		}
		pids_add(pids, &pid, 1);
		return true;
	}
	count = processes_find_meant(what, &found);
	if (count == 0)
		complain_none(what);
	pids_add(pids, found, count);
	return count > 0;
}

static bool group_find(const char *option, const char *given, const char *glob,
                       struct number_list *pids)
{
	_cleanup_(freep) int32_t *found = NULL;
	size_t count = processes_find_in_group(glob, &found);

	if (count == 0)
		message_error("--%s %s: no process is in such a control group; those that there "
		              "are: systemd-cgls, or cat /proc/*/cgroup", option, given);
	pids_add(pids, found, count);
	return count > 0;
}

/* "nginx" is nginx.service; with another suffix it is the whole name. */
static char *unit_glob(const char *unit)
{
	return strchr(unit, '.') ? xstrdup(unit) : xasprintf("%s.service", unit);
}

/* The path of a control group, given as that or as its folder; globs may stand for it. */
static char *group_path(const char *given)
{
	_cleanup_(buffer_release) struct buffer mounts = {0};

	buffer_init(&mounts, MOUNTS_BYTES_MAX);
	(void)text_file_read("/proc/self/mounts", &mounts);
	return control_group_of_folder(mounts.text, given);
}

/* Nothing can be recorded of it any more. */
static void warn_of_zombie(int32_t pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", pid);
	char parent[COMM_BYTES];
	struct task_stat stat;

	if (!task_is_gone(pid) || !task_stat_read(path, &stat))
		return;
	comm_of_process(stat.parent, parent, sizeof(parent));
	message_warning("record: %s[%d] is a zombie: its parent %s[%d] has not waited for it",
	                stat.comm, pid, parent, stat.parent);
}

bool record_targets_find(struct record_options *options)
{
	bool is_found = true;

	for (size_t i = 0; is_found && i < options->processes.count; i++)
		is_found = record_target_add(options->processes.text[i], &options->pids);
	for (size_t i = 0; is_found && i < options->cgroups.count; i++) {
		_cleanup_(freep) char *given = options->cgroups.text[i];

		options->cgroups.text[i] = group_path(given);
		is_found = group_find("cgroup", given, options->cgroups.text[i], &options->pids);
	}
	for (size_t i = 0; is_found && i < options->units.count; i++) {
		struct string_list *cgroups = &options->cgroups;
		char *glob = unit_glob(options->units.text[i]);

		is_found = group_find("unit", options->units.text[i], glob, &options->pids);
		ARRAY_GROW(cgroups->text, cgroups->count, cgroups->capacity);
		cgroups->text[cgroups->count++] = glob;
	}
	for (size_t i = 0; is_found && i < options->pids.count && i < PIDS_CHECKED; i++)
		warn_of_zombie(options->pids.number[i]);
	return is_found;
}
