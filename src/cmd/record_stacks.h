/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of --stacks and --profile of record. */
#pragma once

#include <stdint.h>

#include "base/buffer.h"
#include "option_parser.h"

/* The words of --stacks by index, NULL beyond the last. */
const char *record_stacks_at(size_t index);
/*
 * "sleep", "wake", "user", with commas between: a set of enum capture_stacks, 0 if the option is
 * not given. Without a value it is sleep and wake; user implies both unless one of them is named.
 * Returns 0, or -EINVAL and a phrase in `why`.
 */
int record_stacks_parse(const struct optional_string *option, unsigned *ret, struct buffer *why);
/* Samples a second, 0 if the option is not given: otherwise the same. */
int record_profile_parse(const struct optional_string *option, uint64_t *ret_hz,
                         struct buffer *why);
