/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Servers: the requests that they received, and how long these took; see summary_requests.c. */
#pragma once

#include "analysis/analysis.h"

struct summary_requests;

struct summary_requests *summary_requests_new(const struct question *question);
void summary_requests_free(struct summary_requests *requests);
void summary_requests_add(struct summary_requests *requests, const struct interval *interval);
/* Call before the older half of the history is forgotten. */
void summary_requests_fold(struct summary_requests *requests);
/* Call once the question is resolved. */
void summary_requests_resolve(struct summary_requests *requests);
/*
 * Prints the asked server with the most requests, in words; prints nothing if there were no
 * requests. It is called twice: the call with is_first prints if the question is likely to be about
 * that server; otherwise the other call prints.
 */
void summary_requests_print(const struct summary_requests *requests, bool is_first,
                            const struct output *to);
/* Prints the table, under the same condition. */
void summary_requests_put(const struct summary_requests *requests, const struct output *to);
