/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures for people. A function that takes an array writes to it and returns it, so that it can be
 * used in an argument list.
 */
#pragma once

#include <stdint.h>

#include "ftwait/nsec.h"

#define FORMAT_BYTES 32

/* "0", "812 ns", "5.302 us", "12.840 ms", "1.204 s": at most three decimals, always a unit. */
char *format_duration(nsec_t duration, char to[static FORMAT_BYTES]);
/* Seconds with six decimals: "12.345678". */
char *format_instant(nsec_t instant, char to[static FORMAT_BYTES]);
/* "512 B", "1.5 KiB", "20.0 MiB". */
char *format_size(uint64_t bytes, char to[static FORMAT_BYTES]);
/* "1,234,567". */
char *format_count(uint64_t count, char to[static FORMAT_BYTES]);
/* major << 20 | minor gives "254,0". */
char *format_device(uint32_t device, char to[static FORMAT_BYTES]);
/* "37.5 %". */
char *format_ratio(double ratio, char to[static FORMAT_BYTES]);
/* The same in an array that lives until the enclosing block ends: for use as arguments. */
#define DURATION_TEXT(duration) format_duration((duration), (char[FORMAT_BYTES]){0})
#define INSTANT_TEXT(instant)   format_instant((instant), (char[FORMAT_BYTES]){0})
#define SIZE_TEXT(bytes)        format_size((bytes), (char[FORMAT_BYTES]){0})
#define COUNT_TEXT(count)       format_count((count), (char[FORMAT_BYTES]){0})
#define DEVICE_TEXT(device)     format_device((device), (char[FORMAT_BYTES]){0})
#define RATIO_TEXT(ratio)       format_ratio((ratio), (char[FORMAT_BYTES]){0})
/* The plural ending of most nouns: "s", "" for one. */
static inline const char *format_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/*
 * Whole numbers as printf() writes them, in a tenth of its time: reports of a recording have
 * millions. No closing NUL is written; the return value points behind the last byte.
 */

#define DIGITS_MAX 20 /* of any number */

/* As %PRIu64. */
char *digits_put(char *to, uint64_t value);
/* Writes the last `width` digits, with leading zeros: like %06PRIu64 if width is 6 and the number
   has no more digits. */
char *digits_put_last(char *to, uint64_t value, unsigned width);
