/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracepoint.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"

/* Bytes of "system:event", or of a pattern for it. */
#define NAME_BYTES_MAX 256

const struct event_group event_groups[] = {
	{"sched", NULL, "which task runs, waits, or wakes another; always recorded", true, false,
	 NULL},
	{"irq", NULL, "interrupts, soft interrupts, calls between CPUs", true, false, NULL},
	{"block", "disk", "requests to disks", true, false, NULL},
	{"net", NULL, "packets and sockets", true, false, NULL},
	{"lock", NULL, "contended locks of the kernel", true, false, NULL},
	{"mmap_lock", NULL, "who holds address spaces; costly", false, true, NULL},
	{"timer", NULL, "timers armed and run", true, false, NULL},
	{"idle", "power", "idle states and frequencies of CPUs; system suspend", false, false,
	 NULL},
	{"workqueue", "work", "work handed to kernel workers", true, false, NULL},
	{"signal", NULL, "signals sent", true, false, NULL},
	{"mm", "memory", "reclaim, compaction, throttled writers", false, false, NULL},
	{"binder", NULL, "calls between Android's processes", false, false, NULL},
	{"files", NULL, "files that are read from disks or synced", false, false, NULL},
	{"syscalls", "syscall", "every system call; costly", false, true, NULL},
	{"paths", NULL, "the same with the paths of files, of some tasks; since Linux 7.2", false,
	 false, NULL},
	{"io_uring", NULL, "requests of io_uring, from submission to completion", false, false,
	 "io_uring:*"},
	{"faults", NULL, "page faults, by program and by file", false, false,
	 "exceptions:page_fault_*,filemap:mm_filemap_fault"},
	{"tcp", NULL, "TCP: round trips, windows, states, what is sent again", false, false,
	 "tcp:*"},
};

const size_t event_group_count = ARRAY_SIZE(event_groups);

const struct event_group *event_group_find(const char *name)
{
	for (size_t i = 0; i < event_group_count; i++) {
		const struct event_group *group = &event_groups[i];

		if (strcmp(group->name, name) == 0 ||
		    (group->alias && strcmp(group->alias, name) == 0))
			return group;
	}
	return NULL;
}

bool event_group_has_other(const struct event_group *group, const char *event)
{
	char pattern[NAME_BYTES_MAX];

	for (const char *at = group->others; at && *at; at += strcspn(at, ",")) {
		at += *at == ',';
		(void)snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(at, ","), at);
		if (fnmatch(pattern, event, 0) == 0)
			return true;
	}
	return false;
}

bool tracepoint_is_part_of(const struct tracepoint *row, const struct event_group *group)
{
	return tracepoint_is_of(row, group) ||
	       (row->part_of && strcmp(row->part_of, group->name) == 0);
}

bool tracepoint_is_of(const struct tracepoint *row, const struct event_group *group)
{
	return (row->group && strcmp(row->group, group->name) == 0) ||
	       (row->also && strcmp(row->also, group->name) == 0);
}

static bool row_is_item(const struct tracepoint *row, const char *item)
{
	char name[NAME_BYTES_MAX];

	(void)snprintf(name, sizeof(name), "%s:%s", row->system, row->name);
	return strcmp(item, row->group) == 0 || (row->also && strcmp(item, row->also) == 0) ||
	       fnmatch(item, name, 0) == 0 || fnmatch(item, row->name, 0) == 0 ||
	       strcmp(item, row->system) == 0;
}

bool tracepoint_names_file(const char *event)
{
	size_t system = strcspn(event, ":");

	TRACEPOINT_EACH(row) {
		if (row->kind == EVENT_SYSCALL_PATH && strlen(row->system) == system &&
		    strncmp(event, row->system, system) == 0 && event[system] &&
		    strcmp(event + system + 1, row->name) == 0)
			return true;
	}
	return false;
}

bool tracepoint_is_listed(const struct tracepoint *row, const char *list)
{
	char item[NAME_BYTES_MAX];

	if (!row->group)
		return true;
	for (; *list; list += strcspn(list, ",")) {
		list += *list == ',';
		(void)snprintf(item, sizeof(item), "%.*s", (int)strcspn(list, ","), list);
		if (row_is_item(row, item))
			return true;
	}
	return false;
}
