/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that killed recorders have left. An instance of ftwait (instance_folder.h) is stale if
 * no process holds its lock, and the process with the PID in its name does not live or is not named
 * ftwait: ftwait 0.1.0 took no lock. The kernel refuses (EBUSY) to remove an
 * instance of which any file is open. Where the lock cannot be tried, as without a free descriptor,
 * nothing is known: the instance is kept and not reported, and both functions return that error.
 *
 * Call before this process makes an instance of its own.
 */
#pragma once

#include <stdint.h>

/*
 * Removes the stale instances under `dir`/instances and calls `on_found`, unless NULL, for each:
 * error 0 for "removed", or -errno. Skips instances of live recorders. Returns the number removed
 * or -errno.
 */
int stale_instances_remove(const char *dir,
                           void (*on_found)(void *state, const char *name, int error), void *state);

/* The memory that a stale instance still has. */
struct stale_instance {
	const char *name;
	uint64_t events; /* in its buffers */
	uint64_t kib;    /* of memory */
};

/* Calls `on_found` for each stale instance and keeps it. Returns their number or -errno. */
int stale_instances_find(const char *dir,
                         void (*on_found)(void *state, const struct stale_instance *stale),
                         void *state);
