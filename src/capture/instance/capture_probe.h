/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can and cannot be recorded here: every part of recording tried for real, in an instance
 * that is removed again. For `ftwait doctor`.
 */
#pragma once

#include <stdbool.h>

enum probe_verdict {
	PROBE_FINE,
	PROBE_GAP,   /* recording works, something will be missing */
	PROBE_FATAL, /* no recording */
};

/* One finding. Strings are borrowed for the call; those that do not apply are NULL. */
struct probe_finding {
	const char *subject;     /* "tracefs", "group lock" */
	enum probe_verdict verdict;
	const char *fact;        /* what was found: the file and the error, or the figure */
	const char *consequence; /* of what is not fine, as `mend` */
	const char *mend;
};

/* Tells of every finding in turn. Returns the worst verdict. */
enum probe_verdict capture_probe(void (*on_finding)(void *state,
                                                    const struct probe_finding *finding),
                                 void *state);
