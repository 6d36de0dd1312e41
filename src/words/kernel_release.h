/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Releases of Linux, by their numbers.
 */
#pragma once

#include <stdbool.h>

#define KERNEL_RELEASE_NUMBERS 3

/* "4.14.40-generic"; false where it begins with no two numbers. A third that is not there is 0. */
bool kernel_release_parse(const char *text, unsigned ret[KERNEL_RELEASE_NUMBERS]);
/* As strcmp(): the older one is less. */
int kernel_release_compare(const unsigned a[KERNEL_RELEASE_NUMBERS],
                           const unsigned b[KERNEL_RELEASE_NUMBERS]);
