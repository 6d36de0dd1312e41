/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on CPU time and the timers that release the tasks under them; see limit_tracker.c. */
#pragma once

#include "noted_quota.h"
#include "tracker.h"

/* A timer of a limit expired: it releases the tasks that the limit holds back. */
struct expiry {
	nsec_t time;
	uint64_t timer;
	nsec_t before;     /* the timer's previous expiry; 0: not seen */
	uint32_t function; /* id in names */
	enum cpu_limit of;
	bool begins_period;
};

/* How well an expiry fits: the higher, the better. */
enum fit {
	FIT_NOT,
	FIT_LATER,       /* the task's CPU was busy then, and has not idled since */
	FIT_IDLE,        /* the task's CPU stopped idling then */
	FIT_KNOWN_LATER, /* as FIT_LATER, and the task is known to be under this limit */
	FIT_KNOWN_IDLE,
};

/* What the stack shows of a task that leaves its CPU although it could go on. */
enum throttle_sign {
	THROTTLE_UNKNOWN,
	THROTTLE_LIKELY, /* it left the CPU in task work, which may be a limit's */
	THROTTLE_SURE,   /* it left the CPU in the task work of a limit */
};

/* A timer with that function expires. */
void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer);
/* The slow path of limits_note_off(), where a limit may be known. */
void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t track);
/* The task is about to leave its CPU: its run counts as used time of its limit. Inline: for most
   tasks no limit is known. */
static inline void limits_note_off(struct machine *machine, struct cpu *cpu, uint32_t track)
{
	if (machine->has_quota || machine->task[track].has & TRACKER_BIT(QUEUE))
		limits_note_ran(machine, cpu, track);
}
/* When a task under that limit last left the CPU; 0: none has, or a task under another limit has
   left the CPU since. */
nsec_t limits_off(const struct machine *machine, const struct cpu *cpu, uint32_t limit);
/* A limit with that timer was proved for the task. */
void limits_prove(struct machine *machine, uint32_t track, uint64_t timer);
/* Finds the expiry, up to t, that fits best as the one that released the task, whose CPU has idled
   (struct held_back). Returns how well it fits. */
enum fit limits_find(const struct machine *machine, uint32_t track, nsec_t t,
                     const struct expiry **ret);
/* The last expiry by t of a limit of that class; NULL: none is known. */
const struct expiry *limits_find_last(const struct machine *machine, enum cpu_limit of, nsec_t t);
/* The stack with which the task was queued shows `sign`. */
void limits_note_sign(struct machine *machine, uint32_t track, enum throttle_sign sign);
/* The task's CPU was busy from when the task was queued until t. Finds the part of that time in
   which a limit held the task back nevertheless; false: it cannot be decided. */
bool limits_find_busy(struct machine *machine, uint32_t track, nsec_t t,
                      struct limit_stretch *ret);
