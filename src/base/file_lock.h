/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lock that shows that a file is being written. The kernel drops it with the last descriptor of
 * the open file, however its owner ends. Only ftwait heeds the lock: other programs are not kept
 * out.
 */
#pragma once

#include <stdbool.h>

/*
 * Takes the lock. Returns 0, also on file systems without locks; -EBUSY if another open file holds
 * it.
 */
int file_lock(int fd);
/* True if path names the file that is open as fd. */
bool file_is_at(int fd, const char *path);
