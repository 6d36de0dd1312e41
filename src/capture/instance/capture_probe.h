/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out what can be recorded here: tries every part of recording in an instance that is removed
 * again. For `ftwait doctor`.
 */
#pragma once

#include <stdbool.h>

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
	const char *consequence; /* what is lost unless fine, as `mend` */
	const char *mend;
};

/* Calls `on_finding` for each finding in turn. Returns the worst verdict. */
enum probe_verdict capture_probe(void (*on_finding)(void *state,
                                                    const struct probe_finding *finding),
                                 void *state);
