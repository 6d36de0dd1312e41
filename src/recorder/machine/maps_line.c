/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "maps_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool maps_line_parse(const char *line, struct maps_line *ret)
{
	char flags[5];
	int path_at = 0;

	*ret = (struct maps_line){0};
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
	           &ret->begin, &ret->end, flags, &ret->offset, &ret->device_major,
	           &ret->device_minor, &ret->inode, &path_at) < 7 ||
	    path_at == 0 || ret->end <= ret->begin)
		return false;
	ret->is_executable = strchr(flags, 'x') != NULL;
	ret->path = line + path_at;
	return true;
}
