/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel shows its tracepoints: the mounted tracefs. Where there is none that can be
 * used, `why` gets one line with the file and the reason, and behind its last "; " the mend.
 */
#pragma once

#include "base/buffer.h"

/*
 * Looks at /sys/kernel/tracing, /sys/kernel/debug/tracing and every tracefs of /proc/mounts for
 * one that this process may use. *ret_dir is the caller's. Returns 0, -ENOENT (not mounted),
 * -ENODEV (no tracepoints in it, or no tracefs in this kernel), or -errno of the folder that could
 * not be used.
 * Also tells libtracefs of the folder.
 */
int tracing_mount_find(char **ret_dir, struct buffer *why);
/*
 * Mounts one at /sys/kernel/tracing, where systemd would; it stays. For root, after
 * tracing_mount_find() has found none. Returns 0 or -errno.
 */
int tracing_mount_make(struct buffer *why);
