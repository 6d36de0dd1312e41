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
/* Writes the last `width` digits, with leading zeros: like %06PRIu64 if width is 6 and the number
   has no more digits. */
char *digits_put_last(char *to, uint64_t value, unsigned width);
