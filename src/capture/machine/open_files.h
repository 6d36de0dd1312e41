/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the files that processes have open or mapped, by the numbers that events have of them,
 * for the lines `path` of ftwait/stream.h. The recorder looks at COMMAND's processes and at those
 * of -p, with their descendants, several times, as they open files later, and some end soon.
 *
 * A look continues where the one before ran out of time. Only links and texts of /proc are read, so
 * no look waits for a file system or its server. Not safe for concurrent use.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "ftwait/nsec.h"

/* The most lines, and bytes of them, of one recording. */
#define OPEN_FILES_MAX       8192
#define OPEN_FILES_BYTES_MAX (1u << 20)

struct open_files {
	int32_t *root; /* processes, or threads, that are asked for */
	size_t root_count, root_capacity;
	bool has_mapped;  /* looks at mapped files, too: the kernel locks the process's mappings
	                     meanwhile; to be set by the caller */
	struct map noted; /* hashes of file system and inode */
	uint64_t bytes;   /* of the lines so far */
	/* where the next look begins: process of the family, and number of its files */
	size_t first, first_file;
};

void open_files_init(struct open_files *files);
void open_files_release(struct open_files *files);
/* Asks for a process with its descendants, or for a thread. */
void open_files_ask(struct open_files *files, int32_t pid);
/* Appends a line for each file that has none yet, for at most `time` ns. */
void open_files_look(struct open_files *files, nsec_t time, struct buffer *to);
/* The device number of the mount with that id in the text of /proc/PID/mountinfo, as major << 20 |
   minor; 0: there is none. */
uint32_t mount_device_find(const char *mountinfo, int64_t mount);
