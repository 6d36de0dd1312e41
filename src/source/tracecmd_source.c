/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracecmd_source.h"

#include <errno.h>

int reference_open(const char *path, struct source **ret, struct buffer *why)
{
	(void)path;
	(void)ret;
	buffer_puts(why, "the reader libtracecmd is not built in");
	return -ENOTSUP;
}
