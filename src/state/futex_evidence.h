/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out whether a word at which tasks sleep is a condition's or a semaphore's, for
 * graph/futex_words.h. Both are slept at by the same calls. glibc's conditions differ in what comes
 * before the next sleep: the mutex of the condition has been left marked as contended, so the
 * sleeper calls a wake-up at the mutex, which mostly wakes no task.
 *
 *	condition  WAIT a          WAKE mutex = 0    WAIT a
 *	semaphore  WAIT a                            WAIT a
 *
 * A semaphore's word lies at the lower end of 8 bytes, on big-endian machines at the higher end.
 */
#pragma once

#include "state/tasks/syscall_state.h"

/* The track has entered a futex call, which futex_begin() has described in `calls`. */
void futex_evidence_begin(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                          uint64_t op, bool is_of_glibc);
/* The call returns. */
void futex_evidence_end(struct machine *machine, uint32_t track, struct task_syscalls *calls,
                        int64_t result, bool is_limit);
