/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_words.h"

#include <inttypes.h>
#include <string.h>

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

#define NAMES_SHOWN 4

void host_prefix_append(struct buffer *to, const char *host)
{
	if (!host)
		return;
	buffer_puts_clean(to, host, strlen(host));
	buffer_putc(to, ':');
}

void host_number_append(struct buffer *to, const char *host, int64_t number)
{
	host_prefix_append(to, host && *host ? host : NULL);
	buffer_put_i64(to, number);
}

void host_names_append(struct buffer *to, const char *const *names, size_t count)
{
	size_t shown = count > NAMES_SHOWN + 1 ? NAMES_SHOWN : count;

	for (size_t i = 0; i < shown; i++) {
		if (i > 0)
			buffer_puts(to, ", ");
		buffer_puts(to, names[i]);
	}
	if (shown < count)
		buffer_printf(to, " and %zu more", count - shown);
}

/* nice 0 on the kernel's scale */
#define PRIORITY_NICE_0 120

void priority_append(struct buffer *to, int priority)
{
	if (priority == PRIORITY_UNKNOWN)
		return;
	if (priority < 0)
		buffer_puts(to, "deadline");
	else if (priority < PRIORITY_FAIR_MIN)
		buffer_printf(to, "RT %d", PRIORITY_FAIR_MIN - 1 - priority);
	else
		buffer_printf(to, "nice %d", priority - PRIORITY_NICE_0);
}

void task_text_append(struct buffer *to, const struct task *task)
{
	host_prefix_append(to, task->host);
	buffer_puts_clean(to, task->comm, strlen(task->comm));
	if (task->program) {
		buffer_putc(to, ' ');
		buffer_puts_clean(to, task->program, strlen(task->program));
	}
	buffer_putc(to, '[');
	buffer_put_i64(to, task->tid);
	buffer_putc(to, ']');
}
