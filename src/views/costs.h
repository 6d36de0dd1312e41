/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the view --costs has found, for callers that compare runs. `view` is its state, from
 * report_run_read() on; texts are borrowed from it.
 */
#pragma once

#include "analysis/cost_kind.h"
#include "ftwait/nsec.h"

struct cost_sum {
	enum cost_kind kind;
	const char *cause; /* name of the kind of cause; NULL: none */
	const char *name;  /* of what was waited for; NULL: it has none */
	const char *task;  /* name of the tasks that spent the time; "": of none */
	uint64_t count;    /* how often */
	nsec_t total;
};

/* The name of the task that the path belongs to; NULL: the rows are of several tasks. */
const char *costs_root(const void *view);
/* The sum of all rows. */
nsec_t costs_wall(const void *view);
/* The part of it that is explained, 0..1. */
double costs_explained(const void *view);
/* Passes each row, in no certain order. */
void costs_each(const void *view, void (*take)(void *state, const struct cost_sum *sum),
                void *state);
/* "run queue", "disk vda", "task mysqld", appended as printable UTF-8. cause, name: as above. */
struct buffer;
void cost_words_append(struct buffer *to, enum cost_kind kind, const char *cause,
                       const char *name);
