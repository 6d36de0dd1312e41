/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of what programs write to the top level's trace_marker into an instance: its option
 * copy_trace_marker, of Linux 6.16 and newer.
 *
 * Where the option is on and tracing is off, the kernel refuses what anybody writes to the top
 * level's file, and no other instance gets it. So it is on only while tracing is, and a process of
 * its own switches it off should the recorder be killed, which stops tracing (disable_on_free).
 *
 * Order of calls: mark_copy_init() before there are threads, mark_copy_begin() when tracing is on,
 * mark_copy_end() before it is switched off, mark_copy_release().
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct mark_copy {
	char *path;      /* of the option; owned; NULL: this kernel has none */
	pid_t guard;     /* the process; 0: none */
	int alive_fd;    /* it ends when this is closed */
	bool is_on;
};

/* `dir` is the instance. Returns 0, -ENOENT where the kernel has no such option, or -errno. */
int mark_copy_init(struct mark_copy *copy, const char *dir);
int mark_copy_begin(struct mark_copy *copy);
void mark_copy_end(struct mark_copy *copy);
void mark_copy_release(struct mark_copy *copy);
