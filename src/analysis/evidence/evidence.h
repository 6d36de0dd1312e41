/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw events that decide what a view says of a stretch of a task: that it went to sleep, what
 * ended that, what showed the cause; or of a request to a disk. They are found in the recording
 * itself, once it is known what is said, by a further reading; so they can be compared with what
 * any other reader of the file prints, to the nanosecond.
 *
 * A report with evidence is made twice. The first time nobody sees it, and views only name the
 * stretches; then evidence_read() finds the events of all of them; the second time views get them.
 *
 * Order of calls: evidence_new(); evidence_of() for each stretch; evidence_read(); evidence_of()
 * again; evidence_free().
 */
#pragma once

#include <stdbool.h>

#include "analysis/analysis.h"
#include "evidence_claim.h"
#include "ftwait/report.h"

#define EVIDENCE_EVENTS_MAX 4
#define EVIDENCE_COLUMNS    5

struct evidence;

/*
 * The last columns of a table whose rows have evidence, behind those of the view: a table has them
 * if the question has evidence, else so many less.
 */
#define EVIDENCE_CELLS 3
#define EVIDENCE_COLUMNS_OF_ROW                                                                    \
	{"evidence", "EVIDENCE", CELL_ROWS, COLUMN_BELOW},                                         \
	{"evidence_inferred", NULL, CELL_BOOL, COLUMN_DATA_ONLY},                                  \
	{NULL, "inferred: no event of the recording shows it", CELL_BOOL,                          \
	 COLUMN_TEXT_ONLY | COLUMN_BELOW}

static inline size_t evidence_cells(const struct question *question)
{
	return question->evidence ? EVIDENCE_CELLS : 0;
}

/* Fills in these cells of a row, if there are any. */
void evidence_fill(const struct question *question, struct evidence_claim claim,
                   struct cell cell[EVIDENCE_CELLS]);

struct evidence *evidence_new(const struct question *question);
struct evidence *evidence_free(struct evidence *evidence);
/* Nothing before evidence_read(). Valid until the next call. */
struct evidence_found evidence_of(struct evidence *evidence, struct evidence_claim claim);
/* Returns 0, or -errno and a phrase that fits after the name of the file. */
int evidence_read(struct evidence *evidence, struct buffer *why);
