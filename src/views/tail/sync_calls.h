/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When tasks were in system calls that end once a file is on its disk: fsync, fdatasync,
 * sync_file_range, msync, syncfs and sync. What such a task waits for that a thread of the kernel
 * does for a disk, it waits for the disk; elsewhere it may be a lock, or work of another kind.
 *
 * Memory: 16 bytes a call of these. A log that is all zero is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "graph/timeline/interval.h"
#include "words/kernel/kernel_numbers.h"

#define SYNC_CALL_NAMES 7

struct sync_call {
	nsec_t begin, end;
};

/* The numbers of these calls on one machine. */
struct sync_numbers {
	bool is_known;
	size_t count;
	int64_t number[SYNC_CALL_NAMES * SYSCALL_NUMBERS_MAX];
};

struct sync_calls {
	struct task_sync_calls {
		struct sync_call *call; /* without overlap, the last one last */
		size_t count, capacity;
	} *task; /* by track */
	size_t task_count, task_capacity;
	struct sync_numbers *host; /* by number of the machine */
	size_t host_count, host_capacity;
};

/* Adds the interval of a system call, if it is one of these. */
void sync_calls_add(struct sync_calls *calls, const struct question *question,
                    const struct interval *interval);
/* Whether the task was in one call of these from begin to end. */
bool sync_calls_have(const struct sync_calls *calls, uint32_t track, nsec_t begin, nsec_t end);
/* Forgets calls that had ended by t. */
void sync_calls_trim(struct sync_calls *calls, nsec_t t);
void sync_calls_release(struct sync_calls *calls);
