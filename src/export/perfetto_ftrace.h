/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single events of the scheduler, as part of a bundle. The states of a switch are the bits of
 * Linux 4.14 and later, whatever kernel recorded them.
 */
#pragma once

#include "ftwait/event.h"
#include "proto_writer.h"

#define PERFETTO_PREEMPTED 0x100u

/* The bits of a state; those of S if the state is not known. */
uint64_t perfetto_state_bits(uint64_t letter);
/* The same for the task that leaves its CPU. */
uint64_t perfetto_switch_bits(const struct sched_switch_event *event);

/* `tid`: the task that had the CPU on which `wakee` was woken, to run on `cpu`. */
void perfetto_waking_put(struct proto_writer *to, nsec_t time, int64_t tid, int64_t wakee,
                         int64_t cpu);
void perfetto_switch_put(struct proto_writer *to, nsec_t time,
                         const struct sched_switch_event *event);
/* A switch that was not recorded, between tasks without names; `bits`: of prev's state. */
void perfetto_bare_switch_put(struct proto_writer *to, nsec_t time, int64_t prev, uint64_t bits,
                              int64_t next);
/* For a task that becomes runnable for the first time: names its sibling or parent. */
void perfetto_newtask_put(struct proto_writer *to, const struct event *wakeup_new,
                          uint64_t clone_flags);
void perfetto_wakeup_new_put(struct proto_writer *to, const struct event *event);
void perfetto_rename_put(struct proto_writer *to, const struct event *event);
void perfetto_free_put(struct proto_writer *to, const struct event *event);
