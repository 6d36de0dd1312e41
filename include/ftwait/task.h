/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How every result names a task. Strings are borrowed from the run that made the result. */
#pragma once

#include <stdint.h>

/*
 * A priority on the kernel's scale: -1 for deadline tasks, 0 to 99 for real-time ones (99 less what
 * chrt(1) and sched_setscheduler(2) call priority), from 100 on for the others, by niceness.
 */
#define PRIORITY_UNKNOWN   INT16_MIN
#define PRIORITY_DEADLINE  (-1)
#define PRIORITY_FAIR_MIN  100
#define PRIORITY_END       256 /* the priorities of all kernels are below */

struct task {
	int32_t tid;      /* 0: idle */
	int32_t tgid;     /* -1: not known */
	const char *comm; /* as the kernel has it, any bytes, at most 15; never NULL */
	/* Words of its command line that distinguish it from other tasks of that name:
	   "manage.py". NULL: the command line is not known, or no word of it does. */
	const char *program;
	const char *cgroup; /* path of its control group; "": not known; NULL: not asked for */
	const char *host;   /* name of its machine; NULL: all tasks are of one */
	uint32_t machine;   /* its number; 0 where there is one */
};
