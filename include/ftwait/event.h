/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A typed event, independent of the kernel that wrote it. Numbers are widened to 64 bits whatever
 * their size in the record, so that one loader serves all; addresses are numbers. Text is borrowed
 * from the record and lives as long as that does; it need not be terminated by NUL.
 *
 * A field that the recording kernel does not have is 0 (text: empty); the rows of
 * src/catalog/tracepoint_rows.c say which fields an event cannot do without.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "nsec.h"
#include "task.h"

struct text {
	const char *at;
	uint32_t length; /* bytes; a NUL may end the text earlier */
};

static inline bool text_is(struct text text, const char *word)
{
	size_t length = text.length ? strnlen(text.at, text.length) : 0;

	return length == strlen(word) && memcmp(text.at, word, length) == 0;
}

/* Bits of common_flags, include/linux/trace_events.h of the kernel. */
enum event_flags {
	EVENT_IRQS_OFF = 0x01,
	EVENT_RESCHED_LAZY = 0x02, /* before 6.13: this machine records no EVENT_IRQS_OFF */
	EVENT_RESCHED = 0x04, /* the current task is to leave the CPU */
	EVENT_HARDIRQ = 0x08,
	EVENT_SOFTIRQ = 0x10,
	EVENT_NMI = 0x40,
	EVENT_BH_OFF = 0x80,
};

enum event_kind {
	EVENT_SCHED_SWITCH,
	EVENT_SCHED_WAKING,
	EVENT_SCHED_WAKEUP,
	EVENT_SCHED_WAKEUP_NEW,
	EVENT_SCHED_MIGRATE,
	EVENT_PI_SETPRIO, /* a lock lends its owner a priority, or takes it back */
	EVENT_PROCESS_FORK,
	EVENT_PROCESS_EXEC,
	EVENT_PROCESS_EXIT,
	EVENT_PROCESS_FREE,
	EVENT_PROCESS_WAIT, /* the task waits for a child, or looks whether one has ended */
	EVENT_NEWTASK,
	EVENT_TASK_RENAME,
	EVENT_IRQ_ENTRY,
	EVENT_IRQ_EXIT,
	EVENT_SOFTIRQ_RAISE,
	EVENT_SOFTIRQ_ENTRY,
	EVENT_SOFTIRQ_EXIT,
	EVENT_IPI_ENTRY, /* an interrupt from another CPU, whose reason may be known */
	EVENT_IPI_EXIT,
	EVENT_IPI_RAISE, /* one is sent */
	EVENT_CSD_ENTRY, /* a function that another CPU asked for is called */
	EVENT_RESCHEDULE_ENTRY, /* an interrupt from another CPU, for the scheduler */
	EVENT_HRTIMER_START,
	EVENT_HRTIMER_ENTRY,
	EVENT_HRTIMER_EXIT,
	EVENT_TIMER_START,
	EVENT_TIMER_ENTRY,
	EVENT_TIMER_EXIT,
	EVENT_BLOCK_QUEUE,
	EVENT_BLOCK_INSERT,
	EVENT_BLOCK_ISSUE,
	EVENT_BLOCK_REQUEUE, /* the device did not take it; it will be issued again */
	EVENT_BLOCK_COMPLETE,
	EVENT_BLOCK_DERIVE, /* a bio continues as part of another bio, or as the bio of a lower
	                       device; at dev 0: it has ended */
	EVENT_NET_ARRIVE, /* a packet comes from its device's driver; it is received later */
	EVENT_NET_RECEIVE,
	EVENT_NET_QUEUE, /* a packet is handed to a device */
	EVENT_NET_DEQUEUE, /* a packet leaves that device's queue */
	EVENT_NET_CROSS, /* a packet comes out of another device of this machine */
	EVENT_NAPI_POLL,
	EVENT_NET_DROP, /* a packet is freed without being consumed */
	EVENT_NET_ROUTE, /* the route to an address is looked up: `state` is the protocol */
	EVENT_SOCKET_STATE,   /* a connection changes its state */
	EVENT_SOCKET_RECEIVE, /* a segment of an established connection is received */
	EVENT_SOCKET_RETRANSMIT, /* a segment of a connection was not answered in time */
	EVENT_SOCKET_RESET,   /* a connection was aborted, by either end */
	EVENT_SOCKET_SEND,    /* a call of the current task has sent */
	EVENT_SOCKET_TAKE,    /* a call of the current task has received */
	EVENT_SOCKET_READY,   /* the socket's reader is notified of data */
	EVENT_WORK_QUEUE,
	EVENT_WORK_START,
	EVENT_WORK_END,
	EVENT_SIGNAL_GENERATE,
	EVENT_SIGNAL_DELIVER, /* the current task takes a signal and acts on it */
	EVENT_OOM_VICTIM,     /* the OOM killer has chosen a process, and sent it SIGKILL */
	EVENT_LOCK_BEGIN, /* contention on a kernel lock */
	EVENT_LOCK_END,
	EVENT_LOCK_RELEASE, /* of a contended lock */
	EVENT_MEMORY_BEGIN, /* reclaim, compaction: see event.memory.what */
	EVENT_MEMORY_END,
	EVENT_MEMORY_THROTTLE, /* the current task's next sleep is a penalty for dirtying pages */
	EVENT_MEMORY_THROTTLED, /* its last sleep was a penalty, of reclaim */
	EVENT_CGROUP_FREEZE,   /* the current task freezes the tasks of a cgroup */
	EVENT_CGROUP_UNFREEZE,
	EVENT_CGROUP_ATTACH,   /* a process, or one thread, is moved into a cgroup */
	EVENT_CGROUP_FROZEN,   /* the last task has frozen, or the cgroup is no longer frozen */
	EVENT_FUTEX_ENTER,
	EVENT_FUTEX_EXIT,
	EVENT_STACK,          /* kernel stack of the event before it */
	EVENT_USER_STACK,     /* user stack of the event before it */
	EVENT_BLOCKED_REASON, /* Android: where a task sleeps */
	EVENT_SYSCALL_ENTER,
	EVENT_SYSCALL_EXIT,
	EVENT_SYSCALL_PATH, /* the call that begins, or has just begun, names these files */
	EVENT_MARK,           /* a program wrote to trace_marker */
	EVENT_MARK_RAW,       /* a program wrote to trace_marker_raw: a number, and bytes */
	EVENT_FLOCK,          /* the kernel's flock(): got, blocked, refused, or unlocked */
	EVENT_POSIX_LOCK,     /* the kernel's fcntl() locks: got, blocked, refused, or unlocked */
	EVENT_POSIX_LOCK_END, /* fcntl() returns, with or without the lock */
	EVENT_MMAP_LOCK_ASK,  /* the lock of an address space is asked for */
	EVENT_MMAP_LOCK_GOT,  /* got, or given up; without a wait there is no ASK before */
	EVENT_MMAP_LOCK_RELEASE,
	EVENT_CPU_IDLE, /* a CPU enters an idle state, or leaves it */
	EVENT_FILE_ADD,   /* the current task adds a part of a file to the page cache */
	EVENT_FILE_DIRTY, /* it writes to a page of the page cache */
	EVENT_FILE_SYNC,  /* it begins to sync a file */
	EVENT_FILE_SYNC_END,
	EVENT_FILE_SYNC_CALL, /* as EVENT_FILE_SYNC, of a file system that records no end */
	EVENT_BINDER_SEND, /* the current task calls another process, or answers a call */
	EVENT_BINDER_TAKE, /* it takes a call, or an answer */
	EVENT_CPU_FREQUENCY, /* a CPU runs at another frequency from now on */
	EVENT_SUSPEND,       /* a step of the system's suspend or resume begins or ends */
	EVENT_KIND_COUNT,
};

/* A set of kinds. */
struct event_kinds {
	bool has[EVENT_KIND_COUNT];
};

static inline void event_kinds_add(struct event_kinds *to, const struct event_kinds *more)
{
	for (unsigned kind = 0; kind < EVENT_KIND_COUNT; kind++)
		to->has[kind] |= more->has[kind];
}

/* A set of kinds as a constant list, for rows of tables. */
#define EVENT_LIST(...) ((const uint8_t[]){__VA_ARGS__, EVENT_KIND_COUNT})

static inline bool event_kinds_have_any(const struct event_kinds *kinds, const uint8_t *list)
{
	while (*list != EVENT_KIND_COUNT && !kinds->has[*list])
		list++;
	return *list != EVENT_KIND_COUNT;
}

struct sched_switch_event {
	int64_t prev_tid, next_tid;
	int64_t prev_priority, next_priority; /* ftwait/task.h */
	struct text prev_comm, next_comm;
	uint64_t raw_state;   /* as recorded */
	uint64_t was_running; /* preempted: still runnable although its state may say otherwise */
	uint64_t letter;      /* R S D T t X Z P I; '?' if the kernel's table does not name it */
};

struct sched_wake_event { /* waking, wakeup, wakeup_new */
	int64_t tid, cpu;
	struct text comm;
	int64_t priority; /* ftwait/task.h */
};

struct pi_setprio_event {
	int64_t tid;
	int64_t old_priority, new_priority; /* ftwait/task.h */
};

struct sched_migrate_event {
	int64_t tid, to_cpu;
};

struct process_event { /* fork, exec, exit, free, newtask, rename */
	int64_t tid;       /* fork, newtask: the child */
	int64_t other_tid; /* fork: the parent; exec: the old tid */
	struct text comm;  /* fork, newtask: the child's; rename: the new one */
	uint64_t clone_flags;
};

struct irq_event {
	int64_t number; /* irq, or softirq vector */
	struct text name;
};

struct ipi_event {
	struct text reason;  /* "Rescheduling interrupts"; empty: not known */
	uint64_t address;    /* of the reason, if the event contains no text */
	/* raise: mask of CPUs, as the machine stores unsigned longs, or as text */
	struct text targets, mask;
};

struct timer_event {
	uint64_t timer, function; /* addresses */
	/* hrtimer_start: the earliest and the latest expiry, in ns of the timer's own clock; 0: the
	   event has no such field. */
	uint64_t soft_expires, expires;
	/* hrtimer_start: the kernel's HRTIMER_MODE_*; 0: absolute, or no such field. */
	uint64_t mode;
	/* hrtimer_expire_entry: what the kernel read of the timer's own clock when it looked for
	   timers that have expired, in ns; 0: the event has no such field. */
	uint64_t now;
};

struct block_event {
	uint64_t dev; /* major << 20 | minor */
	uint64_t sector, sectors, bytes;
	int64_t error; /* complete, derive: 0, or the error */
	uint64_t from_dev, from_sector; /* derive: of the original */
	struct text rwbs;
};

/* What Ethernet puts before a packet. */
#define LINK_HEADER_BYTES 14

struct net_event {
	uint64_t packet; /* address of the skb */
	uint64_t bytes;  /* when queued with the link header, if the device has one; when received
	                    without */
	struct text dev;
	/* The message between two machines that it is (ftwait/host.h); 0: none, or not
	   known. No recording has this: the engine fills it in. */
	uint64_t message;
};

/* Whether the packet's device loops back, so that it stays on its machine. */
static inline bool net_event_is_loopback(const struct net_event *net)
{
	const struct text *dev = &net->dev;

	return dev->length >= 2 && dev->at[0] == 'l' && dev->at[1] == 'o' &&
	       (dev->length == 2 || dev->at[2] == '\0');
}

struct drop_event {
	uint64_t reason; /* SKB_DROP_REASON_*; kernels number them differently; 0: not
	                    recorded */
	struct text name; /* of the reason; empty: the reason has no name, or none was recorded */
	uint64_t location; /* address in the function that dropped it */
	uint64_t protocol; /* ETH_P_* of the packet; 0: a message that goes over no network */
};

/* include/net/tcp_states.h of the kernel */
#define STATE_ESTABLISHED 1
#define STATE_SYN_SENT    2
#define STATE_SYN_RECV    3
#define STATE_FIN_WAIT1   4
#define STATE_FIN_WAIT2   5
#define STATE_CLOSE       7
#define STATE_CLOSE_WAIT  8
#define STATE_LISTEN      10

struct socket_event {
	uint64_t socket; /* address of the sock; 0: not recorded */
	uint64_t state;  /* the new one: TCP_*, include/net/tcp_states.h of the kernel */
	uint64_t local_port, peer_port;
	/* Bytes, not text: an IPv6 address (IPv4: mapped), or a struct sockaddr. */
	struct text peer, local;
};

#define FAMILY_INET   2
#define FAMILY_INET6  10
#define PROTOCOL_TCP  6
#define FLAG_PEEK     0x2
#define FLAG_ERRQUEUE 0x2000

struct transfer_event {
	uint64_t socket;           /* address of the sock */
	uint64_t family, protocol; /* AF_*, IPPROTO_* */
	int64_t result;            /* of the call: bytes, or an error */
	uint64_t flags;            /* take: MSG_* */
};

/* Whether the call sent or received data of an internet socket; false for errors. */
static inline bool transfer_counts(const struct transfer_event *transfer)
{
	return transfer->result > 0 &&
	       (transfer->family == FAMILY_INET || transfer->family == FAMILY_INET6);
}

/* Whether the call only looked at the data, which is read later. */
static inline bool transfer_is_look(const struct transfer_event *transfer)
{
	return transfer->flags & (FLAG_PEEK | FLAG_ERRQUEUE);
}

struct work_event {
	uint64_t work, function;
};

struct signal_event {
	int64_t number;
	int64_t tid;    /* the task the signal is for, or one of its process */
	int64_t result; /* 0: delivered; else ignored, already pending, or lost */
	uint64_t handler; /* deliver: its address; 0: the default action, 1: ignored */
};

struct lock_event {
	uint64_t address, flags;
	int64_t result; /* end: 0 if the lock was taken */
};

enum memory_what {
	MEMORY_NONE,
	MEMORY_RECLAIM,
	MEMORY_COMPACTION,
	MEMORY_THROTTLE,
	MEMORY_FAULT, /* a page fault that reads its page from a file */
	MEMORY_SWAP,  /* a page that comes back from swap, by a fault or a read */
	MEMORY_MEMCG_RECLAIM, /* of a cgroup's pages, for its own limit */
	MEMORY_WRITEBACK,     /* reclaim that waits for a page to be written */
	MEMORY_WHAT_COUNT,
};

struct memory_event {
	uint64_t what; /* enum memory_what */
	int64_t pause; /* throttle: ms to sleep; 0 or less: none */
	struct text bdi; /* throttle: the device, "8:0", or the kernel's other name for it */
	uint64_t pages; /* end of reclaim: reclaimed */
};

struct cgroup_event {
	uint64_t id;
	uint64_t is_frozen; /* frozen: 1, no longer: 0 */
	struct text path;
	int64_t tid, hierarchy; /* attach: of the first thread, if a process is moved; 0: version
	                           2 */
};

/* The arguments of futex() beside its first address. */
struct futex_call {
	uint64_t op;           /* FUTEX_*, with its flags */
	uint64_t wakes, moves; /* calls that requeue sleepers: how many at most to wake and to
	                          move */
	uint64_t to;           /* calls that requeue sleepers: the address to move them to */
};

struct futex_event {
	uint64_t address;
	struct futex_call call;
	int64_t result; /* exit */
};

struct stack_event {
	uint64_t count;     /* kernel: of the frames, as the event says */
	int64_t tgid;       /* user: the process of these addresses */
	struct text frames; /* addresses of the recording machine's long, innermost first; up to
	                       the end of the record */
};

struct blocked_event {
	int64_t tid;
	uint64_t caller; /* address in the function that sleeps */
	uint64_t io_wait;
};

struct syscall_event {
	int64_t number;    /* of the recording architecture */
	uint64_t argument; /* enter: the first */
	int64_t result;    /* exit */
	struct text arguments; /* enter: all of them, of the recording machine's long */
};

struct path_event {
	int64_t number; /* as in struct syscall_event */
	/* as the program gave them, cut by the kernel if they are long; empty: not recorded */
	struct text path, to; /* to: of calls with two */
};

struct mark_event {
	struct text text;
	uint64_t id; /* raw: the number; the text is the bytes, followed by up to 3 more */
};

struct file_lock_event {
	uint64_t dev, inode; /* dev as in struct block_event */
	uint64_t type;       /* F_RDLCK, F_WRLCK, F_UNLCK of the recording machine */
	int64_t result;      /* 0: done; 1: it has to wait for others; else an error */
	uint64_t begin, end; /* first and last byte */
};

struct mmap_lock_event {
	uint64_t mm; /* address of the mm_struct */
	uint64_t is_write;
	uint64_t is_success; /* got */
};

struct idle_event {
	uint64_t state; /* the number that the CPU's driver gives it; IDLE_STATE_LEFT */
};

#define IDLE_STATE_LEFT UINT32_MAX /* the CPU leaves its state */

struct file_event {
	uint64_t dev, inode; /* dev as in struct block_event, of the superblock */
	uint64_t order;      /* add: the number of pages is 1 << order */
};

struct frequency_event {
	uint64_t khz;
	uint64_t cpu; /* as the machine itself numbers it; often not the one of the event */
};

struct suspend_event {
	struct text action;   /* "freeze_processes", "machine_suspend"; empty: not known */
	uint64_t address;     /* of the action's string, if the event contains no text */
	int64_t value;        /* its meaning depends on the action: a state, message or CPU */
	uint64_t is_begin;
};

struct binder_event {
	int64_t process, thread; /* send: the receiver; thread 0: any thread of the process */
	uint64_t id;             /* of the transaction */
	uint64_t is_reply, flags; /* send */
};

struct event {
	nsec_t time;
	uint32_t cpu;
	int64_t tid; /* common_pid: the current task */
	uint64_t flags; /* enum event_flags */
	enum event_kind kind;
	union {
		struct sched_switch_event sched_switch;
		struct sched_wake_event wake;
		struct sched_migrate_event migrate;
		struct pi_setprio_event pi_setprio;
		struct process_event process;
		struct irq_event irq;
		struct ipi_event ipi;
		struct timer_event timer;
		struct block_event block;
		struct net_event net;
		struct drop_event drop;
		struct socket_event socket;
		struct transfer_event transfer;
		struct work_event work;
		struct signal_event signal;
		struct lock_event lock;
		struct memory_event memory;
		struct cgroup_event cgroup;
		struct futex_event futex;
		struct stack_event stack;
		struct blocked_event blocked;
		struct syscall_event syscall;
		struct mark_event mark;
		struct path_event path;
		struct file_lock_event file_lock;
		struct mmap_lock_event mmap_lock;
		struct idle_event idle;
		struct file_event file;
		struct binder_event binder;
		struct frequency_event frequency;
		struct suspend_event suspend;
	};
};
