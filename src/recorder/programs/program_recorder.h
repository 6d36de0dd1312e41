/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records the command lines of asked processes: of those that exist when recording begins, and of
 * programs that these and their descendants execute; and the files that they open
 * (descriptor_notes.h). Nothing of any other process is read.
 *
 * A command line must be read from /proc while the program runs. So a thread is woken by the kernel
 * whenever a process forks, executes or ends (map_events.h). A program that ends sooner has no
 * command line in the file. The same thread is woken when a file is opened.
 *
 * Order of calls: program_recorder_begin(), before the tasks run; program_recorder_trace();
 * program_recorder_end().
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "descriptor_notes.h"

/* Command lines of one recording have at most so many bytes; further ones are left out. */
#define PROGRAM_BYTES_MAX (8u << 20)

struct program_recorder;

struct program_setup {
	const int32_t *process; /* those that exist */
	size_t process_count;
	int32_t child;          /* has not executed its program yet; 0: none */
	/* The recording's clock is CLOCK_MONOTONIC. Otherwise execs cannot be found in it, so only
	   the existing processes are read. */
	bool is_timed;
	bool has_programs; /* command lines are wanted */
	/* Folder tracefs, or an instance: the files that descriptors are of are wanted, which takes
	   is_timed; NULL: not wanted. */
	const char *tracefs;
	/* Takes lines `program` and `descriptor` of ftwait/stream.h; called in the thread. */
	void (*put)(void *state, const struct buffer *lines);
	void *state;
};

struct program_counts {
	uint64_t execs;    /* seen, of asked processes */
	uint64_t missed;   /* of these, ended or executed the next program too soon */
	uint64_t left_out; /* beyond PROGRAM_BYTES_MAX */
	bool is_stuck;     /* a command line cannot be read, nor any after it: the rest is 0 */
	int error;         /* 0, or -errno why the kernel does not report execs */
	int open_error;    /* the same of opens */
	struct descriptor_counts descriptors;
};

/* Returns -errno if no thread can be made. */
int program_recorder_begin(struct program_recorder **ret, const struct program_setup *setup);
/* System calls are recorded from now on: before, no file is noted, as nothing would show that its
   descriptor is closed. Accepts NULL. */
void program_recorder_trace(struct program_recorder *recorder);
/* Puts the last lines. Accepts NULL; returns NULL. */
struct program_recorder *program_recorder_end(struct program_recorder *recorder,
                                              struct program_counts *ret);
