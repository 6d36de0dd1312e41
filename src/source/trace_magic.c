/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_magic.h"

#include <errno.h>

int datfile_refuse_magic(struct buffer *why)
{
	buffer_puts(why, "not a trace.dat: it does not begin as one");
	return -EINVAL;
}
