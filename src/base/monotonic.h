/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC, which is also ftrace's "mono". */
#pragma once

#include <time.h>

#include "ftwait/nsec.h"

static inline nsec_t monotonic_now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
}

/* CPU time of the calling thread. */
static inline nsec_t thread_cpu_time(void)
{
	struct timespec time = {0};

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
}
