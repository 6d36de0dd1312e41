/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++ and Rust (of the older and the newer kind) as people write them: without parameters,
 * return type and Rust's hash, but with arguments of templates. Other names are appended as they
 * are; in a program that is built without libiberty, all names are.
 */
#pragma once

#include "base/cleanup.h"
#include "base/text/buffer.h"

/* Maximal bytes of a name that is shown; a longer name is cut and ends in "...". */
#define SYMBOL_NAME_MAX 1024
#define SYMBOL_NAME_CUT "..."

/* Returns false if this program is built without libiberty. */
bool demangle_is_able(void);
/* Appends the name; if it is cut at the buffer's limit, buffer->is_cut is set. */
void demangle(const char *name, struct buffer *to);

/* Appends the name of a function or variable as it is shown: demangled. It has the file's bytes. */
static inline void symbol_name_append(const char *name, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text =
		buffer_of(SYMBOL_NAME_MAX - (sizeof(SYMBOL_NAME_CUT) - 1));

	demangle(name, &text);
	buffer_append(to, text.text, text.length);
	if (text.is_cut)
		buffer_puts(to, SYMBOL_NAME_CUT);
}
