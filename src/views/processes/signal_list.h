/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals that were sent, each with its sender, its target, and its effect: 40 bytes each, at most
 * SIGNALS_MAX; further ones are counted.
 */
#pragma once

#include "analysis/analysis.h"

#define SIGNALS_MAX (1u << 20)

struct sent_signal {
	nsec_t at;
	uint32_t from, to; /* tracks; from TRACK_NONE: an interrupt sent it */
	uint32_t name;     /* id; 0: none */
	int32_t number;
	uint8_t result; /* as in struct signal_event */
	bool has_woken;
	bool has_ended_stop; /* what it woke was stopped */
};

struct signal_list {
	const struct question *question;
	struct sent_signal *signal; /* in order of time */
	size_t count, capacity;
	uint64_t left_out;
	bool comes_after_wake; /* this kernel emits the event of a signal after the wake-up that
	                          the signal causes */
};

void signal_list_init(struct signal_list *list, const struct question *question);
void signal_list_release(struct signal_list *list);
void signal_list_add(struct signal_list *list, const struct interval *interval);
/* A wait or a stop has ended: a signal may have ended it. */
void signal_list_note_span(struct signal_list *list, const struct span *span);
/* Whether the signal is asked for; call once the question is resolved. */
bool signal_is_asked(const struct signal_list *list, const struct sent_signal *signal);
/* The signal by which every child notifies its parent that it ended or stopped. */
bool signal_is_of_child(const struct signal_list *list, const struct sent_signal *signal);
/* Whether the OOM killer sent the signal: then the reported sender only allocated memory. */
bool signal_is_oom(const struct signal_list *list, const struct sent_signal *signal);
/* When the target ended, if that was after the signal and within the trace; else NSEC_NEVER. */
nsec_t signal_target_end(const struct signal_list *list, const struct sent_signal *signal);
/* Prints the tables. */
void signal_list_report(const struct signal_list *list, const struct output *to);
