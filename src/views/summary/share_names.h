/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose time a cost was, in few names: worker-1, worker-2, worker-7 are told as "worker-*". */
#pragma once

#include "cost_list.h"

/* Of the largest shares so many are looked at. */
#define TOLD_SHARES_MAX 64

/* What is told of one share, or of several. */
struct told_share {
	const char *name; /* borrowed */
	size_t count;     /* of shares */
	nsec_t total;
	const struct cost_share *share; /* the largest */
};

/* Returns how many, largest first. The cost's shares are in that order. */
size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct told_share told[TOLD_SHARES_MAX]);
