/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had the lock of a futex while a task tried in vain to get it. A task that takes a free lock
 * makes no call, but the release of one that another task has waited for is a call: so the holder
 * shows when it releases the lock, after the try. It is known before if it had waited for the lock
 * itself.
 *
 *	holder  (takes it)                                                  FUTEX_WAKE
 *	waiter       FUTEX_WAIT ... ETIMEDOUT  FUTEX_WAIT ... ETIMEDOUT
 *	             '-------------------- tries in vain --------------'
 *
 * Only tasks to which an address means the same are compared.
 */
#pragma once

#include "graph/timeline/interval.h"
#include "state/tasks/syscall_state.h"

/* Whether an address means the same to both tasks. */
bool tracks_share_memory(const struct machine *machine, uint32_t a, uint32_t b);
void futex_tries_begin(struct machine *machine);
/* The track has waited for the lock, and has it now. */
void futex_note_got(struct machine *machine, uint32_t track, uint64_t futex);
/* The track releases the lock, or waits for it: then it does not have it. */
void futex_note_released(struct machine *machine, uint32_t track, uint64_t futex);
void futex_note_wanted(struct machine *machine, uint32_t track, uint64_t futex);
/* The track has tried in vain to get the lock, as both say: the holder is added as soon as it is
   known, and only then the interval is emitted. Returns the cause's index in the timeline. */
uint32_t futex_note_try(struct machine *machine, struct interval *interval,
                        struct cause_note *cause);
/* No more will be known of the tries so far. */
void futex_tries_flush(struct machine *machine);
void futex_tries_end(struct machine *machine);
