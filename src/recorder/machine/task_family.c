/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_family.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "text_file.h"

#define CHILDREN_BYTES_MAX (1u << 20)

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

/* If the kernel has no such file, no child is known. */
static void family_add_children(struct task_family *family, int32_t tgid, int32_t tid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task/%d/children", tgid, tid);
	_cleanup_(buffer_release) struct buffer text = {0};
	const char *at;
	int32_t child;
	int used;

	buffer_init(&text, CHILDREN_BYTES_MAX);
	(void)text_file_read(path, &text);
	for (at = text.length ? text.text : ""; sscanf(at, "%" SCNd32 "%n", &child, &used) == 1;
	     at += used)
		task_family_add(family, child);
}

void task_family_add_children(struct task_family *family, int32_t tgid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/task", tgid);
	_cleanup_(closedirp) DIR *threads = opendir(path);
	struct dirent *entry;
	int32_t tid;

	while (threads && (entry = readdir(threads)))
		if (parse_pid(entry->d_name, &tid) == 0)
			family_add_children(family, tgid, tid);
}

void task_family_grow(struct task_family *family, nsec_t deadline)
{
	for (size_t i = 0; i < family->count && monotonic_now() < deadline; i++)
		task_family_add_children(family, family->process[i]);
}
