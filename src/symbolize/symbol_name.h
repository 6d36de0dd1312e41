/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of functions and variables as they are shown. */
#pragma once

#include "base/text/buffer.h"

/* Maximal bytes of a name; a longer name is cut and ends in "...". */
#define SYMBOL_NAME_MAX 1024

/* Appends the demangled name (demangle.h). It has the file's bytes. */
void symbol_name_append(const char *name, struct buffer *to);
