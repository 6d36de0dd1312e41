/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "This file is being written": a lock that the kernel drops with the last descriptor of the open
 * file, however its owner ends. For ftwait among itself: nobody else is kept from anything.
 */
#pragma once

#include <stdbool.h>

/*
 * Takes the lock. Returns 0, also on file systems without locks; -EBUSY where another open file has
 * it.
 */
int file_lock(int fd);
/* True where path names the file that is open as fd. */
bool file_is_at(int fd, const char *path);
