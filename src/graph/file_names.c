/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_names.h"

#include <stdlib.h>

#include "base/array.h"

struct file_name {
	uint64_t inode;
	uint32_t dev;
	uint32_t path; /* id in names */
};

void file_names_release(struct file_names *files)
{
	if (files->by_hash.slot)
		map_release(&files->by_hash);
	free(files->file);
}

/* The file's index, or MAP_NONE; then *ret_hash is where it may be put. */
static uint32_t file_find(const struct file_names *files, uint32_t dev, uint64_t inode,
                          uint64_t *ret_hash)
{
	uint64_t hash = hash_mix(inode, dev);
	uint32_t index;

	MAP_HASH_EACH(&files->by_hash, hash, index)
		if (files->file[index].dev == dev && files->file[index].inode == inode)
			return index;
	*ret_hash = hash;
	return MAP_NONE;
}

void file_names_add(struct file_names *files, struct intern *names, uint32_t dev, uint64_t inode,
                    const char *path)
{
	uint64_t hash;

	if (!files->by_hash.slot)
		map_init(&files->by_hash);
	if (file_find(files, dev, inode, &hash) != MAP_NONE)
		return;
	ARRAY_GROW(files->file, files->count, files->capacity);
	map_put(&files->by_hash, hash, (uint32_t)files->count);
	files->file[files->count++] = (struct file_name){inode, dev, intern_adds(names, path)};
}

uint32_t file_names_find(const struct file_names *files, uint32_t dev, uint64_t inode)
{
	uint64_t hash;
	uint32_t index = files->count ? file_find(files, dev, inode, &hash) : MAP_NONE;

	return index == MAP_NONE ? 0 : files->file[index].path;
}
