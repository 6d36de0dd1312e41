/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU as all trackers know it: who is on it, in which context, what it serves there. The flags of
 * each event tell for certain in which level it was recorded; the frames tell of what. What only
 * one tracker wants to know of a CPU it keeps itself (tracker.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "graph/timeline.h"
#include "tracker_set.h"

/* Deeper nesting than hard in soft interrupt with a timer and a call in each does not occur. */
#define CONTEXT_DEPTH_MAX 16

struct machine;

/* Where an event was recorded, by its flags. */
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

/* Something that has been entered on a CPU and not left. */
struct frame {
	enum frame_kind kind;
	enum context_level level;
	int32_t number;      /* irq, softirq vector */
	uint32_t name;       /* irq: name; timer: function */
	nsec_t entered;
	nsec_t begun;        /* softirq: raised, timer: armed, when; NSEC_NEVER: not seen */
	uint32_t beginner;   /* line of the task that did that; LINE_NONE */
	uint32_t task;       /* line that was current then; LINE_NONE: not known */
	uint64_t timer;      /* its address */
	uint8_t stall;       /* timer: enum stall_kind that its call showed it to be */
	bool may_have_armer; /* timer: armed by one who was forgotten, if by anyone */
};

struct cpu {
	uint32_t number;
	uint32_t current;     /* line; LINE_NONE: not known */
	int64_t current_tid;  /* as common_pid has it; valid while current is a line */
	uint32_t idle;        /* line of this CPU's idle task; LINE_NONE: not seen */
	bool is_after_gap;    /* what runs here is known only since a loss */
	nsec_t last;          /* time of the last event here */
	uint64_t event_count;
	/* the task that the last sched_switch took off, the one that the last sched_waking woke:
	   lines, LINE_NONE: none; and event_count then */
	uint32_t left, woken;
	/* those that may know why the current task wakes another; one that finds that what it knows
	   is over takes itself out */
	tracker_set tellers;
	uint64_t left_at, woken_at;
	bool woken_slept;      /* and it was that wake-up which ended its wait */
	uint64_t switching_at; /* the same of the last event that was part of that switch */

	/* contexts */
	uint8_t level;      /* enum context_level of the last event */
	uint8_t base_level; /* of the last event that was not in a hard interrupt */
	uint8_t depth;
	uint64_t activation[LEVEL_COUNT]; /* counts the entries into each level */
	struct frame frame[CONTEXT_DEPTH_MAX];

	uint64_t own[]; /* what trackers keep of it; tracker_cpu() */
};

/* One object seen in one activation of an interrupt: it counts only while that lasts. */
struct sighting {
	struct cause_note note;
	nsec_t time; /* block requests: of the completion */
	enum context_level level;
	uint64_t activation;
	uint32_t task; /* in LEVEL_TASK: the line that was current */
};

/* Whether the current task does what the event tells; the idle task is one. */
static inline bool cpu_is_in_task(const struct cpu *cpu)
{
	return cpu->level == LEVEL_TASK && cpu->current != LINE_NONE;
}

/* Whether nothing interrupts the current task, and nothing did before: as most events are. */
static inline bool cpu_stays_in_task(const struct cpu *cpu, const struct event *event)
{
	return !(event->flags & (EVENT_NMI | EVENT_HARDIRQ | EVENT_SOFTIRQ)) &&
	       (cpu->level | cpu->base_level | cpu->depth) == 0;
}

/* The task that does what the event tells; LINE_NONE: an interrupt, the idle task, or who is there
   is not known. */
static inline uint32_t cpu_doer(const struct cpu *cpu)
{
	return cpu_is_in_task(cpu) && cpu->current != cpu->idle ? cpu->current : LINE_NONE;
}

/* The soft interrupt receives what the current task is sending, over a device that loops back. */
static inline bool cpu_is_own_send(const struct cpu *cpu, const struct frame *frame)
{
	return frame->kind == FRAME_SOFTIRQ && frame->number == SOFTIRQ_NET_RX &&
	       frame->beginner != LINE_NONE && frame->beginner == cpu->current;
}

/* The task that does what the event tells, in a soft interrupt that is its own sending, too. */
uint32_t cpu_sender(const struct cpu *cpu);
/* Follows the flags of the event; counts exits that were not seen. Changes nothing where
   cpu_stays_in_task(). */
void cpu_follow_level(struct machine *machine, struct cpu *cpu, const struct event *event);
struct frame *cpu_enter(struct machine *machine, struct cpu *cpu, const struct event *event,
                        enum frame_kind kind);
/* The innermost frame of the kind is left, if its entry was seen, and its interval told if it is
   that number's. */
void cpu_leave(struct machine *machine, struct cpu *cpu, enum frame_kind kind, int64_t number);
/* The innermost frame of this very level; NULL where there is none. */
const struct frame *cpu_top(const struct cpu *cpu, enum context_level level);
/* The callback of a timer, where nothing is nested in it now; NULL: none is open. */
struct frame *cpu_timer(struct cpu *cpu);
/* A sighting that belongs to the activation in which the event stands. */
void cpu_sight(const struct cpu *cpu, struct sighting *sighting, const struct cause_note *note);
bool cpu_sees(const struct cpu *cpu, const struct sighting *sighting);
/* Name id of a soft interrupt's vector; 0 where it has none. */
uint32_t softirq_name(const struct machine *machine, int32_t vector);
/* The current task does something that others can see: what it waited for was not in vain. */
void cpu_note_act(struct machine *machine, const struct cpu *cpu);
/*
 * Whether the event, which names another task than the current one, is part of the switch that was
 * told last, by the task that leaves: its stack, or a lock that it has to get before it is gone.
 */
bool cpu_is_switching(const struct machine *machine, struct cpu *cpu, const struct event *event);
/* The task that the event names is the current one, whether that was known or not. */
void cpu_follow_current(struct machine *machine, struct cpu *cpu, const struct event *event);
/* What was current is so no more; where it went is not known, unless it runs elsewhere. */
void cpu_drop_current(struct machine *machine, struct cpu *cpu);
/* The CPU has idled until t; nothing where it did not, as far as known. Who does not call this
   where nobody wants INTERVAL_CPU saves time. */
void cpu_tell_idle(struct machine *machine, const struct cpu *cpu, nsec_t t, bool is_open);
/* Another task than believed is on this CPU: that one's switch-out was not seen. */
void cpu_lose_current(struct machine *machine, struct cpu *cpu);
/*
 * Makes the task of that tid the current one without a switch to it; returns its line. Where the
 * CPU was idle the task has run since the last sign of idleness there: some kernels do not record
 * every switch away from idle.
 */
uint32_t cpu_replace_current(struct machine *machine, struct cpu *cpu, int64_t tid);
