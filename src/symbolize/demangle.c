/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mangled name may stand for a name that is exponentially longer. libiberty passes the parts to a
 * callback as they are made, but the callback cannot stop it; so when the buffer is full, the
 * callback jumps out. That leaks nothing, as the demanglers' own state is on the stack (except a
 * few bytes for a Rust name that is not ASCII).
 */
#include "demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <libiberty/demangle.h>

/* The demanglers use stack for every pair of a template and a reference in the name: less than 5 MB
   for names of this length. Longer names stay as they are. */
#define MANGLED_BYTES_MAX 2048

struct demangling {
	struct buffer *to;
	jmp_buf enough;
};

static void demangling_add(const char *text, size_t length, void *context)
{
	struct demangling *demangling = context;

	if (length) /* if length is 0, `text` may be NULL */
		buffer_append(demangling->to, text, length);
	if (demangling->to->is_cut)
		longjmp(demangling->enough, 1);
}

typedef int demangler_t(const char *mangled, int options, demangle_callbackref callback,
                        void *context);

/* Appends the demangled name; returns whether the name was one of that language. */
static bool demangle_by(demangler_t *demangler, const char *name, struct buffer *to)
{
	struct demangling demangling = {.to = to};
	volatile size_t begin = to->length;

	if (setjmp(demangling.enough) != 0)
		return true;
	if (demangler(name, DMGL_ANSI, demangling_add, &demangling) && to->length > begin)
		return true;
	to->length = begin;
	to->text[begin] = '\0';
	return false;
}

bool demangle_is_able(void)
{
	return true;
}

void demangle(const char *name, struct buffer *to)
{
	/* Rust's older names are also names of C++, with a hash */
	if (name[0] != '_' || strlen(name) > MANGLED_BYTES_MAX ||
	    (!demangle_by(rust_demangle_callback, name, to) &&
	     !demangle_by(cplus_demangle_v3_callback, name, to)))
		buffer_puts(to, name);
}
