/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shot_tasks.h"

#include <string.h>

static void task_describe(const struct known_task *task, struct buffer *version,
                          struct buffer *cmdlines)
{
	/* the kernel cuts names, but lets them contain anything */
	size_t length = strcspn(task->comm, "\n");

	buffer_printf(version, "task %d %d %c %c %.*s\n", (int)task->tid, (int)task->tgid,
	              task->state ? task->state : '-', task->is_kernel ? 'k' : '-', (int)length,
	              task->comm);
	if (length > 0)
		buffer_printf(cmdlines, "%d %.*s\n", (int)task->tid, (int)length, task->comm);
}

static void process_describe(const struct known_process *process, struct buffer *version)
{
	buffer_printf(version, "process %d %d ", (int)process->tgid, (int)process->parent);
	if (process->cgroup == SOURCE_CGROUP_NONE)
		buffer_puts(version, "-\n");
	else
		buffer_printf(version, "%u\n", (unsigned)process->cgroup);
}

void shot_tasks_describe(const struct live_handover *tasks, nsec_t read, struct buffer *version,
                         struct buffer *cmdlines)
{
	const struct source *source = &tasks->source;

	for (size_t i = 0; i < source->pid_count; i++)
		buffer_printf(version, "%s%d%s", i ? "," : "pids ", (int)source->pids[i],
		              i + 1 == source->pid_count ? "\n" : "");
	for (size_t i = 0; i < tasks->cgroup_count; i++)
		buffer_printf(version, "cgroup %zu %u %s\n", i,
		              (unsigned)tasks->cgroup[i].hierarchy, tasks->cgroup[i].path);
	buffer_printf(version, "read %llu\n", (unsigned long long)read);
	for (size_t i = 0; i < tasks->task_count; i++)
		task_describe(&tasks->task[i], version, cmdlines);
	for (size_t i = 0; i < tasks->process_count; i++)
		process_describe(&tasks->process[i], version);
}

static bool is_asked(const struct source *source, const struct known_task *task)
{
	for (size_t i = 0; i < source->pid_count; i++)
		if (source->pids[i] == task->tid || source->pids[i] == task->tgid)
			return true;
	return false;
}

void shot_tasks_describe_still(const struct live_handover *tasks, nsec_t begin,
                               struct buffer *version)
{
	for (size_t i = 0; i < tasks->task_count; i++)
		if (tasks->wait[i].since <= begin &&
		    (tasks->task[i].state == 'D' || is_asked(&tasks->source, &tasks->task[i])))
			buffer_printf(version, "still %d\n", (int)tasks->task[i].tid);
}
