/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "buffer.h"
#include "utf8.h"

/*
 * Progress on one line of the terminal on standard error. The line is overwritten again and again,
 * and removed at the end. Nothing is shown if standard error is no terminal. The line needs no
 * escape sequences, only carriage returns, and is never wider than the terminal.
 *
 * A process has only one such line. Other code that writes to the terminal clears it first, as
 * message.h does. Only commands use it, as they do messages.
 */

#define WIDTH_DEFAULT 80 /* width if the terminal does not report it, as on serial lines */

static bool is_on, is_passed_on;
static size_t shown; /* columns of the line on the terminal; 0: there is none */

void status_line_begin(bool is_wanted)
{
	status_line_clear();
	is_on = is_wanted && (is_passed_on || isatty(STDERR_FILENO) == 1);
}

void status_line_pass_on(void)
{
	is_passed_on = true;
}

bool status_line_is_on(void)
{
	return is_on;
}

static size_t terminal_width(void)
{
	struct winsize size = {0};

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col;
}

/*
 * Appends as much of `text`, which is valid UTF-8, as fits into that many columns. "?" replaces
 * each character beyond ASCII, as a terminal may show it two columns wide, or garbled. Returns
 * whether some of the text did not fit.
 */
static bool status_line_fit(struct buffer *to, const char *text, size_t columns)
{
	for (; *text && columns > 0; text++, columns--) {
		buffer_putc(to, *text & 0x80 ? '?' : *text);
		while (utf8_is_continuation(text[1]))
			text++;
	}
	return *text != '\0';
}

/* Cuts the line at its last comma, so that it ends with a whole part. */
static void line_end_whole(struct buffer *line)
{
	size_t at = line->length;

	while (at > 0 && !(line->text[at - 1] == ',' && line->text[at] == ' '))
		at--;
	if (at > 1)
		line->length = at - 1;
	line->text[line->length] = '\0';
}

/* The last column stays empty: some terminals wrap once it is filled. */
void status_line_show(const char *text)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(1024), line = buffer_of(1024);
	size_t width = terminal_width(), length;

	if (!is_on)
		return;
	buffer_puts_clean(&clean, text, strlen(text));
	if (status_line_fit(&line, clean.text, width - 1))
		line_end_whole(&line);
	length = line.length;
	while (line.length < shown && line.length < width - 1)
		buffer_putc(&line, ' ');
	(void)fprintf(stderr, "\r%s", line.text);
	shown = length > 0 ? length : 1;
}

void status_line_clear(void)
{
	size_t width;

	if (shown == 0)
		return;
	width = terminal_width();
	if (shown > width - 1)
		shown = width - 1;
	(void)fprintf(stderr, "\r%*s\r", (int)shown, "");
	shown = 0;
}

static bool quiet;

__attribute__((format(printf, 2, 0))) static void message_print(const char *kind,
                                                                const char *format,
                                                                va_list arguments)
{
	_cleanup_(buffer_release) struct buffer clean = buffer_of(BUFFER_LIMIT_DEFAULT);
	char line[2048];

	(void)vsnprintf(line, sizeof(line), format, arguments);
	buffer_puts_clean(&clean, line, strlen(line));
	status_line_clear();
	/* One write per line, so that lines of several processes do not mix. */
	(void)fprintf(stderr, "ftwait: %s%s\n", kind, clean.text);
}

void message_set_quiet(bool is_quiet)
{
	quiet = is_quiet;
}

int message_fail(int result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print("", format, arguments);
	va_end(arguments);
	return result;
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
