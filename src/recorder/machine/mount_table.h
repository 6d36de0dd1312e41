/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mounts of a process's namespace, from the text of /proc/PID/mountinfo
 * (proc_pid_mountinfo(5)). Reading that text does not wait for any file system.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOUNTS_BYTES_MAX (4u << 20) /* of the text that is read */
#define MOUNT_TYPE_BYTES 64

struct mount {
	int64_t id;
	uint32_t device;             /* of the superblock: major << 20 | minor */
	char point[PATH_MAX];        /* where it is mounted, in the namespace of the process */
	char type[MOUNT_TYPE_BYTES]; /* "ext4", "fuse.sshfs" */
};

/* False: the text has none, or it is malformed. The lines of `mountinfo` end with newlines. */
bool mount_find(const char *mountinfo, int64_t id, struct mount *ret);
bool mount_find_device(const char *mountinfo, uint32_t device, struct mount *ret);
/* The mount that the path lies on, which begins with "/"; symbolic links are not followed. */
bool mount_find_path(const char *mountinfo, const char *path, struct mount *ret);
/* Whether a server or another program answers for the file system: it may be dead. */
bool mount_is_served(const struct mount *mount);
