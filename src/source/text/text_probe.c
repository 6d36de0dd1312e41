/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_probe.h"

#include <string.h>

#include "source/text/text_line.h"
#include "text_head.h"
#include "text_layout.h"

bool text_probe_is_text(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size; i++)
		if ((at[i] < ' ' && at[i] != '\n' && at[i] != '\r' && at[i] != '\t') ||
		    at[i] == 0x7f)
			return false;
	return size > 0;
}

bool text_probe_has_event(const char *bytes, size_t size)
{
	const char *at = bytes, *end = bytes + size;
	struct text_line line;
	struct text_head head;

	if (size > 0 && *bytes == '<')
		return true;
	while (line_next(&at, end, &line))
		if (line.end < end && text_head_parse(line, &head) && text_line_is_event(head.rest))
			return true;
	return false;
}
