/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a task that all trackers share, and which trackers keep more of it. There is one for
 * each track, of which there may be millions, and each switch touches two of them: so one fills a
 * cache line and no more. Data that only one tracker needs are kept by that tracker (tracker.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/timeline.h"
#include "tracker_set.h"
#include "words/kernel/kernel_thread.h"

struct cpu;
struct machine;

/* A wake-up that may end a wait later, as the sleeper was still on its CPU: task_tracker.c. */
enum pending {
	PENDING_NONE,
	PENDING_SET,
	/* The sleeper is known to have gone on running after it, so it is used only if no better
	   one comes. */
	PENDING_USED_UP,
};

#define TASK_STATE_BYTES 64

struct task_state {
	_Alignas(TASK_STATE_BYTES) nsec_t since; /* when its present span began */
	char comm[16];    /* bytes as last seen, to spare comparing names */
	tracker_set has;  /* trackers that keep data of it */
	uint16_t cpu;
	int16_t priority; /* a copy of the track's, which is far away in memory */
	uint8_t kind;     /* enum segment_kind */
	uint8_t detail;
	uint8_t role;     /* enum kernel_thread */
	uint8_t pending;  /* enum pending */
	union {
		struct { /* as in struct segment */
			uint8_t : 3;
			uint8_t timeout : 3; /* enum sleep_timeout of the sleep that it is in */
			/* spurious wakeups: again_tracker.c */
			uint8_t may_be_again : 1; /* its sleep began without a visible act before */
			uint8_t is_again : 1;     /* it sleeps where it slept the last time */
		};
		uint8_t shape;
	};
	bool is_doubtful : 1;
	/* WAIT whose wake-up came before it began, unless a real wake-up follows */
	bool is_tentative : 1;
	bool is_queued : 1; /* runnable: a sched_wakeup has put it on its CPU's queue */
	bool has_acted : 1; /* since its last sleep: woke another task, did I/O, sent a packet */
	bool is_idle : 1;   /* a copy of the track's */
	bool is_listed : 1; /* in the run queue of queue_cpu, since queued_at */
	bool is_exiting : 1;
	bool is_vforked : 1; /* its parent waits in D until it executes a program or ends */
	bool has_unfreed_former : 1; /* the next release of its tid is about the former task */
	bool is_threaded : 1; /* its process has, or had, several threads, as far as known */
	bool is_whole : 1; /* the timeout that it set last is a whole number of milliseconds */
	uint8_t armed;  /* enum sleep_timeout of the next sleep, once it is armed */
	uint16_t limit; /* the timeout that it set last; its unit: timer_tracker.c; 0: not known */
	/* run queues: queue_tracker.c */
	uint16_t queue_cpu;
	nsec_t queued_at;
	struct held_wait *held; /* its last wait, not emitted yet; NULL: none */
};

_Static_assert(sizeof(struct task_state) == TASK_STATE_BYTES,
               "a switch touches one cache line of a task");

/* Ends the task's span at t and begins one of that kind, or an UNKNOWN one in place of RUN and
   RUNNABLE if the setup lacks switches. `cause` as in struct span. */
void task_become(struct machine *machine, uint32_t track, nsec_t t, enum segment_kind kind,
                 uint8_t detail, const struct cause_note *cause);
/* Emits the task's span until t, as one of that kind; the rest of it begins there. */
void task_cut(struct machine *machine, uint32_t track, nsec_t t, enum segment_kind kind,
              const struct cause_note *cause);
/* The task's present span until t, with its cause in *cause as far as known; what was held back is
   emitted. False: it has none. */
bool task_look(struct machine *machine, uint32_t track, nsec_t t, struct span *ret,
               struct cause_note *cause);
/* The trace ends at t, and with it the task's last span. */
void task_close(struct machine *machine, uint32_t track, nsec_t t);
/* Shows the task's present span on the timeline until t: see timeline_show_open(). */
void task_show_open(struct machine *machine, uint32_t track, nsec_t t);
/* The same with the cause of a wait, as far as it is known. */
void task_show_end(struct machine *machine, uint32_t track, nsec_t t);
/* The task is on that CPU since then (not before its present state began), however it got there. */
void task_run(struct machine *machine, uint32_t track, uint32_t cpu, nsec_t since);
/* No more events of the task will come: ends the data that trackers keep of it. */
void task_bury(struct machine *machine, uint32_t track);
/* The rest of the CPU's data is missing: what tasks in its run queue do from now on is not
   known. */
void tasks_lose_cpu(struct machine *machine, struct cpu *cpu);
/* The trace ends. If the task is off the CPU, what it did since a CPU's data ended is not known:
   that CPU may have run it. */
void task_lose_rest(struct machine *machine, uint32_t track);
/* The trace ends: a wait whose wake-up came before it began gets no other wake-up. That the early
   wake-up ended it is a guess, and has low confidence. */
void task_end_tentative(struct machine *machine, uint32_t track);
/* The cause of this CPU's last wake-up (of cpu->woken), if the task was still on a CPU then and the
   wake-up may end a wait later; else NULL. */
const struct cause_note *task_pending_cause(const struct machine *machine, const struct cpu *cpu);
/* Records the functions in which that wake-up was made: an id in names. */
void task_pending_set_waker(struct machine *machine, const struct cpu *cpu, uint32_t frames);
