/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pools of the trackers: what they have forgotten is reported when the trace has ended. */
#include "tracker.h"

#include <assert.h>
#include <inttypes.h>

#include "base/array.h"

void machine_begin_pool(struct machine *machine, struct object_pool *pool,
                        const struct object_pool_setup *setup)
{
	assert(machine->pool_count < ARRAY_SIZE(machine->pool));
	object_pool_init(pool, setup);
	machine->pool[machine->pool_count++] = pool;
}

void machine_report_forgotten(struct machine *machine)
{
	for (size_t i = 0; i < machine->pool_count; i++) {
		const struct object_pool *pool = machine->pool[i];

		if (pool->forgotten == 0)
			continue;
		machine->health->objects_forgotten += pool->forgotten;
		health_note(machine->health,
		            "more than %" PRIu32 " %s at once: forgot the oldest %" PRIu64,
		            pool->setup.limit, pool->setup.kind, pool->forgotten);
	}
}
