/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a look reads of one process for several of its threads: its mounts, and its memory where no
 * file system is asked for it. Texts are read when they are first needed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "mount_table.h"
#include "peek.h"

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
/* Whether its pointers have 64 bits; those of this program, where that cannot be read. */
bool seen_process_is_64_bit(struct seen_process *view);
/*
 * Appends at most `size` bytes of its memory, as far as they lie in one mapping. Only of memory
 * without a file, and of files on local file systems: a page of another file may have to come from
 * a dead server. False: none.
 */
bool seen_process_memory(struct seen_process *view, uint64_t address, size_t size,
			 struct buffer *to);
