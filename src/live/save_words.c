/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "save_words.h"

#include "base/text/format.h"

void save_name_append(struct buffer *to, const struct tm *time, unsigned attempt)
{
	buffer_printf(to, "ftwait-%02d%02d%02d", time->tm_hour, time->tm_min, time->tm_sec);
	if (attempt > 1)
		buffer_printf(to, "-%u", attempt);
	buffer_puts(to, ".dat");
}

void save_result_append(struct buffer *to, nsec_t duration, uint64_t bytes, const char *name,
                        bool is_short)
{
	buffer_printf(to, "%.1f s%s, %s -> %s", (double)duration / 1e9,
	              is_short ? " (too little memory for more)" : "", SIZE_TEXT(bytes), name);
}
