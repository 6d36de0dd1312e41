/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sync_calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

static const char *const names[SYNC_CALL_NAMES] = {
	"fsync", "fdatasync", "sync_file_range", "sync_file_range2", "msync", "syncfs", "sync",
};

static void numbers_find(struct sync_numbers *of, const char *arch)
{
	of->is_known = true;
	for (size_t i = 0; arch && i < SYNC_CALL_NAMES; i++)
		of->count += syscall_numbers(arch, names[i], of->number + of->count);
}

static bool call_is_sync(struct sync_calls *calls, const struct question *question,
                         const struct interval *interval)
{
	const struct timeline *timeline = question->timeline;
	uint8_t host = timeline->track[interval->task].host;
	struct sync_numbers *numbers;

	ARRAY_REACH(calls->host, calls->host_count, calls->host_capacity, host);
	numbers = &calls->host[host];
	if (!numbers->is_known)
		numbers_find(numbers, timeline->hosts.count ? timeline->hosts.host[host].arch
		                                            : question->recording.arch);
	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->number[i] == interval->syscall.number)
			return true;
	return false;
}

void sync_calls_add(struct sync_calls *calls, const struct question *question,
                    const struct interval *interval)
{
	struct task_sync_calls *task;

	assert(interval->kind == INTERVAL_SYSCALL);
	if (interval->task == TRACK_NONE || interval->begin >= interval->end ||
	    !call_is_sync(calls, question, interval))
		return;
	ARRAY_REACH(calls->task, calls->task_count, calls->task_capacity, interval->task);
	task = &calls->task[interval->task];
	assert(task->count == 0 || task->call[task->count - 1].end <= interval->begin);
	ARRAY_GROW(task->call, task->count, task->capacity);
	task->call[task->count++] = (struct sync_call){interval->begin, interval->end};
}

bool sync_calls_have(const struct sync_calls *calls, uint32_t track, nsec_t begin, nsec_t end)
{
	const struct task_sync_calls *task;
	size_t at;

	assert(begin <= end);
	if (track >= calls->task_count)
		return false;
	task = &calls->task[track];
	at = ARRAY_AFTER(task->call, task->count, end, begin);
	return at < task->count && task->call[at].begin <= begin && task->call[at].end >= end;
}

void sync_calls_trim(struct sync_calls *calls, nsec_t t)
{
	for (size_t track = 0; track < calls->task_count; track++) {
		struct task_sync_calls *task = &calls->task[track];
		size_t gone = ARRAY_AFTER(task->call, task->count, end, t);

		if (gone == 0)
			continue;
		task->count -= gone;
		memmove(task->call, task->call + gone, task->count * sizeof(*task->call));
	}
}

void sync_calls_release(struct sync_calls *calls)
{
	for (size_t track = 0; track < calls->task_count; track++)
		free(calls->task[track].call);
	free(calls->task);
	free(calls->host);
	*calls = (struct sync_calls){0};
}
