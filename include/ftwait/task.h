/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a task is named in every result. Strings are borrowed from the run that made the result.
 */
#pragma once

#include <stdint.h>

struct task {
	int32_t tid;      /* 0: idle */
	int32_t tgid;     /* -1: not known */
	const char *comm; /* as the kernel had it, any bytes, at most 15; never NULL */
};
