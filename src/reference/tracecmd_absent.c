/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layer in a program that is built without libtracecmd. */
#include <errno.h>

#include "tracecmd_source.h"

bool reference_is_built(void)
{
	return false;
}

int reference_open(const char *path, struct source **ret, struct buffer *why)
{
	(void)path;
	(void)ret;
	return buffer_fail(why, -ENOTSUP, "cannot be read through libtracecmd: this build is "
	                   "without it; use --reader native");
}
