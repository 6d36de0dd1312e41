/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that requests are for, where they are known: how much was read of each, how much was
 * written when it was synced, and how long that took.
 *
 * Memory: about 90 bytes a row, at most DISK_FILES_MAX of them.
 */
#pragma once

#include "analysis/tables/relation.h"
#include "disk_slowest.h"

#define DISK_FILES_MAX (1u << 17)

struct disk_files {
	struct relation rows; /* of struct disk_file: of each task */
};

void disk_files_init(struct disk_files *files);
void disk_files_release(struct disk_files *files);
/* Adds a request; ignores it if its file, or when it was issued, is not known, and if it has no
   data, as a flush. Of a stacked device and those below it the upper one counts. */
void disk_files_add(struct disk_files *files, const struct disk_request *request,
                    const struct interval *interval);
/* Shows the files that asked tasks read or synced. Without any file, no table is shown. */
void disk_files_put(const struct disk_files *files, const struct question *question,
                    const struct output *to);
