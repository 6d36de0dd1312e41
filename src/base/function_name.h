/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the kernel's functions. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* The compiler appends ".isra.0", ".constprop.0" and the like to functions that it has changed. In
   a stack a name ends at ';'. */
static inline bool function_is(const char *name, const char *function)
{
	size_t length = strlen(function);

	return strncmp(name, function, length) == 0 &&
	       (name[length] == '\0' || name[length] == '.' || name[length] == ';');
}

static inline bool function_is_any(const char *name, const char *const *functions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (function_is(name, functions[i]))
			return true;
	return false;
}
