/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Separate debug files, in the places where Debian, Fedora and GDB have them. By build id:
 * .build-id/ab/cdef.debug and usr/lib/debug/.build-id/ab/cdef.debug of the tree,
 * /usr/lib/debug/.build-id/ab/cdef.debug of this machine. By the program's debug link: FOLDER/NAME,
 * FOLDER/.debug/NAME, usr/lib/debug/FOLDER/NAME of the tree. A file counts only if its build id is
 * the program's; if the program has no build id, the checksum of the link must be right.
 */
#pragma once

#include <stdbool.h>

#include "elf_image.h"
#include "file_tree.h"

/* Opens the debug file of the program at `path` that has that build id (length 0: none). `program`
   NULL: the program is missing. Returns false if there is no debug file. */
bool debug_file_open(const struct file_tree *tree, const char *path, const struct build_id *id,
                     struct elf_image *program, struct elf_image *ret);
