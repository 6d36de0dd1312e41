/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on CPU time that the recorder noted; see noted_quota.c. */
#pragma once

#include "tracker.h"

/* The part of a stay in a run queue in which a limit held the task back. */
struct limit_stretch {
	nsec_t begin, end;
	uint64_t timer; /* of the limit */
	uint32_t name;  /* of the timer's function: id in names */
	enum confidence confidence;
};

struct quotas *quotas_new(const struct source *source);
struct quotas *quotas_free(struct quotas *quotas);
/* The trace ends: the health gets the part of the noted time that could not be attributed. */
void quota_close(struct machine *machine);
/* That timer ends a period of limits. before: the timer's previous expiry, 0: not seen. */
void quota_note_period(struct machine *machine, uint64_t timer, nsec_t before);
/* The limit with that timer was proved for the task. */
void quota_note_timer(struct machine *machine, uint32_t track, uint64_t timer);
/* The task is about to leave its CPU. */
void quota_note_off(struct machine *machine, const struct cpu *cpu, uint32_t track);
/* Whether a limit was noted that has held a task back. */
bool quota_has_period(const struct machine *machine);
/* Whether such a limit was noted that the task may be under. */
bool quota_is_of(const struct machine *machine, uint32_t track);
/* The task's stay in a run queue ends at t: finds the part of it in which a noted limit was used up
   on its CPU: `begin`, `end` and `timer`. false: none was. */
bool quota_find(const struct machine *machine, uint32_t track, nsec_t t,
                struct limit_stretch *ret);
/* That limit's timer is reported to have released a task that it held back on that CPU. */
void quota_note_held(struct machine *machine, uint64_t timer, uint32_t cpu, nsec_t begin,
                     nsec_t end);
