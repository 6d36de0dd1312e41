/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring_tasks.h"

#include <string.h>

#include "recorder/machine/clock_reading.h"

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
	const struct recording_notes *notes = &tasks->source.notes;

	for (size_t i = 0; i < notes->pids.count; i++)
		buffer_printf(version, "%s%d%s", i ? "," : "pids ", (int)notes->pids.item[i],
		              i + 1 == notes->pids.count ? "\n" : "");
	for (size_t i = 0; i < tasks->cgroup_count; i++)
		buffer_printf(version, "cgroup %zu %u %s\n", i,
		              (unsigned)tasks->cgroup[i].hierarchy, tasks->cgroup[i].path);
	buffer_printf(version, "read %llu\n", (unsigned long long)read);
	for (size_t i = 0; i < tasks->task_count; i++)
		task_describe(&tasks->task[i], version, cmdlines);
	for (size_t i = 0; i < tasks->process_count; i++)
		process_describe(&tasks->process[i], version);
}

static bool is_asked(const struct tid_list *pids, const struct known_task *task)
{
	for (size_t i = 0; i < pids->count; i++)
		if (pids->item[i] == task->tid || pids->item[i] == task->tgid)
			return true;
	return false;
}

void shot_tasks_describe_still(const struct live_handover *tasks, nsec_t begin,
                               struct buffer *version)
{
	for (size_t i = 0; i < tasks->task_count; i++)
		if (tasks->wait[i].since <= begin &&
		    (tasks->task[i].state == 'D' ||
		     is_asked(&tasks->source.notes.pids, &tasks->task[i])))
			buffer_printf(version, "still %d\n", (int)tasks->task[i].tid);
}

#define TEXT_BYTES_MAX (UINT64_C(64) << 20)

bool ring_tasks_turn(struct stream_ring *ring, const struct live_run *run,
                     const struct realtime_pair *pair, nsec_t reached)
{
	struct live_handover *tasks = live_run_tasks(run);
	struct buffer version, cmdlines;

	if (!tasks)
		return false;
	buffer_init(&version, TEXT_BYTES_MAX);
	buffer_init(&cmdlines, TEXT_BYTES_MAX);
	if (pair)
		realtime_pair_describe(pair, &version);
	shot_tasks_describe(tasks, reached, &version, &cmdlines);
	live_handover_free(tasks);
	stream_ring_turn(ring, reached, &version, &cmdlines);
	return true;
}

void ring_tasks_describe_end(const struct stream_ring *ring, const struct live_run *run,
                             const struct realtime_pair *pair, pid_t recorder,
                             struct buffer *version)
{
	struct live_handover *tasks = live_run_tasks(run);

	if (pair)
		realtime_pair_describe(pair, version);
	if (recorder > 0)
		buffer_printf(version, "recorder %d\n", (int)recorder);
	if (tasks)
		shot_tasks_describe_still(tasks, stream_ring_begin(ring), version);
	live_handover_free(tasks);
}

nsec_t ring_tasks_begin(const struct stream_ring *ring, const struct live_run *run)
{
	nsec_t begin = stream_ring_begin(ring);

	return begin ? begin : live_run_first(run);
}
