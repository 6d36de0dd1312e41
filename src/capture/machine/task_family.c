/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recorder/machine/task_family.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/machine/wait_object.h"

void task_family_init(struct task_family *family)
{
	*family = (struct task_family){0};
	map_init(&family->by_pid);
}

void task_family_release(struct task_family *family)
{
	free(family->process);
	map_release(&family->by_pid);
}

bool task_family_has(const struct task_family *family, int32_t pid)
{
	return map_get(&family->by_pid, (uint64_t)pid) != MAP_NONE;
}

void task_family_add(struct task_family *family, int32_t pid)
{
	if (family->count == TASK_FAMILY_MAX || task_family_has(family, pid))
		return;
	ARRAY_GROW(family->process, family->count, family->capacity);
	map_put(&family->by_pid, (uint64_t)pid, (uint32_t)family->count);
	family->process[family->count++] = pid;
}

static void family_add_children(struct task_family *family, int32_t tgid, int32_t tid)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	const char *at = task_children_read(tgid, tid, &text);
	int32_t child;

	while (task_children_next(&at, &child))
		task_family_add(family, child);
}

void task_family_grow(struct task_family *family, nsec_t deadline)
{
	for (size_t i = 0; i < family->count && monotonic_now() < deadline; i++) {
		_cleanup_(freep) char *path = xasprintf("/proc/%d/task", family->process[i]);
		_cleanup_(closedirp) DIR *threads = opendir(path);
		struct dirent *entry;
		int32_t tid;

		while (threads && (entry = readdir(threads)))
			if (parse_pid(entry->d_name, &tid) == 0)
				family_add_children(family, family->process[i], tid);
	}
}
