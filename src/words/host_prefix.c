/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_prefix.h"

#include <string.h>

#define NAMES_SHOWN 4

void host_prefix_append(struct buffer *to, const char *host)
{
	if (!host)
		return;
	buffer_puts_clean(to, host, strlen(host));
	buffer_putc(to, ':');
}

void host_names_append(struct buffer *to, const char *const *names, size_t count)
{
	size_t shown = count > NAMES_SHOWN + 1 ? NAMES_SHOWN : count;

	for (size_t i = 0; i < shown; i++) {
		if (i > 0)
			buffer_puts(to, ", ");
		buffer_puts(to, names[i]);
	}
	if (shown < count)
		buffer_printf(to, " and %zu more", count - shown);
}
