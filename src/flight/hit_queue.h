/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hits that nobody has taken yet, by time; and which waits have fired. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "hit.h"

struct hit_queue {
	struct hit hit[HITS_MAX]; /* by `at`; of equal ones the first that came */
	size_t count;
	uint64_t lost;
};

/* False: there is no room; it is counted. */
bool hit_queue_add(struct hit_queue *queue, const struct hit *hit);
bool hit_queue_take(struct hit_queue *queue, struct hit *ret);

/* A wait that has fired for a condition: known by the tid of its task and its begin, as these do
   not change with the generation of the run. */
struct fired_wait {
	uint64_t key;
	nsec_t since;
	nsec_t at; /* when it was last seen open, or ended */
};

struct fired_waits {
	struct fired_wait *wait;
	size_t count, capacity;
	struct map by_key;
};

void fired_waits_init(struct fired_waits *fired);
void fired_waits_release(struct fired_waits *fired);
/* Whether that wait has fired for the condition of that number; `at`: when it was seen, or
   ended. */
bool fired_waits_has(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at);
void fired_waits_add(struct fired_waits *fired, size_t condition, int32_t tid, nsec_t since,
                     nsec_t at);
/* A look at all that is open has ended, at that time: forgets what ended before. */
void fired_waits_forget(struct fired_waits *fired, nsec_t reached);
