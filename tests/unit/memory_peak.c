/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory_peak.h"

#include <sys/resource.h>

size_t memory_peak_mib(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) < 0 ? 0 : (size_t)usage.ru_maxrss >> 10;
}
