/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_line.h"

#include <string.h>

#include "base/format.h"

void trace_line_append(struct buffer *to, const struct trace_summary *trace)
{
	for (size_t i = 0; i < trace->file_count; i++) {
		if (i > 0)
			buffer_puts(to, ", ");
		buffer_puts_clean(to, trace->files[i], strlen(trace->files[i]));
	}
	buffer_printf(to, ": %s events", COUNT_TEXT(trace->events));
	buffer_printf(to, " in %s", DURATION_TEXT(trace->end - trace->begin));
	if (trace->cpus)
		buffer_printf(to, ", %u CPU%s", trace->cpus, format_plural(trace->cpus));
	if (trace->kernel) {
		buffer_puts(to, ", kernel ");
		buffer_puts_clean(to, trace->kernel, strlen(trace->kernel));
	}
}
