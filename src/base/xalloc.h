/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that cannot fail: when memory runs out, the program ends with one line. That is
 * acceptable only because everything that grows with the input has a stated limit far below that.
 * Sizes are bytes; a size of 0 gives a pointer that may be freed but not dereferenced.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#define XALLOC_LINE_BYTES 1024

/* Sets the line for standard error, with its line feed; at most XALLOC_LINE_BYTES - 1 bytes. */
void xalloc_on_end(const char *text);
/* Sets a function that is called before the line is written, as for a terminal that could not show
   it; it must not allocate; NULL, the default: none. */
void xalloc_before_line(void (*tidy)(void));
/* Sets a function that is called before the end, and must not allocate; NULL, the default: none. */
void xalloc_before_end(void (*tidy)(void));
void *xmalloc(size_t size) __attribute__((malloc, warn_unused_result));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, warn_unused_result));
void *xrealloc(void *p, size_t size) __attribute__((warn_unused_result));
/* Reallocates count * size bytes, checked for overflow. */
void *xreallocarray(void *p, size_t count, size_t size) __attribute__((warn_unused_result));
/* Allocates count * size bytes at a multiple of the alignment, a power of two that divides the
   size. */
void *xaligned_alloc(size_t alignment, size_t count, size_t size)
	__attribute__((malloc, warn_unused_result));
/* Zeroed pages beside the heap; munmap(2), with the same size, gives them back to the kernel. */
void *xmap(size_t size) __attribute__((warn_unused_result));
/* open_memstream(3) */
FILE *xopen_memstream(char **text, size_t *length) __attribute__((warn_unused_result));
char *xstrdup(const char *text) __attribute__((malloc, warn_unused_result));
char *xstrndup(const char *text, size_t length) __attribute__((malloc, warn_unused_result));
char *xasprintf(const char *format, ...)
	__attribute__((format(printf, 1, 2), malloc, warn_unused_result));
