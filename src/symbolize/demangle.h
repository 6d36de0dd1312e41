/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++ and Rust (of the older and the newer kind) as people write them: without parameters,
 * return type and Rust's hash, but with arguments of templates. Other names are appended as they
 * are; in a program that is built without libiberty, all names are.
 */
#pragma once

#include "base/text/buffer.h"

/* Returns false if this program is built without libiberty. */
bool demangle_is_able(void);
/* Appends the name; if it is cut at the buffer's limit, buffer->is_cut is set. */
void demangle(const char *name, struct buffer *to);
