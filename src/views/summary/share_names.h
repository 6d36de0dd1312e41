/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks that share a cost, under few names: worker-1, worker-2 and worker-7 are shown as
   "worker-*". */
#pragma once

#include "cost_list.h"

/* Only this many of the largest shares are used. */
#define NAME_SHARES_MAX 64

/* One share, or several shares under one name. */
struct name_share {
	const char *name; /* borrowed */
	size_t count;     /* of shares */
	nsec_t total;
	const struct cost_share *share; /* the largest */
};

/* Fills `folded`, largest first; returns the number of its elements. The cost's shares must be
   sorted, largest first. */
size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct name_share folded[NAME_SHARES_MAX]);
