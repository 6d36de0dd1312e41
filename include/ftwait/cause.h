/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ended a wait: another task, or an object. This is the form in which results carry a cause;
 * src/graph keeps them in a denser one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nsec.h"
#include "task.h"

enum cause_kind {
	CAUSE_UNKNOWN,
	CAUSE_TASK,         /* another task ended it: waker */
	CAUSE_DISK,         /* a block request completed */
	CAUSE_NET,          /* a packet arrived */
	CAUSE_TIMER,
	CAUSE_IRQ,          /* hard interrupt, by number and name */
	CAUSE_SOFTIRQ,      /* soft interrupt, by vector */
	CAUSE_WORK,         /* a work item, run by waker */
	CAUSE_WORK_PENDING, /* time between queueing a work item and its start */
	CAUSE_SIGNAL,
	CAUSE_IPI,
	CAUSE_RCU,
	CAUSE_LOCK,
	CAUSE_MEMORY,
	CAUSE_FORK,
	CAUSE_WAKE_LATENCY, /* between the wake-up call and its effect */
	CAUSE_IDLE,         /* woken from the idle loop, no evidence why */
	CAUSE_FROZEN,       /* by the freezer, until waker thawed it */
	CAUSE_INTERRUPT,    /* hard or soft, of which nothing was recorded but that it was one */
	/* why a runnable task does not run; never the cause of a wait */
	CAUSE_THROTTLED,    /* a limit on its CPU time is used up */
	CAUSE_PREEMPTED,    /* it was taken off its CPU, or yielded */
	CAUSE_WOKEN,        /* it was woken and has not got a CPU yet */
	CAUSE_KIND_COUNT,
};

/* Which end of a connection: the active end opened it, the passive end accepted it. */
enum net_end {
	NET_END_UNKNOWN,
	NET_END_ACTIVE,
	NET_END_PASSIVE,
};

/* The call a task slept in, where it distinguishes a sleep from a timeout. */
enum sleep_call {
	CALL_NONE,
	CALL_NANOSLEEP, /* sleeps for their own sake */
	CALL_MSLEEP,    /* sleeps of the kernel's own */
	CALL_POLL,
	CALL_SELECT,
	CALL_EPOLL,
	CALL_ACCEPT,
	CALL_FUTEX,
	CALL_CONNECT,
	CALL_RECEIVE,
	CALL_SEND,
	CALL_SIGTIMEDWAIT,
	CALL_SEMTIMEDOP,
	CALL_MQUEUE,
	CALL_IO_URING,
	CALL_AIO,
	CALL_HELD, /* state D: the kernel paused the task, whatever it was doing */
};

/* A stall that events proved; src/words/cause/stall.h has the others. */
enum stall_kind {
	STALL_NONE,
	STALL_DELAYED_ACK,
	STALL_RETRANSMISSION,
	STALL_SYN_RETRY,
	STALL_WRITEBACK,
};

/* The limit on CPU time that holds a task back. */
enum cpu_limit {
	CPU_LIMIT_GROUP,       /* its control group's, cpu.max */
	CPU_LIMIT_DEADLINE,    /* its own budget as a task of SCHED_DEADLINE */
	CPU_LIMIT_REAL_TIME,   /* real-time throttling */
	CPU_LIMIT_FAIR_SERVER, /* the fair server has the CPU (since 6.12) */
	CPU_LIMIT_COUNT,
};

enum confidence {
	CONFIDENCE_LOW,
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
};

#define TIME_UNKNOWN UINT32_MAX /* longer times saturate at TIME_UNKNOWN - 1 */

/*
 * Members that only some kinds of causes have. src/graph keeps the same union: strings are ids in
 * the trace's names (0: none); 0 means not known, for times TIME_UNKNOWN does. The kind's row in
 * src/words/cause/cause_kind.c maps members to JSON and says which of them identify a cause.
 */
union cause_members {
	struct {
		uint64_t futex[4]; /* as in lock */
		bool is_open; /* the wait has not ended; only its place is known */
		bool is_remote; /* another CPU ended it: see state/interrupts/ipi_tracker.c */
	} unknown;
	struct {
		uint64_t sector;
		uint32_t dev;      /* major << 20 | minor */
		uint32_t bytes;
		uint32_t rwbs;     /* name: the kernel's letters */
		uint32_t work;     /* index in the timeline's causes + 1 of the work item that
		                      submitted the request; 0: no work item submitted it */
		/* ns from submission to issue, to completion, to the wake-up */
		uint32_t queue_time, device_time, wake_time;
		bool is_held_back; /* an I/O limit of a cgroup delayed its submission */
	} disk;
	struct {
		uint32_t bytes;
		uint32_t peer;       /* name: "192.168.1.7:443", "[fe80::1]:22" */
		/* of a connection that was being opened; of a request, how often the program sent
		   it again; if is_retried, how often the program tried to connect */
		uint32_t retransmits;
		uint16_t local_port; /* if the peer is known */
		bool is_unanswered;  /* the peer did not answer when a connection was opened */
		uint8_t end;         /* enum net_end: the sleeper's end of the connection */
		uint8_t stall;       /* enum stall_kind */
		bool is_queued;      /* of a part: its time in the device's queue */
		/* `queue`: the device in whose queue the packet stood before it crossed to the
		   receiver's device of this machine (a name, 0: none); `queue_time`: for how long,
		   ns */
		uint32_t queue, queue_time;
		bool is_ready;       /* there is data to read: not a mere acknowledgement */
		bool is_request;     /* not a packet, but a request: see timer.request */
		bool has_turns;      /* a request: threads slept for its answer by turns */
		bool is_by_own;      /* a request: the process that sent it also sent the answer */
		/* a packet from another machine: the time that it took may be wrong by that many
		   ns, as the clocks were compared; 0: it is not, or that is not known */
		uint32_t clock_bound;
		bool is_order_unknown; /* of a part: it is shorter than that, so the packet may have
		                          been sent before or after what the path shows around it */
		bool is_retried;     /* the program slept between attempts to connect, of which all
		                        failed so far if is_unanswered */
		bool is_refused;     /* is_retried: the peer refused all of them */
	} net;
	struct {
		bool is_own;  /* armed by the sleeper itself */
		uint8_t call; /* enum sleep_call of the sleeper that its own timer ended */
		uint8_t stall; /* enum stall_kind, from what the timer sent */
		bool is_late; /* of a part: what the sleeper polled for was already there */
		/*
		 * Index in the timeline's causes + 1 of the unanswered request that the task slept
		 * for, in one or several sleeps with a time limit; 0: none. All sleeps for one
		 * answer share it. In a request of kind net, origin is when it was first sent,
		 * is_unanswered whether there is still no answer, retransmits how often it was sent
		 * again after such sleeps; or it is_retried. A request of kind lock is a file
		 * lock that the task could not get
		 */
		uint32_t request;
		bool is_turn; /* `request` counts only if the request turns out to have has_turns */
		bool is_limit; /* the sleeper had set it for this sleep, and all it did was to
		                  wake the sleeper */
		uint32_t late; /* is_limit: ns by which it came later than it was set for; 0: not
		                  known, or little of the sleep */
	} timer;
	struct {
		int32_t number; /* -1: not known */
	} irq;
	struct {
		int32_t vector; /* -1: not known */
		bool is_delay;  /* it had been raised and had not begun yet */
	} softirq;
	struct {
		nsec_t begun;    /* when its execution began; rcu: 0 if no work item reported it */
		uint32_t reason; /* index in the timeline's causes + 1 of what the interrupt that
		                    queued the item served; 0: a task queued it, or its queueing was
		                    not seen */
		uint32_t queue_time; /* ns from its queueing to its execution */
	} work; /* of rcu too */
	struct {
		int32_t number;
		bool is_end; /* the kernel sent it to end a thread, as the waker ended the process,
		                or executes a program */
	} signal;
	struct {
		uint64_t address; /* also of a futex, in causes of the kind task */
		uint32_t flags;   /* the kernel's LCB_F_*; futex: enum futex_sign of src/base */
		/* the task (track) that requeued the sleeper to this futex, the futex it came from
		   (0: not requeued), and when */
		uint32_t mover;
		uint64_t from;
		nsec_t moved;
		uint32_t file; /* name: the path of the file that is locked; task, lock */
		bool is_flock; /* file: by flock(); false: by fcntl(), or a lease */
	} lock;
	struct {
		uint64_t inode; /* as lock.address */
		uint32_t flags; /* 0 */
		uint32_t tries; /* attempts after the first refused one; 0: none so far */
		nsec_t released; /* when the waker released it; 0: not known */
		nsec_t none;
		uint32_t file;  /* as lock.file */
		bool is_flock;
	} file_lock; /* kind lock, of a file that a task could not lock yet: see timer.request */
	struct {
		uint8_t limit; /* enum cpu_limit */
	} throttled;
	struct {
		/* throttle: the device with too many dirty pages; a name if it is no block
		   device */
		uint32_t dev, device;
	} memory;
	uint64_t word[5]; /* all members as words */
};

_Static_assert(sizeof(union cause_members) == 5 * sizeof(uint64_t), "word is all of it");
_Static_assert(offsetof(union cause_members, lock.file) ==
                       offsetof(union cause_members, file_lock.file),
               "locks of files have it at one place");

struct intern;

/* Tasks are valid where has_* is true; strings are NULL where there is none. */
struct cause {
	enum cause_kind kind;
	enum confidence confidence;
	const char *name;      /* device, interrupt, vector, function...; NULL: none */
	bool has_waker;
	struct task waker;     /* task, work: it called the wake-up */
	bool has_originator;
	struct task originator; /* disk: submitter, net: sender, timer: armed by, work: queued
	                           by, lock: owner, frozen: frozen by; task, signal, unknown: of a
	                           stop, the task that had stopped it */
	nsec_t origin;         /* when the originator submitted, sent, armed, queued; NSEC_NEVER */
	/* the memory operation the task slept in: reclaim, memcg-reclaim, compaction, throttle,
	   writeback, fault, swap; NULL: none, or not known. Of any kind */
	const char *what;
	/* what the task slept for, according to its place, if nothing else says it: "data from a
	   pipe"; NULL: not known. Of any kind */
	const char *purpose;
	/* The peer of the connection, if the task's own timer ended the sleep while a request of
	   its process was unanswered; NULL: no request was open. */
	const char *request;
	/* The path of file `inode` if that is not 0; else, of task and lock, the path of the locked
	   file, as.lock.file; NULL: none, or not known. */
	const char *file;
	/* The file that was read, or synced, by its inode on a file system; 0: none, or not known.
	   Of any kind */
	uint64_t inode;
	uint32_t inode_dev;     /* of the file system: major << 20 | minor */
	const char *inode_disk; /* its name; NULL: not known */
	bool is_sync;           /* it was synced; false: read */
	const char *disk; /* disk, memory: the name of the block device as.*.dev, "vda"; NULL: not
	                     known */
	union cause_members as;
	const struct intern *names; /* strings that the members name; may be NULL if no member is a
	                               string */
};

/* Whether the originator is the task that stopped it. */
static inline bool cause_has_stopper(const struct cause *cause)
{
	return cause->has_originator && (cause->kind == CAUSE_TASK || cause->kind == CAUSE_SIGNAL ||
	                                 cause->kind == CAUSE_UNKNOWN);
}

/* Whether a timer of the sleeper ended the wait although what the sleeper polled for was already
   there. */
static inline bool cause_is_late(const struct cause *cause)
{
	return cause->kind == CAUSE_TIMER && cause->as.timer.is_late;
}

/* Whether the kernel made the task pause: of its own accord, or as a penalty for dirty pages. */
bool cause_is_held_back(const struct cause *cause);
/* A string of the members; NULL: none. */
const char *cause_string(const struct cause *cause, uint32_t id);
/* "task", "disk", ... as in JSON. */
const char *cause_kind_name(enum cause_kind kind);
/* The same for people: "task", "disk"; what was not recorded is not named after what it might be:
   "cause not recorded", "a timer or device". */
const char *cause_kind_words(enum cause_kind kind);
/* -1 if no kind has that name. */
int cause_kind_from_name(const char *name);
const char *confidence_name(enum confidence confidence);
/* "nanosleep", "poll" ...; NULL for CALL_NONE and CALL_HELD. */
const char *sleep_call_name(enum sleep_call call);
/* "group", as in JSON. */
const char *cpu_limit_name(enum cpu_limit limit);
/* Whether the kernel made the task pause. */
static inline bool sleep_call_is_held(uint8_t call)
{
	return call == CALL_HELD || call == CALL_MSLEEP;
}

/* "sleep" if the call only sleeps, "held-back" if there is no call, else "timeout"; NULL for
   CALL_NONE. */
const char *sleep_call_what(enum sleep_call call);
/* The word for an enum memory_what of event.h; NULL for MEMORY_NONE and other values. */
const char *memory_what_name(unsigned what);
/* "read", "write", "flush": what the kernel's letters request of a disk; "request" if they do not
   say. */
const char *request_word(const char *rwbs);
