/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the variables at which threads sleep, noted while the program's file is as it was when
 * it ran: a report may come to a machine or a time where the file is another one, or none.
 *
 * Threads and futexes are taken as they are seen, in any order; a thread's process may become known
 * later. When recording ends, the addresses are looked up in the files that map_table.h knows, of
 * which the build id is known. A file is read by another process (peek.h), as its file system may
 * be dead, for at most LOCK_NAMES_NS in all. Not safe for concurrent use.
 *
 * Bounds: LOCK_NAMES_SEEN_MAX pairs of thread and futex, LOCK_NAMES_MAX names, LOCK_NAME_BYTES_MAX
 * bytes of each; what exceeds them is left out, and reports look in the files.
 */
#pragma once

#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "map_table.h"
#include "recorder/machine/peek.h"

#define LOCK_NAMES_SEEN_MAX 16384u
#define LOCK_NAMES_MAX      4096u
#define LOCK_NAME_BYTES_MAX 1024u
#define LOCK_NAMES_NS       (2u * PEEK_DISK_NS)

/* A thread has called for the futex. */
struct seen_futex {
	int32_t tid;
	uint64_t address;
};

/* A futex of a process, in one of its sets of mappings. */
struct named_futex {
	int32_t tgid;
	uint32_t set;
	uint64_t address;
	const struct mapping *mapping; /* nearest code; borrowed from the table */
	char *line; /* "WITHIN NAME", "-": it is no variable, NULL: not known; owned */
};

struct lock_names {
	struct seen_futex *seen;
	size_t seen_count, seen_capacity;
	struct map seen_before; /* a set of thread and address */
	struct map process_of;  /* thread -> process */
	struct named_futex *named; /* by process, set and address */
	size_t named_count, named_capacity;
};

void lock_names_init(struct lock_names *names);
void lock_names_release(struct lock_names *names);
void lock_names_take_thread(struct lock_names *names, int32_t tid, int32_t tgid);
void lock_names_see(struct lock_names *names, int32_t tid, uint64_t address);
/* Looks all of them up. The table must stay as it is as long as the names are used. */
void lock_names_find(struct lock_names *names, struct peek *peek, const struct map_table *table);
/* Appends lines "variable" of ftwait/stream.h, of that set of the process. */
void lock_names_append(const struct lock_names *names, const struct map_process *process,
                       size_t set, struct buffer *to);
