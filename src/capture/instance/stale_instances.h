/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that killed recorders left behind. Ours are named ftwait.PID, ftwait.PID.syscalls or
 * ftwait.PID.stacks; one is stale when nobody holds its lock (instance_lock.h) and no process PID
 * of the name ftwait lives: ftwait 0.1.0 took no lock. The kernel itself refuses (EBUSY) to remove
 * an instance of which any file is open.
 *
 * To be called before this process makes an instance of its own.
 */
#pragma once

#include <stdint.h>

#define INSTANCE_PREFIX "ftwait."
/* What follows the PID where a recorder has a second one, for system calls of some tasks. */
#define INSTANCE_CALLS_SUFFIX ".syscalls"
/* The same for stacks of programs and a profile. */
#define INSTANCE_STACKS_SUFFIX ".stacks"

/*
 * Removes the stale instances under `dir`/instances and tells `on_found` of each one: error 0 for
 * "removed", or -errno. Instances of living recorders are not mentioned. `on_found` may be NULL.
 * Returns the number of removed ones or -errno.
 */
int stale_instances_remove(const char *dir,
                           void (*on_found)(void *state, const char *name, int error), void *state);

/* What a stale instance still costs. */
struct stale_instance {
	const char *name;
	uint64_t events; /* in its buffers */
	uint64_t kib;    /* of memory */
};

/* Tells of each stale instance and leaves it. Returns their number or -errno. */
int stale_instances_find(const char *dir,
                         void (*on_found)(void *state, const struct stale_instance *stale),
                         void *state);
