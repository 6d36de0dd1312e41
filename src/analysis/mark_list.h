/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The marks that programs wrote into the trace, in order of time: 16 bytes for each, plus every
 * distinct text once. At most MARKS_MAX marks and MARK_TEXTS_BYTES_MAX bytes of text are kept;
 * later marks are left out. A text is cut after MARK_BYTES_MAX bytes, the most that a kernel takes
 * at once.
 */
#pragma once

#include "analysis.h"
#include "base/data/intern.h"

#define MARKS_MAX            (1u << 20)
#define MARK_TEXTS_BYTES_MAX (64u << 20)
#define MARK_BYTES_MAX       4096

struct mark {
	nsec_t at;
	uint32_t track; /* TRACK_NONE: no task wrote it */
	uint32_t text;  /* id in `texts` */
};

struct mark_list {
	const struct question *question;
	struct intern texts;
	uint64_t text_bytes;
	struct mark *mark;
	size_t count, capacity;
	uint64_t left_out;
};

void mark_list_init(struct mark_list *list, const struct question *question);
void mark_list_release(struct mark_list *list);
void mark_list_add(struct mark_list *list, const struct interval *interval);
/* Whether the mark lies in the window, and a task that is asked for wrote it. */
bool mark_list_asks(const struct mark_list *list, const struct mark *mark);
/* Prints tables of the marks in the window, of the asked tasks. */
void mark_list_report(const struct mark_list *list, const struct output *to);
