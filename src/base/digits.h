/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole numbers as printf() writes them, for a tenth of what it takes: reports of a recording have
 * millions. Nothing writes a closing NUL; what is returned is where the next byte goes.
 */
#pragma once

#include <stdint.h>

#define DIGITS_MAX 20 /* of any number */

/* As %PRIu64. */
char *digits_put(char *to, uint64_t value);
/* The last `width` digits, with zeros in front: as %06PRIu64 of what has no more. */
char *digits_put_last(char *to, uint64_t value, unsigned width);
