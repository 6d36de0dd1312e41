/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

static bool quiet;

__attribute__((format(printf, 2, 0))) static void message_print(const char *kind,
                                                                const char *format,
                                                                va_list arguments)
{
	char line[2048];

	/* One write a line, so that lines of several processes do not mix. */
	(void)vsnprintf(line, sizeof(line), format, arguments);
	(void)fprintf(stderr, "ftwait: %s%s\n", kind, line);
}

void message_set_quiet(bool is_quiet)
{
	quiet = is_quiet;
}

void message_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print("", format, arguments);
	va_end(arguments);
}

void message_warning(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print("warning: ", format, arguments);
	va_end(arguments);
}

void message_note(const char *format, ...)
{
	va_list arguments;

	if (quiet)
		return;
	va_start(arguments, format);
	message_print("", format, arguments);
	va_end(arguments);
}
