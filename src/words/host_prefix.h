/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a machine, before what it has: a task, a CPU, a device. */
#pragma once

#include "base/buffer.h"

/* "db:"; nothing if `host` is NULL: there is one machine. Bytes of unknown origin are cleaned. */
void host_prefix_append(struct buffer *to, const char *host);
