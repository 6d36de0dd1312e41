/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What ended a wait: another task, or an object. This is the form in which results carry a cause;
 * src/graph keeps them in a denser one.
 */
#pragma once

#include <stdbool.h>
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
	CAUSE_FROZEN,       /* by the freezer, until waker let it go */
	/* why a task is able to run and does not; never of a wait */
	CAUSE_THROTTLED,    /* a limit on its CPU time is used up */
	CAUSE_PREEMPTED,    /* it was taken off its CPU, or gave way */
	CAUSE_WOKEN,        /* it was woken and did not get a CPU yet */
	CAUSE_KIND_COUNT,
};

/* Which end of a connection: who has opened it, or whom it was opened to. */
enum net_end {
	NET_END_UNKNOWN,
	NET_END_ACTIVE,
	NET_END_PASSIVE,
};

/* What a task slept in, where that tells a sleep from a timeout. */
enum sleep_call {
	CALL_NONE,
	CALL_NANOSLEEP, /* sleeps for their own sake */
	CALL_MSLEEP,    /* of the kernel's own */
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
	CALL_HELD, /* state D: the kernel made the task pause, whatever it was doing */
};

/* What events told of a wait whose length is a protocol's own; src/words/stall.h has the rest. */
enum stall_kind {
	STALL_NONE,
	STALL_DELAYED_ACK,
	STALL_RETRANSMISSION,
	STALL_SYN_RETRY,
	STALL_WRITEBACK,
};

/* Which limit on its CPU time holds a task back. */
enum cpu_limit {
	CPU_LIMIT_GROUP,       /* its control group's, cpu.max */
	CPU_LIMIT_DEADLINE,    /* its own budget as a task of SCHED_DEADLINE */
	CPU_LIMIT_REAL_TIME,   /* real-time throttling */
	CPU_LIMIT_FAIR_SERVER, /* the fair server has the CPU, which does that from 6.12 on */
	CPU_LIMIT_COUNT,
};

enum confidence {
	CONFIDENCE_LOW,
	CONFIDENCE_MEDIUM,
	CONFIDENCE_HIGH,
};

#define TIME_UNKNOWN UINT32_MAX /* longer times saturate at TIME_UNKNOWN - 1 */

/*
 * What causes of one kind say and others do not. The kept form has the same: strings are ids in the
 * trace's names, 0: none, and all is 0 that is not known, times TIME_UNKNOWN. Which JSON member is
 * which, and what tells a cause from others of its kind, is in the kind's row of
 * src/words/cause_kind.c.
 */
union cause_members {
	struct {
		uint64_t futex[4]; /* as in lock */
		bool is_open; /* nothing has ended the wait, of which only the place is known */
	} unknown;
	struct {
		uint64_t sector;
		uint32_t dev;      /* major << 20 | minor */
		uint32_t bytes;
		uint32_t rwbs;     /* name: the kernel's letters */
		uint32_t work;     /* index in the timeline's causes + 1 of the work item in which
		                      the request was submitted; 0: in none */
		/* ns from submission to issue, to completion, to the wake-up */
		uint32_t queue_time, device_time, wake_time;
		bool is_held_back; /* by an I/O limit of a cgroup's, until it was submitted */
	} disk;
	struct {
		uint32_t bytes;
		uint32_t peer;       /* name: "192.168.1.7:443", "[fe80::1]:22" */
		uint32_t retransmits; /* of a connection that was opened */
		uint16_t local_port; /* where the peer is known */
		bool is_unanswered;  /* the peer of a connection that was opened said nothing */
		uint8_t end;         /* enum net_end: which one of the connection the sleeper is */
		uint8_t stall;       /* enum stall_kind */
		bool is_queued;      /* the time in the queue of the device, of a part */
		/* before it crossed to the receiver's device of this machine it stood in the queue
		   of another one: which one (a name, 0: none), ns */
		uint32_t queue, queue_time;
		bool is_ready;       /* what came is to be read: no mere acknowledgement */
		bool is_request;     /* no packet, but what was asked for: see timer.request */
	} net;
	struct {
		bool is_own;  /* armed by the sleeper itself */
		uint8_t call; /* enum sleep_call that the sleeper's own one ended */
		uint8_t stall; /* enum stall_kind that it is, by what it sent */
		bool is_late; /* of a part: what the sleeper polled for had come before */
		/* Index in the timeline's causes + 1 of the request that had no answer yet, for
		   which the task slept no longer than it allowed itself at once: a note of the kind
		   net, the same for all sleeps for one answer. Its origin is when it was sent
		   first, its is_unanswered whether that has had no answer so far, its retransmits
		   how often it was sent again after such sleeps. Or one of the kind lock, of a
		   file that the task tried to lock in vain. 0: none */
		uint32_t request;
	} timer;
	struct {
		int32_t number; /* -1: not known */
	} irq;
	struct {
		int32_t vector; /* -1: not known */
		bool is_delay;  /* it had been raised and had not begun yet */
	} softirq;
	struct {
		nsec_t begun;    /* when its execution began; rcu: 0 where no work item told */
		uint32_t reason; /* index in the timeline's causes + 1 of what the interrupt served
		                    that queued the item; 0: a task did, or it was not seen */
		uint32_t queue_time; /* ns from its queueing to its execution */
	} work; /* of rcu too */
	struct {
		int32_t number;
	} signal;
	struct {
		uint64_t address; /* of a futex too: then it is of a task */
		uint32_t flags;   /* the kernel's LCB_F_*; futex: enum futex_sign of src/base */
		/* of a futex that the sleeper was moved to: by whom (a line), which one from, 0:
		   it was not; and when */
		uint32_t mover;
		uint64_t from;
		nsec_t moved;
	} lock;
	struct {
		uint64_t inode; /* as lock.address */
		uint32_t flags; /* 0 */
		uint32_t tries; /* after the first one that was refused; 0: it gave up, so far */
		nsec_t released; /* when the waker let go of it; 0: not known */
	} file_lock; /* of the kind lock, that a task tried in vain: see timer.request */
	struct {
		uint8_t limit; /* enum cpu_limit */
	} throttled;
	struct {
		/* throttle: what too many dirty pages are for; a name: no block device */
		uint32_t dev, device;
	} memory;
	uint64_t word[5]; /* all of it */
};

_Static_assert(sizeof(union cause_members) == 5 * sizeof(uint64_t), "word is all of it");

struct intern;

/* Tasks are there where has_* is true; strings are NULL where there is none. */
struct cause {
	enum cause_kind kind;
	enum confidence confidence;
	const char *name;      /* device, interrupt, vector, function...; NULL: none */
	bool has_waker;
	struct task waker;     /* task, work: who made the wake-up call */
	bool has_originator;
	struct task originator; /* disk: submitter, net: sender, timer: armed by, work: queued by,
	                           lock: owner; frozen: by whom; task, signal, unknown: who had
	                           stopped the task, of a stop */
	nsec_t origin;         /* when the originator submitted, sent, armed, queued; NSEC_NEVER */
	/* what memory was needed for that the task slept inside: reclaim, memcg-reclaim,
	   compaction, throttle, writeback, fault, swap; NULL: nothing, or not known. Of any kind */
	const char *what;
	/* what the task slept for, as the place tells it, where nothing else does: "data from a
	   pipe"; NULL: not known. Of any kind */
	const char *purpose;
	/* The peer of the connection, where the task's own timer ended the sleep while a request of
	   its process had no answer yet; NULL: no request was open. */
	const char *request;
	union cause_members as;
	const struct intern *names; /* of its members; may be NULL where none is a string */
};

/* Whether the originator is the one who stopped the task. */
static inline bool cause_has_stopper(const struct cause *cause)
{
	return cause->has_originator && (cause->kind == CAUSE_TASK || cause->kind == CAUSE_SIGNAL ||
	                                 cause->kind == CAUSE_UNKNOWN);
}

/* "task", "disk", ... as the JSON has it. */
const char *cause_kind_name(enum cause_kind kind);
/* -1 where no kind has that name. */
int cause_kind_from_name(const char *name);
const char *confidence_name(enum confidence confidence);
/* "nanosleep", "poll" ...; NULL for CALL_NONE and CALL_HELD. */
const char *sleep_call_name(enum sleep_call call);
/* "group", as JSON has it. */
const char *cpu_limit_name(enum cpu_limit limit);
/* Whether it is a pause that the kernel makes a task take. */
static inline bool sleep_call_is_held(uint8_t call)
{
	return call == CALL_HELD || call == CALL_MSLEEP;
}

/* "sleep" where that is all the call is for, "held-back" where there is no call, else "timeout";
   NULL for CALL_NONE. */
const char *sleep_call_what(enum sleep_call call);
/* The word for an enum memory_what of event.h; NULL for MEMORY_NONE and what is none. */
const char *memory_what_name(unsigned what);
