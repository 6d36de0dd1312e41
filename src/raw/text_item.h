/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event whose text is wanted, and the text (event_text.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/record.h"

#define EVENT_TEXT_BATCH   256 /* most items that are submitted at once */
#define EVENT_TEXT_BATCHES 2   /* most batches that are submitted and not collected */
#define EVENT_TEXT_MAX     65536 /* bytes of a text; what is longer is cut */
#define EVENT_TEXT_TRIES   3

struct event_text_item {
	const struct record *record; /* until it is submitted */
	uint32_t cpu;
	const char *comm; /* of the running task, for filters; until it is submitted; NULL: not
	                     known */
	/* The rest is the answer, which is valid until the second submission after this one. */
	const char *text;
	size_t length;
	bool is_left_out; /* the filter says no: there is no text */
	bool is_plain;    /* the library does not write it */
};
