/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_clock.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

static const struct trace_clock clocks[] = {
	{"local", NULL},
	{"global", NULL},
	{"perf", NULL},
	{"mono", NULL},
	{"mono_raw", NULL},
	{"boot", NULL},
	{"tai", NULL},
	{"counter", "events"},
	{"uptime", "timer ticks"},
	{"x86-tsc", "processor cycles"},
	{"tsc2nsec", "processor cycles"}, /* trace-cmd notes how long a cycle is */
	{"ppc-tb", "time base ticks"},
	{"s390-tod", "TOD clock units"},
};

const struct trace_clock *trace_clock_at(size_t index)
{
	return index < ARRAY_SIZE(clocks) ? &clocks[index] : NULL;
}

const struct trace_clock *trace_clock_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (strcmp(clocks[i].name, name) == 0)
			return &clocks[i];
	return NULL;
}
