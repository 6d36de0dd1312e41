/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `ftwait top` saves: names of the files, and what it says of them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

/* "ftwait-124107.dat"; the second and later attempt at the same time of day, from 2 on:
   "ftwait-124107-2.dat". */
void save_name_append(struct buffer *to, const struct tm *time, unsigned attempt);
/* "30.2 s, 41 MiB -> ftwait-124107.dat"; `is_short`: there was no memory for more. */
void save_result_append(struct buffer *to, nsec_t duration, uint64_t bytes, const char *name,
                        bool is_short);
