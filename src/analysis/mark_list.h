/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs wrote into the trace, in order of time: 16 bytes each and every text once, at most
 * MARKS_MAX and MARK_TEXTS_BYTES_MAX of text, the last ones beyond are left out. A text is kept up
 * to MARK_BYTES_MAX bytes, which is what a kernel takes at once.
 */
#pragma once

#include "analysis.h"
#include "base/intern.h"

#define MARKS_MAX            (1u << 20)
#define MARK_TEXTS_BYTES_MAX (64u << 20)
#define MARK_BYTES_MAX       4096

struct mark {
	nsec_t at;
	uint32_t line; /* LINE_NONE: no task's */
	uint32_t text; /* id in `texts` */
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
/* Its tables: those in the window, of the asked tasks. */
void mark_list_report(const struct mark_list *list, const struct presenter *presenter, void *to);
