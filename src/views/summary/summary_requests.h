/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Servers: what they were asked, and how long that took them; see summary_requests.c. */
#pragma once

#include "analysis/analysis.h"

struct summary_requests;

struct summary_requests *summary_requests_new(const struct question *question);
void summary_requests_free(struct summary_requests *requests);
void summary_requests_add(struct summary_requests *requests, const struct interval *interval);
/* The older half of the history is about to be forgotten. */
void summary_requests_fold(struct summary_requests *requests);
/* The question is resolved. */
void summary_requests_resolve(struct summary_requests *requests);
/* Of the asked server that had the most, in words; nothing where none was asked for anything. It
   comes first where that server is likely to be what was meant; else it is told by the call that
   is not the first. */
void summary_requests_tell(const struct summary_requests *requests, bool is_first,
                           const struct presenter *presenter, void *to);
/* The table, in the same case. */
void summary_requests_put(const struct summary_requests *requests,
                          const struct presenter *presenter, void *to);
