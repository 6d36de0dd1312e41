/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In a program that is built without libiberty. */
#include "demangle.h"

bool demangle_is_able(void)
{
	return false;
}

void demangle(const char *name, struct buffer *to)
{
	buffer_puts(to, name);
}
