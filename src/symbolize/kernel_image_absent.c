/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_image.h for builds without libelf. */
#include <unistd.h>

#include "kernel_image.h"

bool kernel_image_is_able(void)
{
	return false;
}

bool kernel_image_read(int fd, struct buffer *to, struct buffer *build_id)
{
	(void)to;
	(void)build_id;
	(void)close(fd);
	return false;
}
