/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a change would save of the time of one task: an interval, as the recording cannot show all
 * of it. At most: run queues behind waits that are gone are gone, too. At least: they are as long
 * as before, and the task needs whatever its threads, its children and theirs do, although it found
 * some of that done and never waited for it.
 */
#pragma once

#include "limit.h"

struct outcome {
	nsec_t low, high; /* saved */
	struct limit limit;
	const char *refused; /* NULL: the rest is known */
	bool is_there;       /* the spec names something of the recording */
};

struct outcome outcome_find(const struct replay_plan *plan, const struct what_if_spec *spec,
                            const struct question *question, uint32_t track,
                            const struct contentions *contentions);
