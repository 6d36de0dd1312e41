/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_words.h"

#include <inttypes.h>
#include <string.h>

void cpu_append(struct buffer *to, const struct host_cpu *cpu)
{
	if (cpu->host) {
		buffer_puts_clean(to, cpu->host, strlen(cpu->host));
		buffer_putc(to, ':');
	}
	buffer_printf(to, "%" PRIu32, cpu->number);
}
