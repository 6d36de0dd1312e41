/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums of times by the names of tasks. Order of calls: init, any of the others, release. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

struct name_sum {
	uint32_t comm; /* name id */
	nsec_t total;
};

struct name_sums {
	struct name_sum *sum; /* by first sight until name_sums_sort() */
	size_t count, capacity;
	struct map by_comm; /* index in sum */
	nsec_t total;       /* of all; the caller may add what belongs to no task */
};

void name_sums_init(struct name_sums *sums);
void name_sums_release(struct name_sums *sums);
/* A time of 0 adds nothing. */
void name_sums_add(struct name_sums *sums, uint32_t comm, nsec_t time);
/* Sorts them, the largest first. Call once, after everything is added. */
void name_sums_sort(struct name_sums *sums);
