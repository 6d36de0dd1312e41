/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_words.h"

#include <inttypes.h>

#include "host_prefix.h"

void cpu_append(struct buffer *to, const struct host_cpu *cpu)
{
	host_prefix_append(to, cpu->host);
	buffer_printf(to, "%" PRIu32, cpu->number);
}
