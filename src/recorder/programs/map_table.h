/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The executable memory of processes: which part of which file is mapped where, and since when. It
 * is filled as mappings become known: all mappings of a process at once, as /proc shows them, or
 * one by one. A process gets a new set of mappings if the new ones contradict the last set: after
 * an exec, or when another file is mapped at the same place. Processes without stacks are not
 * described, unless they are to be kept.
 *
 * Not safe for concurrent use. Bounds: MAP_TABLE_MAPS_MAX mappings, MAP_TABLE_LOOSE_MAX addresses
 * of a process that are in no file; what exceeds them is counted and left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"

#define MAP_TABLE_MAPS_MAX      (1u << 20)
#define MAP_TABLE_PROCESSES_MAX (1u << 18)
#define MAP_TABLE_LOOSE_MAX     4096u
#define MAP_FILE_NONE           UINT32_MAX /* memory without a file */

struct mapping {
	uint64_t begin, end, offset;
	uint32_t file; /* map_table_file(), or MAP_FILE_NONE */
};

struct map_set {
	nsec_t since;            /* since when the set is known to be valid */
	struct mapping *mapping; /* by begin, without overlaps; owned */
	size_t count, capacity;
};

struct map_process {
	int32_t tgid;
	bool is_seen;         /* in a stack, or by map_table_keep() */
	struct map_set *set;  /* in order of time; owned */
	size_t set_count, set_capacity;
	uint64_t *loose;      /* addresses in stacks outside named files; owned */
	size_t loose_count, loose_capacity;
	/* for the reader of /proc: the earliest next read, and the pause after that */
	nsec_t next_read, pause;
	bool is_pending;
	uint64_t wanted; /* the address to be looked up; 0: none */
	bool has_owner;
	uid_t owner; /* user of the process at the last read */
};

struct map_table {
	struct map_process *process;
	size_t process_count, process_capacity;
	struct map by_tgid;
	struct map is_loose; /* a set of process and address */
	struct intern files; /* "BUILDID PATH" */
	size_t mapping_count;
	uint64_t left_out;   /* mappings and processes beyond the bounds */
};

void map_table_init(struct map_table *table);
void map_table_release(struct map_table *table);
/* Finds or adds a process; NULL if there is no room. Valid until the next call. */
struct map_process *map_table_process(struct map_table *table, int32_t tgid);
/* NULL: not known. Valid until map_table_process() adds one. */
struct map_process *map_table_find(const struct map_table *table, int32_t tgid);
/* The mapping of a file that contains the address, or the last one before it; NULL: none. */
const struct mapping *map_set_below(const struct map_set *set, uint64_t address);
/* `build_id` in hex, NULL: none. A newline in the path becomes \012, as the kernel prints it. */
uint32_t map_table_file(struct map_table *table, const char *build_id, const char *path);
/* Takes all mappings of the process, by begin. */
void map_table_put(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping, size_t count);
/* Takes one more mapping. */
void map_table_add(struct map_table *table, int32_t tgid, nsec_t time,
                   const struct mapping *mapping);
/* A child begins with its parent's mappings. */
void map_table_fork(struct map_table *table, int32_t parent, int32_t child, nsec_t time);
/* An exec ends all mappings of the process. */
void map_table_exec(struct map_table *table, int32_t tgid, nsec_t time);
/* Describes the process even if no stack of it is seen. */
void map_table_keep(struct map_table *table, int32_t tgid);
/* Takes an address of a user stack. Returns whether a current mapping of the process contains
   it. */
bool map_table_see(struct map_table *table, int32_t tgid, uint64_t address);
/* Whether a current mapping of the process contains the address. */
bool map_table_holds(const struct map_table *table, int32_t tgid, uint64_t address);
/* Whether a file in any of its sets contains the address. */
bool map_table_names(const struct map_table *table, int32_t tgid, uint64_t address);
/*
 * Appends the lines "file", "maps" and "map" of ftwait/stream.h; calls `on_set` after those of each
 * set. `is_timed`: times are on the clock of the recording.
 */
void map_table_describe(struct map_table *table, bool is_timed, struct buffer *to,
                        void (*on_set)(void *state, const struct map_process *process,
                                       size_t set, struct buffer *to),
                        void *state);
