/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the events of a recording that are meant, by a key; count_analysis.c shows them. The
 * recording is read once more for that.
 *
 * Memory: at most COUNT_ROWS_MAX rows of some 200 bytes, twice as many names, and 32 MB for what
 * happened over time.
 */
#pragma once

#include "analysis/analysis.h"
#include "analysis/events/event_value.h"
#include "analysis/tables/distribution.h"
#include "base/data/intern.h"
#include "count_spec.h"
#include "tally/tally.h"

#define COUNT_ROWS_MAX (1u << 16)
/* Slices of the time of all rows together; of further rows it is not known. */
#define COUNT_SLICES_MAX (1u << 22)
/* Slices of one row. */
#define COUNT_SLICES_OF_ROW_MAX 10000

/* The sort of a key's value. */
enum count_key_kind {
	COUNT_KEY_NONE, /* the events lack the field, or no stack follows them */
	COUNT_KEY_NUMBER,
	COUNT_KEY_TEXT, /* id in the counts' names */
};

struct count_row {
	struct count_key {
		uint64_t value;
		uint32_t kind; /* enum count_key_kind */
		uint32_t machine;
	} key;
	const char *name; /* of the key; NULL: it has none */
	uint32_t track;   /* by task; else TRACK_NONE */
	uint64_t count;
	int64_t sum;      /* saturates */
	uint64_t *slice;  /* how many in each slice of the window; NULL: not asked, or no room */
};

struct counting;

struct event_counts {
	const struct question *question;
	struct count_spec spec;
	enum event_by by;
	struct intern names;
	TALLY(rows, struct count_row, row, row_count);
	uint64_t total;
	uint64_t others; /* beside the window, the CPUs and the tasks that are asked for */
	int64_t sum;
	struct distribution values; /* of the field that is summed, where it is not negative */
	size_t slice_count; /* of the window; 0: not over time */
	size_t slices_used;
	uint64_t rows_unsliced;
	struct counting *counting; /* while events are taken */
};

void event_counts_init(struct event_counts *counts, const struct question *question,
                       const char *text);
void event_counts_release(struct event_counts *counts);
/* Its state is a struct event_counts. */
extern const struct events_taker counts_taker;
