/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_names.h"

#include <stdlib.h>

#include "base/data/array.h"

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

/* Adds the file if it is not known; the first `most` files may be added. Returns its index;
   MAP_NONE: there are too many. */
static uint32_t file_put(struct file_names *files, uint32_t dev, uint64_t inode, size_t most)
{
	uint64_t hash;
	uint32_t index;

	if (!files->by_hash.slot)
		map_init(&files->by_hash);
	index = file_find(files, dev, inode, &hash);
	if (index != MAP_NONE || files->count >= most)
		return index;
	ARRAY_GROW(files->file, files->count, files->capacity);
	map_put(&files->by_hash, hash, (uint32_t)files->count);
	files->file[files->count] = (struct file_name){inode, dev, 0};
	return (uint32_t)files->count++;
}

void file_names_add(struct file_names *files, struct intern *names, uint32_t dev, uint64_t inode,
                    const char *path)
{
	uint32_t index = file_put(files, dev, inode, MAP_NONE);

	if (index != MAP_NONE && !files->file[index].path)
		files->file[index].path = intern_adds(names, path);
}

uint32_t file_names_find(const struct file_names *files, uint32_t dev, uint64_t inode)
{
	uint64_t hash;
	uint32_t index = files->count ? file_find(files, dev, inode, &hash) : MAP_NONE;

	return index == MAP_NONE ? 0 : files->file[index].path;
}

uint16_t file_names_number(struct file_names *files, uint32_t dev, uint64_t inode)
{
	uint32_t index = file_put(files, dev, inode, FILE_NUMBER_MAX);

	return index < FILE_NUMBER_MAX ? (uint16_t)(index + 1) : 0;
}

const struct file_name *file_names_at(const struct file_names *files, uint16_t number)
{
	return number > 0 && number <= files->count ? &files->file[number - 1] : NULL;
}
