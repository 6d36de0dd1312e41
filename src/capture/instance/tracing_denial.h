/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel does not let us trace, by what /proc and /sys tell of it, and what helps. The same
 * error comes from a missing right, from a container, from a kernel that is locked down and from a
 * security module; a mend is named only for what there is evidence of.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/buffer.h"

#define TRACING_MOUNT_PLACE   "/sys/kernel/tracing"
#define TRACING_MOUNT_COMMAND "mount -t tracefs tracefs " TRACING_MOUNT_PLACE

/* Where the evidence is. */
struct tracing_scene {
	const char *root; /* before /proc and /sys: "", but for tests */
	uid_t user;       /* who may not */
};

struct tracing_scene tracing_scene_here(void);
/* False in a mount namespace without /proc: then there is no evidence of anything. */
bool tracing_scene_has_proc(const struct tracing_scene *scene);

/* Appends "ERROR (REASON); MEND" for a positive error of a file of tracefs. */
void tracing_denial_tell(const struct tracing_scene *scene, int error, struct buffer *why);
/* A line for a file of the tracefs `dir`, as things are here. */
void tracing_denial_tell_file(const char *dir, const char *name, int error, struct buffer *why);
/* A line for a mount of tracefs that failed. */
void tracing_denial_tell_mount(const struct tracing_scene *scene, int error, struct buffer *why);
/* A line for a tracefs in which nothing is. */
void tracing_denial_tell_empty(const struct tracing_scene *scene, const char *dir,
                               struct buffer *why);
/* A line for where no tracefs is mounted. Returns -ENOENT, or -ENODEV where none can be. */
int tracing_denial_tell_unmounted(const struct tracing_scene *scene, struct buffer *why);
/* What helps where /proc/kallsyms gave the (positive) error, EPERM: addresses that are all 0. */
const char *symbols_denial_mend(const struct tracing_scene *scene, int error);
