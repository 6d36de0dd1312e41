/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of the scheduler and of the life of tasks. */
#include "tracepoint.h"

#define WAKE(event, kind_, use_)                                                       \
	{                                                                              \
		.system = "sched", .name = event, .group = "sched", .use = use_,       \
		.kind = kind_,                                                         \
		.field = {                                                             \
			FIELD_NUMBER("pid", wake.tid),                                 \
			FIELD_NUMBER_IF_ANY("prio", wake.priority),                    \
			FIELD_TEXT_IF_ANY("comm", wake.comm),                          \
			FIELD_NUMBER_IF_ANY("target_cpu", wake.cpu),                   \
		},                                                                     \
	}

#define CGROUP(event, kind_, use_)                                                     \
	{                                                                              \
		.system = "cgroup", .name = event, .group = "sched",                   \
		.is_optional = true, .use = use_, .kind = kind_,                       \
		.field = {                                                             \
			FIELD_NUMBER("id", cgroup.id),                                 \
			FIELD_NUMBER_IF_ANY("val", cgroup.is_frozen),                  \
			FIELD_TEXT_IF_ANY("path", cgroup.path),                        \
		},                                                                     \
	}

const struct tracepoint sched_tracepoints[] = {
	{
		.system = "sched", .name = "sched_switch", .group = "sched",
		.use = "who runs, who waits and in which state", .kind = EVENT_SCHED_SWITCH,
		.field = {
			FIELD_NUMBER("prev_pid", sched_switch.prev_tid),
			FIELD_NUMBER("next_pid", sched_switch.next_tid),
			FIELD_NUMBER("prev_state", sched_switch.raw_state),
			FIELD_NUMBER_IF_ANY("prev_prio", sched_switch.prev_priority),
			FIELD_NUMBER_IF_ANY("next_prio", sched_switch.next_priority),
			FIELD_TEXT("prev_comm", sched_switch.prev_comm),
			FIELD_TEXT("next_comm", sched_switch.next_comm),
		},
	},
	WAKE("sched_waking", EVENT_SCHED_WAKING, "who wakes whom"),
	WAKE("sched_wakeup", EVENT_SCHED_WAKEUP, "on which CPU; if it slept; wakers, before 4.3"),
	WAKE("sched_wakeup_new", EVENT_SCHED_WAKEUP_NEW, "new tasks"),
	{
		.system = "sched", .name = "sched_migrate_task", .group = "sched",
		.use = "on which CPU a task is queued", .kind = EVENT_SCHED_MIGRATE,
		.field = {
			FIELD_NUMBER("pid", migrate.tid),
			FIELD_NUMBER("dest_cpu", migrate.to_cpu),
		},
	},
	{
		.system = "sched", .name = "sched_pi_setprio", .group = "sched",
		.is_optional = true, .use = "which priority a lock lends its owner",
		.kind = EVENT_PI_SETPRIO,
		.field = {
			FIELD_NUMBER("pid", pi_setprio.tid),
			FIELD_NUMBER("oldprio", pi_setprio.old_priority),
			FIELD_NUMBER("newprio", pi_setprio.new_priority),
		},
	},
	{
		.system = "sched", .name = "sched_process_fork", .group = "sched",
		.use = "who started whom", .kind = EVENT_PROCESS_FORK,
		.field = {
			FIELD_NUMBER("child_pid", process.tid),
			FIELD_NUMBER("parent_pid", process.other_tid),
			FIELD_TEXT_IF_ANY("child_comm", process.comm),
		},
	},
	{
		.system = "sched", .name = "sched_process_exec", .group = "sched",
		.use = "new names, threads that replace their leader", .kind = EVENT_PROCESS_EXEC,
		.field = {
			FIELD_NUMBER("pid", process.tid),
			FIELD_NUMBER("old_pid", process.other_tid),
			FIELD_TEXT_IF_ANY("filename", process.comm),
		},
	},
	{
		.system = "sched", .name = "sched_process_exit", .group = "sched",
		.use = "when a task ends", .kind = EVENT_PROCESS_EXIT,
		.field = {FIELD_NUMBER("pid", process.tid)},
	},
	{
		.system = "sched", .name = "sched_process_free", .group = "sched",
		.use = "when its tid may be used again", .kind = EVENT_PROCESS_FREE,
		.field = {FIELD_NUMBER("pid", process.tid)},
	},
	{
		.system = "sched", .name = "sched_process_wait", .group = "sched",
		.use = "which child is waited for", .kind = EVENT_PROCESS_WAIT,
		.field = {FIELD_NUMBER("pid", process.tid)}, /* 0: any */
	},
	{
		.system = "task", .name = "task_newtask", .group = "sched",
		.use = "new tasks, by vfork or not", .kind = EVENT_NEWTASK,
		.field = {
			FIELD_NUMBER("pid", process.tid),
			FIELD_TEXT_IF_ANY("comm", process.comm),
			FIELD_NUMBER_IF_ANY("clone_flags", process.clone_flags),
		},
	},
	{
		.system = "task", .name = "task_rename", .group = "sched",
		.use = "new names", .kind = EVENT_TASK_RENAME,
		.field = {
			/* gone from 6.12 on: the renamed task is then the current one */
			FIELD_NUMBER_IF_ANY("pid", process.tid),
			FIELD_TEXT("newcomm", process.comm),
		},
	},
	CGROUP("cgroup_freeze", EVENT_CGROUP_FREEZE, "who freezes tasks"),
	CGROUP("cgroup_unfreeze", EVENT_CGROUP_UNFREEZE, "who thaws them"),
	CGROUP("cgroup_notify_frozen", EVENT_CGROUP_FROZEN, "when they all are frozen"),
	{
		.system = "cgroup", .name = "cgroup_attach_task", .group = "sched",
		.is_optional = true, .use = "which cgroup a process is moved into",
		.kind = EVENT_CGROUP_ATTACH,
		.field = {
			FIELD_NUMBER("pid", cgroup.tid),
			FIELD_NUMBER("dst_root", cgroup.hierarchy),
			FIELD_TEXT("dst_path", cgroup.path),
		},
	},
	{0},
};
