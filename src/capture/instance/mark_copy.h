/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of what programs write to the top level's trace_marker into an instance: its option
 * copy_trace_marker, of Linux 6.16 and newer.
 *
 * While the option is on and tracing is off, the kernel refuses all writes to the top level's file,
 * and no other instance gets them. So the option is on only while tracing is, and a guard process
 * switches it off if the recorder is killed, which stops tracing (disable_on_free).
 *
 * Order of calls: mark_copy_init() before threads exist, mark_copy_begin() when tracing is on,
 * mark_copy_end() before it is switched off, mark_copy_release().
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct mark_copy {
	char *path;      /* path of the option; owned; NULL: this kernel does not have it */
	pid_t guard;     /* the guard process; 0: none */
	int alive_fd;    /* the guard ends when this is closed */
	bool is_on;
};

/* `dir` is the instance. Returns 0, -ENOENT if the kernel has no such option, or -errno. */
int mark_copy_init(struct mark_copy *copy, const char *dir);
int mark_copy_begin(struct mark_copy *copy);
void mark_copy_end(struct mark_copy *copy);
void mark_copy_release(struct mark_copy *copy);
