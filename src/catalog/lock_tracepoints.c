/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tracepoints of contended locks: the kernel's own, and futexes where their calls were
   recorded. */
#include "tracepoint.h"

#define LOCK(event, kind_, use_, is_optional_)                                         \
	{                                                                              \
		.system = "lock", .name = event, .group = "lock", .use = use_,         \
		.kind = kind_, .is_optional = is_optional_,                            \
		.field = {                                                             \
			FIELD_NUMBER("lock_addr", lock.address),                       \
			FIELD_NUMBER_IF_ANY("flags", lock.flags),                      \
			FIELD_NUMBER_IF_ANY("ret", lock.result),                       \
		},                                                                     \
	}

#define FILE_LOCK(event, kind_, use_)                                                  \
	{                                                                              \
		.system = "filelock", .name = event, .group = "lock",                  \
		.is_optional = true, .use = use_, .kind = kind_,                       \
		.field = {                                                             \
			FIELD_NUMBER("s_dev", file_lock.dev),                          \
			FIELD_NUMBER("i_ino", file_lock.inode),                        \
			FIELD_NUMBER_IF_ANY("type", file_lock.type), /* from 6.9 on */ \
			FIELD_NUMBER_IF_ANY("fl_type", file_lock.type),                \
			FIELD_NUMBER("ret", file_lock.result),                         \
			FIELD_NUMBER_IF_ANY("fl_start", file_lock.begin),              \
			FIELD_NUMBER_IF_ANY("fl_end", file_lock.end),                  \
		},                                                                     \
	}

#define MMAP_LOCK(event, kind_, use_)                                                  \
	{                                                                              \
		.system = "mmap_lock", .name = event, .group = "mmap_lock",            \
		.is_optional = true, .use = use_, .kind = kind_,                       \
		.field = {                                                             \
			FIELD_NUMBER("mm", mmap_lock.mm),                              \
			FIELD_NUMBER("write", mmap_lock.is_write),                     \
			FIELD_NUMBER_IF_ANY("success", mmap_lock.is_success),          \
		},                                                                     \
	}

const struct tracepoint lock_tracepoints[] = {
	LOCK("contention_begin", EVENT_LOCK_BEGIN, "sleeps for kernel locks, by kind", false),
	LOCK("contention_end", EVENT_LOCK_END, "who got a lock after waiting for it", false),
	/* from 7.2 on */
	LOCK("contended_release", EVENT_LOCK_RELEASE, "who released a lock, for certain", true),
	{
		.system = "syscalls", .name = "sys_enter_futex", .kind = EVENT_FUTEX_ENTER,
		.use = "which futex a task waits at",
		.field = {
			FIELD_NUMBER("uaddr", futex.address),
			FIELD_NUMBER_IF_ANY("op", futex.call.op),
			FIELD_NUMBER_IF_ANY("val", futex.call.wakes),
			FIELD_NUMBER_IF_ANY("utime", futex.call.moves),
			FIELD_NUMBER_IF_ANY("uaddr2", futex.call.to),
		},
	},
	{
		.system = "syscalls", .name = "sys_exit_futex", .kind = EVENT_FUTEX_EXIT,
		.use = "the end of that",
		.field = {FIELD_NUMBER_IF_ANY("ret", futex.result)},
	},
	FILE_LOCK("flock_lock_inode", EVENT_FLOCK, "who waits for a file lock, who had it"),
	FILE_LOCK("posix_lock_inode", EVENT_POSIX_LOCK, "the same for fcntl()"),
	FILE_LOCK("fcntl_setlk", EVENT_POSIX_LOCK_END, "which of them were given up"),
	MMAP_LOCK("mmap_lock_start_locking", EVENT_MMAP_LOCK_ASK, "who waits for an address space"),
	MMAP_LOCK("mmap_lock_acquire_returned", EVENT_MMAP_LOCK_GOT, "who holds it"),
	MMAP_LOCK("mmap_lock_released", EVENT_MMAP_LOCK_RELEASE, "until when"),
	{0},
};
