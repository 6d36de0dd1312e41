/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_kind.h"

#include <string.h>

#include "purpose.h"

void aim_words_append(struct buffer *to, const struct brief_aim *aim)
{
	buffer_puts(to, aim->kind == AIM_FOR_WORK ? "work" : aim_kind_name(aim->kind));
	if (!aim->name)
		return;
	buffer_puts(to, ": ");
	buffer_puts_clean(to, aim->name, strlen(aim->name));
}

/* Sleeps that a task chose are for the time that their timer says. */
static bool aim_is_elsewhere(enum aim_kind aim, enum cause_kind cause)
{
	if (cause == CAUSE_TASK)
		return aim == AIM_LOCK;
	return (cause == CAUSE_TIMER || cause == CAUSE_SIGNAL || cause == CAUSE_UNKNOWN) &&
	       aim != AIM_NONE && aim != AIM_TIME && aim != AIM_FOR_WORK;
}

void aim_beside_append(struct buffer *to, const struct brief_aim *aim, enum cause_kind cause)
{
	if (!aim_is_elsewhere(aim->kind, cause))
		return;
	buffer_puts(to, ", for ");
	aim_words_append(to, aim);
}

void aim_behind_append(struct buffer *to, const struct brief_aim *aim, const struct cause *cause)
{
	if (!cause->purpose || (aim->name && strcmp(cause->purpose, aim->name) != 0))
		aim_beside_append(to, aim, cause->kind);
}

static const char *const kinds[AIM_KIND_COUNT] = {
	[AIM_ANSWER] = "answer",       [AIM_LOCK] = "lock",
	[AIM_CHILD] = "child",         [AIM_PIPE] = "pipe",
	[AIM_CONDITION] = "condition", [AIM_BARRIER] = "barrier",
	[AIM_SEMAPHORE] = "semaphore", [AIM_JOIN] = "join",
	[AIM_DISK] = "disk",           [AIM_MEMORY] = "memory",
	[AIM_FOR_WORK] = "for-work",   [AIM_TIME] = "time",
	[AIM_KERNEL] = "kernel",
};

static const char *const ends[AIM_END_COUNT] = {
	[AIM_HAD] = "had",     [AIM_LIMIT] = "limit", [AIM_SIGNAL] = "signal",
	[AIM_DEATH] = "death", [AIM_OPEN] = "open",
};

const char *aim_kind_name(enum aim_kind kind)
{
	return kinds[kind];
}

enum aim_kind aim_kind_from_name(const char *name)
{
	for (size_t kind = AIM_NONE + 1; kind < AIM_KIND_COUNT; kind++)
		if (strcmp(name, kinds[kind]) == 0)
			return (enum aim_kind)kind;
	return AIM_NONE;
}

const char *aim_end_name(enum aim_end end)
{
	return ends[end];
}

int aim_end_from_name(const char *name)
{
	for (int end = 0; end < AIM_END_COUNT; end++)
		if (strcmp(name, ends[end]) == 0)
			return end;
	return -1;
}

/* By purpose: its kind of aim + 1; 0: AIM_KERNEL. */
#define IS(kind, purpose) [PURPOSE_##purpose] = AIM_##kind + 1

static const uint8_t of_purposes[PURPOSE_COUNT] = {
	/* tasks sleep there for anything, for a signal, or for people */
	IS(NONE, NONE), IS(NONE, POLL), IS(NONE, SELECT), IS(NONE, EPOLL), IS(NONE, FUTEX),
	IS(NONE, IO_URING), IS(NONE, AIO), IS(NONE, SIGNALFD), IS(NONE, PAUSE),
	IS(NONE, SIGSUSPEND), IS(NONE, SIGWAIT), IS(NONE, INOTIFY), IS(NONE, FANOTIFY),
	IS(NONE, NETLINK), IS(NONE, PACKET), IS(NONE, TTY_READ), IS(NONE, INPUT),
	IS(NONE, READ), IS(NONE, WRITE),
	IS(ANSWER, ANSWER), IS(ANSWER, TCP_RECEIVE), IS(ANSWER, TCP_SEND),
	IS(ANSWER, TCP_CONNECT),
	IS(ANSWER, UDP_RECEIVE), IS(ANSWER, SOCKET_RECEIVE), IS(ANSWER, SOCKET_SEND),
	IS(ANSWER, SOCKET_CONNECT), IS(ANSWER, VSOCK_RECEIVE), IS(ANSWER, VSOCK_SEND),
	IS(ANSWER, VSOCK_CONNECT), IS(ANSWER, TLS), IS(ANSWER, LINGER),
	IS(ANSWER, FANOTIFY_ANSWER), IS(ANSWER, SECCOMP), IS(ANSWER, FUSE_REPLY),
	IS(ANSWER, NFS_REPLY), IS(ANSWER, SMB_REPLY), IS(ANSWER, CEPH_REPLY),
	IS(ANSWER, NINEP_REPLY), IS(ANSWER, AFS_REPLY), IS(ANSWER, BINDER_ANSWER),
	IS(ANSWER, BINDER_QUEUE), IS(ANSWER, USERMODE_HELPER),
	IS(LOCK, FLOCK), IS(LOCK, POSIX_LOCK), IS(LOCK, FILE_LOCK), IS(LOCK, LEASE),
	IS(LOCK, SOCKET_LOCK), IS(LOCK, MUTEX), IS(LOCK, RTNL), IS(LOCK, MMAP_LOCK),
	IS(LOCK, RWSEM), IS(LOCK, PERCPU_RWSEM), IS(LOCK, THREADGROUP),
	IS(LOCK, CPU_HOTPLUG_LOCK), IS(LOCK, SEMAPHORE), IS(LOCK, CONSOLE), IS(LOCK, WW_MUTEX),
	IS(LOCK, SIX_LOCK), IS(LOCK, RT_MUTEX), IS(LOCK, RT_LOCK), IS(LOCK, CLUSTER_LOCK),
	IS(CHILD, CHILD), IS(CHILD, CHILD_SIGNAL), IS(CHILD, VFORK),
	IS(PIPE, PIPE_READ), IS(PIPE, PIPE_WRITE), IS(PIPE, PIPE), IS(PIPE, FIFO_OPEN),
	IS(PIPE, EVENTFD), IS(PIPE, SYSV_RECEIVE), IS(PIPE, SYSV_SEND),
	IS(PIPE, MQUEUE_RECEIVE), IS(PIPE, MQUEUE_SEND), IS(PIPE, UNIX_RECEIVE),
	IS(PIPE, UNIX_SEND), IS(PIPE, UNIX_CONNECT),
	IS(SEMAPHORE, SYSV_SEM), IS(SEMAPHORE, POSIX_SEM), IS(CONDITION, CONDITION),
	IS(BARRIER, BARRIER),
	IS(FOR_WORK, ACCEPT), IS(FOR_WORK, KERNEL_THREAD), IS(FOR_WORK, SECCOMP_LISTEN),
	IS(FOR_WORK, USERFAULTFD_READ),
	IS(TIME, NANOSLEEP), IS(TIME, TIMERFD),
	IS(DISK, PAGE), IS(DISK, PAGE_READ), IS(DISK, PAGE_LOCK), IS(DISK, READAHEAD),
	IS(DISK, BUFFER), IS(DISK, WRITEBACK), IS(DISK, SYNC), IS(DISK, FSYNC),
	IS(DISK, DIRECT_IO), IS(DISK, DIRECT_IO_END), IS(DISK, BIO), IS(DISK, FLUSH),
	IS(DISK, DISCARD), IS(DISK, BLOCK_TAG), IS(DISK, BLOCK_LIMIT),
	IS(DISK, BLOCK_THROTTLE), IS(DISK, BLOCK_FREEZE), IS(DISK, BLOCK_DRAIN),
	IS(DISK, BLOCK_REQUEST), IS(DISK, MD), IS(DISK, RAID), IS(DISK, DM), IS(DISK, BCACHE),
	IS(DISK, EXT4_COMMIT), IS(DISK, EXT4_JOURNAL), IS(DISK, EXT4_JOURNAL_BUFFER),
	IS(DISK, EXT4_CHECKPOINT), IS(DISK, EXT4_COMMIT_IO), IS(DISK, EXT4), IS(DISK, XFS_LOG),
	IS(DISK, XFS_LOG_SPACE), IS(DISK, XFS_BUFFER), IS(DISK, XFS_PIN), IS(DISK, XFS_AIL),
	IS(DISK, XFS), IS(DISK, BTRFS_COMMIT), IS(DISK, BTRFS_LOG), IS(DISK, BTRFS_ORDERED),
	IS(DISK, BTRFS_SPACE), IS(DISK, BTRFS_EXTENT), IS(DISK, BTRFS_METADATA),
	IS(DISK, BTRFS), IS(DISK, F2FS_FLUSH), IS(DISK, F2FS_CHECKPOINT), IS(DISK, F2FS),
	IS(DISK, NETFS), IS(DISK, USB_STORAGE), IS(DISK, MMC), IS(DISK, MMC_HOST),
	IS(DISK, SCSI_ERROR), IS(DISK, SCSI), IS(DISK, NVME), IS(DISK, ATA),
	IS(MEMORY, MEMCG_HIGH), IS(MEMORY, OOM), IS(MEMORY, MEMPOOL), IS(MEMORY, HUGETLB),
	IS(MEMORY, PAGE_MOVED), IS(MEMORY, USERFAULTFD),
};

enum aim_kind aim_of_purpose(unsigned purpose)
{
	unsigned kind = purpose < PURPOSE_COUNT ? of_purposes[purpose] : 0;

	return kind ? (enum aim_kind)(kind - 1) : AIM_KERNEL;
}

enum aim_kind aim_of_futex(enum futex_kind kind)
{
	static const uint8_t of_futexes[] = {
		[FUTEX_KIND_UNKNOWN] = AIM_NONE, [FUTEX_KIND_LOCK] = AIM_LOCK,
		[FUTEX_KIND_JOIN] = AIM_JOIN,    [FUTEX_KIND_CONDITION] = AIM_CONDITION,
		[FUTEX_KIND_BARRIER] = AIM_BARRIER,
		[FUTEX_KIND_SEMAPHORE] = AIM_SEMAPHORE, [FUTEX_KIND_SIGNALLED] = AIM_NONE,
	};

	return (enum aim_kind)of_futexes[kind];
}
