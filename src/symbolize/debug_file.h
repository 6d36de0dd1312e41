/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Separate debug files, where Debian, Fedora and GDB have them: .build-id/ab/cdef.debug and
 * usr/lib/debug/.build-id/ab/cdef.debug of the tree, /usr/lib/debug/.build-id/ab/cdef.debug of this
 * machine; by the program's debug link FOLDER/NAME, FOLDER/.debug/NAME, usr/lib/debug/FOLDER/NAME
 * of the tree. One counts only if its build id is the program's, or where that has none if the
 * link's checksum is right.
 */
#pragma once

#include <stdbool.h>

#include "elf_image.h"
#include "file_tree.h"

/*
 * Opens the debug file of the program at `path`, of that build id (length 0: it has none).
 * `program` NULL: the program is missing. False: there is no debug file.
 */
bool debug_file_open(const struct file_tree *tree, const char *path, const struct build_id *id,
                     struct elf_image *program, struct elf_image *ret);
