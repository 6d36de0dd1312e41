/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs in words. */
#pragma once

#include "base/buffer.h"
#include "ftwait/host.h"

/* "3"; with several machines "db:3". */
void cpu_append(struct buffer *to, const struct host_cpu *cpu);
