/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shot_names.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

#define NUMBER_MAX UINT64_C(1000000000)

/* The number in "PREFIX.N.SUFFIX"; 0: the name is another one. */
static uint64_t name_number(const char *name, const char *prefix, const char *suffix)
{
	size_t before = strlen(prefix), after = strlen(suffix), length = strlen(name);
	_cleanup_(freep) char *digits = NULL;
	uint64_t number;

	if (length <= before + after || strncmp(name, prefix, before) != 0 ||
	    strcmp(name + length - after, suffix) != 0)
		return 0;
	digits = xstrndup(name + before, length - before - after);
	/* not the number in another way of writing, which would be another file */
	if (digits[0] == '0' || strspn(digits, "0123456789") != strlen(digits) ||
	    parse_u64(digits, &number) < 0 || number > NUMBER_MAX)
		return 0;
	return number;
}

static int file_compare(const void *left, const void *right)
{
	const struct shot_file *one = left, *other = right;

	return one->number < other->number ? -1 : one->number > other->number;
}

void shot_names_add(struct shot_names *names, uint64_t number)
{
	_cleanup_(freep) char *path = shot_names_path(names, number);
	struct stat file;

	if (lstat(path, &file) < 0 || !S_ISREG(file.st_mode))
		file.st_blocks = 0;
	ARRAY_GROW(names->file, names->count, names->capacity);
	names->file[names->count++] = (struct shot_file){
		.number = number,
		.bytes = (uint64_t)file.st_blocks * 512,
	};
}

void shot_names_init(struct shot_names *names, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	_cleanup_(freep) char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1)
	                                      : xstrdup(".");
	_cleanup_(closedirp) DIR *entries = NULL;
	struct dirent *entry;

	*names = (struct shot_names){.suffix = dot && dot > name ? dot : ""};
	names->prefix = xasprintf("%.*s.", (int)(strlen(path) - strlen(names->suffix)), path);
	entries = opendir(folder);
	while (entries && (entry = readdir(entries))) {
		uint64_t number = name_number(entry->d_name, names->prefix + (name - path),
		                              names->suffix);

		if (number > 0)
			shot_names_add(names, number);
	}
	array_sort(names->file, names->count, sizeof(*names->file), file_compare);
}

void shot_names_release(struct shot_names *names)
{
	free(names->prefix);
	free(names->file);
	*names = (struct shot_names){0};
}

uint64_t shot_names_next(const struct shot_names *names)
{
	return names->count ? names->file[names->count - 1].number + 1 : 1;
}

char *shot_names_path(const struct shot_names *names, uint64_t number)
{
	return xasprintf("%s%llu%s", names->prefix, (unsigned long long)number, names->suffix);
}

size_t shot_names_trim(struct shot_names *names, uint64_t bytes_max)
{
	uint64_t bytes = 0;
	size_t removed = 0;

	for (size_t i = 0; i < names->count; i++)
		bytes += names->file[i].bytes;
	while (bytes > bytes_max && removed + 1 < names->count) {
		_cleanup_(freep) char *path = shot_names_path(names, names->file[removed].number);

		(void)unlink(path);
		bytes -= names->file[removed++].bytes;
	}
	names->count -= removed;
	memmove(names->file, names->file + removed, names->count * sizeof(*names->file));
	return removed;
}
