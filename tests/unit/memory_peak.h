/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory a test takes, for inputs that claim more than they hold.
 */
#pragma once

#include <stddef.h>

/* The most that this process has had resident at once so far, MiB. */
size_t memory_peak_mib(void);
/*
 * More than `mib` since the peak was `before`; sanitizers keep shadows and freed blocks, so that
 * they are allowed ten times as much.
 */
#define memory_check(before, mib)                                                          \
	do {                                                                               \
		size_t grown = memory_peak_mib() - (before);                               \
		ck_assert_msg(grown <= (mib)*MEMORY_FACTOR, "%zu MiB were taken", grown);  \
	} while (0)

#if defined(__SANITIZE_ADDRESS__)
#define MEMORY_FACTOR 10u
#else
#define MEMORY_FACTOR 1u
#endif
