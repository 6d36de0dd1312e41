/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands at the addresses in stacks of programs, found out while these run: afterwards nobody
 * can tell. Two sources. The kernel tells of each executable mapping as it is made, with the build
 * id of its file, to whoever asks by perf_event_open(2): so processes that live for a millisecond
 * are known too. Of what was there before, and everywhere that is refused, /proc/PID/maps is read
 * as soon as an address is seen that nothing known holds.
 *
 * All of that is done by a thread of its own, as the kernel may keep whoever reads the files of a
 * busy process waiting. user_maps_see() and user_maps_exec() may be called by another one.
 *
 * Order of calls: user_maps_begin(), before the tasks run; user_maps_ask(); any number of the two
 * above; user_maps_end(); user_maps_describe(); user_maps_free().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/nsec.h"

struct user_maps;

/* Figures of what was seen. */
struct user_maps_counts {
	uint64_t stacks;   /* user_maps_see() */
	uint64_t named;    /* of these: their innermost address is in a file that is described */
	uint64_t left_out; /* mappings and processes for which there was no room */
};

/* -errno where there can be no thread. */
int user_maps_begin(struct user_maps **ret);
/* Has the maps of a process read. */
void user_maps_ask(struct user_maps *maps, int32_t tgid);
/* A stack, innermost first. */
void user_maps_see(struct user_maps *maps, int32_t tgid, const uint64_t *address, size_t count);
/* A process has executed another program: what is known of it from before is so no more. */
void user_maps_exec(struct user_maps *maps, int32_t tgid, nsec_t time);
/* Nothing more is seen; waits for what is still to be read. */
void user_maps_end(struct user_maps *maps);
/* Appends lines of ftwait/stream.h. `is_timed`: the clock of the recording is CLOCK_MONOTONIC. */
void user_maps_describe(struct user_maps *maps, bool is_timed, struct buffer *to);
struct user_maps_counts user_maps_count(const struct user_maps *maps);
/* Accepts NULL; returns NULL. */
struct user_maps *user_maps_free(struct user_maps *maps);

/* A line of /proc/PID/maps. */
struct maps_line {
	uint64_t begin, end, offset, inode;
	unsigned device_major, device_minor;
	bool is_executable;
	const char *path; /* in the line; "" for memory of no file */
};

/* Takes a line without its newline; false where it is none. */
bool maps_line_parse(const char *line, struct maps_line *ret);
