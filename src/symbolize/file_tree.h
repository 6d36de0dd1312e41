/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder below which files are opened for reading. No path leads outside, neither through ".."
 * nor through symbolic links, in which "/" means the folder. Only regular files are opened, so that
 * open() does not block and no device is touched.
 */
#pragma once

struct file_tree {
	int fd; /* -1: there is none */
};

/* Larger files are not opened. */
#define FILE_TREE_FILE_BYTES_MAX (16ull << 30)

/* 0 or -errno. */
int file_tree_open(struct file_tree *tree, const char *folder);
void file_tree_close(struct file_tree *tree);
/* Returns the descriptor, or -errno: -ENOENT, -EACCES ...; -EFBIG: too large; -EINVAL: no regular
   file. */
int file_tree_open_file(const struct file_tree *tree, const char *path);
