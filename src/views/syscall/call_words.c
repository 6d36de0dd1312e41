/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "call_words.h"

#include <inttypes.h>

void call_error_append(struct buffer *to, const struct errno_names *names, int64_t result)
{
	const char *name = errno_name(names, -result);

	if (name)
		buffer_puts(to, name);
	else
		buffer_printf(to, "error %" PRId64, -result);
}

void call_errors_append(struct buffer *to, const struct errno_names *names,
                        const struct tally *error, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buffer_puts(to, i ? ", " : "");
		call_error_append(to, names, error[i].number);
		buffer_printf(to, ": %" PRIu64, error[i].count);
	}
	if (count == 0)
		buffer_putc(to, '-');
}
