/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scope-bound cleanup: _cleanup_(fn) calls fn(&variable) when the variable goes out of scope.
 * Cleanup functions end in "p" and take a pointer to the variable; all accept NULL inside.
 */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(fn) __attribute__((cleanup(fn)))

/* Hands ownership over: evaluates to the pointer and leaves NULL behind. */
#define TAKE_PTR(p)                        \
	__extension__({                    \
		__typeof__(p) taken_ = (p); \
		(p) = NULL;                \
		taken_;                    \
	})

static inline void freep(void *p)
{
	free(*(void **)p);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1; /* the number may be another file's soon */
}

static inline void fclosep(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

static inline void closedirp(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}
