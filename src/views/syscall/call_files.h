/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that system calls name, where their paths were recorded: how often each call named
 * each, with which error.
 *
 * Memory: about 60 bytes a row, at most CALL_FILES_MAX of them.
 */
#pragma once

#include "analysis/tables/relation.h"
#include "syscall_calls.h"

#define CALL_FILES_MAX (1u << 18)

struct call_files {
	struct relation rows; /* of struct call_file */
};

void call_files_init(struct call_files *files);
void call_files_release(struct call_files *files);
/* Adds a call that was added to that row of the sums; ignores a call that names no file. */
void call_files_add(struct call_files *files, size_t row, const struct interval *interval);
/* Shows those of asked tasks whose names are asked for. Call once the sums are resolved. Without
   any file, no table is shown. */
void call_files_put(const struct call_files *files, const struct call_sums *sums,
                    bool (*is_asked)(const struct question *, uint32_t track, uint32_t name),
                    const struct question *question, const struct output *to);
/* "/etc/passwd", "old -> new": the files of a call by their name ids; `second`: 0 if it names
   one. */
void call_paths_append(struct buffer *to, const struct timeline *timeline, uint32_t first,
                       uint32_t second);
