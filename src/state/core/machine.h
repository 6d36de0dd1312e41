/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events to waits and wakes: the first pass. The machine is fed all events in time order and passes
 * every span of every task to its sinks, once, when it ends. The spans of a task tile its life:
 * that is asserted, for every input. Impossible transitions are mended and counted in the health,
 * never assumed away.
 *
 * Order of calls: machine_new(), machine_begin() once, machine_event() and machine_gap() in order
 * of time, machine_end() once, machine_free() before the timeline is released. Cost: O(1) an event.
 *
 * machine.c routes events by table to the trackers, each of which is one file (tracker.h). The task
 * tracker moves tasks between states; the others remember what their part of the kernel is doing,
 * and explain a wake-up when they are asked.
 */
#pragma once

#include "machine_setup.h"

struct machine;

struct machine *machine_new(const struct machine_setup *setup);
struct machine *machine_free(struct machine *machine);
/* The trace begins: the unknown past of a task begins here. */
void machine_begin(struct machine *machine, nsec_t time);
/* An event that is older than an event before it counts as if it had the time of that event. */
void machine_event(struct machine *machine, const struct event *event);
/*
 * An event of the buffer that has stacks of programs and a profile. It adds to what other events
 * record, and may come shortly before or after them.
 */
void machine_sample(struct machine *machine, const struct event *event);
/*
 * Events of this CPU were lost in [begin, end); end NSEC_NEVER: it has no more events, as the rest
 * of its data is missing. Called when time has reached `begin`, which is not before any event so
 * far. `has_switches`: switches may be among them (false: another buffer
 * instance lost them, so the task that runs on the CPU is still known).
 */
void machine_gap(struct machine *machine, uint32_t cpu, nsec_t begin, nsec_t end,
                 bool has_switches);
/*
 * Puts the present state of every task onto the timeline, as if the trace ended here, until
 * machine_hide_open(). No other call may come in between. Waits that are held back are shown
 * without what later events may add. as_end: for views that are to take all this, as at the end of
 * a trace, with the causes of waits, as far as they are known.
 */
void machine_show_open(struct machine *machine, bool as_end);
void machine_hide_open(struct machine *machine);
/*
 * For callers that look at tasks while the trace goes on. No event before `time` is still to come:
 * present states last at least until then, except that the run of a CPU's stopper, migration/N,
 * ends at the CPU's last event (cpu_end_stopper()). If the CPU was not offline and the stopper runs
 * on, another run begins with the CPU's next event, and the time in between stays unknown.
 */
void machine_reach(struct machine *machine, nsec_t time);
/*
 * What the task does now: its present span, which nothing has ended yet, up to the present; all its
 * earlier spans have gone to the sinks. For a wait its cause, as far as known, is in *note, which
 * the span then refers to. A task that stands in the queue of a CPU that has idled meanwhile is
 * of kind UNKNOWN: its activity was not recorded. False: the task is dead, not yet running, or an
 * idle task.
 */
bool machine_look(struct machine *machine, uint32_t track, struct span *ret,
                  struct cause_note *note);
/* The same for CPUs that idle now: an open interval of each goes to the sinks. The interval comes
   again, as a whole, when it ends. */
void machine_look_at_cpus(struct machine *machine);
/* The track of the task that has that tid now; TRACK_NONE: there is none, or it is an idle task. */
uint32_t machine_task_of(const struct machine *machine, int64_t tid);
/*
 * For such callers, too: the recorder saw in /proc what a task waited for. Called once the machine
 * has reached the time `seen` (not 0); without effect if the task is in another state since, or has
 * no track. The wait's texts are not kept.
 */
void machine_see(struct machine *machine, const struct open_wait *wait);
/* Adds the tasks of the source's snapshot that no event has named so far; sleepers_only: of these
   the ones that machine_end() would add if they slept until then, in state D, or asleep and among
   those that the recording was made for. */
void machine_meet_known(struct machine *machine, bool sleepers_only);
/* The task has events, and is a thread of that process. */
void machine_know_process(struct machine *machine, int32_t tid, int32_t tgid);
/* The trace has got formats of more kinds of events. */
void machine_expect(struct machine *machine, const struct event_kinds *described);
/* Adds to the health how long the spans of tasks are so far, and how much of that is explained. In
   the machine's own health it is only from machine_end() on. */
void machine_weigh(const struct machine *machine, struct health *health);
/* The trace ends at `end` (not before the last event): closes all spans. */
void machine_end(struct machine *machine, nsec_t end);
