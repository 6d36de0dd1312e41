/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on CPU time and the timers that let go of the tasks under them; see limit_tracker.c.
 */
#pragma once

#include "tracker.h"

/* A timer of a limit expired: it lets go of those that the limit holds back. */
struct expiry {
	nsec_t time;
	uint64_t timer;
	nsec_t before;     /* when it expired the last time; 0: it was not seen */
	uint32_t function; /* id in names */
	enum cpu_limit of;
	bool begins_period;
};

/* How well an expiry fits: the higher, the better. */
enum fit {
	FIT_NOT,
	FIT_LATER,       /* its CPU was busy then, and has not idled since */
	FIT_IDLE,        /* its CPU stopped to idle then */
	FIT_KNOWN_LATER, /* of the limit that it is known to have */
	FIT_KNOWN_IDLE,
};

/* What the stack says of a task that leaves its CPU though it could go on. */
enum throttle_sign {
	THROTTLE_NOT_TOLD,
	THROTTLE_LIKELY, /* works of its own brought it there: a limit's, or others */
	THROTTLE_SURE,   /* a limit's work did */
};

/* Periods in a row, after which it is no coincidence that long stays in the queue end with them. */
#define REGULAR_MIN 4u
/* Two timers of one limit lie in one struct (cfs_bandwidth: period and slack). */
#define LIMIT_BYTES 256u

static inline bool timer_is_of(uint64_t timer, uint64_t other)
{
	return (timer > other ? timer - other : other - timer) < LIMIT_BYTES;
}

/* The limit that tasks of its class may be under. */
enum cpu_limit line_cpu_limit(const struct machine *machine, uint32_t line);
/* The timer of that function expires. */
void limits_note_expiry(struct machine *machine, uint32_t function, uint64_t timer);
/* What limits_note_off() does where a limit may be known. */
void limits_note_ran(struct machine *machine, struct cpu *cpu, uint32_t line);
/* The task is about to leave its CPU: its limit's time is used by its having had that. Inline: of
   most tasks no limit is known. */
static inline void limits_note_off(struct machine *machine, struct cpu *cpu, uint32_t line)
{
	if (machine->has_quota || machine->task[line].has & TRACKER_BIT(QUEUE))
		limits_note_ran(machine, cpu, line);
}
/* When a task under that limit left the CPU last; 0: none did since one of another limit. */
nsec_t limits_off(const struct machine *machine, const struct cpu *cpu, uint32_t limit);
/* How much of the limit's present period is used, by tasks known to be under it. */
nsec_t limits_used(const struct machine *machine, uint32_t limit);
/* The proved limit that the timer belongs to, which is learned; 0: there are too many. */
uint32_t limits_learn(struct machine *machine, uint64_t timer);
/* The expiry by t that let go of a task whose CPU has idled (task_state.held_back tells of it). */
enum fit limits_find(const struct machine *machine, uint32_t line, nsec_t t,
                     const struct expiry **ret);
/* The last expiry by t of those for that class; NULL: none is known. */
const struct expiry *limits_find_last(const struct machine *machine, enum cpu_limit of, nsec_t t);
/* The task stands in its queue with such a stack. */
void limits_note_sign(struct machine *machine, uint32_t line, enum throttle_sign sign);
/* The task's CPU was busy from its being queued until t: the expiry that let go of it if a limit
   held it back nevertheless, and is learned; NULL: there is no telling. */
const struct expiry *limits_guess(struct machine *machine, uint32_t line, nsec_t t,
                                  enum confidence *ret_confidence);
