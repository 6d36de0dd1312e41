/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kernels have numbers for, which may differ between the recording machine and the one that
 * reads: system calls, errors, signals.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * System calls by the numbers of the recording machine, which may differ from those of the machine
 * that reads. `arch` is uname -m of the recording machine; NULL: not known.
 */

/* A call has at most this many numbers on one machine, as programs there may use several ABIs. */
#define SYSCALL_NUMBERS_MAX 4
/* Added to the numbers of x32 by an x86_64 kernel. */
#define SYSCALL_X32_BIT INT64_C(0x40000000)

/*
 * "openat"; NULL: it has no name, or the machine is not known. `is_compat`: made through the
 * machine's 32-bit ABI, which the number alone may not show. O(rows of the table).
 */
const char *syscall_name(const char *arch, bool is_compat, int64_t number);
/* Whether the machine has a second ABI that numbers alone do not distinguish. */
bool syscall_has_compat(const char *arch);
/* Finds the numbers of the call of that name, except those of the ABI of `is_compat`. Returns how
   many there are. */
size_t syscall_numbers(const char *arch, const char *name, int64_t ret[SYSCALL_NUMBERS_MAX]);

/*
 * Errors of system calls by the numbers of the recording machine, which may differ from those of
 * the machine that reads.
 */

#define ERRNO_MAX 4095 /* results of a call from -ERRNO_MAX to -1 are errors */

struct errno_names;

/* `arch` is uname -m of the recording machine; NULL: not known, the most common names. Never
   NULL. */
const struct errno_names *errno_names_of(const char *arch);
/* "ENOENT" for 2, and "ERESTARTSYS" for 512: what the kernel itself returns before a signal is
   handled. NULL: the number has no name. */
const char *errno_name(const struct errno_names *names, int64_t number);

/*
 * Signals by the numbers of the recording machine, which may differ from those of the machine that
 * reads.
 */

struct signal_names;

/* `arch` is uname -m of the recording machine; NULL: not known, the most common names. Never
   NULL. */
const struct signal_names *signal_names_of(const char *arch);
/* "SIGCHLD"; NULL: no signal, or one of the real-time ones, which have no names. */
const char *signal_name(const struct signal_names *names, int number);
