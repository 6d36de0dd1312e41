/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what is mapped at the addresses in user stacks. That must be done while the programs run,
 * as it is lost afterwards. There are two sources. By perf_event_open(2) the kernel reports each
 * executable mapping when it is made, with the build id of its file, so even processes that live
 * for a millisecond are known. For older mappings, and if perf events are refused, /proc/PID/maps
 * is read as soon as an address outside all known mappings is seen.
 *
 * Without stacks, mappings are kept of the asked processes and of the processes that these fork, if
 * they have several threads: they show of which variables the addresses are that threads sleep at.
 * Then nothing of any other process is kept or read.
 *
 * A thread of its own does all that, as reading the files of a busy process may block. Other
 * threads may call map_recorder_see(), map_recorder_exec() and map_recorder_futex().
 *
 * Order of calls: map_recorder_begin(), before the tasks run; map_recorder_ask(); any number of the
 * three above; map_recorder_end(); map_recorder_describe(); map_recorder_free().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

struct map_recorder;

/* Counts of stacks and losses. */
struct map_counts {
	uint64_t stacks;   /* calls of map_recorder_see() */
	uint64_t named;    /* stacks of which the innermost address lies in a known file */
	uint64_t left_out; /* mappings and processes beyond the bounds */
};

/* has_stacks: map_recorder_see() will be called. Returns -errno if no thread can be made. */
int map_recorder_begin(struct map_recorder **ret, bool has_stacks);
/* Requests a read of the process's maps; without stacks these are kept, however many threads it
   has. */
void map_recorder_ask(struct map_recorder *recorder, int32_t tgid);
/* Asks for a process that has not executed its program yet, so its maps are not read. */
void map_recorder_ask_child(struct map_recorder *recorder, int32_t tgid);
/* Why the kernel does not report mappings: 0, or -errno. */
int map_recorder_error(const struct map_recorder *recorder);
/* Requests a read of the maps of all processes that exist now. */
void map_recorder_ask_all(struct map_recorder *recorder);
/* Takes a stack, innermost first. Of this and the next two `state` is the recorder. */
void map_recorder_see(void *state, int32_t tgid, const uint64_t *address, size_t count);
/* The process has executed another program: its known mappings end. */
void map_recorder_exec(void *state, int32_t tgid, nsec_t time);
/* The thread has called for the futex, which is to be named (lock_names.h). */
void map_recorder_futex(void *state, int32_t tid, uint64_t address);
/* No more stacks follow; waits for pending reads. */
void map_recorder_end(struct map_recorder *recorder);
/* Appends lines of ftwait/stream.h. `is_timed`: the clock of the recording is CLOCK_MONOTONIC. */
void map_recorder_describe(struct map_recorder *recorder, bool is_timed, struct buffer *to);
struct map_counts map_recorder_count(const struct map_recorder *recorder);
/* Accepts NULL; returns NULL. */
struct map_recorder *map_recorder_free(struct map_recorder *recorder);
