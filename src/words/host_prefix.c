/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_prefix.h"

#include <string.h>

void host_prefix_append(struct buffer *to, const char *host)
{
	if (!host)
		return;
	buffer_puts_clean(to, host, strlen(host));
	buffer_putc(to, ':');
}
