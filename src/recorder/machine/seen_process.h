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

#include "base/text/buffer.h"
#include "peek.h"

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

/*
 * What a look reads of one process for several of its threads: its mounts, and its memory where no
 * file system is asked for it. Texts are read when they are first needed.
 */

struct seen_process {
	struct peek *peek; /* borrowed */
	int32_t tgid;      /* 0: none yet */
	bool has_mounts, has_maps, has_first;
	struct buffer mounts; /* /proc/PID/mountinfo */
	struct buffer maps;   /* /proc/PID/maps */
	/* /proc/1/mountinfo: a process in a chroot is not shown what is outside of it */
	struct buffer first;
};

void seen_process_init(struct seen_process *view, struct peek *peek);
void seen_process_release(struct seen_process *view);
/* What follows is of that process. What was read of the last one stays if it is the same. */
void seen_process_of(struct seen_process *view, int32_t tgid);
/* Finds a mount of its namespace; false: it cannot be read. The path begins with "/". */
bool seen_process_mount(struct seen_process *view, int64_t id, struct mount *ret);
bool seen_process_mount_of_path(struct seen_process *view, const char *path, struct mount *ret);
/* Whether a process has pointers of 64 bits, by the first 8 bytes of its auxiliary vector: a small
   number as wide as a pointer, before one that is not 0. */
bool auxv_is_64_bit(const uint32_t word[2]);
/* Whether its pointers have 64 bits; those of this program, where that cannot be read. */
bool seen_process_is_64_bit(struct seen_process *view);
/*
 * Appends at most `size` bytes of its memory, as far as they lie in one mapping. Only of memory
 * without a file, and of files on local file systems: a page of another file may have to come from
 * a dead server. False: none.
 */
bool seen_process_memory(struct seen_process *view, uint64_t address, size_t size,
			 struct buffer *to);

/* The same into an array. Returns how many bytes; 0: none. */
size_t seen_process_copy(struct seen_process *view, uint64_t address, void *to, size_t size);

/* The format of /proc/PID/maps, from the kernel's fs/proc/task_mmu.c. */

/* A line of /proc/PID/maps. */
struct maps_line {
	uint64_t begin, end, offset, inode;
	unsigned device_major, device_minor;
	bool is_executable;
	const char *path; /* in the line; "" for memory without a file */
};

/* Parses a line without its newline; false if malformed. */
bool maps_line_parse(const char *line, struct maps_line *ret);
