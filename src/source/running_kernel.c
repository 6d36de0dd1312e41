/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "running_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define BOOT_ID_FILE  "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_BYTES 36
#define SYMBOLS_FILE  "/proc/kallsyms"

bool running_kernel_is(const char *boot_id)
{
	_cleanup_(closep) int fd = boot_id ? open(BOOT_ID_FILE, O_RDONLY | O_CLOEXEC) : -1;
	char id[BOOT_ID_BYTES];

	return fd >= 0 && strlen(boot_id) == sizeof(id) &&
	       read(fd, id, sizeof(id)) == (ssize_t)sizeof(id) &&
	       memcmp(id, boot_id, sizeof(id)) == 0;
}

int64_t running_kernel_read_symbols(int *fd, uint64_t offset, char *to, size_t size)
{
	ssize_t got;

	if (*fd < 0)
		*fd = open(SYMBOLS_FILE, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return -errno;
	got = pread(*fd, to, size, (off_t)offset);
	return got < 0 ? -errno : got;
}
