/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priorities that lock owners inherited, by lender and borrower: 64 bytes each, at most LOANS_MAX;
 * further ones are only counted.
 *
 * Order of calls: init, add any number, resolve once the question is, release.
 */
#pragma once

#include "analysis/tables/interval_gate.h"
#include "analysis/tables/relation.h"

#define LOANS_MAX 4096

struct loan_key {
	uint32_t task, lender; /* tracks: the borrower and the lender; lender TRACK_NONE: not
	                          known */
	int16_t priority, own; /* priority: the lent priority; own: the priority that the task
	                          would have without the loan */
};

struct loan {
	struct loan_key key;
	uint64_t count, unfinished; /* unfinished: number of loans among `count` whose end was
	                               not seen */
	nsec_t total, max, max_at;
};

struct loan_list {
	struct interval_gate gate;
	struct relation loans; /* of struct loan; once resolved: longest total first */
};

void loan_list_init(struct loan_list *list, const struct question *question);
void loan_list_release(struct loan_list *list);
/* Takes INTERVAL_LOAN. */
void loan_list_add(struct loan_list *list, const struct interval *interval);
void loan_list_resolve(struct loan_list *list);
/* The loan to the task with the longest total; NULL: there was none. */
const struct loan *loan_list_find(const struct loan_list *list, uint32_t task);
/* Prints the table of the rows for which is_shown returns true; prints none if there was no
   loan. */
void loan_list_report(const struct loan_list *list,
                      bool (*is_shown)(const void *state, const struct loan *loan),
                      const void *state, const struct output *to);
