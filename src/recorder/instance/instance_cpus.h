/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs of an instance, online or not: the folders per_cpu/cpuN. */
#pragma once

#include "base/text/buffer.h"

/* Sets *ret to the highest number of a CPU plus one. Returns 0 or -errno. */
int instance_cpus_count(const char *dir, unsigned *ret);
/* Appends the mask of CPUs 0 to the highest one in the format of tracing_cpumask:
   "3f,ffffffff". */
void instance_cpus_mask_append(const char *dir, struct buffer *to);
