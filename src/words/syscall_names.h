/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls by the numbers of the machine that a trace comes from: those of the machine that
 * reads it may be others. `arch` is what uname -m says there; NULL: not told.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many numbers a call may have on one machine, whose programs may be of several ABIs. */
#define SYSCALL_NUMBERS_MAX 4
/* What the kernel of an x86_64 adds to the numbers of x32. */
#define SYSCALL_X32_BIT INT64_C(0x40000000)

/*
 * "openat"; NULL: it has no name, or the machine is not known. `is_compat`: by a program of the
 * machine's 32-bit ABI, of which the number alone may not tell. O(rows of the table).
 */
const char *syscall_name(const char *arch, bool is_compat, int64_t number);
/* Whether the machine has a second ABI of which numbers alone do not tell. */
bool syscall_has_compat(const char *arch);
/* The numbers that a call of that name has, all but those of `is_compat`. Returns how many. */
size_t syscall_numbers(const char *arch, const char *name, int64_t ret[SYSCALL_NUMBERS_MAX]);
