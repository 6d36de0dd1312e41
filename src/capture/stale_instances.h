/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instances that killed recorders left behind. Ours are named ftwait.PID; one is stale when no
 * process PID lives, or when PID is now another program or we ourselves. The kernel itself
 * refuses (EBUSY) to remove an instance of which any file is open, so a recorder in another pid
 * namespace, whose PID means nothing here, is safe.
 *
 * To be called before this process makes an instance of its own.
 */
#pragma once

#include <sys/types.h>

#define INSTANCE_PREFIX "ftwait."

/*
 * Removes the stale instances under `dir`/instances and tells `on_found` of each one: error 0 for
 * "removed", or -errno. Instances of living recorders are not mentioned. `on_found` may be NULL.
 * Returns the number of removed ones or -errno.
 */
int stale_instances_remove(const char *dir,
                           void (*on_found)(void *state, const char *name, int error), void *state);
