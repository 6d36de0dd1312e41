/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths of the files that processes have open or mapped, by the numbers that events have of them,
 * for the lines `path` of ftwait/stream.h. The recorder looks at COMMAND's processes and at those
 * of -p, with their descendants, several times, as they open files later, and some end soon.
 *
 * A look continues where the one before ran out of time. No file is touched (open_file.h). Not safe
 * for concurrent use.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "base/data/map.h"
#include "ftwait/nsec.h"
#include "recorder/machine/peek.h"

/* The most lines, and bytes of them, of one recording. */
#define OPEN_FILES_MAX       8192
#define OPEN_FILES_BYTES_MAX (1u << 20)

struct open_files {
	struct peek *peek; /* borrowed */
	int32_t *root;     /* processes, or threads, that are asked for */
	size_t root_count, root_capacity;
	bool has_mapped;  /* looks at mapped files, too: the kernel locks the process's mappings
	                     meanwhile; to be set by the caller */
	struct map noted; /* hashes of file system and inode */
	uint64_t bytes;   /* of the lines so far */
	/* where the next look begins: process of the family, and number of its files */
	size_t first, first_file;
};

void open_files_init(struct open_files *files, struct peek *peek);
void open_files_release(struct open_files *files);
/* Asks for a process with its descendants, or for a thread. */
void open_files_ask(struct open_files *files, int32_t pid);
/* Appends a line for each file that has none yet, for at most `time` ns. */
void open_files_look(struct open_files *files, nsec_t time, struct buffer *to);
