/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spare_cpus.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define CPUS_LOOKED_AT 64 /* limit for large machines, on which an idle CPU is soon found */

void spare_cpus_init(struct spare_cpus *spare, const struct hosts *hosts)
{
	*spare = (struct spare_cpus){.hosts = hosts};
	interrupt_log_init(&spare->idle);
}

void spare_cpus_release(struct spare_cpus *spare)
{
	interrupt_log_release(&spare->idle);
	free(spare->cursor);
}

void spare_cpus_add(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end)
{
	if (hosts_own_cpu(spare->hosts, cpu) < CPUS_LOOKED_AT)
		interrupt_log_add(&spare->idle, cpu, begin, end);
}

void spare_cpus_trim(struct spare_cpus *spare, nsec_t t)
{
	interrupt_log_trim(&spare->idle, t);
}

void spare_cpus_begin(struct spare_cpus *spare)
{
	spare->cursor = xcalloc(spare->idle.cpu_count, sizeof(*spare->cursor));
	for (uint32_t cpu = 0; cpu < spare->idle.cpu_count; cpu++)
		interrupt_cursor_init(&spare->cursor[cpu], &spare->idle, cpu);
}

static nsec_t cursor_overlap(struct interrupt_cursor *cursor, nsec_t begin, nsec_t end)
{
	nsec_t overlap = 0;

	while (begin < end && interrupt_cursor_find(cursor, end) && cursor->end > begin) {
		nsec_t from = nsec_max(cursor->begin, begin), to = nsec_min(cursor->end, end);

		overlap += to - from;
		end = from;
	}
	return overlap;
}

nsec_t spare_cpus_within(struct spare_cpus *spare, uint32_t cpu, nsec_t begin, nsec_t end)
{
	uint32_t machine = hosts_of_cpu(spare->hosts, cpu);
	nsec_t longest = 0;

	for (uint32_t other = 0; other < spare->idle.cpu_count; other++)
		if (other != cpu && hosts_of_cpu(spare->hosts, other) == machine)
			longest = nsec_max(longest,
			                   cursor_overlap(&spare->cursor[other], begin, end));
	return longest;
}

void spare_cpus_end(struct spare_cpus *spare)
{
	free(spare->cursor);
	spare->cursor = NULL;
}
