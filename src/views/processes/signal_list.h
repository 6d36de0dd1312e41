/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that were sent, each with who sent it, for whom, and what came of it: 40 bytes each, at
 * most SIGNALS_MAX; those after that are counted.
 */
#pragma once

#include "analysis/analysis.h"

#define SIGNALS_MAX (1u << 20)

struct sent_signal {
	nsec_t at;
	uint32_t from, to; /* lines; from LINE_NONE: an interrupt */
	uint32_t name;     /* id; 0: none */
	int32_t number;
	uint8_t result; /* as in struct signal_event */
	bool has_woken;
};

struct signal_list {
	const struct question *question;
	struct sent_signal *signal; /* in order of time */
	size_t count, capacity;
	uint64_t left_out;
	bool comes_after_wake; /* this kernel tells of a signal after its wake-up */
};

void signal_list_init(struct signal_list *list, const struct question *question);
void signal_list_release(struct signal_list *list);
void signal_list_add(struct signal_list *list, const struct interval *interval);
/* A wait or a stop has ended: it may have been for one of the signals. */
void signal_list_note_span(struct signal_list *list, const struct span *span);
/* The question is resolved: whether the signal is asked for. */
bool signal_is_asked(const struct signal_list *list, const struct sent_signal *signal);
/* It is a child's word to its parent that it ends, or stops, as every child gives it. */
bool signal_is_of_child(const struct signal_list *list, const struct sent_signal *signal);
/* The OOM killer sent it: whoever is told as the sender only asked for memory. */
bool signal_is_oom(const struct signal_list *list, const struct sent_signal *signal);
/* When the target ended, if it did in the trace, after it; else NSEC_NEVER. */
nsec_t signal_target_end(const struct signal_list *list, const struct sent_signal *signal);
/* "SIGKILL", "34" */
void signal_name_append(struct buffer *to, const struct signal_list *list,
                        const struct sent_signal *signal);
/* Its tables. */
void signal_list_report(const struct signal_list *list, const struct presenter *presenter,
                        void *to);
