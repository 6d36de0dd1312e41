/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dictionary of stalls: waits whose length is somebody's constant - a timer of a protocol, of a
 * file system, a period - and that a setting avoids. A row each: what is evidence for it, how it is
 * called, what to do about it. Evidence is what a cause itself tells, because events told it: how
 * long a wait was is none.
 */
#pragma once

#include "ftwait/cause.h"

struct stall {
	enum stall_kind kind; /* as the cause says it; STALL_NONE: see `is` */
	const char *key;    /* in JSON */
	const char *words;  /* beside the cause, "delayed ACK"; NULL: the cause says it already */
	/* "X took 1.2 s: ADVICE" in the summary; NULL: another advice says more of it */
	const char *advice;
	const char *view;   /* that tells more of it */
	bool (*is)(const struct cause *cause);
};

/* Which one the cause is; NULL: none. */
const struct stall *cause_stall(const struct cause *cause);
