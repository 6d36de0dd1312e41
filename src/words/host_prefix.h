/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of machines: before what a machine has - a task, a CPU, a device - and in a row. */
#pragma once

#include <stddef.h>

#include "base/text/buffer.h"

/* "db:"; nothing if `host` is NULL: there is one machine. Bytes of unknown origin are cleaned. */
void host_prefix_append(struct buffer *to, const char *host);
/* "db", "web, db", "web, db, cache, mail and 21 more", as they are. */
void host_names_append(struct buffer *to, const char *const *names, size_t count);
