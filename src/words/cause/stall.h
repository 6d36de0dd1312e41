/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stall is a wait for a timer of a protocol or a file system. Its length is a constant, and a
 * setting can avoid it. The table has a row for each stall: its evidence, its name, and advice. The
 * evidence comes only from the cause, and so from events; the length of a wait is no evidence.
 */
#pragma once

#include "ftwait/cause.h"

struct stall {
	enum stall_kind kind; /* the kind that the tracker has stored in the cause; STALL_NONE:
	                         `is` recognizes the stall */
	const char *key;    /* in JSON */
	const char *words;  /* words that follow the cause, "delayed ACK"; NULL: the cause
	                       already says it */
	/* the ADVICE of "X took 1.2 s: ADVICE" in the summary; NULL: other advice covers it */
	const char *advice;
	const char *view;   /* the view with more details */
	bool (*is)(const struct cause *cause);
};

/* The stall of the cause; NULL: none. */
const struct stall *cause_stall(const struct cause *cause);
