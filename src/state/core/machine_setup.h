/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine is given: the sources of names, and the sinks of spans and intervals. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/data/object_pool.h"
#include "base/text/buffer.h"
#include "ftwait/event.h"
#include "ftwait/health.h"
#include "ftwait/source.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"

struct stream_ends;

/* Receives every span of the kinds that any sink needs; `span` is borrowed for the call. */
struct span_sink {
	void (*on_span)(void *state, const struct span *span);
	void *state;
	unsigned kinds; /* mask by enum segment_kind of those that it needs; 0: all */
};

/* Receives every interval of some kinds, after it has ended; `interval` is borrowed. */
struct interval_sink {
	void (*on_interval)(void *state, const struct interval *interval);
	void *state;
	uint32_t kinds; /* INTERVAL_MASK()s */
};

/* How the cause of a wake-up came about: a tracker decided it, or has changed it since. */
struct cause_step {
	nsec_t time;
	uint32_t cpu;     /* UINT32_MAX: there is no known waker */
	uint32_t current; /* track: the task on that CPU; TRACK_NONE: not known */
	uint32_t wakee;   /* track; TRACK_NONE: a work item is queued, no task is woken */
	uint8_t level;    /* enum context_level of that CPU */
	const char *tracker, *what; /* "timer", "explains" */
	const struct cause_note *cause; /* after the step; borrowed for the call */
};

struct machine_setup {
	uint32_t host; /* number in the timeline's hosts; 0 where there is one machine */
	const struct source *source; /* known tasks, COMMAND, pids; borrowed for machine_new() */
	/* Name of the kernel function at an address, or NULL; the name lives as long as the
	   machine. */
	const char *(*symbol)(void *symbols, uint64_t address);
	/* Name of the function that the address lies in. */
	const char *(*symbol_within)(void *symbols, uint64_t address);
	/* Name of the variable that begins at an address; to be called only where locks are
	   wanted. */
	const char *(*object)(void *symbols, uint64_t address);
	void *symbols;
	/*
	 * Appends the name of the function of a program that the address lies in, at that time,
	 * with any bytes but ';'; false: nothing is known to be there. is_return: the address is
	 * where a call returns to. NULL: nothing is known of programs.
	 */
	bool (*user_function)(void *users, int32_t tgid, nsec_t time, uint64_t address,
	                      bool is_return, struct buffer *to);
	/* Appends the name of the file that the address lies in, at that time; false: it is in
	   none. Not NULL if user_function is not. */
	bool (*user_file)(void *users, int32_t tgid, nsec_t time, uint64_t address, bool is_return,
	                  struct buffer *to);
	/* Appends the name of the variable of a program that the address lies in, at that time:
	   "cache+0x8"; false: not known. NULL: nothing is known of programs. */
	bool (*user_variable)(void *users, int32_t tgid, nsec_t time, uint64_t address,
	                      struct buffer *to);
	/* A number that stays the same as long as user_function() answers the same for a process;
	   not NULL if user_function is not. */
	uint64_t (*user_period)(void *users, int32_t tgid, nsec_t time);
	void *users;
	/* Events that add to a wait may come after it has ended (signal_generate,
	   sched_blocked_reason): waits are emitted a little later. */
	bool has_afterwords;
	/* For sleeps in state D, such events may come even after the task runs again
	   (mm_vmscan_throttled). */
	bool has_late_words;
	/* That a process ends shows only when its threads run again: by the signal that each takes,
	   or, without signals, by how their system calls return. */
	bool has_deaths;
	/* sched_switch was not recorded: an event shows which task ran at that instant, but not
	   when its run began or ended. */
	bool lacks_switches;
	/* as struct source has them: a waker may be a bystander */
	bool lacks_contexts, lacks_timers;
	struct timeline *timeline; /* tracks and spans are added here */
	struct health *health;
	const struct span_sink *sinks; /* each gets a span after the timeline; borrowed */
	size_t sink_count;
	const struct interval_sink *interval_sinks; /* borrowed */
	size_t interval_sink_count;
	/* Messages on their way between machines, which all machines share; to be made by
	   net_messages_init(). NULL: there is one machine. */
	struct object_pool *messages;
	/* Both ends of connections, which all machines share, too; begun and released outside.
	   NULL: there is one machine. */
	struct stream_ends *ends;
	/* For debugging: receives each step, also of wake-ups that end no wait. NULL: none. */
	void (*on_step)(void *state, const struct cause_step *step);
	void *step_state;
};

/* net_tracker.c: makes an empty pool for `messages`. Call object_pool_release() once no machine
   uses it any more. */
void net_messages_init(struct object_pool *messages);
/* Sets has_afterwords, has_late_words and lacks_switches from the kinds of events that the trace
   has formats of. */
static inline void machine_setup_expect(struct machine_setup *setup,
                                        const struct event_kinds *described)
{
	setup->has_late_words = described->has[EVENT_MEMORY_THROTTLED];
	setup->has_deaths = described->has[EVENT_SIGNAL_DELIVER] ||
	                    described->has[EVENT_SYSCALL_EXIT];
	setup->has_afterwords = setup->has_late_words || described->has[EVENT_SIGNAL_GENERATE] ||
	                        described->has[EVENT_BLOCKED_REASON];
	setup->lacks_switches = !described->has[EVENT_SCHED_SWITCH];
}
