/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording that is made of what a stream_ring holds: a trace.dat, as `record` writes it. Until
 * it is complete it is a stream, which `record --repair` completes if the process is killed. What
 * came from a machine of the other byte order stays a stream, which `report` reads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "stream_ring.h"

struct shot {
	const struct stream_ring *ring;
	const struct buffer *version; /* further lines of option VERSION */
	bool is_packed;               /* as record --compress */
	bool is_new; /* -EEXIST if there is such a file, which becomes NAME.old otherwise */
};

/* Creates the file. Returns 0 and its size; or -errno, with a line in `why`: then there is no such
   file. */
int shot_file_write(const struct shot *shot, const char *path, uint64_t *ret_bytes,
                    struct buffer *why);

/*
 * The files of a flight recorder: slow.dat is written as slow.1.dat, slow.2.dat and so on. Those
 * of earlier recorders with the same name count, too: numbers go on, and together they take up no
 * more than a limit, beyond which the oldest ones are removed.
 */

struct shot_file {
	uint64_t number;
	uint64_t bytes;
};

struct shot_names {
	char *prefix; /* path up to the number, with the dot; owned */
	const char *suffix; /* ".dat"; borrowed */
	struct shot_file *file; /* by number */
	size_t count, capacity;
};

/* `path`: as given with -o; borrowed. Looks for files that exist. */
void shot_names_init(struct shot_names *names, const char *path);
void shot_names_release(struct shot_names *names);
/* Numbers go from 1 on. */
uint64_t shot_names_next(const struct shot_names *names);
/* The caller frees it. */
char *shot_names_path(const struct shot_names *names, uint64_t number);
/* A file of that number, greater than all before, was written. */
void shot_names_add(struct shot_names *names, uint64_t number);
/* Removes the oldest ones, but never the newest, until all take up no more than that. Returns how
   many were removed. */
size_t shot_names_trim(struct shot_names *names, uint64_t bytes_max);
