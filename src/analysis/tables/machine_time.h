/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long machines were recorded within the window of a question, which must be resolved. Several
 * machines are rarely recorded from and until the same instants; one machine is recorded all the
 * time.
 */
#pragma once

#include <stdbool.h>

#include "analysis/analysis.h"

/* The part of the window in which the machine of that number was recorded. */
nsec_t machine_time(const struct question *question, uint32_t machine);
/* The same for the machine that has the CPU. */
nsec_t cpu_time(const struct question *question, uint32_t cpu);
/* Whether the CPU was not recorded, though tasks were there. */
bool cpu_is_unrecorded(const struct question *question, uint32_t cpu);
/* How many CPUs of the machine were recorded. */
uint32_t machine_cpus(const struct question *question, uint32_t machine);
/* The sum over all CPUs that are asked for and were recorded. */
nsec_t cpus_time(const struct question *question);

/* How busy the CPUs of a machine were in some time, and whether its tasks had too little of them.
   The first sentence about a whole machine and the head of `ftwait top` say it by the same rule. */

#define TOO_LITTLE_CPU "Too little CPU"

struct cpu_use {
	unsigned cpus;    /* 0: not known; then nothing is full, nor too little */
	nsec_t length;    /* of the time */
	nsec_t running;   /* in it, over all tasks but the idle ones */
	nsec_t runnable;  /* the same, in run queues */
};

/* The part of the CPUs' time in which tasks ran, 0 to 1. */
double cpu_use_busy(const struct cpu_use *use);
/* How many tasks ran or were able to, on average. */
double cpu_use_demand(const struct cpu_use *use);
/* The CPUs were always busy. */
bool cpu_use_is_full(const struct cpu_use *use);
/* They were always busy, and clearly more tasks than CPUs were able to run. */
bool cpu_use_is_too_little(const struct cpu_use *use);
