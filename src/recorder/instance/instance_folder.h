/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the folder of an instance shows: its name, a lock, its CPUs.
 *
 * The lock shows which recorders live: a recorder holds it on the folder of its instance, from the
 * making of the instance to its removal. The kernel drops the lock when the process ends, however
 * it ends, and the lock is visible from any PID namespace and under any name of the program.
 */
#pragma once

#include "base/text/buffer.h"

/*
 * Locks the folder of an instance and checks that it still has that name. Returns a descriptor that
 * holds the lock, -EWOULDBLOCK if another process holds it, -ENOENT if the folder is gone, or
 * -errno.
 */
int instance_lock_take(const char *dir);
/* For a new instance: waits for processes that are checking whether it is stale. */
int instance_lock_take_new(const char *dir);

/* How instances are named: ftwait.PID, ftwait.PID.syscalls, ftwait.PID.stacks. */

#define INSTANCE_PREFIX "ftwait."
/* Follows the PID in a recorder's second instance, for system calls of some tasks. */
#define INSTANCE_CALLS_SUFFIX ".syscalls"
/* The same for user stacks and a profile. */
#define INSTANCE_STACKS_SUFFIX ".stacks"

/* The CPUs of an instance, online or not: the folders per_cpu/cpuN. Sets *ret to the highest number
   of a CPU plus one. Returns 0 or -errno. */
int instance_cpus_count(const char *dir, unsigned *ret);
/* Appends the mask of CPUs 0 to the highest one in the format of tracing_cpumask:
   "3f,ffffffff". */
void instance_cpus_mask_append(const char *dir, struct buffer *to);
