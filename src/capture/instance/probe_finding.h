/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `ftwait doctor` finds. */
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
