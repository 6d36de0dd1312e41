/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers from people and files. Every function takes the whole string or fails with -EINVAL
 * (not a number) or -ERANGE (too large), and writes its result only on success.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* Decimal, or hexadecimal after 0x. */
int parse_u64(const char *text, uint64_t *ret);
/* The number that the text begins with, behind blanks, whatever follows; base: 10 or 16. */
bool parse_number_at(const char *text, int base, uint64_t *ret);
/* Like parse_u64, at most INT32_MAX. */
int parse_pid(const char *text, int32_t *ret);
/* Bytes: a number with an optional K, M, G (powers of 1024), KiB, KB, kB, B ... */
int parse_size(const char *text, uint64_t *ret_bytes);
/* A duration or instant: "10", "10s", "1.5s", "500ms", "20us", "30ns", "2m", "1h"; seconds if there
   is no unit. */
int parse_time(const char *text, nsec_t *ret);
/* A percentage as a part of 1, to a millionth: "5%", "0.5 %"; "5" is the same as "5%". */
int parse_percent(const char *text, double *ret);
