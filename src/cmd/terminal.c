/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text/parse.h"

#define WIDTH_UNKNOWN 80
#define WIDTH_MAX     10000

/* The value of COLUMNS; 0: it is not set. */
static unsigned width_of_environment(void)
{
	const char *columns = getenv("COLUMNS");
	uint64_t width;

	if (!columns || parse_u64(columns, &width) < 0 || width > WIDTH_MAX)
		return 0;
	return (unsigned)width;
}

unsigned terminal_width(FILE *out)
{
	unsigned width = width_of_environment();
	struct winsize size = {0};

	if (isatty(fileno(out)) != 1)
		return 0;
	if (width == 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	return width ? width : WIDTH_UNKNOWN;
}

bool terminal_has_escapes(FILE *out)
{
	const char *name = getenv("TERM");

	return isatty(fileno(out)) == 1 && name && *name && strcmp(name, "dumb") != 0;
}

bool terminal_has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void terminal_fit(FILE *out, struct presenter_options *options)
{
	options->width = terminal_width(out);
	options->utf8 = terminal_has_utf8();
	options->is_ascii = options->width > 0 && !options->utf8;
}
