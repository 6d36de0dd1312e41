/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a kernel's vmlinux. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"

/* Returns false if this program was built without libelf, and can read no file. */
bool kernel_image_is_able(void);
/*
 * Appends the functions and variables of the ELF file as lines of a System.map, in the order of
 * the file, and its build id in lower-case hex, if it has one. Closes the descriptor. Returns false
 * if the file is not a readable ELF file or has no symbols.
 */
bool kernel_image_read(int fd, struct buffer *to, struct buffer *build_id);
