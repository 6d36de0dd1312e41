/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "retries.h"

#include "base/assume.h"
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
                     nsec_t since)
{
	uint32_t parent = retry_parent(machine, track);
	nsec_t born = machine->timeline->track[track].born;
	const struct {
		uint64_t key;
		nsec_t since;
	} places[] = {
		{retry_key(track, false), since},
		{retry_key(track, true), since},
		/* one that the parent began before the attempt does something else */
		{retry_key(parent, true), born},
	};
	size_t count = parent == TRACK_NONE || born == NSEC_NEVER ? 2 : ARRAY_SIZE(places);

	for (size_t i = 0; i < count; i++) {
		struct retry *retry = object_pool_find(pool, places[i].key);
		bool is_of_child = i > 0;

		ASSUME(!retry || retry->begin <= retry->last);
		if (retry && retry->last <= places[i].since &&
		    (!is_of_child || machine->task[retry->by].kind == SEGMENT_DEAD))
			return retry;
	}
	return NULL;
}

void *retry_pause(const struct machine *machine, struct object_pool *pool, uint32_t track,
                  const struct cause_note *cause)
{
	struct retry *retry;

	ASSUME(cause->kind == CAUSE_TIMER);
	if (object_pool_count(pool) == 0 || cause->as.timer.request ||
	    !cause_note_is_timeout(cause))
		return NULL;
	retry = retry_of_sleep(machine, pool, track, machine->task[track].since);
	if (retry && (retry->has_paused || retry->is_over)) {
		(void)object_pool_take(pool, object_pool_key(retry));
		return NULL;
	}
	if (retry)
		retry->has_paused = true;
	return retry;
}

uint32_t link_share(struct machine *machine, uint32_t *link, const struct cause_note *note)
{
	if (!timeline_linked_cause(machine->timeline, *link))
		*link = timeline_note_cause(machine->timeline, note) + 1;
	ASSUME(!*link || timeline_linked_cause(machine->timeline, *link));
	return *link;
}
