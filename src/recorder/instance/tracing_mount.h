/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the kernel's tracepoints: the mounted tracefs. On failure `why` gets one line with the file
 * and the reason, and the remedy after its last "; ".
 */
#pragma once

#include "base/text/buffer.h"
#include "tracing_denial.h"

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
