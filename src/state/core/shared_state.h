/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of tasks and CPUs that all trackers share. What only one tracker needs to know of a
 * task or a CPU, it keeps itself (tracker.h).
 *
 * Of a CPU: which task is on it, in which context, what it serves there. The flags of each event
 * show for certain at which level it was recorded; the frames show what is served.
 *
 * Of a task, also which trackers keep more of it. There is one state for each track, of which there
 * may be millions, and each switch touches two of them: so one fills a cache line and no more.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/assume.h"
#include "ftwait/event.h"
#include "graph/timeline/timeline.h"
#include "words/kernel/kernel_thread.h"

struct cpu;
struct machine;

/* Bits by enum tracker_id (tracker.h). */
typedef uint64_t tracker_set;

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

/* Whether the task can only go on once something wakes it. */
static inline bool task_is_asleep(const struct task_state *task)
{
	return task->kind == SEGMENT_WAIT || task->kind == SEGMENT_STOPPED;
}

/* Whether the task has ended, or is about to. */
static inline bool task_is_over(const struct task_state *task)
{
	return task->kind == SEGMENT_DEAD || task->is_exiting;
}

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
/* Shows the task's present span on the timeline until t: see timeline_show_open(). with_cause: of a
   wait its cause, too, as far as it is known. */
void task_show(struct machine *machine, uint32_t track, nsec_t t, bool with_cause);
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

/* Deeper nesting than a hard in a soft interrupt, with a timer and a call in each, does not
   occur. */
#define CONTEXT_DEPTH_MAX 16

/* The context in which an event was recorded, by its flags. */
enum context_level {
	LEVEL_TASK,
	LEVEL_SOFT,
	LEVEL_HARD, /* and NMI */
	LEVEL_COUNT,
};

#define IN_TASK (1u << LEVEL_TASK)
#define IN_IRQ  (1u << LEVEL_SOFT | 1u << LEVEL_HARD)

#define SOFTIRQ_NET_RX 3

/* What an interrupt from another CPU is for. */
enum ipi_reason {
	IPI_UNKNOWN,
	IPI_FOR_SCHEDULER, /* or a call: such an interrupt carries out queued wake-ups */
	IPI_OTHER,
};

enum frame_kind {
	FRAME_IRQ,
	FRAME_SOFTIRQ,
	FRAME_IPI,
	FRAME_TIMER,
};

/* Something that was entered on a CPU and has not been left. */
struct frame {
	enum frame_kind kind;
	enum context_level level;
	int32_t number;      /* irq number, softirq vector */
	uint32_t name;       /* irq: name; timer: function; ipi: what it is for */
	nsec_t entered;
	nsec_t before;       /* time of the CPU's event before the entry */
	nsec_t begun;        /* when the softirq was raised or the timer armed; NSEC_NEVER: not
	                        seen */
	uint32_t beginner;   /* track of the task that raised or armed it; TRACK_NONE */
	uint32_t task;       /* track that was current at the entry; TRACK_NONE: not known */
	uint64_t timer;      /* its address */
	uint32_t late;       /* timer: ns from when it was set for until it came; 0: not known */
	uint8_t reason;      /* ipi: enum ipi_reason */
	bool is_call;        /* ipi: a function that is called in one that is shown, or in none */
	uint8_t stall;       /* timer: enum stall_kind that its call revealed */
	/* timer: its callback only wakes one task; its exit may not be recorded */
	bool is_brief;
	uint8_t wakes;       /* timer: how many tasks were woken in it */
	bool may_have_armer; /* timer: a task may have armed it, but that has been forgotten */
};

struct cpu {
	uint32_t number;
	uint32_t current;     /* track; TRACK_NONE: not known */
	int64_t current_tid;  /* as common_pid has it; valid while current is a track */
	uint32_t idle;        /* track of this CPU's idle task; TRACK_NONE: not seen */
	bool is_after_gap;    /* the current task is known only since a loss of events */
	bool is_over;         /* the rest of its data is missing: see tasks_lose() */
	nsec_t last;          /* time of the event here before the present one */
	nsec_t latest;        /* of that one; between events, of the last one */
	uint64_t event_count;
	uint32_t left;  /* track that the last sched_switch here took off the CPU; TRACK_NONE:
	                   none */
	uint32_t woken; /* track that the last sched_waking here woke; TRACK_NONE: none */
	/* trackers that may know why the current task wakes another; a tracker clears its bit once
	   its information is stale */
	tracker_set explainers;
	uint64_t left_at, woken_at; /* event_count at that sched_switch, at that sched_waking */
	bool woken_slept;      /* the last sched_waking ended a wait of `woken` */
	/* events in interrupts: so far, and until the last sched_switch */
	uint64_t interrupt_count, left_interrupts;
	uint64_t switching_at; /* event_count at the last event that belonged to the last
	                          sched_switch */

	/* contexts */
	nsec_t interrupted; /* time of the last event in an interrupt */
	nsec_t resched;     /* of the last one there at which the current task was to leave */
	uint8_t level;      /* enum context_level of the last event */
	uint8_t base_level; /* level of the last event that was not in a hard interrupt */
	uint8_t depth;
	bool shows_softirqs; /* it has recorded the entry into one since events were lost here */
	uint64_t activation[LEVEL_COUNT]; /* counts the entries into each level */
	struct frame frame[CONTEXT_DEPTH_MAX];

	uint64_t own[]; /* per-CPU data of trackers; tracker_cpu() */
};

/* One object seen in one activation of an interrupt; valid only while that activation lasts. */
struct sighting {
	struct cause_note note;
	nsec_t time; /* block requests: time of the completion */
	enum context_level level;
	uint64_t activation;
	uint32_t task; /* in LEVEL_TASK: the track that was current */
};

/* Whether the current task, which may be the idle task, does what the event records. */
static inline bool cpu_is_in_task(const struct cpu *cpu)
{
	return cpu->level == LEVEL_TASK && cpu->current != TRACK_NONE;
}

/* Whether nothing interrupts the current task, now or at the previous event: the common case. */
static inline bool cpu_stays_in_task(const struct cpu *cpu, const struct event *event)
{
	return !(event->flags & (EVENT_NMI | EVENT_HARDIRQ | EVENT_SOFTIRQ)) &&
	       (cpu->level | cpu->base_level | cpu->depth) == 0;
}

/* The task that does what the event records; TRACK_NONE: it is an interrupt, the idle task, or a
   task that is not known. */
static inline uint32_t cpu_doer(const struct cpu *cpu)
{
	return cpu_is_in_task(cpu) && cpu->current != cpu->idle ? cpu->current : TRACK_NONE;
}

/* The soft interrupt receives what the current task is sending over a loopback device. */
static inline bool cpu_is_own_send(const struct cpu *cpu, const struct frame *frame)
{
	return frame->kind == FRAME_SOFTIRQ && frame->number == SOFTIRQ_NET_RX &&
	       frame->beginner != TRACK_NONE && frame->beginner == cpu->current;
}

/* The task that does what the event records; also in a soft interrupt that is its own sending. */
uint32_t cpu_sender(const struct cpu *cpu);
struct frame *cpu_enter(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum frame_kind kind);
/* Leaves the innermost frame of the kind, if its entry was seen, and emits its interval if it has
   that number. */
void cpu_leave(struct machine *machine, struct cpu *cpu, enum frame_kind kind, int64_t number);
/* What the CPU entered last; NULL: nothing. */
static inline struct frame *cpu_innermost(const struct cpu *cpu)
{
	ASSUME(cpu->depth <= CONTEXT_DEPTH_MAX);
	return cpu->depth ? (struct frame *)(uintptr_t)&cpu->frame[cpu->depth - 1] : NULL;
}

/* The innermost frame of exactly this level; NULL where there is none. */
const struct frame *cpu_top(const struct cpu *cpu, enum context_level level);
/* The innermost frame of a soft interrupt; NULL: it serves none, as far as seen. */
const struct frame *cpu_softirq(const struct cpu *cpu);
/* The frame of a timer's callback, if nothing is nested in it now; NULL: none is open. */
struct frame *cpu_timer(const struct cpu *cpu);
/* Records a sighting in the activation to which the event belongs. */
void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note);
bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting);
/* Name id of a soft interrupt's vector; 0 where it has none. */
uint32_t softirq_name(const struct machine *machine, int32_t vector);
/* The current task does something visible to others: its last wait was not spurious. */
void cpu_note_act(struct machine *machine, const struct cpu *cpu);
/* Of an event that shows that the CPU does something else than at its last one, or may: follows its
   task and its flags, and passes it to its handler, unless it belongs to the last switch. */
void cpu_event_elsewhere(struct machine *machine, struct cpu *cpu, const struct event *event);
/* The task is no longer current; where it went is not known, unless it runs elsewhere. */
void cpu_drop_current(struct machine *machine, struct cpu *cpu);
/* Emits the interval in which the CPU idled until t; nothing if it is not known to have idled. To
   save time, call it only where INTERVAL_CPU is wanted. */
void cpu_emit_idle(struct machine *machine, const struct cpu *cpu, nsec_t t, bool is_open);
/* Drops the current task: an event shows that the task `tid` runs on this CPU, and no switch to it
   was recorded. */
void cpu_lose_current(struct machine *machine, struct cpu *cpu, int64_t tid);
/*
 * If the current task is the CPU's stopper thread, migration/N, ends its run at the CPU's last
 * event: the stopper has taken the CPU offline. Tracepoints record nothing on an offline CPU
 * (cpu_online() in DECLARE_TRACE, the kernel's tracepoint.h), so the switch from the stopper to
 * idle is missing.
 */
void cpu_end_stopper(struct machine *machine, struct cpu *cpu);
/*
 * Makes the task of that tid the current one without a switch to it; returns its track. If the CPU
 * was idle, the task has run since the last sign of idleness there: some kernels do not record
 * every switch away from idle.
 */
uint32_t cpu_replace_current(struct machine *machine, struct cpu *cpu, int64_t tid);
