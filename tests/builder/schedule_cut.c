/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schedule_cut.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool schedule_line_is_event(const char *line)
{
	line += strspn(line, " \t");
	if (!isdigit((unsigned char)*line))
		return false;
	return line[strspn(line, "0123456789.")] == '/';
}

unsigned schedule_event_count(const char *text)
{
	unsigned count = 0;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
		count += schedule_line_is_event(text);
	return count;
}

double schedule_event_time(const char *text, unsigned number)
{
	while (!schedule_line_is_event(text) || number-- > 0) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return strtod(text, NULL);
}

void schedule_cut(const char *text, double until, struct buffer *to)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		length += text[length] == '\n';
		if (!schedule_line_is_event(text) || strtod(text, NULL) <= until)
			buffer_append(to, text, length);
		text += length;
	}
}
