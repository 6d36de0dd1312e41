/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_use.h"

#define BUSY_LEAST  0.9 /* least part of the time that makes CPUs always busy */
#define CROWD_LEAST 1.2 /* least number of tasks for each CPU that are too many */

double cpu_use_busy(const struct cpu_use *use)
{
	return use->cpus ? nsec_ratio(use->running, use->length) / use->cpus : 0;
}

double cpu_use_demand(const struct cpu_use *use)
{
	return nsec_ratio(use->running + use->runnable, use->length);
}

bool cpu_use_is_full(const struct cpu_use *use)
{
	return cpu_use_busy(use) >= BUSY_LEAST;
}

bool cpu_use_is_too_little(const struct cpu_use *use)
{
	return cpu_use_is_full(use) && cpu_use_demand(use) >= use->cpus * CROWD_LEAST;
}
