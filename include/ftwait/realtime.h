/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What connects the clock of a trace with the time of day: instants at which both clocks were read.
 * words/time_scale.h converts between the two.
 */
#pragma once

#include <stddef.h>

#include "nsec.h"

/* Later times of day, and stamps, are taken from no file: it is the year 2116. */
#define REALTIME_MAX       (UINT64_C(1) << 62)
#define REALTIME_PAIRS_MAX 16

struct realtime_pair {
	nsec_t time;   /* on the clock of the records */
	nsec_t real;   /* CLOCK_REALTIME: ns since 1970 in UTC */
	nsec_t within; /* `real` is wrong by at most this, as the clocks were not read at the very
	                  same instant; 0: not known */
	nsec_t error;  /* CLOCK_REALTIME is wrong by at most this, says the kernel, as something
	                  (NTP, PTP) keeps it right; 0: nothing does, or that is not known */
};

struct realtime {
	struct realtime_pair pair[REALTIME_PAIRS_MAX]; /* by `time`, no two are equal */
	size_t count; /* 0: the file has no time of day */
};

/* How instants are shown to people; words/time_scale.h does it. */
struct instant_form {
	nsec_t begin; /* of the trace */
	/* Times of day, by this; NULL: seconds since `begin`. */
	const struct realtime *realtime;
};
