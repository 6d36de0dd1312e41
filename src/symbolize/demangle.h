/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++ and Rust (its older and its newer kind) as people write them: without parameters,
 * return type and Rust's hash, with arguments of templates. Other names are appended as they are,
 * as are all names in a program that is built without libiberty.
 */
#pragma once

#include "base/buffer.h"

/* False: this program is built without libiberty. */
bool demangle_is_able(void);
/* The result is cut at the buffer's limit: buffer->is_cut. */
void demangle(const char *name, struct buffer *to);
