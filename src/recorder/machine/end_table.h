/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes of the machine have a pipe, a fifo, a socket, a terminal or a locked file open:
 * the tasks at the other end of what somebody waits for. Kept over several looks: a whole round
 * over 2,000 processes with 24 files each took 0.3 s of CPU time (Linux 6.18), so a look reads for
 * some time only, and the next one goes on where it stopped. What the table says may be old:
 * open_file_read() shows whether it is still so.
 *
 * Bounded: at most ENDS_MAX files are kept of one round over all processes, in 16 bytes each, and
 * as many of the round before; others are not found. No path is kept, only a hash of it. Not safe
 * for concurrent use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "peek.h"

#define EVENT_WORD "eventfd-id:" /* of fdinfo, from Linux 5.2 on */
#define INFO_BYTES_MAX 1024
#define ENDS_NS      20000000u /* for which a look may read */
#define ENDS_LAST_NS 1000000000u /* the same of the last look of a recording */
#define ENDS_MAX     131072u

enum end_kind {
	END_NONE, /* what nobody waits for */
	END_PIPE,   /* number: inode */
	END_SOCKET, /* number: inode */
	END_MASTER, /* of a pseudo terminal; number: that of its /dev/pts */
	END_PATH,   /* number: hash of the path */
	END_EVENT,  /* an eventfd; number: its id, 0: not known */
	END_PROCESS, /* a pidfd; without a number */
};

/* A file that may have another end. */
struct end_object {
	uint64_t number;
	enum end_kind kind;
};

struct open_end {
	uint64_t number;
	int32_t tgid;
	uint32_t file : 28, kind : 4; /* file: its number in the process; kind: enum end_kind */
};

struct end_round {
	struct open_end *end;
	size_t count, capacity;
};

struct end_table {
	struct peek *peek;          /* borrowed */
	struct end_round now, last; /* the present round, and the one before it */
	int32_t next;               /* process with which the next look goes on; 0: a new round */
	bool is_whole; /* the present look has read all processes that this user may look at */
	bool has_round;     /* a round has ended */
	nsec_t first_round; /* how long the looks of the first round took so far */
	struct buffer text;
};

void end_table_init(struct end_table *table, struct peek *peek);
void end_table_release(struct end_table *table);
/* From the text of a link in /proc/PID/fd; not terminated. END_MASTER is not found by its text. */
struct end_object end_object_of(const char *link, size_t length);
/* Reads until `deadline` (CLOCK_MONOTONIC): goes on with the present round, or begins another. */
void end_table_look(struct end_table *table, nsec_t deadline);
/* Reads the files of one process, in place of what *ret had; false: it may not be looked at, or has
   ended. */
bool end_table_read(struct end_table *table, int32_t tgid, struct end_round *ret);
/* The same, beside what *ret has. */
bool end_table_add(struct end_table *table, int32_t tgid, struct end_round *ret);
/* Reads the begin of /proc/PID/fdinfo/FILE, where all numbers are. */
bool file_info_read(int32_t tgid, const char *file, char ret[static INFO_BYTES_MAX]);
void end_round_release(struct end_round *round);
