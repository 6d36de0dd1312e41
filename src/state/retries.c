/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/net/retries.h"

#include "base/data/array.h"

uint64_t retry_key(uint32_t track, bool of_children)
{
	return (uint64_t)track << 1 | of_children;
}

uint32_t retry_parent(const struct machine *machine, uint32_t track)
{
	uint32_t parent = machine->timeline->track[machine_leader(machine, track)].parent;

	return parent == TRACK_NONE ? TRACK_NONE : machine_leader(machine, parent);
}

void *retry_of_sleep(const struct machine *machine, const struct object_pool *pool, uint32_t track,
                     nsec_t since, uint64_t *ret_key)
{
	uint32_t parent = retry_parent(machine, track);
	nsec_t born = machine->timeline->track[track].born;
	const struct {
		uint64_t key;
		nsec_t since;
		bool of_children;
	} places[] = {
		{retry_key(track, false), since, false},
		{retry_key(track, true), since, true},
		/* one that the parent began before the attempt does something else */
		{retry_key(parent, true), born, true},
	};
	size_t count = parent == TRACK_NONE || born == NSEC_NEVER ? 2 : ARRAY_SIZE(places);

	for (size_t i = 0; i < count; i++) {
		struct retry *retry = object_pool_find(pool, places[i].key);

		if (retry && retry->last <= places[i].since &&
		    (!places[i].of_children ||
		     machine->task[retry->by].kind == SEGMENT_DEAD)) {
			*ret_key = places[i].key;
			return retry;
		}
	}
	return NULL;
}
