/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether processes have their descriptors for themselves: all threads of one share them
 * (CLONE_FILES, unshare(2)), and no other task does. Otherwise /proc/PID/fd is not what each of its
 * threads uses, or a task that nobody watches may close what is there.
 *
 * All tasks of the machine are compared with each of these processes, which takes about 1 us each.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most processes that are compared; of further ones it is not certain. */
#define OWN_DESCRIPTORS_MAX 1024u

/* ret[i]: it is certain that process[i] has. Where the kernel has no kcmp(2), or refuses it, only a
   process with one thread can be certain, if no other one executes the same program. */
void own_descriptors_find(const int32_t *process, size_t count, bool *ret);
