/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dictionary of stalls: waits whose length is a constant - a timer of a protocol or a file
 * system, a period - and that a setting avoids. A row each: the evidence, the name, the advice.
 * Evidence is only what a cause says, from events: the length of a wait is none.
 */
#pragma once

#include "ftwait/cause.h"

struct stall {
	enum stall_kind kind; /* as in the cause; STALL_NONE: see `is` */
	const char *key;    /* in JSON */
	const char *words;  /* beside the cause, "delayed ACK"; NULL: the cause says it already */
	/* "X took 1.2 s: ADVICE" in the summary; NULL: another advice covers it */
	const char *advice;
	const char *view;   /* the view with more about it */
	bool (*is)(const struct cause *cause);
};

/* The stall of the cause; NULL: none. */
const struct stall *cause_stall(const struct cause *cause);
