/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects did, beside what tasks did: a disk request, an interrupt, a work item, a connection,
 * the contention for a lock, each from its begin to its end. The machine tells of every interval
 * once, when it ends, in order of their ends; it keeps none. What has not ended by the end of the
 * trace is told then, with is_open.
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

enum interval_kind {
	INTERVAL_DISK,       /* a block request, from its submission to its completion */
	INTERVAL_IRQ,        /* a handler of a hard interrupt */
	INTERVAL_SOFTIRQ,    /* a vector, from when it was raised to its exit */
	INTERVAL_IPI,        /* a call from another CPU */
	INTERVAL_TIMER,      /* a timer's callback, from the arming to its exit */
	INTERVAL_WORK,       /* a work item, from its queueing to the end of its execution */
	INTERVAL_CONNECTION, /* from the opening to the close */
	INTERVAL_AFTERWORD,  /* of a connection that was told as closed: an instant */
	INTERVAL_EXCHANGE,   /* one turn of two ends that talk in turns, seen from one of them,
	                        until the next one begins, or will not any more */
	INTERVAL_DROP,       /* a packet is dropped: an instant */
	INTERVAL_LOCK,       /* contention in task context, until the lock is got or given up */
	INTERVAL_TENURE,     /* a task had a lock that another waited for, until it let go of it:
	                        of flock() alone */
	INTERVAL_MEMORY,     /* a reclaim or compaction */
	INTERVAL_SYSCALL,
	INTERVAL_CPU,        /* a CPU idles; or, until its first event, does not switch */
	INTERVAL_EXEC,       /* a program is executed: an instant */
	INTERVAL_SIGNAL,     /* a signal is sent: an instant */
	INTERVAL_LOAN,       /* a lock lends its owner a priority */
	INTERVAL_MARK,       /* a program says where it is, by trace_marker: an instant */
	INTERVAL_KIND_COUNT,
};

#define INTERVAL_MASK(kind) (1u << (kind))
#define INTERVAL_MASK_ALL   (INTERVAL_MASK(INTERVAL_KIND_COUNT) - 1)

/* Indices of phases. Kinds without have both NSEC_NEVER, and go from begin to end. */
enum interval_phase {
	/* waits to be served; the service begins */
	PHASE_QUEUED = 0, /* disk: queued as bio or inserted; softirq: raised first since it was
	                     last entered; timer: armed; work: queued */
	PHASE_STARTED = 1, /* disk: issued (last); others: entered */
	/* connections */
	PHASE_OPENED = 0,      /* SYN_SENT or, where it is accepted, SYN_RECV */
	PHASE_ESTABLISHED = 1, /* NSEC_NEVER: it never was, or before the trace */
	PHASE_COUNT = 2,
};

struct disk_interval {
	uint32_t dev; /* as in struct block_event */
	uint64_t sector; /* 0 where it has none, as a flush */
	uint64_t bytes;
	uint32_t rwbs; /* name id */
	int64_t error; /* 0: none; where open: not known */
	uint32_t originator; /* line: the task that queued the work item in which it was
	                        submitted; LINE_NONE: in none, or no task did */
	uint32_t depth; /* in flight on the device when it was issued, with it; 0: not seen */
	uint32_t left;  /* in flight there when it ends, without it */
};

struct irq_interval { /* irq, softirq, ipi */
	int32_t number; /* ipi: 0 */
	uint32_t name;  /* id: of the handler, of the vector; 0: none */
	bool is_nested; /* in another interrupt or soft interrupt, whose time this is, too */
	bool is_threaded; /* softirq: by a thread that is scheduled for nothing else */
};

struct timer_interval {
	uint32_t function; /* name id; 0: none */
	uint64_t timer;    /* address; 0 where open */
	bool is_soft;      /* its callback ran in a soft interrupt, as a part of that */
};

struct work_interval {
	uint64_t work, function; /* addresses */
	uint32_t name; /* of the function, id; 0: none */
};

/* An afterword's figures come in addition. */
struct connection_interval {
	uint64_t socket; /* address of the sock */
	uint32_t peer;   /* name id; 0: none, or not told */
	uint32_t local;  /* the same of its own end; 0: not told */
	uint16_t local_port;
	uint32_t retransmits, resets;
	uint64_t sent, received; /* bytes, by calls that were recorded */
	uint16_t protocol; /* as in struct transfer_event */
	bool is_passive; /* it was accepted */
	bool is_partial; /* bytes: of a part of its life, between losses */
};

/* How long each phase took; NSEC_NEVER: it was none, or its begin is not known. */
struct exchange_interval {
	struct connection_interval of;
	bool is_active; /* it opened the connection; neither active nor passive: not known */
	bool is_guess;  /* which end it is is only guessed, by the ports */
	nsec_t answered; /* when it sent first; NSEC_NEVER */
	nsec_t wait, receive, work, send; /* see state/exchange.h */
	/* Together the wait: all known, or none. */
	nsec_t way_out, answering, way_back;
};

struct drop_interval {
	uint32_t reason;   /* name id; 0: the kernel tells none */
	uint32_t function; /* name id, where it was dropped: an address where that has no name */
};

enum lock_what {
	LOCK_OF_KERNEL, /* or a futex, as its flags say */
	LOCK_OF_FLOCK,  /* files; the address is the inode's number */
	LOCK_OF_POSIX,
	LOCK_OF_MMAP, /* an address space; the address is the mm_struct's */
};

struct lock_interval { /* tenure too, as far as it says which lock, and how sure the owner is */
	uint64_t address;
	uint32_t dev;   /* of a file lock, as in struct block_event; else 0 */
	uint8_t what;   /* enum lock_what */
	uint32_t flags; /* LCB_F_* of the kernel, of its last turn */
	uint32_t name;  /* id: of the variable that it is; 0: of none that is known */
	int64_t result; /* 0: it was got */
	bool has_slept; /* else it only spun */
	uint8_t owner_confidence; /* enum confidence: how sure it is that the other one had it */
};

struct memory_interval {
	uint8_t what;  /* enum memory_what */
	bool is_inner; /* it is part of another one */
	nsec_t running, waiting; /* of it; the rest is runnable */
	uint64_t pages; /* that it gained, where its end says so */
};

struct syscall_interval {
	int64_t number;    /* of the architecture that recorded */
	uint64_t argument; /* the first */
	int64_t result;    /* where open: not known */
	/* What its time was spent on, together all of it: waiting by enum cause_kind of what ended
	   it, CAUSE_KIND_COUNT of them, borrowed. Stopped is waiting, too; what is not known of
	   the task is of CAUSE_UNKNOWN. */
	nsec_t running, runnable;
	const nsec_t *waiting;
};

struct exec_interval {
	uint32_t filename; /* name id; 0: not told */
};

struct signal_interval {
	int32_t number; /* of the architecture that recorded */
	uint32_t name;  /* id; 0: it has none */
	int64_t result; /* as in struct signal_event */
	bool has_woken; /* it is the cause of a wake-up that came before it */
};

struct loan_interval {
	int16_t priority, own; /* lent; what it would have without */
	bool is_unfinished; /* its end was not seen: it was lent until then, or for longer */
};

struct mark_interval {
	struct text text; /* borrowed from the event; without the newline at its end */
};

struct interval {
	enum interval_kind kind;
	uint32_t cpu; /* where it ended; open: where it was seen last */
	nsec_t begin, end;
	nsec_t phase[PHASE_COUNT]; /* enum interval_phase; NSEC_NEVER: not known */
	bool is_open;     /* the trace ends in it */
	bool is_doubtful; /* events were lost meanwhile, on another CPU than it was seen on */
	/* Lines; LINE_NONE: none, or not known. */
	uint32_t task;  /* disk: submitter; interrupts: who was current; timer: armer; work: who
	                   queued it; connection: who opened it, else who used it first;
	                   exchange: who answered; drop: who sent it, where it was dropped at once;
	                   signal, mark: whose it is, none of an interrupt; CPU: the idle task, or
	                   who was there; else whose it is */
	uint32_t other; /* disk: who completed it in task context; softirq: the task that raised it
	                   last; work: the worker; lock: the owner, as far as known;
	                   signal: for whom; loan: who lends it; else none */
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
		struct exec_interval exec;
		struct signal_interval signal;
		struct loan_interval loan;
		struct mark_interval mark;
	};
};

/* Since when it has been served: without a queue, since its begin. */
static inline nsec_t interval_started(const struct interval *interval)
{
	nsec_t started = interval->phase[PHASE_STARTED];

	return started == NSEC_NEVER ? interval->begin : started;
}
