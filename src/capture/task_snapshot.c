/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_snapshot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "text_file.h"

#define KERNEL_THREAD 0x00200000u /* PF_KTHREAD in the flags of /proc/PID/stat */
#define WORKER_PREFIX "kworker/"
#define RESCUER_PREFIX "kworker/R-"

struct snapshot_texts {
	struct buffer *tasks, *cmdlines;
	bool is_late;
};

void task_snapshot_init(struct task_snapshot *snapshot)
{
	map_init(&snapshot->state_by_tid);
}

void task_snapshot_release(struct task_snapshot *snapshot)
{
	map_release(&snapshot->state_by_tid);
}

/* "kworker/0:1H-kblockd" runs work of kblockd now; its name is "kworker/0:1H". */
static void comm_set(struct task_stat *stat, const char *name, size_t length)
{
	if (strncmp(name, WORKER_PREFIX, strlen(WORKER_PREFIX)) == 0 &&
	    strncmp(name, RESCUER_PREFIX, strlen(RESCUER_PREFIX)) != 0)
		for (size_t i = strlen(WORKER_PREFIX); i < length; i++)
			if (name[i] == '-' || name[i] == '+')
				length = i;
	if (length >= sizeof(stat->comm))
		length = sizeof(stat->comm) - 1;
	for (size_t i = 0; i < length; i++)
		stat->comm[i] = name[i] == '\n' ? '?' : name[i];
	stat->comm[length] = '\0';
}

int task_stat_parse(const char *text, struct task_stat *ret)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	struct task_stat stat = {0};
	unsigned flags;

	if (!open || !close || close < open)
		return -EINVAL;
	/* after the name: state, 5 numbers, flags, 10 numbers, threads */
	if (sscanf(text, "%d", &stat.tid) != 1 ||
	    sscanf(close + 1,
	           " %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
	           &stat.state, &flags, &stat.thread_count) < 2)
		return -EINVAL;
	stat.is_kernel = flags & KERNEL_THREAD;
	comm_set(&stat, open + 1, (size_t)(close - open - 1));
	*ret = stat;
	return 0;
}

/* False for what cannot be read: it has ended. */
static bool stat_read(const char *path, struct task_stat *ret)
{
	struct buffer text;
	bool is_read;

	buffer_init(&text, 4096);
	is_read = text_file_read(path, &text) == 0 && task_stat_parse(text.text, ret) == 0;
	buffer_release(&text);
	return is_read;
}

bool task_is_gone(int pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/stat", pid);
	struct task_stat stat;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return true;
	if (!stat_read(path, &stat))
		return false;
	return stat.state == 'X' || (stat.state == 'Z' && stat.thread_count <= 1);
}

static void snapshot_take_task(struct task_snapshot *snapshot, int tgid,
                               const struct task_stat *stat, const struct snapshot_texts *to)
{
	uint32_t known = map_get(&snapshot->state_by_tid, (uint64_t)stat->tid);

	if (known == 'D' && stat->state == 'D')
		buffer_printf(to->tasks, "still %d\n", stat->tid);
	if (known != MAP_NONE)
		return;
	map_put(&snapshot->state_by_tid, (uint64_t)stat->tid, (uint8_t)stat->state);
	buffer_printf(to->tasks, "task %d %d %c %c %s\n", stat->tid, tgid,
	              to->is_late ? '-' : stat->state, stat->is_kernel ? 'k' : '-', stat->comm);
	buffer_printf(to->cmdlines, "%d %s\n", stat->tid, stat->comm);
}

/* Most processes have one thread: theirs is the only file that is read of them. */
static void snapshot_take_process(struct task_snapshot *snapshot, int tgid,
                                  const struct snapshot_texts *to)
{
	_cleanup_(freep) char *process = xasprintf("/proc/%d/stat", tgid);
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task", tgid);
	_cleanup_(closedirp) DIR *threads = NULL;
	struct task_stat stat;
	struct dirent *entry;

	if (stat_read(process, &stat) && stat.thread_count == 1) {
		snapshot_take_task(snapshot, tgid, &stat, to);
		return;
	}
	threads = opendir(path);
	while (threads && (entry = readdir(threads))) {
		_cleanup_(freep) char *thread = xasprintf("%s/%s/stat", path, entry->d_name);

		if (isdigit((unsigned char)entry->d_name[0]) && stat_read(thread, &stat))
			snapshot_take_task(snapshot, tgid, &stat, to);
	}
}

int task_snapshot_take(struct task_snapshot *snapshot, bool is_late, struct buffer *tasks,
                       struct buffer *cmdlines)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	const struct snapshot_texts to = {tasks, cmdlines, is_late};
	struct dirent *entry;
	int32_t tgid;

	if (!processes)
		return -errno;
	while ((entry = readdir(processes)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    parse_pid(entry->d_name, &tgid) == 0)
			snapshot_take_process(snapshot, tgid, &to);
	return 0;
}
