/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the kernel refuses tracing, by the evidence in /proc and /sys, and what helps. The same error
 * comes from a missing privilege, a container, a locked-down kernel or a security module; a remedy
 * is named only for a reason for which there is evidence.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/text/buffer.h"

#define TRACING_MOUNT_PLACE   "/sys/kernel/tracing"

/* Where evidence is read, and about which user. */
struct tracing_scene {
	const char *root; /* prefix of /proc and /sys: "", except in tests */
	uid_t user;       /* the refused user */
};

/* A file system with the kernel's tracepoints, and where it is usually mounted. */
struct tracing_place {
	const char *type, *path;
	const char *tracing; /* the folder with the tracepoints */
};

struct tracing_scene tracing_scene_here(void);
/* The one that this kernel has: debugfs, if it has that and no tracefs. */
const struct tracing_place *tracing_scene_place(const struct tracing_scene *scene);
/* Whether /proc is there. Without it, as in some mount namespaces, there is no evidence of
   anything. */
bool tracing_scene_has_proc(const struct tracing_scene *scene);

/* Appends "ERROR (REASON); MEND" for a positive errno of a tracefs file. This and the next two
   return -error. */
int tracing_denial_explain(const struct tracing_scene *scene, int error, struct buffer *why);
/* Appends a line for a file of the tracefs `dir` on this machine. */
int tracing_denial_explain_file(const char *dir, const char *name, int error, struct buffer *why);
/* Appends a line for a failed mount of what tracing_scene_place() returns. */
int tracing_denial_explain_mount(const struct tracing_scene *scene, int error, struct buffer *why);
/* Appends a line for a tracefs that is empty, or has no instances. Returns -ENODEV. */
int tracing_denial_explain_empty(const struct tracing_scene *scene, const char *dir,
                                 struct buffer *why);
/* Appends a line for a missing tracefs mount. Returns -ENOENT, or -ENODEV if mounting is
   impossible. */
int tracing_denial_explain_unmounted(const struct tracing_scene *scene, struct buffer *why);
/* The remedy for the positive errno of /proc/kallsyms; EPERM: all addresses are 0. */
const char *symbols_denial_mend(const struct tracing_scene *scene, int error);

/*
 * Finds the kernel's tracepoints: the mounted tracefs. On failure `why` gets one line with the file
 * and the reason, and the remedy after its last "; ".
 */

/*
 * Tries /sys/kernel/tracing, /sys/kernel/debug/tracing and every tracefs of /proc/mounts for one
 * that this process may use, and sets it in libtracefs; before Linux 4.1 it is a folder of debugfs.
 * The caller frees *ret_dir. Returns 0,
 * -ENOENT (not mounted), -ENODEV (no tracepoints in it, or no tracefs in this kernel), or -errno of
 * the unusable folder.
 */
int tracing_mount_find(char **ret_dir, struct buffer *why);
/*
 * Mounts tracefs at /sys/kernel/tracing, as systemd does, or, where the kernel has none, debugfs at
 * /sys/kernel/debug, and leaves it mounted: *ret. For root, after tracing_mount_find() found none.
 * Returns 0 or -errno.
 */
int tracing_mount_make(const struct tracing_place **ret, struct buffer *why);
