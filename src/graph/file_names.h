/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files by the number of their file system and by inode, with their paths, as far as these are
 * known. Of several paths of one file the first one that is added counts. A struct that is all zero
 * is empty.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"

#define FILE_NUMBER_MAX UINT16_MAX

struct file_name {
	uint64_t inode;
	uint32_t dev;
	uint32_t path; /* id in names; 0: not known */
};

struct file_names {
	struct map by_hash; /* index in file; no slots until there is one */
	struct file_name *file;
	size_t count, capacity;
};

void file_names_release(struct file_names *files);
void file_names_add(struct file_names *files, struct intern *names, uint32_t dev, uint64_t inode,
                    const char *path);
/* The id in names of the file's path; 0: not known. */
uint32_t file_names_find(const struct file_names *files, uint32_t dev, uint64_t inode);
/* The file's number, from 1 on; adds the file if it is not known. 0: FILE_NUMBER_MAX is
   exceeded. */
uint16_t file_names_number(struct file_names *files, uint32_t dev, uint64_t inode);
/* The file with that number; NULL for 0. */
const struct file_name *file_names_at(const struct file_names *files, uint16_t number);
