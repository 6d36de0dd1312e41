/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_clock.h"

#include <stddef.h>
#include <string.h>

#include "base/data/array.h"

static const struct trace_clock clocks[] = {
	{"local", NULL, NULL, SLEEP_BY_MACHINE},
	{"global", NULL, NULL, SLEEP_BY_MACHINE},
	{"perf", NULL, NULL, SLEEP_BY_MACHINE},
	{"mono", NULL, "MONOTONIC", SLEEP_LEFT_OUT},
	{"mono_raw", NULL, "MONOTONIC_RAW", SLEEP_LEFT_OUT},
	{"boot", NULL, "BOOTTIME", SLEEP_COUNTED},
	{"tai", NULL, NULL, SLEEP_COUNTED},
	{"counter", "events", NULL, SLEEP_UNKNOWN},
	{"uptime", "timer ticks", NULL, SLEEP_UNKNOWN},
	{"x86-tsc", "processor cycles", NULL, SLEEP_UNKNOWN},
	/* trace-cmd notes how long a cycle is */
	{"tsc2nsec", "processor cycles", NULL, SLEEP_UNKNOWN},
	{"ppc-tb", "time base ticks", NULL, SLEEP_UNKNOWN},
	{"s390-tod", "TOD clock units", NULL, SLEEP_UNKNOWN},
};

const struct trace_clock *trace_clock_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (strcmp(clocks[i].name, name) == 0)
			return &clocks[i];
	return NULL;
}

bool trace_clock_can_be_followed(const char *name)
{
	static const char *const names[] = {"mono", "boot", "global"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}
