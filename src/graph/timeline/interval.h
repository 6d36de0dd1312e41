/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects did, beside what tasks did: a disk request, an interrupt, a work item, a connection,
 * the contention for a lock, each from its begin to its end. The machine emits every interval once,
 * when it ends, so in order of their ends, and keeps none. Those that have not ended when the trace
 * ends are emitted then, with is_open.
 *
 * Nothing is paired across a loss: intervals that may have been open then are dropped, except a
 * loan, which ends there. An interval whose begin was not seen is dropped, too, except a request
 * that completes (its issue is then NSEC_NEVER) and a connection that closes (PHASE_OPENED is).
 *
 *	begin <= phases that are known, in their order <= end
 *	  |         |        |                              |
 *	  '- the earliest instant known of the object       '- is_open: the end of the trace
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "graph/logs/descriptor_log.h"

enum interval_kind {
	INTERVAL_DISK,       /* a block request, from its submission to its completion */
	INTERVAL_IRQ,        /* a handler of a hard interrupt */
	INTERVAL_SOFTIRQ,    /* a vector, from when it was raised to its exit */
	INTERVAL_IPI,        /* a call from another CPU */
	INTERVAL_TIMER,      /* a timer's callback, from the arming to its exit */
	INTERVAL_WORK,       /* a work item, from its queueing to the end of its execution */
	INTERVAL_CONNECTION, /* from the opening to the close */
	INTERVAL_AFTERWORD,  /* what a connection did after its interval was emitted: an instant */
	INTERVAL_EXCHANGE,   /* one turn of two ends that talk in turns, seen from one of them,
	                        until the next turn begins or none can follow */
	INTERVAL_UNANSWERED, /* a task waited for the peer, or slept between attempts to connect to
	                        it, until its time limit or a signal ended that; without phases */
	INTERVAL_DROP,       /* a packet is dropped: an instant */
	INTERVAL_LOCK,       /* contention in task context, until the lock is got or given up */
	INTERVAL_TENURE,     /* a task held a lock of a file that another waited for, until it
	                        released it */
	INTERVAL_MEMORY,     /* a reclaim or compaction */
	INTERVAL_SYSCALL,
	INTERVAL_LAST_CALL,  /* a system call in which a task ends, until it is dead; as a system
	                        call, but without a result */
	INTERVAL_CPU,        /* a CPU idles, or runs one task from the begin of the trace to its
	                        first event */
	INTERVAL_IDLE,       /* a CPU is in an idle state; without phases */
	INTERVAL_EXEC,       /* a program is executed: an instant */
	INTERVAL_SIGNAL,     /* a signal is sent: an instant */
	INTERVAL_LOAN,       /* a lock lends its owner a priority */
	INTERVAL_MARK,       /* a program wrote to trace_marker: an instant */
	INTERVAL_EXPIRY,     /* a task's own high-resolution timer expires: from when the task
	                        wanted that until the task runs; without phases */
	INTERVAL_TRAFFIC,    /* bytes of a network device, from one packet until the first one that
	                        comes much later (state/net/net_tracker.c) */
	INTERVAL_KIND_COUNT,
};

#define INTERVAL_MASK(kind) (1u << (kind))
#define INTERVAL_MASK_ALL   (INTERVAL_MASK(INTERVAL_KIND_COUNT) - 1)

/* Indices of phases. Kinds without phases have NSEC_NEVER in both. */
enum interval_phase {
	/* the object waits for service; the service begins */
	PHASE_QUEUED = 0, /* disk: queued as bio or inserted; softirq: first raised since it was
	                     last entered; timer: armed; work: queued */
	PHASE_STARTED = 1, /* disk: issued (last); others: entered */
	/* connections */
	PHASE_OPENED = 0,      /* SYN_SENT or, if it is accepted, SYN_RECV */
	PHASE_ESTABLISHED = 1, /* NSEC_NEVER: never, or before the trace */
	PHASE_COUNT = 2,
};

/* What a request is for. */
struct requested_file {
	uint16_t file; /* number in the timeline's files; 0: none, or not known */
	bool is_sync;  /* the task that submitted it synced that file; false: it read the file */
	bool is_part;  /* of a request of a stacked device, which is for that file, too */
};

struct disk_interval {
	uint32_t dev; /* as in struct block_event */
	uint64_t sector; /* 0: it has none, as a flush */
	uint64_t bytes;
	uint32_t rwbs; /* name id */
	int64_t error; /* 0: none; while open: not known */
	uint32_t originator; /* track: the task that queued the work item in which it was
	                        submitted; TRACK_NONE: none */
	uint32_t depth; /* requests in flight on the device at its issue, itself included; 0: not
	                   seen */
	uint32_t left;  /* requests in flight there at its end, itself excluded */
	struct requested_file of;
};

struct irq_interval { /* irq, softirq, ipi */
	int32_t number; /* ipi: 0 */
	uint32_t name;  /* name id of the handler or vector; ipi: what it is for; 0: none */
	bool is_nested; /* in another interrupt or soft interrupt, whose time includes this one */
	bool is_threaded; /* softirq: in a thread that does nothing else */
	bool is_call; /* ipi: a function that is called in one that is shown itself, or by a task */
};

struct timer_interval {
	uint32_t function; /* name id; 0: none */
	uint64_t timer;    /* address; 0 while open */
	bool is_soft;      /* its callback ran in a soft interrupt, as a part of it */
};

struct work_interval {
	uint64_t work, function; /* addresses */
	uint32_t name; /* name id of the function; 0: none */
};

/* In INTERVAL_AFTERWORD the figures are to be added to those of the connection. */
/* What was sent last on a connection without an answer. */
struct request_left {
	nsec_t asked; /* since when; 0: there is none */
	bool is_in_vain; /* a task has waited for the answer, and none has come */
	bool is_none; /* it asks for nothing: the task sends at its own pace */
};

struct connection_interval {
	uint64_t socket; /* address of the sock */
	uint32_t peer;   /* name id; 0: none, or not recorded */
	uint32_t local;  /* name id of its own end; 0: not recorded */
	uint16_t local_port;
	uint32_t retransmits, resets;
	uint64_t sent, received; /* bytes, by calls that were recorded */
	uint16_t protocol; /* as in struct transfer_event */
	bool is_passive; /* it was accepted */
	bool is_partial; /* the bytes are those of a part of its life, between losses */
	struct request_left left; /* of INTERVAL_UNANSWERED: what the wait was for */
};

/* How long each phase took; NSEC_NEVER: there was none, or its begin is not known. */
struct exchange_interval {
	struct connection_interval of;
	bool is_active; /* it opened the connection; false while of.is_passive is, too: not known */
	bool is_guess;  /* which end it is was guessed from the ports */
	nsec_t answered; /* when it sent first; NSEC_NEVER */
	nsec_t wait, receive, work, send; /* see state/net/connection.h */
	/* the parts of `wait`: all known, or none */
	nsec_t way_out, answering, way_back;
};

struct drop_interval {
	uint32_t reason;   /* name id; 0: the kernel records none */
	uint32_t function; /* name id: where it was dropped; an address if that has no name */
};

/* A flag of struct lock_interval beside those of enum futex_sign: the lock is a futex. */
#define LOCK_FLAG_FUTEX 0x80000000u

enum lock_what {
	LOCK_OF_KERNEL, /* or a futex, as its flags show */
	LOCK_OF_FLOCK,  /* of a file; the address is the inode's number */
	LOCK_OF_POSIX,
	LOCK_OF_MMAP, /* of an address space; the address is the mm_struct's */
	LOCK_OF_NAME, /* a file that exists while a task has the lock; no interval is of one */
};

struct lock_interval { /* a tenure uses the members that identify the lock, and the confidence */
	uint64_t address;
	uint32_t dev;   /* of a file lock, as in struct block_event; else 0 */
	uint8_t what;   /* enum lock_what */
	uint32_t flags; /* LCB_F_* of the kernel, of its last turn; or LOCK_FLAG_FUTEX and signs */
	uint32_t name;  /* name id of the lock's variable; 0: not known */
	int64_t result; /* 0: the task got it */
	nsec_t since;    /* since when `other` had had it; 0: not known */
	nsec_t released; /* when `other` released it, if the task noticed that only at the end; 0:
	                    at the end, or not known */
	bool has_slept; /* false: it only spun */
	uint8_t owner_confidence; /* enum confidence that `other` held it */
};

struct memory_interval {
	uint8_t what;  /* enum memory_what */
	bool is_inner; /* it is part of another one */
	nsec_t running, waiting; /* parts of its time; the rest is runnable */
	uint64_t pages; /* pages that it gained, if the event of its end records that */
};

struct syscall_interval {
	int64_t number;    /* of the architecture that recorded */
	uint64_t argument; /* the first */
	int64_t result;    /* while open: not known */
	uint32_t path, to; /* name ids: the files that it names; 0: none, or not recorded */
	struct descriptor_use file; /* of its descriptor; which path that is, is known in the end */
	/* What its time was spent on; these sum to its length. Waiting is by enum cause_kind of
	   what ended it, CAUSE_KIND_COUNT elements, borrowed. Stops count as waiting; unknown time
	   is under CAUSE_UNKNOWN. */
	nsec_t running, runnable;
	const nsec_t *waiting;
};

struct idle_interval {
	uint32_t state; /* number of the idle state, as the kernel's driver counts them */
};

struct exec_interval {
	uint32_t filename; /* name id; 0: not recorded */
};

struct signal_interval {
	int32_t number; /* of the architecture that recorded */
	uint32_t name;  /* name id; 0: it has none */
	int64_t result; /* as in struct signal_event */
	bool has_woken; /* it caused a wake-up, whose event came before it */
	bool has_ended_stop; /* the wake-up of a stopped task */
};

struct loan_interval {
	int16_t priority, own; /* the lent priority, and the priority without the loan */
	bool is_unfinished; /* its end was not seen: the loan lasted until then, or longer */
};

/*
 * Instants of the trace's clock; those of the timer's clock are converted by what the kernel read
 * of it when it found the timer expired.
 *
 *	begin <= due <= read <= woken <= end
 *
 * The task may have asked too late, after the begin: then `armed` lies between begin and read.
 */
struct expiry_interval {
	nsec_t armed; /* the task, or a thread of its process, armed the timer */
	nsec_t due;   /* begin plus the timer's slack, until when the kernel may wait; `read`, if
	                 that was earlier */
	nsec_t read;  /* the kernel read the clock, and the timer had expired */
	nsec_t woken;
	uint32_t masked_by; /* track of the task that ran there from when it was due until it was
	                       read, without any event: it had interrupts off; TRACK_NONE: none */
	uint32_t function; /* name id of the timer's callback; 0: none */
	bool has_slept; /* false: the timer expired before the task had gone to sleep */
};

/* Packets as the kernel's stack saw them: received ones lack the header of the link, and all lack
   those of segments that a device cuts off or merges. */
struct traffic_interval {
	uint32_t dev; /* name id */
	uint64_t sent, received; /* bytes */
	/* the parts of them that went to, or came from, a device of this machine, as far as that
	   was seen: over loopback, or between network namespaces */
	uint64_t sent_here, received_here;
};

struct mark_interval {
	struct text text; /* borrowed from the event; without the newline at its end */
};

struct interval {
	enum interval_kind kind;
	uint32_t cpu; /* where it ended; open: where it was seen last; traffic: one of the
	                 machine */
	nsec_t begin, end;
	nsec_t phase[PHASE_COUNT]; /* enum interval_phase; NSEC_NEVER: not known */
	bool is_open;     /* the trace ends in it */
	bool is_doubtful; /* events were lost meanwhile, on another CPU than the one where it was
	                     seen */
	/* tracks; TRACK_NONE: none, or not known */
	uint32_t task;  /* disk: the submitter; interrupts: the current task; timer: the armer;
	                   work: the queuer; connection: the opener, or the first user; exchange:
	                   the task that answered; drop: the sender, if it was dropped at once;
	                   signal, mark: the task that issued it, none for an interrupt; CPU: the
	                   idle task, or the current one; expiry: the woken task; others: the task
	                   that did it */
	uint32_t other; /* disk: the task that completed it in task context; softirq: the task that
	                   raised it last; work: the worker; lock: the owner, as far as known;
	                   signal: the target; loan: the lender; timer: the task
	                   that it interrupted; others: none */
	union {
		struct disk_interval disk;
		struct irq_interval irq;
		struct timer_interval timer;
		struct work_interval work;
		struct connection_interval connection;
		struct drop_interval drop;
		struct exchange_interval exchange;
		struct lock_interval lock;
		struct memory_interval memory;
		struct syscall_interval syscall;
		struct idle_interval idle;
		struct exec_interval exec;
		struct signal_interval signal;
		struct loan_interval loan;
		struct mark_interval mark;
		struct expiry_interval expiry;
		struct traffic_interval traffic;
	};
};

/* When the object's service began; if it never stood in a queue, when the object began. */
static inline nsec_t interval_started(const struct interval *interval)
{
	nsec_t started = interval->phase[PHASE_STARTED];

	return started == NSEC_NEVER ? interval->begin : started;
}

/*
 * What kinds of locks there are, and what they are called.
 */

enum lock_kind {
	LOCK_SEMAPHORE,
	LOCK_MUTEX,
	LOCK_RWSEM,
	LOCK_RWLOCK,
	LOCK_SPINLOCK,
	LOCK_RTMUTEX,
	LOCK_PERCPU_RWSEM,
	LOCK_FUTEX,
	LOCK_FLOCK,
	LOCK_POSIX,
	LOCK_MMAP,
	/* of futexes, which have no holder; from here on none has */
	LOCK_JOIN,
	LOCK_CONDITION,
	LOCK_BARRIER,
	LOCK_POSTED,    /* a semaphore of a program */
	LOCK_SIGNALLED, /* a condition or a semaphore */
};

const char *lock_kind_name(enum lock_kind kind);
/* Whether a lock of that kind has a holder while others wait for it. */
bool lock_kind_has_owner(enum lock_kind kind);
enum lock_kind lock_kind_of_interval(const struct lock_interval *lock);

/* The time of one request, from one turn of a TCP connection (INTERVAL_EXCHANGE): for a server its
   work, from the last read of the request to its first write; for a client its wait for the
   answer. */

struct request_time {
	uint32_t task;    /* track */
	uint32_t address; /* name id: that of the server; 0: not known */
	bool is_client;
	nsec_t begin, end, length;
};

/* False if the turn had no such time, or if its task or its role is not known. */
bool request_time(const struct interval *exchange, struct request_time *ret);
