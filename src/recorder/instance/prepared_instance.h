/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instance that root has made and given to a user or a group, so that they can record without
 * privileges: Android's init does that, or contrib/prepare-instance. Its files have another owner
 * or group; a recorder neither makes nor removes it.
 *
 * Only root passes through the folders of the tracefs, and a folder that opens to somebody opens
 * more than that instance. So it is mounted elsewhere, by its name, and is found among the mounts;
 * or the user who gave it away has opened the folder "instances", as Android does.
 *
 * A recorder takes it only if no other recorder holds the lock of instance_folder.h, no events and
 * no tracer are enabled in it, and all its settings can be restored: that excludes triggers, and
 * buffers that differ in size. Filters, limits to tasks and CPUs, and options that would hide
 * events are cleared for the recording.
 *
 * When the recording ends, a child process, the guard, restores these settings, the clock, options,
 * buffer size and tracing_on, and empties the buffers. The guard outlives a recorder that is
 * killed. It waits until the recorder's files are closed: the kernel then stops tracing and frees
 * the buffers (disable_on_free). If the guard is killed, too, the next recorder finds
 * disable_on_free set, and resets the instance to the kernel's defaults before it uses it.
 *
 * Order of calls: prepared_instance_find(); prepared_instance_take() before threads exist, as it
 * forks; capture_open() with it; prepared_instance_return(); prepared_instance_free().
 */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

struct prepared_instance;

/* Whether the name can be that of such an instance: no path, and none that recorders make. */
bool prepared_instance_name_is_valid(const char *name);
/*
 * Sets *ret_dir, which the caller frees, to the folder of the instance in a tracefs that is
 * mounted, if this process may use it. Else returns -errno with a line in `why`.
 */
int prepared_instance_find(const char *name, char **ret_dir, struct buffer *why);
/* Whether this process may use the instance in that folder. */
bool prepared_instance_is_usable(const char *dir);
/* Calls for each instance that this process may use, if it is mounted, or if their folder can be
   listed; not for those that only belong to another, for its system calls or stacks. */
void prepared_instances_each(void (*on_instance)(void *state, const char *dir, const char *name),
                             void *state);
/* The commands by which root prepares it for this user; `tracefs`: where that is mounted. */
void prepared_instance_describe_making(const char *tracefs, const char *name, struct buffer *to);
/*
 * Takes the instance. Appends a line to `note` if a killed recorder had left it. Returns 0, or
 * -errno and a line in `why`; -EBUSY: somebody else uses it.
 */
int prepared_instance_take(const char *dir, struct prepared_instance **ret, struct buffer *note,
                           struct buffer *why);
const char *prepared_instance_dir(const struct prepared_instance *prepared);
/* Restores the settings and gives the instance back. All its files must be closed. A second call
   does nothing. */
void prepared_instance_return(struct prepared_instance *prepared);
/*
 * Gives the instances of this process's user, for root those of all others, the settings of new
 * ones if a killed recorder has left them; calls for each. Returns how many instances there are.
 */
unsigned prepared_instances_clean(void (*on_cleaned)(void *state, const char *name), void *state);
/* Accepts NULL; returns NULL. */
struct prepared_instance *prepared_instance_free(struct prepared_instance *prepared);
