/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of the scheduler as parts of a bundle: single events, and wake-ups in the compact form.
 * The states of a switch are written with the bits of Linux 4.14 and later, whatever kernel
 * recorded them.
 */
#pragma once

#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "perfetto_file.h"

#define PERFETTO_PREEMPTED 0x100u

/* The bits of a state; the bits of S if the state is not known. */
uint64_t perfetto_state_bits(uint64_t letter);
/* The bits of the state of the task that leaves its CPU. */
uint64_t perfetto_switch_bits(const struct sched_switch_event *event);

void perfetto_waking_put(struct proto_writer *to, const struct event *event);
/* Writes a wake-up again, at another time. `tid` had the CPU on which it happened; `wakee` is to
   run on `cpu`. */
void perfetto_waking_put_again(struct proto_writer *to, nsec_t time, int64_t tid, int64_t wakee,
                               int64_t cpu);
void perfetto_switch_put(struct proto_writer *to, nsec_t time,
                         const struct sched_switch_event *event);
/* Writes a switch that was not recorded, between tasks without names; `bits`: the state of prev. */
void perfetto_bare_switch_put(struct proto_writer *to, nsec_t time, int64_t prev, uint64_t bits,
                              int64_t next);
/* Writes a new task, with its sibling or parent; call when the task becomes runnable for the first
   time. */
void perfetto_newtask_put(struct proto_writer *to, const struct event *wakeup_new,
                          uint64_t clone_flags);
void perfetto_fork_put(struct proto_writer *to, const struct event *event);
void perfetto_wakeup_put(struct proto_writer *to, const struct event *event);
void perfetto_wakeup_new_put(struct proto_writer *to, const struct event *event);
void perfetto_rename_put(struct proto_writer *to, const struct event *event);
void perfetto_free_put(struct proto_writer *to, const struct event *event);
/* Writes the idle state that the event's CPU enters or leaves, or the frequency of the CPU that the
   event names. */
void perfetto_idle_put(struct proto_writer *to, const struct event *event);
void perfetto_frequency_put(struct proto_writer *to, const struct event *event);
/* Writes a step of the system's suspend or resume, which Perfetto turns into slices. */
void perfetto_suspend_put(struct proto_writer *to, const struct event *event);
/* Writes a mark that Perfetto turns into a slice or a counter; other marks are skipped. */
void perfetto_mark_put(struct proto_writer *to, const struct event *event);

/* In the order of their fields, from COMPACT_WAKING_TIMESTAMP on. */
enum waking_column {
	WAKING_TIME, WAKING_TID, WAKING_CPU, WAKING_PRIO, WAKING_COMM, WAKING_FLAGS, WAKING_COLUMNS,
};

/* Wake-ups of one CPU in the compact form, which has a column for each member. All zero is
   empty. */
struct perfetto_wakings {
	struct proto_writer column[WAKING_COLUMNS], strings;
	uint32_t string_count;
	uint32_t last_comm; /* 1 + index of the string that was added last */
	char last_text[16];
	nsec_t last; /* time of the last wake-up */
};

/* Those of the times, which all wake-ups have. */
static inline size_t perfetto_wakings_bytes(const struct perfetto_wakings *wakings)
{
	return wakings->column[WAKING_TIME].length;
}

void perfetto_wakings_release(struct perfetto_wakings *wakings);
void perfetto_wakings_clear(struct perfetto_wakings *wakings);
/* Adds a wake-up, which must not be earlier than the last one. */
void perfetto_wakings_add(struct perfetto_wakings *wakings, const struct event *event);
/* Adds the wake-ups to the current bundle, if there are any. */
void perfetto_wakings_put(const struct perfetto_wakings *wakings, struct proto_writer *to);
