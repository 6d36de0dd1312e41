/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futexes, where their calls were recorded: which one a task sleeps at, and what the calls of both
 * ends of a wait show of it (words/cause/futex_kind.h).
 *
 * A task that signals a condition variable may move its waiters to the futex of the mutex without
 * waking them (FUTEX_REQUEUE and the like). The call records how many it moved, not which: they are
 * taken from the sleepers of its process that slept there before the call and still do when it
 * returns, in the kernel's order.
 */
#pragma once

#include "graph/logs/object_names.h"
#include "state/tasks/syscall_state.h"

/* Reads the arguments of futex(); returns false, and all 0, if they were not recorded. */
bool futex_call_read(const struct source *source, struct text arguments, struct futex_call *ret);

/* The track, of which `calls` are, enters a futex call. */
void futex_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                 uint64_t address, const struct futex_call *call);
/* The call returns, if it was a futex call at all; the tasks that it woke are awake. */
void futex_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
               int64_t result);
/* A wait of the track in a futex call ends. */
void futex_conclude(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                    struct cause_note *cause);
/* A signal has just ended the track's wait. */
void futex_note_signal(struct machine *machine, uint32_t track);
/* The end of its process ended the track's last wait, then. */
void futex_note_death(struct machine *machine, uint32_t track, nsec_t woken);
/* Records at which futex the wait in a futex call was, and what kind of futex it is. */
void futex_refine(const struct machine *machine, uint32_t wakee, struct cause_note *cause);

/* The variable at an address in the memory of the track's process, which has the program of that
   time. NULL: nothing is known of programs, or too many addresses were looked up. */
const struct user_variable *variable_of_track(const struct machine *machine, uint32_t track,
                                              nsec_t time, uint64_t address);

/* No more will be known of the tries so far. */
void futex_tries_flush(struct machine *machine);
