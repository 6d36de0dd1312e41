/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "xalloc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char line[XALLOC_LINE_BYTES] = "ftwait: out of memory\n";

static void (*before_line)(void), (*before_end)(void);

void xalloc_before_line(void (*tidy)(void))
{
	before_line = tidy;
}

void xalloc_before_end(void (*tidy)(void))
{
	before_end = tidy;
}

void xalloc_on_end(const char *text)
{
	(void)snprintf(line, sizeof(line), "%s", text);
}

static void *checked(void *p)
{
	if (p)
		return p;
	if (before_line)
		before_line();
	/* Only here code outside cmd/ writes a message: nothing may be allocated any more. */
	(void)!write(STDERR_FILENO, line, strlen(line));
	if (before_end)
		before_end();
	_exit(1);
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

void *xreallocarray(void *p, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		(void)checked(NULL);
	return xrealloc(p, count * size);
}

void *xaligned_alloc(size_t alignment, size_t count, size_t size)
{
	assert(alignment && (alignment & (alignment - 1)) == 0 && size % alignment == 0);
	if (size && count > SIZE_MAX / size)
		(void)checked(NULL);
	return checked(aligned_alloc(alignment, count * size));
}

void *xmap(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return checked(p == MAP_FAILED ? NULL : p);
}

FILE *xopen_memstream(char **text, size_t *length)
{
	return checked(open_memstream(text, length));
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xstrndup(const char *text, size_t length)
{
	return checked(strndup(text, length));
}

char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return checked(text);
}
