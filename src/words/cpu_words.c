/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_words.h"

#include <inttypes.h>

#include "host_prefix.h"

#define CPUS_SHOWN 16

void cpu_append(struct buffer *to, const struct host_cpu *cpu)
{
	host_prefix_append(to, cpu->host);
	buffer_printf(to, "%" PRIu32, cpu->number);
}

static bool cpu_is_of(const struct health *health, size_t unrecorded, uint32_t host)
{
	return host == ANY_HOST ||
	       hosts_of_cpu(&health->hosts, health->unrecorded_cpus[unrecorded]) == host;
}

void cpus_unrecorded_append(struct buffer *to, const struct health *health, uint32_t host)
{
	size_t count = 0, shown = 0;

	for (size_t i = 0; i < health->unrecorded_count; i++)
		count += cpu_is_of(health, i, host);
	for (size_t i = 0; i < health->unrecorded_count && shown < CPUS_SHOWN; i++) {
		const struct host_cpu cpu = hosts_cpu(&health->hosts, health->unrecorded_cpus[i]);

		if (!cpu_is_of(health, i, host))
			continue;
		buffer_puts(to, shown == 0 ? count > 1 ? "CPUs " : "CPU "
		                : shown + 1 == count ? " and " : ", ");
		cpu_append(to, &cpu);
		shown++;
	}
	if (count > shown)
		buffer_printf(to, " and %zu more", count - shown);
	if (count)
		buffer_puts(to, count > 1 ? " were not recorded" : " was not recorded");
}
