/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stale_instances.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "capture_session.h"
#include "instance_folder.h"
#include "recorder/machine/task_snapshot.h"
#include "recorder/machine/text_file.h"

/* For versions that took no lock; a zombie counts as dead. */
static bool recorder_lives(int32_t pid)
{
	struct task_stat stat;

	/* this process has not made an instance yet, so an earlier process with its PID has */
	return pid != getpid() && task_stat_read(PROC_PATH("/proc/%d/status", pid), &stat) &&
	       strncmp(stat.comm, "ftwait", 6) == 0 && !strchr("ZX", stat.state);
}

/* The number in "ftwait.PID[.syscalls|.stacks]"; -EINVAL for foreign instances. */
static int instance_pid(const char *name, int32_t *ret)
{
	_cleanup_(freep) char *number = NULL;
	char *suffix;

	if (strncmp(name, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)) != 0)
		return -EINVAL;
	number = xstrdup(name + strlen(INSTANCE_PREFIX));
	suffix = strchr(number, '.');
	if (suffix && strcmp(suffix, INSTANCE_CALLS_SUFFIX) != 0 &&
	    strcmp(suffix, INSTANCE_STACKS_SUFFIX) != 0)
		return -EINVAL;
	if (suffix)
		*suffix = '\0';
	return parse_pid(number, ret);
}

/* The action for each stale instance, while we hold its lock. */
struct sweep {
	void (*on_stale)(struct sweep *sweep, char *path, const char *name);
	void (*on_removed)(void *state, const char *name, int error);
	void (*on_listed)(void *state, const struct stale_instance *stale);
	void *state;
	int count;
	int error; /* of an instance that cannot be judged */
};

static int sweep_run(const char *dir, struct sweep *sweep)
{
	_cleanup_(freep) char *parent = xasprintf("%s/instances", dir);
	_cleanup_(closedirp) DIR *instances = opendir(parent);
	struct dirent *entry;

	if (!instances)
		return -errno;
	while ((entry = readdir(instances))) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", parent, entry->d_name);
		_cleanup_(closep) int lock = -1;
		int32_t pid;

		if (instance_pid(entry->d_name, &pid) < 0 || recorder_lives(pid))
			continue;
		lock = instance_lock_take(path);
		if (lock >= 0)
			sweep->on_stale(sweep, path, entry->d_name);
		else if (lock != -EWOULDBLOCK && lock != -ENOENT)
			sweep->error = lock;
	}
	return sweep->error ? sweep->error : sweep->count;
}

static void stale_remove(struct sweep *sweep, char *path, const char *name)
{
	int error = rmdir(path) < 0 ? -errno : 0;

	if (error == 0)
		sweep->count++;
	if (sweep->on_removed)
		sweep->on_removed(sweep->state, name, error);
}

int stale_instances_remove(const char *dir,
                           void (*on_found)(void *state, const char *name, int error), void *state)
{
	return sweep_run(dir, &(struct sweep){
		.on_stale = stale_remove, .on_removed = on_found, .state = state});
}

static void stale_list(struct sweep *sweep, char *path, const char *name)
{
	/* "14", or "14 (expanded: 2816)" if nothing has been recorded yet */
	_cleanup_(freep) char *kib = text_file_copy_at(path, "buffer_total_size_kb");
	const struct capture_session session = {.dir = path};
	struct stale_instance stale = {.name = name};
	struct capture_stats stats;

	for (unsigned cpu = 0; capture_session_stats(&session, cpu, &stats, NULL) == 0; cpu++)
		stale.events += stats.left;
	if (kib)
		(void)text_number(kib, "", 10, &stale.kib);
	sweep->count++;
	sweep->on_listed(sweep->state, &stale);
}

int stale_instances_find(const char *dir,
                         void (*on_found)(void *state, const struct stale_instance *stale),
                         void *state)
{
	return sweep_run(dir, &(struct sweep){
		.on_stale = stale_list, .on_listed = on_found, .state = state});
}
