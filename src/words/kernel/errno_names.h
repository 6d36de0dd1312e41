/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors of system calls by the numbers of the recording machine, which may differ from those of
 * the machine that reads.
 */
#pragma once

#include <stdint.h>

#define ERRNO_MAX 4095 /* results of a call from -ERRNO_MAX to -1 are errors */

struct errno_names;

/* `arch` is uname -m of the recording machine; NULL: not known, the most common names. Never
   NULL. */
const struct errno_names *errno_names_of(const char *arch);
/* "ENOENT" for 2, and "ERESTARTSYS" for 512: what the kernel itself returns before a signal is
   handled. NULL: the number has no name. O(number of names). */
const char *errno_name(const struct errno_names *names, int64_t number);
