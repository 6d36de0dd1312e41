/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what can be recorded here: tries every part of recording in an instance that is removed
 * again. For `ftwait doctor`. A user without access to tracefs is told how to record all the
 * same.
 *
 * File capabilities do not help, though doctor names them. Of CAP_DAC_OVERRIDE,
 * CAP_DAC_READ_SEARCH, CAP_SYS_ADMIN and CAP_PERFMON only the first opens the tracefs: its files
 * are root's, and the kernel asks for nothing else. But it opens all other files, too, and a
 * recorder writes to a file that its user names. So ftwait asks access(2), which ignores it.
 */
#pragma once

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

/* Calls `on_finding` for each finding in turn. Returns the worst verdict. */
enum probe_verdict capture_probe(void (*on_finding)(void *state,
                                                    const struct probe_finding *finding),
                                 void *state);
