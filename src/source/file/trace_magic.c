/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace_magic.h"

#include <errno.h>

#include "base/cleanup.h"
#include "foreign_file.h"

int datfile_refuse_magic(const void *head, size_t bytes, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer what = {0};

	buffer_init(&what, 1000);
	if (foreign_file_describe(head, bytes, &what))
		buffer_printf(why, "not a trace.dat, but %s", what.text);
	else
		buffer_puts(why, "not a trace.dat: it does not begin as one");
	return -EINVAL;
}
