/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer for a whole machine: a recording without COMMAND and -p, of which no tasks are asked
 * for. Hardly any of its tasks has the answer; what was busy has. Then tasks are of interest by how
 * long they were held up, and most have slept all the time.
 */
#pragma once

#include "summary.h"

/* Call once the question is resolved. */
bool summary_is_of_machine(const struct summary *summary);
/* Prints how busy CPUs and disks were, and what a network device carried, "Too little CPU: the 2
   CPUs were busy 99 % of the time", and which tasks were held up longest, by name. Several
   machines have a line each. */
void machine_lead_print(const struct summary *summary, const struct advices *advices,
                        const struct output *to);
/* How long the task was held up: in run queues, stopped, and in waits for disks, locks, memory and
   the like. Waits for other tasks are not among them, as what held those up counts there; threads
   of the kernel wait for work. */
nsec_t times_held_up(const struct summary *summary, const struct times *times);
/* Whether the task only slept and was not held up, judged by the times that were recorded;
   held_up_time must be set. */
bool times_are_idle(const struct summary *summary, const struct times *times);
/* Prints how many of `tasks` tasks, `idle` of which are idle, `kernel` of these being threads of
   the kernel, the table leaves out. */
void machine_idle_print(size_t tasks, size_t idle, size_t kernel, const struct output *to);
