/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who lives: a recorder holds a lock on the folder of its instance from the moment it has made it
 * until it has removed it. The kernel drops the lock when the process ends, however it ends, and it
 * is seen from any PID namespace and under any name of the program.
 */
#pragma once

/*
 * Locks the folder of an instance and makes sure that it still is the one of that name. Returns a
 * descriptor that holds the lock, -EWOULDBLOCK where somebody else does, -ENOENT where the folder
 * is not there any more, or -errno.
 */
int instance_lock_take(const char *dir);
/* For who has just made the instance: waits for others who look whether it is stale. */
int instance_lock_take_new(const char *dir);
