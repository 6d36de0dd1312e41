/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as a trace file: opened, read to the end, closed. */
#include <assert.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_source.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct source *source = NULL;
	struct buffer why;
	char path[64];
	int r;

	assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	buffer_init(&why, 4096);
	r = source_open(path, &source, &why);
	(void)fuzz_source_read(r, source, &why);
	buffer_release(&why);
	(void)close(fd);
	return 0;
}
