/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long machines were recorded within the window of a question, which must be resolved. Several
 * machines are rarely recorded from and until the same instants; one machine is recorded all the
 * time.
 */
#pragma once

#include "analysis.h"

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
