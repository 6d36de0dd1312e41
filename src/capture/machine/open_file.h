/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that a process has open, without touching any of them: what /proc/PID/fd and
 * /proc/PID/fdinfo say. A stat() would ask the file system, which may be dead (peek.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"
#include "recorder/machine/peek.h"

struct open_file {
	uint64_t number;
	uint64_t inode;           /* 0: not known, as before Linux 5.14 */
	int64_t mount;            /* id in mountinfo; -1: not known */
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
 * `has_info`: with inode and mount. *ret_rest: how many there was time for, including the skipped
 * ones; SIZE_MAX: for all. False: they cannot be read.
 */
bool open_files_read(struct peek *peek, int32_t tgid, size_t skipped, bool has_info,
		     nsec_t deadline, struct buffer *text, size_t *ret_rest);
/* Takes the next one of the text; false at its end. *at: 0 at first. */
bool open_file_next(const struct buffer *text, size_t *at, struct open_file *ret);
