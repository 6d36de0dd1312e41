/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's events for Perfetto, in bundles of one CPU each, which are gathered until they
 * have some size. Events from which Perfetto derives the states of threads are written as its trace
 * processor expects them, even if the kernel recorded them in another way:
 *
 * - States have the bits of Linux 4.14 and later, whatever kernel recorded them; an unknown state
 *   is S.
 * - A wake-up that comes before the sleeper has left its CPU is written again after that:
 *   otherwise the processor treats it as a wake-up of a task that does not sleep.
 * - A task is new when it first becomes runnable; task_newtask itself comes earlier.
 * - Without sched_waking, or if that of a wake-up was lost, sched_wakeup is written in its place.
 * - If the switch to a task was not recorded, or was before the trace began, a switch from the
 *   idle task is written, at the time since which the task is known to have run; if that is not
 *   known, when it leaves the CPU.
 * - A task that slept, was stopped or was runnable when the trace, or the window, began runs for a
 *   time of 0 then. A task (or the idle task) that had a CPU when the window began gets it then
 *   from the idle task.
 *
 * Wake-ups are written in the compact form, as only this form shows whether an interrupt was the
 * waker. Before a CPU's first switch, and its first one behind lost events, they are written as
 * full events: in the compact form they would have no waker. Switches are full events, as Perfetto
 * loses the first compact switch of each CPU.
 *
 * Events before the window are processed like all others, but not written: so wake-ups, births and
 * deaths before the window are known in it. States that are open at the window's end need no event:
 * Perfetto extends them to the end of the trace, which is the window's end.
 */
#pragma once

#include "base/data/map.h"
#include "base/data/sparse_array.h"
#include "ftwait/event.h"
#include "ftwait/health.h"
#include "graph/timeline/timeline.h"
#include "perfetto_file.h"

struct perfetto_sched {
	struct perfetto_file *file; /* borrowed */
	struct sparse_array cpu;    /* struct cpu_bundle by number */
	struct sparse_array power;  /* struct cpu_power by number */
	struct map task_by_tid;
	struct perfetto_task *task; /* living tasks and free elements */
	size_t task_count, task_capacity;
	uint32_t first_free;        /* index + 1; 0: none */
	nsec_t begin, end;          /* the exported window; set before the first event */
	bool is_open;               /* time has reached `begin` */
	uint32_t first_cpu;         /* CPU of the first event from `begin` on; UINT32_MAX: none
	                               has come yet */
	/* Both are written at the end: the states at the window's begin, which are known only
	   later, and after them the events at exactly that time. */
	struct proto_writer first, first_events;
	/* Births at the time `born`, which is that of the last event. */
	struct proto_writer born_events;
	struct perfetto_birth *birth;
	size_t birth_count, birth_capacity;
	nsec_t born;
	uint32_t ftrace_clock;      /* FTRACE_CLOCK_*; 0: boot time */
	bool has_waking;
	uint64_t runnable; /* number of tasks that are runnable and do not run, as far as is
	                      known */
};

void perfetto_sched_init(struct perfetto_sched *sched, struct perfetto_file *file);
void perfetto_sched_release(struct perfetto_sched *sched);
/* Call when time has reached `begin`, before the first event from then on, which is of that CPU.
   From now on events are written. */
void perfetto_sched_open(struct perfetto_sched *sched, uint32_t first_cpu);
/* Before perfetto_sched_open(), events only set the states at the begin; after it, they must not be
   earlier than `begin`. */
void perfetto_sched_event(struct perfetto_sched *sched, const struct event *event);
/* Whether the last task with that tid has ended. */
bool perfetto_sched_is_over(const struct perfetto_sched *sched, int64_t tid);
/* Takes a state that a task was in until now; not for idle tasks. */
void perfetto_sched_span(struct perfetto_sched *sched, int64_t tid, const struct span *span);
/* Call if events of a CPU were lost. */
void perfetto_sched_gap(struct perfetto_sched *sched, const struct health_gap *gap);
/* Writes the events that are left. */
void perfetto_sched_end(struct perfetto_sched *sched);
