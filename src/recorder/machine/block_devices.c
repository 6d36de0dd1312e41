/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block_devices.h"

#include <dirent.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/xalloc.h"
#include "ftwait/source.h"
#include "recorder/file/stream_writer.h"
#include "text_file.h"

#define NUMBER_BYTES_MAX 32
#define NAME_BYTES_MAX   256

void block_devices_init(struct block_devices *devices)
{
	map_init(&devices->noted);
}

void block_devices_release(struct block_devices *devices)
{
	map_release(&devices->noted);
}

/* Reads the one line of a file; false: there is no such file, or it is empty or too long. */
static bool read_line(const char *folder, const char *name, size_t bytes_max, struct buffer *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);

	buffer_init(ret, bytes_max);
	if (text_file_read(path, ret) < 0 || ret->length == 0)
		return false;
	if (ret->text[ret->length - 1] == '\n')
		ret->text[--ret->length] = '\0';
	return ret->length > 0;
}

/* "device 253:0 dm-0 vg-root" */
static void device_describe(const char *folder, const char *entry, struct buffer *line)
{
	_cleanup_(freep) char *device = xasprintf("%s/%s", folder, entry);
	_cleanup_(freep) char *name = xstrdup(entry);
	_cleanup_(buffer_release) struct buffer number = {0}, mapped = {0};

	if (strchr(entry, ' ') || !read_line(device, "dev", NUMBER_BYTES_MAX, &number))
		return;
	/* sysfs has ! where the name has a slash */
	for (char *at = name; (at = strchr(at, '!'));)
		*at = '/';
	buffer_printf(line, "device %s ", number.text);
	stream_text_append(line, name);
	if (read_line(device, "dm/name", NAME_BYTES_MAX, &mapped)) {
		buffer_putc(line, ' ');
		stream_text_append(line, mapped.text);
	}
	buffer_putc(line, '\n');
}

static uint64_t line_hash(const struct buffer *line)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < line->length; i++)
		hash = hash_mix(hash, (unsigned char)line->text[i]);
	return hash;
}

void block_devices_look(struct block_devices *devices, const char *folder, struct buffer *to)
{
	_cleanup_(closedirp) DIR *entries = opendir(folder);
	nsec_t deadline = monotonic_now() + BLOCK_DEVICES_NS;
	struct dirent *entry;

	while (entries && (entry = readdir(entries)) &&
	       devices->noted.count < SOURCE_DEVICES_MAX && monotonic_now() < deadline) {
		_cleanup_(buffer_release) struct buffer line = {0};

		if (entry->d_name[0] == '.')
			continue;
		buffer_init(&line, 2048);
		device_describe(folder, entry->d_name, &line);
		if (line.length == 0 || line.is_cut ||
		    map_get(&devices->noted, line_hash(&line)) != MAP_NONE)
			continue;
		map_put(&devices->noted, line_hash(&line), 1);
		buffer_append(to, line.text, line.length);
	}
}
