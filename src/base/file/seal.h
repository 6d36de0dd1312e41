/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes rights away from this process that reading an untrusted file does not need, so that a fault
 * in the reader that a file exploits does little harm. There is no way back, and children inherit
 * it. From the call on, attempts fail with EPERM or EACCES
 *   - to open any file for writing, to create, remove, rename, truncate or mount one, or to change
 *     its mode, owner or attributes. Files that are open stay usable;
 *   - to execute a program, to make or connect a socket, to trace another process, to read its
 *     memory, to send it a signal, or to type into the terminal.
 * Files can still be opened for reading, and threads can be made.
 *
 * The kernel offers two means: Landlock (5.13) and seccomp. Each is used where it is there, and
 * either alone refuses most of that. Errors are not reported: it is a defence in depth.
 */
#pragma once

#include <stdbool.h>

/* What holds from the call on. */
struct seal {
	bool has_landlock;
	bool has_seccomp; /* not on an architecture that seal.c does not know */
};

/*
 * Call before other threads exist. `folder`: a directory, in which files may be created, renamed
 * and removed, though not opened for writing; -1: there is none.
 */
struct seal seal_begin(int folder);
