/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a CPU that all trackers share: which task is on it, in which context, what it serves
 * there. The flags of each event show for certain at which level it was recorded; the frames show
 * what is served. What only one tracker needs to know of a CPU, it keeps itself (tracker.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "graph/timeline/timeline.h"
#include "tracker_set.h"

/* Deeper nesting than a hard in a soft interrupt, with a timer and a call in each, does not
   occur. */
#define CONTEXT_DEPTH_MAX 16

struct machine;

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
	uint32_t name;       /* irq: name; timer: function */
	nsec_t entered;
	nsec_t before;       /* time of the CPU's event before the entry */
	nsec_t begun;        /* when the softirq was raised or the timer armed; NSEC_NEVER: not
	                        seen */
	uint32_t beginner;   /* track of the task that raised or armed it; TRACK_NONE */
	uint32_t task;       /* track that was current at the entry; TRACK_NONE: not known */
	uint64_t timer;      /* its address */
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
	nsec_t last;          /* time of the last event here */
	uint64_t event_count;
	uint32_t left;  /* track that the last sched_switch here took off the CPU; TRACK_NONE:
	                   none */
	uint32_t woken; /* track that the last sched_waking here woke; TRACK_NONE: none */
	/* trackers that may know why the current task wakes another; a tracker clears its bit once
	   its information is stale */
	tracker_set explainers;
	uint64_t left_at, woken_at; /* event_count at that sched_switch, at that sched_waking */
	bool woken_slept;      /* the last sched_waking ended a wait of `woken` */
	uint64_t switching_at; /* event_count at the last event that belonged to the last
	                          sched_switch */

	/* contexts */
	nsec_t interrupted; /* time of the last event in an interrupt */
	nsec_t resched;     /* of the last one there at which the current task was to leave */
	uint8_t level;      /* enum context_level of the last event */
	uint8_t base_level; /* level of the last event that was not in a hard interrupt */
	uint8_t depth;
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
/* Follows the flags of the event; counts exits that were not seen. Changes nothing where
   cpu_stays_in_task(). */
void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event);
struct frame *cpu_enter(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum frame_kind kind);
/* Leaves the innermost frame of the kind, if its entry was seen, and emits its interval if it has
   that number. */
void cpu_leave(struct machine *machine, struct cpu *cpu, enum frame_kind kind, int64_t number);
/* The innermost frame of exactly this level; NULL where there is none. */
const struct frame *cpu_top(const struct cpu *cpu, enum context_level level);
/* The frame of a timer's callback, if nothing is nested in it now; NULL: none is open. */
struct frame *cpu_timer(struct cpu *cpu);
/* Records a sighting in the activation to which the event belongs. */
void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note);
bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting);
/* Name id of a soft interrupt's vector; 0 where it has none. */
uint32_t softirq_name(const struct machine *machine, int32_t vector);
/* The current task does something visible to others: its last wait was not spurious. */
void cpu_note_act(struct machine *machine, const struct cpu *cpu);
/*
 * Whether the event, which names another task than the current one, belongs to the last switch: an
 * event of the task that leaves, such as its stack or a lock that it takes before it is gone.
 */
bool cpu_is_switching(const struct machine *machine, struct cpu *cpu, const struct event *event);
/* Makes the task that the event names the current one, whether or not that was known. */
void cpu_follow_current(struct machine *machine, struct cpu *cpu, const struct event *event);
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
