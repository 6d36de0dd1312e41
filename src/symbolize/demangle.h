/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of C++ and Rust (its older and its newer kind) as people write them: without parameters,
 * return type and Rust's hash, with arguments of templates. A name of neither is appended as it is,
 * and so are all in a program that is built without libiberty.
 */
#pragma once

#include "base/buffer.h"

/* False: the program is built without libiberty. */
bool demangle_is_able(void);
/* What is longer than the buffer's limit is cut: buffer->is_cut. */
void demangle(const char *name, struct buffer *to);
