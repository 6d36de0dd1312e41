/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Releases of Linux, by their numbers.
 */
#pragma once

#include <stdbool.h>

#define KERNEL_RELEASE_NUMBERS 3

/* Parses "4.14.40-generic"; false if it does not begin with two numbers. A missing third number is
   0. */
bool kernel_release_parse(const char *text, unsigned ret[KERNEL_RELEASE_NUMBERS]);
/* Compares as strcmp() does: an older release is less. */
int kernel_release_compare(const unsigned a[KERNEL_RELEASE_NUMBERS],
                           const unsigned b[KERNEL_RELEASE_NUMBERS]);
