/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on CPU time that the recorder noted; see noted_quota.c. */
#pragma once

#include "tracker.h"

enum quota_verdict {
	QUOTA_UNKNOWN, /* nothing was noted, or it does not cover the task */
	QUOTA_NOT,     /* no limit can have held the task back */
	QUOTA_LIKELY,  /* a limit did, if the stay looks like it */
	QUOTA_USED_UP, /* all of the limit had been used when the task was queued */
};

struct quotas *quotas_new(const struct source *source);
struct quotas *quotas_free(struct quotas *quotas);
/* The trace ends: the health gets the part of the noted time that could not be attributed. */
void quota_close(struct machine *machine);
/* That timer ends a period of limits. before: the timer's previous expiry, 0: not seen. */
void quota_note_period(struct machine *machine, uint64_t timer, nsec_t before);
/* The task is about to leave its CPU. */
void quota_note_off(struct machine *machine, const struct cpu *cpu, uint32_t track);
/* How much of the limit's time in this period is used. */
nsec_t quota_used(const struct machine *machine);
/* Whether a limit was noted that has held a task back. */
bool quota_has_period(const struct machine *machine);
/* Whether a limit was noted that the task may be under. */
bool quota_is_of(const struct machine *machine, uint32_t track);
/* Judges a stay of the task in a run queue that lasted `stay` ns, up to the expiry of that timer.
   `used`: how much of the limit had been used when the task was queued. */
enum quota_verdict quota_judge(const struct machine *machine, uint32_t track, uint64_t timer,
                               nsec_t used, nsec_t stay);
/* The timer of the limit; 0: not known. */
uint64_t quota_timer(const struct machine *machine);
/* That limit's timer is reported to have released a task that it held back on that CPU. */
void quota_note_held(struct machine *machine, uint64_t timer, uint32_t cpu, nsec_t begin,
                     nsec_t end);
