/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text/buffer.h"
#include "status_line.h"

static bool quiet;

__attribute__((format(printf, 2, 0))) static void message_print(const char *kind,
                                                                const char *format,
                                                                va_list arguments)
{
	char line[2048];
	struct buffer clean;

	(void)vsnprintf(line, sizeof(line), format, arguments);
	buffer_init(&clean, BUFFER_LIMIT_DEFAULT);
	buffer_puts_clean(&clean, line, strlen(line));
	status_line_clear();
	/* One write per line, so that lines of several processes do not mix. */
	(void)fprintf(stderr, "ftwait: %s%s\n", kind, clean.text);
	buffer_release(&clean);
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
