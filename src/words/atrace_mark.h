/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks in the format of Android's atrace, which Android's libraries, and programs that are to be
 * viewed in Perfetto, write to trace_marker:
 *
 *	B|2211|activityStart     a slice of the writing thread begins
 *	E|2211                   the innermost open slice of the thread ends; also "E"
 *	S|2211|deliver|17        a slice, number 17, that may end in another thread
 *	F|2211|deliver|17        its end
 *	C|2211|frames|3          a counter's value
 *	I|2211|vsync             an instant
 *
 * G and H are S and F on a named track, N is an instant on one; the fields of these are not parsed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/event.h"

struct atrace_mark {
	char kind;          /* the first letter */
	int32_t tgid;       /* 0: not given */
	struct text name;   /* B, S, F, C, I; else empty */
	struct text cookie; /* S, F: the number of the slice; C: the value; else empty */
};

/* Returns false if the text is not such a mark. The texts in *ret are borrowed. */
bool atrace_mark_parse(struct text text, struct atrace_mark *ret);
