/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks in the form that Android's libraries, and other programs for Perfetto's sake, write to
 * trace_marker:
 *
 *	B|2211|activityStart     a slice of the writing thread begins
 *	E|2211                   the slice that began last ends; also "E"
 *	S|2211|deliver|17        a slice, number 17, that may end in another thread
 *	F|2211|deliver|17        its end
 *	C|2211|frames|3          a counter's value
 *	I|2211|vsync             an instant
 *
 * G and H are S and F on a track with a name, N an instant on one; these are recognized, not taken
 * apart.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"

struct atrace_mark {
	char kind;          /* the first letter */
	int32_t tgid;       /* 0: it has none */
	struct text name;   /* B, S, F, C, I: after the process; else empty */
	struct text cookie; /* S, F: the number of the slice; C: the value; else empty */
};

/* False: the text is no such mark. The texts are borrowed. */
bool atrace_mark_parse(struct text text, struct atrace_mark *ret);
