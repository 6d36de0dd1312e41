/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands at the addresses in stacks of programs, found out while these run: afterwards nobody
 * can tell. Two sources. The kernel tells of each executable mapping as it is made, with the build
 * id of its file, to whoever asks by perf_event_open(2): so processes that live for a millisecond
 * are known too. Of what was there before, and everywhere that is refused, /proc/PID/maps is read
 * as soon as an address is seen that nothing known holds.
 *
 * All of that is done by a thread of its own, as the kernel may keep whoever reads the files of a
 * busy process waiting. map_recorder_see() and map_recorder_exec() may be called by another one.
 *
 * Order of calls: map_recorder_begin(), before the tasks run; map_recorder_ask(); any number of the
 * two above; map_recorder_end(); map_recorder_describe(); map_recorder_free().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/nsec.h"

struct map_recorder;

/* Figures of what was seen. */
struct map_counts {
	uint64_t stacks;   /* map_recorder_see() */
	uint64_t named;    /* of these: their innermost address is in a file that is described */
	uint64_t left_out; /* mappings and processes for which there was no room */
};

/* -errno where there can be no thread. */
int map_recorder_begin(struct map_recorder **ret);
/* Has the maps of a process read. */
void map_recorder_ask(struct map_recorder *recorder, int32_t tgid);
/* Why the kernel does not tell of mappings: 0, or -errno. */
int map_recorder_error(const struct map_recorder *recorder);
/* Of all that run now. */
void map_recorder_ask_all(struct map_recorder *recorder);
/* A stack, innermost first. */
void map_recorder_see(struct map_recorder *recorder, int32_t tgid, const uint64_t *address,
                      size_t count);
/* A process has executed another program: what is known of it from before is so no more. */
void map_recorder_exec(struct map_recorder *recorder, int32_t tgid, nsec_t time);
/* Nothing more is seen; waits for what is still to be read. */
void map_recorder_end(struct map_recorder *recorder);
/* Appends lines of ftwait/stream.h. `is_timed`: the clock of the recording is CLOCK_MONOTONIC. */
void map_recorder_describe(struct map_recorder *recorder, bool is_timed, struct buffer *to);
struct map_counts map_recorder_count(const struct map_recorder *recorder);
/* Accepts NULL; returns NULL. */
struct map_recorder *map_recorder_free(struct map_recorder *recorder);

/* A line of /proc/PID/maps. */
struct maps_line {
	uint64_t begin, end, offset, inode;
	unsigned device_major, device_minor;
	bool is_executable;
	const char *path; /* in the line; "" for memory of no file */
};

/* Takes a line without its newline; false where it is none. */
bool maps_line_parse(const char *line, struct maps_line *ret);
