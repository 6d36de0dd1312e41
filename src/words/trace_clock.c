/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_clock.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

static const struct trace_clock clocks[] = {
	{"local", NULL, NULL},
	{"global", NULL, NULL},
	{"perf", NULL, NULL},
	{"mono", NULL, "MONOTONIC"},
	{"mono_raw", NULL, "MONOTONIC_RAW"},
	{"boot", NULL, "BOOTTIME"},
	{"tai", NULL, NULL},
	{"counter", "events", NULL},
	{"uptime", "timer ticks", NULL},
	{"x86-tsc", "processor cycles", NULL},
	{"tsc2nsec", "processor cycles", NULL}, /* trace-cmd notes how long a cycle is */
	{"ppc-tb", "time base ticks", NULL},
	{"s390-tod", "TOD clock units", NULL},
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
