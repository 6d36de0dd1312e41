/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mount_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"

/* A blank in a path is "\040". */
static void path_decode(char *path)
{
	char *to = path;

	for (const char *at = path; *at; to++) {
		unsigned value;

		if (at[0] == '\\' && sscanf(at + 1, "%3o", &value) == 1 && value < 256) {
			*to = (char)value;
			at += strnlen(at, 4);
		} else {
			*to = *at++;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /mnt2 rw,noatime master:1 - ext3 /dev/root rw" */
static bool mount_parse(const char *line, size_t length, struct mount *ret)
{
	char text[2 * PATH_MAX];
	uint32_t major, minor;
	const char *type;

	if (length >= sizeof(text))
		return false;
	memcpy(text, line, length);
	text[length] = '\0';
	type = strstr(text, " - ");
	if (!type ||
	    sscanf(text, "%" SCNd64 " %*d %" SCNu32 ":%" SCNu32 " %*s %4095s", &ret->id, &major,
		   &minor, ret->point) != 4 ||
	    sscanf(type, " - %63s", ret->type) != 1 || major >= 1u << 12 || minor >= 1u << 20)
		return false;
	ret->device = major << 20 | minor;
	path_decode(ret->point);
	return true;
}

/* Calls `is_meant` for each mount; the last one that is meant counts, as it covers earlier ones. */
static bool find(const char *mountinfo,
		 bool (*is_meant)(const struct mount *mount, const void *what), const void *what,
		 struct mount *ret)
{
	struct mount mount;
	bool is_found = false;

	for (const char *line = mountinfo; line && *line;) {
		const char *end = strchrnul(line, '\n');

		if (mount_parse(line, (size_t)(end - line), &mount) && is_meant(&mount, what)) {
			*ret = mount;
			is_found = true;
		}
		line = *end ? end + 1 : NULL;
	}
	return is_found;
}

static bool has_id(const struct mount *mount, const void *what)
{
	return mount->id == *(const int64_t *)what;
}

bool mount_find(const char *mountinfo, int64_t id, struct mount *ret)
{
	return find(mountinfo, has_id, &id, ret);
}

static bool has_device(const struct mount *mount, const void *what)
{
	return mount->device == *(const uint32_t *)what;
}

bool mount_find_device(const char *mountinfo, uint32_t device, struct mount *ret)
{
	return find(mountinfo, has_device, &device, ret);
}

/* The path, and the longest mount point so far that is above it. */
struct path_search {
	const char *path;
	size_t *longest;
};

static bool is_above(const struct mount *mount, const void *what)
{
	const struct path_search *search = what;
	size_t length = strlen(mount->point);

	if (length == 1)
		length = 0; /* "/" */
	if (strncmp(search->path, mount->point, length) != 0 ||
	    (search->path[length] != '/' && search->path[length] != '\0') ||
	    length < *search->longest)
		return false;
	*search->longest = length;
	return true;
}

bool mount_find_path(const char *mountinfo, const char *path, struct mount *ret)
{
	size_t longest = 0;
	const struct path_search search = {path, &longest};

	return find(mountinfo, is_above, &search, ret);
}

bool mount_is_served(const struct mount *mount)
{
	/* "fuse", "fuse.sshfs", "nfs4" */
	static const char *const begins[] = {
		"fuse", "nfs", "cifs", "smb", "9p", "ceph", "afs", "virtiofs", "autofs", "lustre",
	};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (strncmp(mount->type, begins[i], strlen(begins[i])) == 0)
			return strcmp(mount->type, "fusectl") != 0 &&
			       strcmp(mount->type, "nfsd") != 0;
	return false;
}
