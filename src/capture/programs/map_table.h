/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What executable memory processes have: which part of which file stands where, from when on. It is
 * told as it comes to be known: whole, as /proc shows it, or mapping by mapping. A process has
 * several sets where one would contradict the other: it has executed another program, or another
 * file stands at a place. Of a process none of whose stacks are seen nothing is described.
 *
 * Not safe for concurrent use. Bounds: MAP_TABLE_MAPS_MAX mappings, MAP_TABLE_LOOSE_MAX addresses
 * of a process that are in no file; what is more is counted and left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/intern.h"
#include "base/map.h"
#include "ftwait/nsec.h"

#define MAP_TABLE_MAPS_MAX      (1u << 20)
#define MAP_TABLE_PROCESSES_MAX (1u << 18)
#define MAP_TABLE_LOOSE_MAX     4096u
#define MAP_FILE_NONE           UINT32_MAX /* memory that is of no file */

struct mapping {
	uint64_t begin, end, offset;
	uint32_t file; /* map_table_file(), or MAP_FILE_NONE */
};

struct map_set {
	nsec_t since;            /* it is known to be so */
	struct mapping *mapping; /* by begin, none overlaps another; owned */
	size_t count, capacity;
};

struct map_process {
	int32_t tgid;
	bool is_seen;         /* in a stack */
	struct map_set *set;  /* in order of time; owned */
	size_t set_count, set_capacity;
	uint64_t *loose;      /* addresses of stacks that are in no named file; owned */
	size_t loose_count, loose_capacity;
	/* for who reads /proc: when it may do so again, and how long it waits from then on */
	nsec_t next_read, pause;
	bool is_pending;
	uint64_t wanted; /* the address that it is to be read for; 0: for none */
	bool has_owner;
	uid_t owner; /* whose it was when it was read last */
};

struct map_table {
	struct map_process *process;
	size_t process_count, process_capacity;
	struct map by_tgid;
	struct map is_loose; /* a set of process and address */
	struct intern files; /* "BUILDID PATH" */
	size_t mapping_count;
	uint64_t left_out;   /* mappings and processes for which there was no room */
};

void map_table_init(struct map_table *table);
void map_table_release(struct map_table *table);
/* New or known; NULL where there is no room. Valid until the next call. */
struct map_process *map_table_process(struct map_table *table, int32_t tgid);
/* `build_id` in hex, NULL: none. A newline in the path becomes \012, as the kernel prints it. */
uint32_t map_table_file(struct map_table *table, const char *build_id, const char *path);
/* All that the process has, by begin. */
void map_table_put(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping, size_t count);
/* One more. */
void map_table_add(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping);
/* A child begins with what its parent has. */
void map_table_fork(struct map_table *table, int32_t parent, int32_t child, nsec_t time);
/* A process has nothing of what it had. */
void map_table_exec(struct map_table *table, int32_t tgid, nsec_t time);
/* An address of one of its stacks. Returns whether anything that it has now holds the address. */
bool map_table_see(struct map_table *table, int32_t tgid, uint64_t address);
/* Whether anything that the process has now holds the address. */
bool map_table_holds(const struct map_table *table, int32_t tgid, uint64_t address);
/* Whether it is of a file in any of its sets. */
bool map_table_names(const struct map_table *table, int32_t tgid, uint64_t address);
/*
 * Appends the lines "file", "maps" and "map" of ftwait/stream.h; `on_maps` is called behind those
 * of a process's last set. `is_timed`: whether times are on the clock of the recording.
 */
void map_table_describe(struct map_table *table, bool is_timed, struct buffer *to,
                        void (*on_maps)(void *state, const struct map_process *process,
                                        struct buffer *to),
                        void *state);
