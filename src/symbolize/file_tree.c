/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "file_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

#define DESCRIPTOR_PATH_BYTES 32
#define TRIES                 8

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

int file_tree_open(struct file_tree *tree, const char *folder)
{
	tree->fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return tree->fd < 0 ? -errno : 0;
}

void file_tree_close(struct file_tree *tree)
{
	closep(&tree->fd);
}

static char *descriptor_path(int fd, char to[static DESCRIPTOR_PATH_BYTES])
{
	(void)snprintf(to, DESCRIPTOR_PATH_BYTES, "/proc/self/fd/%d", fd);
	return to;
}

/* Whether the descriptor's file is the folder or lies below it. */
static bool is_below(const struct file_tree *tree, int fd)
{
	char name[DESCRIPTOR_PATH_BYTES], folder[PATH_MAX], file[PATH_MAX];
	ssize_t folder_length = readlink(descriptor_path(tree->fd, name), folder, sizeof(folder));
	ssize_t length = readlink(descriptor_path(fd, name), file, sizeof(file));

	if (folder_length < 1 || length < folder_length ||
	    memcmp(file, folder, (size_t)folder_length) != 0)
		return false;
	return folder_length == 1 || length == folder_length || file[folder_length] == '/';
}

/* For kernels before 5.6. Symbolic links to absolute paths lead outside there, so they find
   nothing. */
static int file_tree_find_checked(const struct file_tree *tree, const char *path)
{
	const char *below = path + strspn(path, "/");
	_cleanup_(closep) int fd = openat(tree->fd, below[0] ? below : ".", O_PATH | O_CLOEXEC);
	int found = fd;

	if (fd < 0)
		return -errno;
	if (!is_below(tree, fd))
		return -ENOENT;
	fd = -1;
	return found;
}

/* Finds the file without opening it for reading. */
static int file_tree_find(const struct file_tree *tree, const char *path)
{
#ifdef SYS_openat2
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	for (unsigned i = 0; i < TRIES; i++) {
		long fd = syscall(SYS_openat2, tree->fd, path, &how, sizeof(how));

		if (fd >= 0)
			return (int)fd;
		if (errno == ENOSYS || errno == EPERM) /* containers return EPERM */
			break;
		if (errno != EAGAIN) /* a rename interfered */
			return -errno;
	}
#endif
	return file_tree_find_checked(tree, path);
}

int file_tree_open_file(const struct file_tree *tree, const char *path)
{
	_cleanup_(closep) int found = file_tree_find(tree, path);
	char name[DESCRIPTOR_PATH_BYTES];
	struct stat status;
	int fd;

	if (found < 0)
		return found;
	if (fstat(found, &status) != 0)
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -EINVAL;
	if ((uint64_t)status.st_size > FILE_TREE_FILE_BYTES_MAX)
		return -EFBIG;
	fd = open(descriptor_path(found, name), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
