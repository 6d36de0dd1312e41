/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole numbers as printf() writes them, in a tenth of its time: reports of a recording have
 * millions. No closing NUL is written; the return value points behind the last byte.
 */
#pragma once

#include <stdint.h>

#define DIGITS_MAX 20 /* of any number */

/* As %PRIu64. */
char *digits_put(char *to, uint64_t value);
/* The last `width` digits, with leading zeros: as %06PRIu64 for a number that has no more. */
char *digits_put_last(char *to, uint64_t value, unsigned width);
