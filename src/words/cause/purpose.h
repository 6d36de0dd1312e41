/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks sleep for, according to the place they sleep in; src/state/places/place_rows_*.c maps
 * functions to purposes. The words follow "for".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PURPOSES(ROW)                                                                         \
	ROW(PIPE_READ, "data from a pipe")                                                    \
	ROW(PIPE_WRITE, "room in a full pipe")                                                \
	ROW(PIPE, "a pipe")                                                                   \
	ROW(FIFO_OPEN, "the other end of a fifo")                                             \
	ROW(READ, "data to read")                                                             \
	ROW(WRITE, "room to write")                                                           \
	ROW(EVENTFD, "an eventfd")                                                            \
	ROW(SIGNALFD, "a signalfd")                                                           \
	ROW(TIMERFD, "a timerfd")                                                             \
	ROW(INOTIFY, "inotify events")                                                        \
	ROW(FANOTIFY, "fanotify events")                                                      \
	ROW(FANOTIFY_ANSWER, "an answer from a fanotify listener")                            \
	ROW(POLL, "poll events")                                                              \
	ROW(SELECT, "select events")                                                          \
	ROW(EPOLL, "epoll events")                                                            \
	ROW(NANOSLEEP, "the end of a nanosleep")                                              \
	ROW(FUTEX, "a futex")                                                                 \
	ROW(CONDITION, "a condition variable")                                                \
	ROW(BARRIER, "other threads at a barrier")                                            \
	ROW(ANSWER, "an answer")                                                              \
	ROW(SYSV_SEM, "a SysV semaphore")                                                     \
	ROW(POSIX_SEM, "a POSIX semaphore")                                                   \
	ROW(SYSV_RECEIVE, "a SysV message")                                                   \
	ROW(SYSV_SEND, "room in a SysV message queue")                                        \
	ROW(MQUEUE_RECEIVE, "a POSIX message")                                                \
	ROW(MQUEUE_SEND, "room in a POSIX message queue")                                     \
	ROW(FLOCK, "a flock of a file")                                                       \
	ROW(POSIX_LOCK, "a POSIX lock of a file")                                             \
	ROW(FILE_LOCK, "a lock of a file")                                                    \
	ROW(LEASE, "the end of a lease on a file")                                            \
	ROW(CHILD, "wait4 of a child")                                                        \
	ROW(CHILD_SIGNAL, "the end of a child")                                               \
	ROW(VFORK, "exec or exit of a vfork child")                                           \
	ROW(PAUSE, "a signal in pause")                                                       \
	ROW(SIGSUSPEND, "a signal in sigsuspend")                                             \
	ROW(SIGWAIT, "a signal, as in sigwait")                                               \
	ROW(TRACER, "ptrace of its tracer")                                                   \
	ROW(TRACEE, "a ptraced task to stop")                                                 \
	ROW(COREDUMP, "a core dump")                                                          \
	ROW(EXEC_THREADS, "exec to end its other threads")                                    \
	ROW(PID_NAMESPACE, "a PID namespace to be empty")                                     \
	ROW(IO_URING, "io_uring completions")                                                 \
	ROW(IO_URING_CANCEL, "io_uring requests to end")                                      \
	ROW(IO_URING_WORK, "io_uring work")                                                   \
	ROW(AIO, "AIO completions")                                                           \
	ROW(AIO_CANCEL, "AIO requests to end")                                                \
	ROW(SECCOMP, "an answer from a seccomp listener")                                     \
	ROW(SECCOMP_LISTEN, "a seccomp notification")                                         \
	ROW(UNIX_RECEIVE, "data from a unix socket")                                          \
	ROW(UNIX_SEND, "room in a unix socket")                                               \
	ROW(UNIX_CONNECT, "room in a unix socket's backlog")                                  \
	ROW(ACCEPT, "a connection to accept")                                                 \
	ROW(TCP_RECEIVE, "TCP receive")                                                       \
	ROW(TCP_SEND, "TCP send buffer")                                                      \
	ROW(TCP_CONNECT, "TCP connect")                                                       \
	ROW(UDP_RECEIVE, "UDP receive")                                                       \
	ROW(SOCKET_RECEIVE, "socket receive")                                                 \
	ROW(SOCKET_SEND, "socket send buffer")                                                \
	ROW(SOCKET_CONNECT, "socket connect")                                                 \
	ROW(SOCKET_LOCK, "a socket in use")                                                   \
	ROW(LINGER, "unsent data to linger")                                                  \
	ROW(PACKET, "packets of a packet socket")                                             \
	ROW(NETLINK, "netlink receive")                                                       \
	ROW(NETLINK_SEND, "room in a netlink socket")                                         \
	ROW(VSOCK_RECEIVE, "vsock receive")                                                   \
	ROW(VSOCK_SEND, "vsock send")                                                         \
	ROW(VSOCK_CONNECT, "vsock connect")                                                   \
	ROW(BLUETOOTH, "Bluetooth")                                                           \
	ROW(TUN, "packets of a tun device")                                                   \
	ROW(TLS, "TLS records")                                                               \
	ROW(PPP, "packets of ppp")                                                            \
	ROW(NAPI, "packets of NAPI")                                                          \
	ROW(NET_DEVICE, "a network device to be unused")                                      \
	ROW(MUTEX, "a mutex")                                                                 \
	ROW(RTNL, "the RTNL mutex")                                                           \
	ROW(MMAP_LOCK, "mmap_lock")                                                           \
	ROW(RWSEM, "an rwsem")                                                                \
	ROW(PERCPU_RWSEM, "a percpu-rwsem")                                                   \
	ROW(THREADGROUP, "cgroup_threadgroup_rwsem")                                          \
	ROW(CPU_HOTPLUG_LOCK, "the CPU hotplug lock")                                         \
	ROW(SEMAPHORE, "a semaphore")                                                         \
	ROW(CONSOLE, "the console lock")                                                      \
	ROW(WW_MUTEX, "a ww_mutex")                                                           \
	ROW(SIX_LOCK, "a six lock")                                                           \
	ROW(RT_MUTEX, "an rt_mutex")                                                          \
	ROW(RT_LOCK, "a spinlock or rwlock of PREEMPT_RT")                                    \
	ROW(PAGE, "a page")                                                                   \
	ROW(PAGE_READ, "a page to be read")                                                   \
	ROW(PAGE_LOCK, "a locked page")                                                       \
	ROW(PAGE_MOVED, "a page that is being moved")                                         \
	ROW(READAHEAD, "readahead")                                                           \
	ROW(BUFFER, "a buffer's I/O")                                                         \
	ROW(BIT, "a bit to clear")                                                            \
	ROW(WRITEBACK, "writeback")                                                           \
	ROW(SYNC, "sync")                                                                     \
	ROW(FSYNC, "fsync")                                                                   \
	ROW(DIRECT_IO, "direct I/O")                                                          \
	ROW(DIRECT_IO_END, "direct I/O on a file to end")                                     \
	ROW(BIO, "a bio")                                                                     \
	ROW(FLUSH, "a disk's cache to be flushed")                                            \
	ROW(DISCARD, "discarded blocks")                                                      \
	ROW(BLOCK_TAG, "a free request tag of a block device")                                \
	ROW(BLOCK_LIMIT, "a block I/O limit of rq_qos")                                       \
	ROW(BLOCK_THROTTLE, "a cgroup's block I/O limit")                                     \
	ROW(BLOCK_FREEZE, "a frozen block queue")                                             \
	ROW(BLOCK_DRAIN, "block requests to end")                                             \
	ROW(BLOCK_REQUEST, "a block request")                                                 \
	ROW(MD, "an md array")                                                                \
	ROW(RAID, "a free RAID stripe")                                                       \
	ROW(DM, "device mapper")                                                              \
	ROW(BCACHE, "bcache")                                                                 \
	ROW(PARTITION, "a block device in use")                                               \
	ROW(INODE, "an inode in use")                                                         \
	ROW(INODE_NEW, "an inode to be read")                                                 \
	ROW(NAME, "a name that another looks up")                                             \
	ROW(FREEZE, "a frozen file system")                                                   \
	ROW(SUPERBLOCK, "a file system to mount or unmount")                                  \
	ROW(EXT4_COMMIT, "an ext4 journal commit")                                            \
	ROW(EXT4_JOURNAL, "room in the ext4 journal")                                         \
	ROW(EXT4_JOURNAL_BUFFER, "a buffer in the ext4 journal")                              \
	ROW(EXT4_CHECKPOINT, "an ext4 journal checkpoint")                                    \
	ROW(EXT4_COMMIT_IO, "writes of an ext4 journal commit")                               \
	ROW(EXT4, "ext4")                                                                     \
	ROW(XFS_LOG, "the XFS log")                                                           \
	ROW(XFS_LOG_SPACE, "room in the XFS log")                                             \
	ROW(XFS_BUFFER, "an XFS buffer")                                                      \
	ROW(XFS_PIN, "an XFS object pinned by the log")                                       \
	ROW(XFS_AIL, "XFS metadata to be written")                                            \
	ROW(XFS, "XFS")                                                                       \
	ROW(BTRFS_COMMIT, "a btrfs transaction commit")                                       \
	ROW(BTRFS_LOG, "a btrfs log commit")                                                  \
	ROW(BTRFS_ORDERED, "a btrfs ordered extent")                                          \
	ROW(BTRFS_SPACE, "room in btrfs")                                                     \
	ROW(BTRFS_EXTENT, "a btrfs extent lock")                                              \
	ROW(BTRFS_METADATA, "btrfs metadata")                                                 \
	ROW(BTRFS, "btrfs")                                                                   \
	ROW(F2FS_FLUSH, "an f2fs flush")                                                      \
	ROW(F2FS_CHECKPOINT, "an f2fs checkpoint")                                            \
	ROW(F2FS, "f2fs")                                                                     \
	ROW(FUSE_REPLY, "a FUSE reply")                                                       \
	ROW(FUSE_ROOM, "room for a FUSE request")                                             \
	ROW(FUSE_REQUEST, "a FUSE request")                                                   \
	ROW(AUTOFS, "the automounter")                                                        \
	ROW(NFS_REPLY, "an NFS reply by RPC")                                                 \
	ROW(NFS, "NFS")                                                                       \
	ROW(SMB_REPLY, "an SMB reply")                                                        \
	ROW(SMB_CREDITS, "SMB credits")                                                       \
	ROW(CEPH_REPLY, "a Ceph reply")                                                       \
	ROW(NINEP_REPLY, "a 9P reply")                                                        \
	ROW(AFS_REPLY, "an AFS reply")                                                        \
	ROW(CLUSTER_LOCK, "a cluster's DLM lock")                                             \
	ROW(NETFS, "netfs I/O")                                                               \
	ROW(QUOTA, "a quota")                                                                 \
	ROW(KEY, "a key")                                                                     \
	ROW(CRYPTO, "crypto")                                                                 \
	ROW(RANDOM, "random numbers")                                                         \
	ROW(TTY_READ, "tty input")                                                            \
	ROW(TTY_WRITE, "room in a tty's output")                                              \
	ROW(TTY_DRAIN, "a tty's output to drain")                                             \
	ROW(TTY_LINE, "a tty's line discipline")                                              \
	ROW(TTY_OPEN, "a tty's carrier")                                                      \
	ROW(KERNEL_LOG, "kernel messages")                                                    \
	ROW(AUDIT, "room in the audit queue")                                                 \
	ROW(INPUT, "input events")                                                            \
	ROW(SOUND, "a sound device")                                                          \
	ROW(VBLANK, "a vblank")                                                               \
	ROW(FLIP, "a display's flip")                                                         \
	ROW(DRM_EVENT, "DRM events")                                                          \
	ROW(GPU_FENCE, "a GPU dma_fence")                                                     \
	ROW(GPU_SYNCOBJ, "a GPU sync object")                                                 \
	ROW(GPU_MEMORY, "a GPU's memory")                                                     \
	ROW(GPU, "a GPU")                                                                     \
	ROW(VIDEO, "video buffers")                                                           \
	ROW(USB_TRANSFER, "a USB transfer")                                                   \
	ROW(USB_CANCEL, "a USB transfer to be cancelled")                                     \
	ROW(USB_GADGET, "the USB host")                                                       \
	ROW(USB_STORAGE, "USB storage")                                                       \
	ROW(MMC, "an MMC transfer")                                                           \
	ROW(MMC_HOST, "an MMC host in use")                                                   \
	ROW(SCSI_ERROR, "SCSI error recovery")                                                \
	ROW(SCSI, "a SCSI command")                                                           \
	ROW(NVME, "an NVMe command")                                                          \
	ROW(ATA, "an ATA command")                                                            \
	ROW(I2C, "an I2C transfer")                                                           \
	ROW(SPI, "an SPI transfer")                                                           \
	ROW(FIRMWARE, "firmware")                                                             \
	ROW(DEVICE_RESUME, "a device to resume or suspend")                                   \
	ROW(DEVICE_PROBE, "devices to be probed")                                             \
	ROW(DEVTMPFS, "devtmpfs")                                                             \
	ROW(ACPI, "ACPI")                                                                     \
	ROW(IIO, "IIO samples")                                                               \
	ROW(UIO, "a UIO interrupt")                                                           \
	ROW(RTC, "an RTC interrupt")                                                          \
	ROW(DMA, "DMA")                                                                       \
	ROW(VIRTIO, "a virtio device")                                                        \
	ROW(VHOST, "vhost")                                                                   \
	ROW(KVM_HALT, "an interrupt to a halted KVM guest")                                   \
	ROW(KVM_FAULT, "a page of a KVM guest")                                               \
	ROW(XEN, "xenbus")                                                                    \
	ROW(HYPERV, "Hyper-V")                                                                \
	ROW(BINDER, "binder")                                                                 \
	ROW(BINDER_ANSWER, "the answer to a binder call")                                     \
	ROW(BINDER_QUEUE, "a binder call that no thread was free for")                        \
	ROW(ION, "ion")                                                                       \
	ROW(RCU, "an RCU grace period")                                                       \
	ROW(RCU_CALLBACKS, "RCU callbacks in rcu_barrier")                                    \
	ROW(RCU_READERS, "RCU readers")                                                       \
	ROW(SRCU, "an SRCU grace period")                                                     \
	ROW(FLUSH_WORK, "a work item to end")                                                 \
	ROW(FLUSH_WORKQUEUE, "a workqueue to be flushed")                                     \
	ROW(WORK, "work")                                                                     \
	ROW(COMPLETION, "a completion")                                                       \
	ROW(KTHREAD_STOP, "a kernel thread to stop")                                          \
	ROW(KTHREAD_PARK, "a kernel thread to park")                                          \
	ROW(KTHREAD_PARKED, "its unparking")                                                  \
	ROW(KTHREAD_CREATE, "a new kernel thread")                                            \
	ROW(KTHREAD_BIND, "its move to another CPU")                                          \
	ROW(USERMODE_HELPER, "a user-mode helper")                                            \
	ROW(ASYNC, "asynchronous calls to end")                                               \
	ROW(STOP_MACHINE, "CPUs of stop_machine")                                             \
	ROW(SMP_CALL, "an SMP call")                                                          \
	ROW(CPU_HOTPLUG, "CPU hotplug")                                                       \
	ROW(IRQ_END, "an interrupt handler to end")                                           \
	ROW(INTERRUPT, "an interrupt")                                                        \
	ROW(TIMER_END, "a timer's callback to end")                                           \
	ROW(MODULE_LOAD, "module load")                                                       \
	ROW(MODULE_REQUEST, "a requested module")                                             \
	ROW(TRACE_DATA, "trace data")                                                         \
	ROW(CGROUP, "a cgroup")                                                               \
	ROW(MEMCG_HIGH, "a cgroup's memory.high limit")                                       \
	ROW(OOM, "the OOM killer")                                                            \
	ROW(MEMPOOL, "memory in a mempool")                                                   \
	ROW(USERFAULTFD, "userfaultfd")                                                       \
	ROW(USERFAULTFD_READ, "userfaultfd events")                                           \
	ROW(HUGETLB, "huge pages")                                                            \
	ROW(DELAY, "a delay in the kernel")                                                   \
	ROW(PERF, "perf")                                                                     \
	ROW(SUSPEND, "system suspend")                                                        \
	ROW(KERNEL_THREAD, "work of a kernel thread")

enum purpose {
	PURPOSE_NONE,
#define PURPOSE_ENUM(id, words) PURPOSE_##id,
	PURPOSES(PURPOSE_ENUM)
#undef PURPOSE_ENUM
	PURPOSE_COUNT,
};

/* Causes and places store a purpose in one byte. */
_Static_assert(PURPOSE_COUNT <= 256, "a purpose fits a byte");

/* "data from a pipe"; NULL for PURPOSE_NONE and unknown values. */
const char *purpose_words(unsigned purpose);
/* Whether it is a lock of the kernel or of a file that one task holds and others wait for. */
bool purpose_is_lock(unsigned purpose);
