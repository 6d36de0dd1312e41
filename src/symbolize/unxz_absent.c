/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In a program that is built without liblzma. */
#include <errno.h>

#include "unxz.h"

int unxz(const void *packed, size_t size, size_t limit, uint8_t **ret, size_t *ret_size)
{
	(void)packed;
	(void)size;
	(void)limit;
	(void)ret;
	(void)ret_size;
	return -ENOTSUP;
}
