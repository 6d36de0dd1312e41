/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is common to series of sleeps: those of a poller (poll.h) and the slices of a wait
   (sliced_wait.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* A task that runs for longer between two sleeps, in parts of them, does some work there. */
#define SERIES_RUN_PART 4
/* Of the sleeps one in so many may come after something was done. */
#define SERIES_ACTS_PART 4

/* Where one lies. */
struct series_stretch {
	uint32_t line;
	nsec_t begin, end;
};

/* The same as members of a larger struct: series.begin is begin. */
#define SERIES_STRETCH                                                                        \
	union {                                                                               \
		struct {                                                                      \
			uint32_t line;                                                        \
			nsec_t begin, end;                                                    \
		};                                                                            \
		struct series_stretch series;                                                 \
	}

/* Of `count` series that lie `bytes` from each other, in order of their lines and times: index of
   the first one that ends after t, of this line or a later one; `count`: none. O(log n). */
size_t series_after(const struct series_stretch *first, size_t count, size_t bytes, uint32_t line,
                    nsec_t t);
