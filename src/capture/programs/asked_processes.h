/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes are asked for: those that were put there, and the processes that these fork, as
 * the events of map_events.h show it. A set of their numbers.
 */
#pragma once

#include <stdbool.h>

#include "base/data/map.h"
#include "recorder/programs/map_events.h"

/* Takes the event in. Whether it is of an asked process. The number of an ended process may be
   given to another one. */
static inline bool asked_processes_follow(struct map *asked, const struct map_event *event)
{
	bool is_asked;

	if (event->kind != MAP_EVENT_FORK)
		return map_get(asked, (uint32_t)event->tgid) != MAP_NONE;
	is_asked = map_get(asked, (uint32_t)event->parent) != MAP_NONE;
	if (is_asked)
		map_put(asked, (uint32_t)event->tgid, 0);
	else
		(void)map_take(asked, (uint32_t)event->tgid);
	return is_asked;
}
