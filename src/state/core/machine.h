/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events to waits and wakes: the first pass. The machine is fed all events in time order and tells
 * its sinks of every span of every task, each once, when it ends. The spans of a task tile its
 * life: that is asserted, for every input. What is impossible is mended and counted in the health,
 * never assumed away.
 *
 * Order of calls: machine_new(), machine_begin() once, machine_event() and machine_gap() in order
 * of time, machine_end() once, machine_free() before the timeline is released. Cost: O(1) an event.
 *
 * How it is built: machine.c routes events by table to the trackers, each of which is one file
 * (tracker.h). The task tracker moves tasks between states; the others remember what their
 * part of the kernel is doing, and explain a wake-up when they are asked.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "ftwait/event.h"
#include "ftwait/health.h"
#include "ftwait/source.h"
#include "graph/interval.h"
#include "graph/timeline.h"

struct machine;

/* What is told of every span; `span` is borrowed for the call. */
struct span_sink {
	void (*on_span)(void *state, const struct span *span);
	void *state;
	/* It has no use for why a task was runnable: told at once, it does not hear of what is
	   found out later (state/core/told_later.h). */
	bool is_prompt;
};

/* What is told of every interval of some kinds, after it has ended; `interval` is borrowed. */
struct interval_sink {
	void (*on_interval)(void *state, const struct interval *interval);
	void *state;
	uint32_t kinds; /* INTERVAL_MASK()s */
	bool is_prompt; /* as of spans */
};

struct machine_setup {
	const struct source *source; /* known tasks, COMMAND, pids; borrowed for machine_new() */
	/* Name of the kernel function at an address, or NULL; the name lives as long as the
	   machine. */
	const char *(*symbol)(void *symbols, uint64_t address);
	/* Of the one that the address lies in. */
	const char *(*symbol_within)(void *symbols, uint64_t address);
	/* Of the variable that begins at an address; only those who want locks may ask. */
	const char *(*object)(void *symbols, uint64_t address);
	void *symbols;
	/*
	 * Appends the name of the function of a program that the address lies in, at that time,
	 * with any bytes but ';'; false: nothing is known to be there. is_return: the address is
	 * where a call returns to. NULL: nothing is known of programs.
	 */
	bool (*user_function)(void *users, int32_t tgid, nsec_t time, uint64_t address,
	                      bool is_return, struct buffer *to);
	/* A number that is the same for as long as user_function() answers the same of a process;
	   not NULL where that is not. */
	uint64_t (*user_period)(void *users, int32_t tgid, nsec_t time);
	void *users;
	/* Events may come that say more of a wait after it has ended (signal_generate,
	   sched_blocked_reason): waits are told a little later. */
	bool has_afterwords;
	/* And some after the task runs again (mm_vmscan_throttled), of sleeps in state D. */
	bool has_late_words;
	struct timeline *timeline; /* lines and spans are added here */
	struct health *health;
	const struct span_sink *sinks; /* told of a span after the timeline; borrowed */
	size_t sink_count;
	const struct interval_sink *interval_sinks; /* borrowed */
	size_t interval_sink_count;
};

struct machine *machine_new(const struct machine_setup *setup);
struct machine *machine_free(struct machine *machine);
/* The trace begins: what is not known of a task is not known since then. */
void machine_begin(struct machine *machine, nsec_t time);
/* An event whose time is before that of an earlier one counts as of the earlier one's time. */
void machine_event(struct machine *machine, const struct event *event);
/*
 * An event of the buffer that has stacks of programs and a profile: it tells of what the others
 * have already told, somewhat before or after those.
 */
void machine_sample(struct machine *machine, const struct event *event);
/*
 * Events of this CPU were lost in [begin, end). Comes when time has reached `begin`, which is not
 * before any event so far. `has_switches`
 * tells whether switches may be among them (false: another buffer instance lost them, so what
 * runs on the CPU is still known).
 */
void machine_gap(struct machine *machine, uint32_t cpu, nsec_t begin, nsec_t end,
                 bool has_switches);
/*
 * Puts onto the timeline what every task is in now, as if the trace ended here, until
 * machine_hide_open(), before which there is no other call. Waits that were held back for events
 * that may still tell more of them are told without.
 */
void machine_show_open(struct machine *machine);
void machine_hide_open(struct machine *machine);
/* The trace ends at `end` (not before the last event): closes all spans. */
void machine_end(struct machine *machine, nsec_t end);
