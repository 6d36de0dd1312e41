/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of a program at some addresses, by the tables of symbols in its own file. It reads
 * without libraries, so that the smallest recorder is able to. The file may be anything; what is
 * read of it is bounded. Which of several names is taken is decided by function_table.h, as
 * for reports, which also read separate debug files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code/code_part.h"
#include "base/code/function_table.h"
#include "base/file/elf_file.h"

/* Limit on the names of variables around the wanted addresses. */
#define ELF_VARIABLES_MAX 65536u

struct elf_variables {
	struct code_part part[CODE_PARTS_MAX];
	size_t part_count;
	bool has_all; /* the file has its whole table of symbols: what is in no variable there is no
	                 variable of the program */
	struct function_table table; /* variables that contain a wanted address */
};

/*
 * Reads those around the places. Returns 0, also if the file has none, or -errno: -EINVAL if it is
 * no readable ELF file. In any case elf_variables_release() ends its use.
 */
int elf_variables_read(struct elf_variables *variables, elf_reader read_at, void *state,
                       const struct user_place *place, size_t count);
void elf_variables_release(struct elf_variables *variables);
/* The variable at one of the places, borrowed; NULL: none, or not known. *ret_within: bytes from
   its begin. */
const char *elf_variables_name(const struct elf_variables *variables,
                               const struct user_place *place, uint64_t *ret_within);
