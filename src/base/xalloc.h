/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that cannot fail: on exhaustion the program ends with one line. That is honest only
 * because whatever grows with the input has a stated limit far below exhaustion.
 * Sizes are bytes; a size of 0 gives a pointer that may be freed but not followed.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#define XALLOC_LINE_BYTES 1024

/* What is then said on standard error, with its line feed; at most XALLOC_LINE_BYTES - 1. */
void xalloc_on_end(const char *text);
/* What is then done last, without allocating; NULL, as at the beginning: nothing. */
void xalloc_before_end(void (*tidy)(void));
void *xmalloc(size_t size) __attribute__((malloc, warn_unused_result));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, warn_unused_result));
void *xrealloc(void *p, size_t size) __attribute__((warn_unused_result));
/* count * size with overflow caught. */
void *xreallocarray(void *p, size_t count, size_t size) __attribute__((warn_unused_result));
/* count * size bytes at a multiple of the alignment, a power of two that divides the size. */
void *xaligned_alloc(size_t alignment, size_t count, size_t size)
	__attribute__((malloc, warn_unused_result));
/* open_memstream(3) */
FILE *xopen_memstream(char **text, size_t *length) __attribute__((warn_unused_result));
char *xstrdup(const char *text) __attribute__((malloc, warn_unused_result));
char *xstrndup(const char *text, size_t length) __attribute__((malloc, warn_unused_result));
char *xasprintf(const char *format, ...)
	__attribute__((format(printf, 1, 2), malloc, warn_unused_result));
