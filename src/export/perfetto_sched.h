/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's events as Perfetto has them: bundles of one CPU each, which are kept until they
 * have some size. What it makes states of threads from is written as its trace processor reads it,
 * where the kernel recorded the same otherwise:
 *
 * - States have the bits of Linux 4.14 and later, whatever kernel recorded them; one that is not
 *   known is S.
 * - A wake-up that comes before the sleeper has left its CPU is written again after that: there it
 *   is taken for one of a task that does not sleep.
 * - A task is new when it is first made able to run; task_newtask itself comes earlier.
 * - Where there is no sched_waking, sched_wakeup stands for it.
 * - Who a CPU was given to by a switch that was not recorded, or before the trace began, is told by
 *   a switch from the idle task at the time that the task is known to have run since: where that is
 *   not known, when it leaves the CPU.
 * - Who slept, was stopped or could run when the trace began, or the window, has run for no time
 *   then. Who had a CPU when the window began, which may be the idle task, got it then from the
 *   idle task.
 *
 * Wake-ups are written in the compact form, which alone tells whether it was an interrupt that
 * woke, but for those before a CPU's first switch: that form has no waker, which is then not known.
 * Switches are full events, because of compact ones the first of each CPU is lost.
 *
 * Events before the window are taken in as all others, and nothing of them is written: so wake-ups,
 * births and deaths from before are known in it. What is open at its end needs nothing: Perfetto
 * lets it last until the trace ends, which is there.
 */
#pragma once

#include "base/map.h"
#include "base/sparse_array.h"
#include "ftwait/event.h"
#include "ftwait/health.h"
#include "graph/timeline.h"
#include "perfetto_file.h"

struct perfetto_sched {
	struct perfetto_file *file; /* borrowed */
	struct sparse_array cpu;    /* struct cpu_bundle by number */
	struct map task_by_tid;
	struct sched_task *task;    /* those that live, and those that are free */
	size_t task_count, task_capacity;
	uint32_t first_free;        /* index + 1; 0: none */
	nsec_t begin, end;          /* of what is written; to be set before the first event */
	bool is_open;               /* time has come to begin */
	uint32_t first_cpu;         /* of the first event then; UINT32_MAX: none yet */
	/* To be written in the end: what was at the begin, which is known when it is over, and
	   then what happened at that very time. */
	struct proto_writer first, first_events;
	uint32_t ftrace_clock;      /* FTRACE_CLOCK_*; 0: boot time */
	bool has_waking;
	uint64_t runnable; /* tasks that could run and do not, as far as is seen by now */
};

void perfetto_sched_init(struct perfetto_sched *sched, struct perfetto_file *file);
void perfetto_sched_release(struct perfetto_sched *sched);
/* What is told from now on is written: time has come to `begin`, the next event is one of that
   CPU. */
void perfetto_sched_open(struct perfetto_sched *sched, uint32_t first_cpu);
/* Not earlier than `begin` once it is open; before, it only tells what is at the begin. */
void perfetto_sched_event(struct perfetto_sched *sched, const struct event *event);
/* The task that had the tid last has ended. */
bool perfetto_sched_is_over(const struct perfetto_sched *sched, int64_t tid);
/* What a task that is not an idle one was in until just now. */
void perfetto_sched_span(struct perfetto_sched *sched, int64_t tid, const struct span *span);
/* Events of that CPU were lost. */
void perfetto_sched_gap(struct perfetto_sched *sched, const struct health_gap *gap);
/* Writes what is kept. */
void perfetto_sched_end(struct perfetto_sched *sched);
