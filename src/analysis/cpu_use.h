/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How busy the CPUs of a machine were in some time, and whether its tasks had too little of them.
   The first sentence about a whole machine and the head of `ftwait top` say it by the same rule. */
#pragma once

#include <stdbool.h>

#include "ftwait/nsec.h"

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
