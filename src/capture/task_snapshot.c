/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_snapshot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "text_file.h"

#define KERNEL_THREAD 0x00200000u /* PF_KTHREAD in the flags of /proc/PID/stat */
#define WORKER_PREFIX "kworker/"
#define RESCUER_PREFIX "kworker/R-"

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
	/* after the name: state, 5 numbers, flags */
	if (sscanf(text, "%d", &stat.tid) != 1 ||
	    sscanf(close + 1, " %c %*d %*d %*d %*d %*d %u", &stat.state, &flags) != 2)
		return -EINVAL;
	stat.is_kernel = flags & KERNEL_THREAD;
	comm_set(&stat, open + 1, (size_t)(close - open - 1));
	*ret = stat;
	return 0;
}

/* What cannot be read has ended. */
static void snapshot_take_task(struct task_snapshot *snapshot, int tgid, const char *tid,
                               bool is_late, struct buffer *tasks, struct buffer *cmdlines)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task/%s/stat", tgid, tid);
	uint32_t known = MAP_NONE;
	bool is_read = false;
	struct task_stat stat;
	struct buffer text;

	buffer_init(&text, 4096);
	if (text_file_read(path, &text) == 0 && task_stat_parse(text.text, &stat) == 0) {
		known = map_get(&snapshot->state_by_tid, (uint64_t)stat.tid);
		is_read = true;
	}
	if (is_read && known == 'D' && stat.state == 'D')
		buffer_printf(tasks, "still %d\n", stat.tid);
	if (is_read && known == MAP_NONE) {
		map_put(&snapshot->state_by_tid, (uint64_t)stat.tid, (uint8_t)stat.state);
		buffer_printf(tasks, "task %d %d %c %c %s\n", stat.tid, tgid,
		              is_late ? '-' : stat.state, stat.is_kernel ? 'k' : '-', stat.comm);
		buffer_printf(cmdlines, "%d %s\n", stat.tid, stat.comm);
	}
	buffer_release(&text);
}

static void snapshot_take_process(struct task_snapshot *snapshot, int tgid, bool is_late,
                                  struct buffer *tasks, struct buffer *cmdlines)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task", tgid);
	_cleanup_(closedirp) DIR *threads = opendir(path);
	struct dirent *entry;

	while (threads && (entry = readdir(threads)))
		if (isdigit((unsigned char)entry->d_name[0]))
			snapshot_take_task(snapshot, tgid, entry->d_name, is_late, tasks, cmdlines);
}

int task_snapshot_take(struct task_snapshot *snapshot, bool is_late, struct buffer *tasks,
                       struct buffer *cmdlines)
{
	_cleanup_(closedirp) DIR *processes = opendir("/proc");
	struct dirent *entry;
	int32_t tgid;

	if (!processes)
		return -errno;
	while ((entry = readdir(processes)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    parse_pid(entry->d_name, &tgid) == 0)
			snapshot_take_process(snapshot, tgid, is_late, tasks, cmdlines);
	return 0;
}
