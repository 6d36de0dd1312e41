/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "datfile_names.h"

#include <limits.h>

#include "base/data/array.h"

/* Of devices: a disk has at most 31 bytes, a partition a few more; a mapped device has 127. */
#define NAME_BYTES_MAX 128

/* The text, unescaped, as a string of the source; NULL if it is empty, longer than `most`, or there
   is no room. */
static const char *take_name(struct datfile *datfile, struct text_line text, size_t most)
{
	char name[PATH_MAX + 1];
	size_t length = line_unescape(text, name, most + 1);

	if (length == 0 || length > most || !text_store_has_room(&datfile->text, length + 1))
		return NULL;
	return text_store_add(&datfile->text, name, length);
}

void datfile_take_device(struct datfile *datfile, struct text_line line)
{
	struct source_device device = {.dev = word_device(line_word(&line))};

	if (!device.dev || datfile->device_count == SOURCE_DEVICES_MAX)
		return;
	device.name = take_name(datfile, line_word(&line), NAME_BYTES_MAX);
	if (!device.name)
		return;
	device.mapped = take_name(datfile, line, NAME_BYTES_MAX);
	ARRAY_GROW(datfile->devices, datfile->device_count, datfile->device_capacity);
	datfile->devices[datfile->device_count++] = device;
}

void datfile_take_path(struct datfile *datfile, struct text_line line)
{
	struct source_path path = {.dev = word_device(line_word(&line))};
	int64_t inode = word_number(line_word(&line), INT64_MAX);

	if (!path.dev || inode <= 0 || datfile->path_count == SOURCE_PATHS_MAX)
		return;
	path.inode = (uint64_t)inode;
	path.path = take_name(datfile, line, PATH_MAX);
	if (!path.path)
		return;
	ARRAY_GROW(datfile->paths, datfile->path_count, datfile->path_capacity);
	datfile->paths[datfile->path_count++] = path;
}
