/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs of an instance: those with a folder per_cpu/cpuN, whether or not they are online. */
#pragma once

#include "base/buffer.h"

/* Sets *ret to the highest number of a CPU plus one. Returns 0 or -errno. */
int instance_cpus_count(const char *dir, unsigned *ret);
/* Appends a mask of all these CPUs, as tracing_cpumask takes it: "3f,ffffffff". */
void instance_cpus_mask_append(const char *dir, struct buffer *to);
