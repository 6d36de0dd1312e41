/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a trace.dat, as a stream has them: one after the other in a buffer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

/* "[mono]" of the clock option's "local global [mono] ..."; false if there is none. */
bool datfile_find_clock(const struct buffer *options, const char **ret, uint64_t *ret_bytes);

struct option_place {
	const char *text; /* borrowed */
	uint32_t bytes;
	uint16_t id;
};

/* Reads the option of a stream at `*at` and advances `*at` past it; false at the end. */
bool datfile_option_next(const struct buffer *options, size_t *at, struct option_place *ret);
