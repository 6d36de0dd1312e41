/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output_guard.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/xalloc.h"

bool sudo_caller_find(uid_t *ret_user, gid_t *ret_group)
{
	const char *user = getenv("SUDO_UID"), *group = getenv("SUDO_GID");
	int32_t uid, gid;

	if (geteuid() != 0 || !user || !group || parse_pid(user, &uid) < 0 ||
	    parse_pid(group, &gid) < 0)
		return false;
	*ret_user = (uid_t)uid;
	*ret_group = (gid_t)gid;
	return true;
}

#define LINKS_MAX 40 /* as many links as the kernel follows */

void output_place_release(struct output_place *place)
{
	closep(&place->folder);
	closep(&place->file);
	free(place->name);
}

static const char *type_name(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *name;
	} rows[] = {
		{S_IFREG, "a file"},    {S_IFIFO, "a FIFO"},   {S_IFLNK, "a symbolic link"},
		{S_IFSOCK, "a socket"}, {S_IFCHR, "a device"}, {S_IFBLK, "a device"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if ((mode & S_IFMT) == rows[i].type)
			return rows[i].name;
	return "something";
}

bool output_is_planted(const struct stat *folder, const struct stat *file, uid_t user)
{
	/* the kernel also follows links of a folder that only its group may write to */
	mode_t others = S_ISLNK(file->st_mode) ? S_IWOTH : S_IWOTH | S_IWGRP;

	return !S_ISDIR(file->st_mode) && (folder->st_mode & S_ISVTX) &&
	       (folder->st_mode & others) && file->st_uid != user && file->st_uid != folder->st_uid;
}

static int place_check(const struct output_place *place, struct buffer *why)
{
	struct stat folder;
	uid_t caller;
	gid_t group;

	if (fstat(place->folder, &folder) < 0)
		return -errno;
	if (!output_is_planted(&folder, &place->stat, geteuid()) ||
	    (sudo_caller_find(&caller, &group) && caller == place->stat.st_uid))
		return 0;
	return buffer_fail(why, -EACCES, "cannot write to %s: %s of user %u is there, in a "
	                   "directory that anyone may write to; remove it, or give another file "
	                   "with -o", place->path, type_name(place->stat.st_mode),
	                   (unsigned)place->stat.st_uid);
}

/* Moves the place to `path`, which is relative to it. */
static int place_enter(struct output_place *place, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	_cleanup_(freep) char *folder =
		slash ? xstrndup(path, (size_t)(name - path)) : xstrdup(".");
	_cleanup_(freep) char *last = xstrdup(slash && !*name ? "." : name);
	int fd = openat(place->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	output_place_release(place);
	*place = (struct output_place){.path = place->path, .folder = fd, .name = TAKE_PTR(last)};
	place->file = openat(fd, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (place->file < 0)
		return errno == ENOENT ? 0 : -errno;
	return fstat(place->file, &place->stat) < 0 ? -errno : 0;
}

/* Reads the target of the symbolic link at the place; reads none if only the kernel can follow the
   link. */
static int place_read_link(struct output_place *place, char **ret_target)
{
	char target[PATH_MAX];
	struct statfs fs;
	ssize_t length;

	if (fstatfs(place->folder, &fs) < 0)
		return -errno;
	if (fs.f_type == PROC_SUPER_MAGIC) {
		place->is_kernels = true;
		return 0;
	}
	length = readlinkat(place->file, "", target, sizeof(target));
	if (length < 0)
		return -errno;
	if ((size_t)length == sizeof(target))
		return -ENAMETOOLONG;
	*ret_target = xstrndup(target, (size_t)length);
	return 0;
}

int output_place_find(struct output_place *place, const char *path, struct buffer *why)
{
	_cleanup_(freep) char *step = xstrdup(path);

	*place = (struct output_place){.path = path, .folder = AT_FDCWD, .file = -1};
	for (int links = 0; links <= LINKS_MAX; links++) {
		char *next = NULL;
		int r = place_enter(place, step);

		if (r == 0 && place->file >= 0)
			r = place_check(place, why);
		if (r < 0 || place->file < 0 || !S_ISLNK(place->stat.st_mode))
			return r;
		r = place_read_link(place, &next);
		if (!next)
			return r;
		free(step);
		step = next;
	}
	return -ELOOP;
}

int output_place_open(const struct output_place *place, int flags, struct buffer *why)
{
	_cleanup_(closep) int fd = -1;
	struct stat opened;
	int r;

	assert(place->name);
	if (!place->is_kernels)
		flags |= O_NOFOLLOW;
	if (flags & O_CREAT)
		flags |= O_EXCL;
	fd = openat(place->folder, place->name, flags | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	if (place->file >= 0 && !place->is_kernels &&
	    (fstat(fd, &opened) < 0 || opened.st_dev != place->stat.st_dev ||
	     opened.st_ino != place->stat.st_ino))
		return buffer_fail(why, -EACCES, "cannot write to %s: it was replaced while it "
		                   "was opened; give another file with -o", place->path);
	r = fd;
	fd = -1;
	return r;
}

int output_guard_check(const char *path, struct buffer *why)
{
	_cleanup_(output_place_release) struct output_place place;
	size_t before = why->length;

	if (output_place_find(&place, path, why) < 0)
		return why->length > before ? -EACCES : 0;
	return place.is_kernels;
}

int output_guard_open(const char *path, int flags, struct buffer *why)
{
	_cleanup_(output_place_release) struct output_place place;
	int r = output_place_find(&place, path, why);

	return r < 0 ? r : output_place_open(&place, flags, why);
}
