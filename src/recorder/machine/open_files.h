/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the files that processes have open or mapped, by the numbers that events have of them,
 * for the lines `path` of ftwait/stream.h. The recorder looks at COMMAND's processes and at those
 * of -p, with their descendants, several times, as they open files later, and some end soon.
 *
 * A look continues where the one before ran out of time. No file is touched. Not safe
 * for concurrent use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "peek.h"

/* The most lines, and bytes of them, of one recording. */
#define OPEN_FILES_MAX       8192
#define OPEN_FILES_BYTES_MAX (1u << 20)

struct open_files {
	struct peek *peek; /* borrowed */
	/* processes, or threads, that are asked for, with their descendants; borrowed, set by the
	   caller */
	const int32_t *root;
	size_t root_count;
	bool has_mapped;  /* looks at mapped files, too: the kernel locks the process's mappings
	                     meanwhile; to be set by the caller */
	struct map noted; /* hashes of file system and inode */
	uint64_t bytes;   /* of the lines so far */
	/* where the next look begins: process of the family, and number of its files */
	size_t first, first_file;
};

void open_files_init(struct open_files *files, struct peek *peek);
void open_files_release(struct open_files *files);
/* Appends a line for each file that has none yet, for at most `time` ns. */
void open_files_look(struct open_files *files, nsec_t time, struct buffer *to);

/*
 * The files that a process has open, without touching any of them: what /proc/PID/fd and
 * /proc/PID/fdinfo say. A stat() would ask the file system, which may be dead (peek.h).
 */

struct open_file {
	uint64_t number;
	uint64_t inode;           /* 0: not known, as before Linux 5.14 */
	int64_t mount;            /* id in mountinfo; -1: not known */
	int32_t process;          /* of a pidfd; 0: none that lives */
	uint64_t event;           /* id of an eventfd; 0: not known */
	bool is_read, is_written; /* as it was opened */
	bool has_lock;            /* this opening of the file has a lock on it */
	/* "/var/lib/x", "pipe:[77]", "socket:[78]"; a name that was removed ends with " (deleted)".
	   Not terminated */
	const char *path;
	size_t path_length;
};

/* Reads one file into `text`, which the caller has initialised and keeps while it uses *ret. */
bool open_file_read(struct peek *peek, int32_t tgid, uint64_t number, struct buffer *text,
		    struct open_file *ret);
/*
 * Reads the files of a process but for the first `skipped`, until CLOCK_MONOTONIC has `deadline`.
 * *ret_rest: how many there was time for, including the skipped ones; SIZE_MAX: for all. False:
 * they cannot be read.
 */
bool open_files_read(struct peek *peek, int32_t tgid, size_t skipped, nsec_t deadline,
		     struct buffer *text, size_t *ret_rest);
/* Takes the next one of the text; false at its end. *at: 0 at first. */
bool open_file_next(const struct buffer *text, size_t *at, struct open_file *ret);
