/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs in words. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/health.h"
#include "ftwait/host.h"

#define ANY_HOST UINT32_MAX

/* "3"; with several machines "db:3". */
void cpu_append(struct buffer *to, const struct host_cpu *cpu);
/* "CPUs 1, 2 and 5 were not recorded"; nothing if all of the machine's were. ANY_HOST: of all
   machines. */
void cpus_unrecorded_append(struct buffer *to, const struct health *health, uint32_t host);
