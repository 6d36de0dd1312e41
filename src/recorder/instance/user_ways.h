/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a user to whom the kernel does not open the tracefs could record on this machine: findings of
 * `ftwait doctor`, with the commands.
 *
 * File capabilities do not help, though doctor names them. Of CAP_DAC_OVERRIDE,
 * CAP_DAC_READ_SEARCH, CAP_SYS_ADMIN and CAP_PERFMON only the first opens the tracefs: its files
 * are root's, and the kernel asks for nothing else. But it opens all other files, too, and a
 * recorder writes to a file that its user names. So ftwait asks access(2), which ignores it.
 */
#pragma once

/* What `ftwait doctor` finds. */

enum probe_verdict {
	PROBE_FINE,
	PROBE_GAP,   /* recording works with something missing */
	PROBE_FATAL, /* no recording */
};

/* One finding. Strings are borrowed for the call; NULL where they do not apply. */
struct probe_finding {
	const char *subject;     /* "tracefs", "group lock" */
	enum probe_verdict verdict;
	const char *fact;        /* the file and the error, or the figure */
	int error;               /* the errno of what failed; 0: no call failed */
	const char *consequence; /* what is lost unless fine, as `mend` */
	const char *mend;
};

/* Calls `on_finding` for each way. `prepared`: the folder of an instance that was prepared for this
   user; NULL: none. */
void user_ways_probe(const char *prepared,
                     void (*on_finding)(void *state, const struct probe_finding *finding),
                     void *state);
/* The folder of the first instance that was prepared for this user; NULL: none. The caller frees
   it. */
char *user_ways_prepared(void);
