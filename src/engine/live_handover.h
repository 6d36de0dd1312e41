/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one generation of a live run (live_run.h) passes on to the next: its tasks, as a snapshot of
 * /proc would show them at that time, and the begins and causes of their waits.
 *
 * Order of calls: live_handover_new() with the old machine; machine_new() with the handover's
 * source, machine_begin() at `time` and machine_meet_known(), after which task[i] is track i of the
 * new timeline; live_handover_carry(), before the old timeline is released. The handover must
 * outlive the new machine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "ftwait/source.h"
#include "graph/timeline/timeline.h"
#include "state/core/machine.h"

/* A wait that began before the generation that has it. */
struct carried_wait {
	nsec_t since;  /* NSEC_NEVER: the task did not wait */
	bool is_older; /* it began before the first record; `since` is the time of that record */
	uint8_t detail;  /* as in struct span */
	uint8_t timeout; /* enum sleep_timeout */
	bool has_cause;
	struct cause_note cause; /* in terms of the new timeline after live_handover_carry() */
};

struct live_handover {
	nsec_t time;
	struct source source;      /* the first one, but for tasks, processes and groups */
	struct known_task *task;
	struct carried_wait *wait; /* by task */
	uint32_t *track;           /* by track of the old timeline: index in task; TRACK_NONE: it
	                              is not passed on */
	size_t task_count, old_count;
	struct known_process *process;
	size_t process_count;
	struct source_cgroup *cgroup;
	size_t cgroup_count, cgroup_capacity;
	int32_t *pid;              /* the tasks that the recording was made for */
	size_t pid_count;
	struct intern texts;       /* names and paths */
};

/* `before`: what the old generation got itself; NULL: it is the first one. */
struct live_handover *live_handover_new(const struct source *source,
                                        const struct live_handover *before,
                                        struct machine *old, const struct timeline *timeline,
                                        nsec_t time);
void live_handover_carry(struct live_handover *handover, const struct timeline *from,
                         struct timeline *to);
/* The wait that the span continues; NULL: the wait began in this generation. `handover` may be
   NULL. */
const struct carried_wait *live_handover_wait(const struct live_handover *handover,
                                              const struct span *span);
struct live_handover *live_handover_free(struct live_handover *handover);
